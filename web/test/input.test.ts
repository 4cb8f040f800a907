import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '../src/lib/i18n.svelte';
import { PlayerInput } from '../src/lib/input.svelte';
import { notices } from '../src/lib/notices.svelte';
import type { Table } from '../src/lib/table.svelte';

type Answer = { ok: true } | { ok: false; reason: string; message: string };
let answers: ((answer: Answer) => void)[];
let sent: string[];
let input: PlayerInput;

beforeAll(() => setLanguage('en'));
beforeEach(() => {
  answers = [];
  sent = [];
  notices.shown = null;
  const command = vi.fn(({ type }: { type: string }) => {
    sent.push(type);
    return new Promise<Answer>((resolve) => answers.push(resolve));
  });
  input = new PlayerInput({ view: { decision: 'play', hand: [], wish: null }, command } as unknown as Table);
});

test('a second tap on what is on its way is swallowed', async () => {
  const first = input.send({ type: 'TICHU.PASS' });
  expect(input.isSending('TICHU.PASS')).toBe(true);
  expect(await input.send({ type: 'TICHU.PASS' })).toBe(false);
  answers[0]!({ ok: true });
  expect(await first).toBe(true);
  expect(input.isSending('TICHU.PASS')).toBe(false);
  expect(sent).toEqual(['TICHU.PASS']);
  expect(notices.shown).toBeNull();
});

test('a turn is either passed or played', async () => {
  void input.send({ type: 'TICHU.PASS' });
  expect(await input.send({ type: 'TICHU.PLAY_CARDS', cards: ['2s'] })).toBe(false);
  expect(sent).toEqual(['TICHU.PASS']);
});

test('a bomb does not wait for a pass', () => {
  void input.send({ type: 'TICHU.PASS' });
  void input.send({ type: 'TICHU.PLAY_BOMB', cards: ['2s', '2b', '2g', '2r'] });
  expect(sent).toEqual(['TICHU.PASS', 'TICHU.PLAY_BOMB']);
});

test('what can be changed any number of times is sent every time', () => {
  void input.send({ type: 'TABLE.AUTO_PASS', until: 'turn' });
  void input.send({ type: 'TABLE.AUTO_PASS', until: 'off' });
  expect(sent).toEqual(['TABLE.AUTO_PASS', 'TABLE.AUTO_PASS']);
});

test('Enter gives three cards and not fewer', async () => {
  input.table.view = { decision: 'exchange', hand: ['2s', '3s', '4s'] } as unknown as Table['view'];
  input.setDraft(['2s', '3s']);
  await input.confirm();
  expect(sent).toEqual(['TICHU.SELECT_EXCHANGE']);
  input.setDraft(['2s', '3s', '4s']);
  void input.confirm();
  expect(sent.at(-1)).toBe('TICHU.CONFIRM_EXCHANGE');
});
