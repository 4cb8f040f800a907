import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import avatars from '../src/art/avatars.svg?raw';
import sprite from '../src/art/sprite.svg?raw';
import Card from '../src/components/cards/Card.svelte';
import { AVATARS } from '../src/lib/avatar.svelte';
import { RANKS, SUITS } from '../src/lib/cards';
import { setLanguage } from '../src/lib/i18n.svelte';
import { calledAndMade, Moments } from '../src/lib/moments.svelte';
import { settings } from '../src/lib/settings.svelte';
import { isMyTurn } from '../src/lib/signals.svelte';
import type { Table } from '../src/lib/table.svelte';
import { cardName } from '../src/lib/words';
import type { SeatView, TableEvent, TableState } from '../src/wire';

beforeAll(() => setLanguage('en'));
afterEach(() => {
  settings.deck = 'tichu';
  settings.speed = 'normal';
  vi.useRealTimers();
});

const view = (more: Partial<SeatView>) =>
  ({ seat: 0, hand: [], out: [], calls: ['-', '-', '-', '-'], ...more }) as SeatView;
const acted = { type: 'acted', seat: 2, what: 'play' } as TableEvent;
const won = (winner: number | null) => ({ winner }) as TableState;

// Moments.

test('a called Tichu is a moment when its player is out first, and only then', () => {
  const calls = ['-', '-', 'T', 'G'];
  const before = view({ calls });
  expect(calledAndMade(acted, before, view({ calls, out: [2] }))).toEqual({ kind: 'T', seat: 2 });
  expect(calledAndMade(acted, before, view({ calls, out: [3] }))).toEqual({ kind: 'G', seat: 3 });
  expect(calledAndMade(acted, before, view({ calls, out: [0] }))).toBeNull();
  expect(calledAndMade(acted, before, view({ calls }))).toBeNull();
  expect(calledAndMade(acted, view({ calls, out: [0] }), view({ calls, out: [0, 2] }))).toBeNull();
});

test('it is one also when the round ends with it', () => {
  const over = { type: 'round_over', result: { out: [2, 0] } } as unknown as TableEvent;
  expect(calledAndMade(over, view({ calls: ['-', '-', 'T', '-'] }), view({}))).toEqual({ kind: 'T', seat: 2 });
});

test('a won match is a moment once, for those who have won it', () => {
  const seated = { type: 'seated', what: 'over' } as TableEvent;
  const moments = new Moments(won(null));
  moments.see(seated, view({}), view({}), won(0));
  expect(moments.shown).toEqual({ kind: 'match', seat: 0 });
  moments.skip();
  moments.see(seated, view({}), view({}), won(0));
  expect(moments.shown).toBeNull();
  const others = new Moments(won(null));
  others.see(seated, view({ seat: 1 }), view({ seat: 1 }), won(0));
  expect(others.shown).toBeNull();
});

test('a moment ends by itself, and there is none for who wants no motion', () => {
  vi.useFakeTimers();
  const moments = new Moments(null);
  moments.show({ kind: 'G', seat: 1 });
  vi.advanceTimersByTime(1199);
  expect(moments.shown).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(moments.shown).toBeNull();
  settings.speed = 'none';
  moments.show({ kind: 'G', seat: 1 });
  expect(moments.shown).toBeNull();
});

// Signals.

test('it is my turn while I have to decide something about the game', () => {
  const table = (decision: string | null, stage = 'playing') =>
    ({ view: { decision }, state: { stage } }) as unknown as Table;
  expect(isMyTurn(table('play'))).toBe(true);
  expect(isMyTurn(table('exchange'))).toBe(true);
  expect([null, table(null), table('ready'), table('play', 'paused')].some(isMyTurn)).toBe(false);
});

// Decks, pictures, cloths.

test('a French deck has the four French suits, each with a shape and a colour of its own', () => {
  settings.deck = 'french';
  for (const suit of SUITS) {
    expect(sprite).toContain(`<symbol id="f-${suit}"`);
    for (const rank of RANKS) {
      const card = mount(Card, { target: document.body, props: { card: rank + suit } });
      flushSync();
      const uses = [...document.body.querySelectorAll('use')].map((use) => use.getAttribute('href'));
      expect(uses).toContain(`#f-${suit}`);
      expect(uses).not.toContain(`#s-${suit}`);
      void unmount(card);
      document.body.innerHTML = '';
    }
  }
  const shapes = [...sprite.matchAll(/<symbol id="f-\w"[^]*? d="([^"]+)"/g)].map((found) => found[1]);
  expect(new Set(shapes).size).toBe(4);
  expect(SUITS.map((suit) => cardName(`K${suit}`))).toEqual(
    expect.arrayContaining(['king of spades', 'king of hearts', 'king of diamonds', 'king of clubs']),
  );
});

test('every picture of a player is drawn', () => {
  const drawn = [...avatars.matchAll(/<symbol id="(\w+)"/g)].map((found) => found[1]);
  expect(drawn).toEqual([...AVATARS, 'fan', 'gong', 'lantern', 'teapot']);
});
