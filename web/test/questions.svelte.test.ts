import { createRawSnippet, flushSync, mount, unmount, type Component } from 'svelte';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import PlayBar from '../src/components/table/PlayBar.svelte';
import TableMiddle from '../src/components/table/TableMiddle.svelte';
import { setLanguage } from '../src/lib/i18n.svelte';
import { PlayerInput } from '../src/lib/input.svelte';
import { settings } from '../src/lib/settings.svelte';
import type { Table } from '../src/lib/table.svelte';
import type { SeatView } from '../src/wire';

/** What is asked at the table must not come back by itself with the next round. */
const QUIET = {
  seat: 0,
  phase: 'TICHU.TRICK_PLAY',
  decision: null,
  pending: [1],
  hand: ['2s', '9b'],
  counts: [2, 2, 2, 2],
  top: null,
  trick: [],
  lastTrick: [],
  lastTaker: null,
  pointsOnTable: 0,
  wish: null,
  given: [],
  received: [],
  mayCall: false,
  mayPass: false,
  suggestions: [],
  bombs: [],
  canBomb: false,
  window: null,
  waitsLeft: 0,
  autoPass: 'off',
} as unknown as SeatView;
const FOUR = { text: '2s2b2g2r', cards: ['2s', '2b', '2g', '2r'], type: 'BOMB_QUAD', isBomb: true, rank: '2' };

const names = ['Ada', 'Ben', 'Cho', 'Dov'];
let shown: Record<string, unknown> | null = null;

beforeAll(() => setLanguage('en'));
beforeEach(() => {
  settings.speed = 'none';
});
afterEach(() => {
  settings.speed = 'normal';
  if (shown) void unmount(shown);
  document.body.innerHTML = '';
});

/** Show a part of the table, and get what changes the view. */
function show(component: unknown, more: object = {}): (change: object) => void {
  const table = $state({ view: QUIET, state: { round: 0 }, mayAssist: () => false, now: () => 0 });
  const input = new PlayerInput(table as unknown as Table);
  const props = $state({ input, names, view: QUIET, ...more });
  shown = mount(component as Component<typeof props>, { target: document.body, props });
  const change = (changed: object) => {
    props.view = { ...QUIET, ...changed };
    table.view = props.view;
    flushSync();
  };
  change({});
  return change;
}

const button = (text: string) =>
  [...document.querySelectorAll('button')].find((other) => other.textContent?.includes(text));
const dialog = () => document.querySelector('dialog[open]');
async function press(text: string) {
  button(text)!.click();
  flushSync();
  await vi.waitFor(() => expect(dialog()).not.toBeNull());
}

const player = createRawSnippet(() => ({ render: () => '<i></i>' }));

test.each([
  ['Grand Tichu …', { decision: 'grand', phase: 'TICHU.DECLARE_GRAND_WINDOW' }],
  ['Tichu', { mayCall: true }],
  ['Bomb', { bombs: [FOUR], canBomb: true }],
])('what %s asks goes when somebody else has decided, and does not come back unasked', async (name, situation) => {
  const change = show(PlayBar, { player, onfocushand: vi.fn() });
  change(situation);
  await press(name);
  change({});
  expect(dialog()).toBeNull();
  change(situation);
  await new Promise((done) => setTimeout(done));
  flushSync();
  expect(dialog()).toBeNull();
  await press(name);
});

test('the cards of every exchange are shown, also of the first one in another game', () => {
  const change = show(TableMiddle);
  const exchanged = { received: [{ seat: 1, card: '9b' }], given: [{ seat: 1, card: '3s' }] };
  change(exchanged);
  button('Thanks')!.click();
  flushSync();
  expect(button('Thanks')).toBeUndefined();
  change(exchanged);
  expect(button('Thanks')).toBeUndefined();
  change({ phase: 'TICHU.DEAL_PART1' });
  change(exchanged);
  expect(button('Thanks')).toBeDefined();
});
