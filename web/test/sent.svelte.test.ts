import { createRawSnippet, flushSync, mount, unmount, type Component } from 'svelte';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import PlayBar from '../src/components/table/PlayBar.svelte';
import RecipientPicker from '../src/components/table/RecipientPicker.svelte';
import RoundEnd from '../src/components/table/RoundEnd.svelte';
import WishPicker from '../src/components/table/WishPicker.svelte';
import { setLanguage } from '../src/lib/i18n.svelte';
import { PlayerInput } from '../src/lib/input.svelte';
import { settings } from '../src/lib/settings.svelte';
import type { Table } from '../src/lib/table.svelte';
import type { SeatView } from '../src/wire';

/** Every tap shows at once that it was taken, whenever the answer comes. */
const VIEW = {
  seat: 0,
  phase: 'TICHU.TRICK_PLAY',
  decision: null,
  pending: [0],
  hand: ['2s', '3s', '4s', '5s'],
  counts: [4, 4, 4, 4],
  out: [],
  suggestions: [],
  bombs: [],
  draft: [],
  given: [],
  received: [],
  recipients: [1, 3],
} as unknown as SeatView;
const names = ['Ada', 'Ben', 'Cho', 'Dov'];
const people = names.map((name) => ({ name, player: name, ready: false, connected: true }));
const RESULT = { round: 0, out: [0], score: [60, 40], points: [60, 40], bonus: [0, 0], calls: ['-', '-', '-', '-'] };

let shown: Record<string, unknown> | null = null;
let sent: string[] = [];
let answers: (() => void)[] = [];

beforeAll(() => setLanguage('en'));
beforeEach(() => {
  settings.speed = 'none';
  HTMLDialogElement.prototype.showModal ??= () => undefined;
  [sent, answers] = [[], []];
});
afterEach(() => {
  settings.speed = 'normal';
  if (shown) void unmount(shown);
  shown = null;
  document.body.innerHTML = '';
});

/** Show a part of a table that takes its time to answer. */
function show(component: unknown, changed: object, more: object = {}): void {
  const view = { ...VIEW, ...changed };
  const command = ({ type }: { type: string }) => {
    sent.push(type);
    return new Promise((resolve) => answers.push(() => resolve({ ok: true })));
  };
  const state = { results: [RESULT], score: [60, 40], winner: null, rules: 'standard', seats: people };
  const table = $state({
    view,
    state,
    command,
    seat: 0,
    team: 0,
    you: { player: 'Ada' },
    mayAssist: () => false,
    now: () => 0,
  });
  const input = new PlayerInput(table as unknown as Table);
  const player = createRawSnippet(() => ({ render: () => '<i></i>' }));
  const functions = { onfocushand: vi.fn(), onclose: vi.fn(), onnext: vi.fn() };
  const props = { input, view, names, wishes: ['7', 'A', 'NONE'], player, ...functions, ...more };
  if ('draft' in changed) input.draft = changed.draft as PlayerInput['draft'];
  shown = mount(component as Component<typeof props>, { target: document.body, props });
  flushSync();
}

const button = (text: string) =>
  [...document.querySelectorAll('button')].find((other) =>
    [other.ariaLabel ?? other.getAttribute('aria-label'), other.textContent].some((name) => name?.includes(text)),
  )!;

test.each([
  ['gift', RecipientPicker, {}, 'To Dov', 'To Ben', 'TICHU.DRAGON_DONATE'],
  ['wish', WishPicker, {}, 'seven', 'ace', 'TICHU.WISH'],
  ['no wish', WishPicker, {}, 'No wish', 'ace', 'TICHU.WISH'],
  ['no bomb', PlayBar, { decision: 'bomb' }, 'No bomb', 'On its way', 'TICHU.DECLINE_BOMB'],
  [
    'Grand Tichu',
    PlayBar,
    { decision: 'grand', phase: 'TICHU.DECLARE_GRAND_WINDOW' },
    'No, deal the rest',
    'Grand Tichu',
    'TICHU.DECLINE_GRAND_TICHU',
  ],
  [
    'exchange',
    PlayBar,
    { decision: 'exchange', phase: 'TICHU.EXCHANGE_SELECT', draft: ['2s', '3s', '4s'] },
    'Give the cards',
    'Give the cards',
    'TICHU.CONFIRM_EXCHANGE',
  ],
  ['next round', RoundEnd, { decision: 'ready' }, 'Next round', 'Next round', 'TABLE.READY'],
])('%s', async (_, component, changed, tapped, other, type) => {
  show(component, changed);
  button(tapped).click();
  flushSync();
  expect(button(tapped).className).toContain('sent');
  expect(button(tapped).getAttribute('aria-disabled')).toBe('true');
  expect(button(other).getAttribute('aria-disabled')).toBe('true');
  button(tapped).click();
  button(other).click();
  expect(sent).toEqual([type]);
  answers[0]!();
  await new Promise((done) => setTimeout(done));
  flushSync();
  expect(button(tapped).className).not.toContain('sent');
});
