import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '../src/lib/i18n.svelte';
import { PlayerInput } from '../src/lib/input.svelte';
import { notices } from '../src/lib/notices.svelte';
import type { Table } from '../src/lib/table.svelte';
import type { Checked } from '../src/wire';

type Answer = { ok: true } | { ok: false; reason: string; message: string };
let answers: ((answer: Answer) => void)[];
let sent: string[];
let checks: ((answer: Checked | null) => void)[];
let input: PlayerInput;

beforeAll(() => setLanguage('en'));
beforeEach(() => {
  answers = [];
  sent = [];
  checks = [];
  notices.shown = null;
  const command = vi.fn(({ type }: { type: string }) => {
    sent.push(type);
    return new Promise<Answer>((resolve) => answers.push(resolve));
  });
  const check = () => new Promise((resolve) => checks.push(resolve));
  const view = { decision: 'play', hand: ['2s', '3s', '4s'], wish: null };
  input = new PlayerInput({ view, command, check, status: 'open' } as unknown as Table);
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

// A play before the server has said what the cards form.

const TWO = { cards: ['2s'], type: 'SINGLE', rank: '2', length: 1, text: '2s' } as const;
const LEGAL = { type: 'checked', readings: [TWO] } as unknown as Checked;
const BEATEN = { ...LEGAL, reason: 'DOES_NOT_BEAT' } as unknown as Checked;

/** Answer the last check. */
async function answerCheck(answer: Checked | null): Promise<void> {
  checks.at(-1)!(answer);
  await new Promise((done) => setTimeout(done));
}

test('a play that is not checked yet is shown as on its way, and made when it is', async () => {
  input.select(['2s']);
  await input.confirm();
  await input.confirm();
  expect(input.isSending('TICHU.PLAY_CARDS')).toBe(true);
  expect(await input.send({ type: 'TICHU.PASS' })).toBe(false);
  expect(sent).toEqual([]);
  await answerCheck(LEGAL);
  expect(sent).toEqual(['TICHU.PLAY_CARDS']);
  answers[0]!({ ok: true });
  await new Promise((done) => setTimeout(done));
  expect(input.isSending('TICHU.PLAY_CARDS')).toBe(false);
  expect(input.selected).toEqual([]);
});

test('or refused, with the reason', async () => {
  input.select(['2s']);
  await input.playSelected();
  await answerCheck(BEATEN);
  expect(sent).toEqual([]);
  expect(input.isSending('TICHU.PLAY_CARDS')).toBe(false);
  expect(notices.shown?.text).toBe('This does not beat what lies on the table');
});

test('whoever selects other cards has not meant these', async () => {
  input.select(['2s']);
  await input.playSelected();
  input.select(['2s', '3s']);
  expect(input.isSending('TICHU.PLAY_CARDS')).toBe(false);
  await answerCheck(LEGAL);
  expect(sent).toEqual([]);
});

test('a play that was meant for one trick is not made in another', async () => {
  input.select(['2s']);
  await input.playSelected();
  input.table.view = { ...input.table.view, top: { seat: 1, combination: { text: '3b' } } } as unknown as Table['view'];
  input.update();
  await answerCheck(LEGAL);
  expect(sent).toEqual([]);
  expect(input.isSending('TICHU.PLAY_CARDS')).toBe(false);
});

test('a reason that may no longer hold refuses nothing', async () => {
  input.select(['2s']);
  await answerCheck({ ...LEGAL, reason: 'NOT_YOUR_TURN' });
  // It becomes this player's turn.
  input.update();
  await input.playSelected();
  expect(notices.shown).toBeNull();
  await answerCheck(LEGAL);
  expect(sent).toEqual(['TICHU.PLAY_CARDS']);
});

test('what the connection has lost is checked and played when it is back', async () => {
  input.select(['2s']);
  await input.playSelected();
  input.table.status = 'lost';
  await answerCheck(null);
  expect(input.isSending('TICHU.PLAY_CARDS')).toBe(true);
  input.table.status = 'open';
  input.update();
  await answerCheck(LEGAL);
  expect(sent).toEqual(['TICHU.PLAY_CARDS']);
});

test('a check without an answer holds up nothing, and is made again', async () => {
  input.select(['2s']);
  await input.playSelected();
  await answerCheck(null);
  expect(input.isSending('TICHU.PLAY_CARDS')).toBe(false);
  await input.playSelected();
  expect(checks).toHaveLength(2);
  await answerCheck(LEGAL);
  expect(sent).toEqual(['TICHU.PLAY_CARDS']);
});
