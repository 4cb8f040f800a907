import { createRawSnippet, flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import Card from '../src/components/cards/Card.svelte';
import Dialog from '../src/components/Dialog.svelte';
import ExchangeTray from '../src/components/table/ExchangeTray.svelte';
import Hand from '../src/components/table/Hand.svelte';
import RoundEnd from '../src/components/table/RoundEnd.svelte';
import ScoreSheet from '../src/components/table/ScoreSheet.svelte';
import { setLanguage } from '../src/lib/i18n.svelte';
import { RANKS, SPECIALS, SUITS } from '../src/lib/cards';
import sprite from '../src/art/sprite.svg?raw';

let shown: Record<string, unknown> | null = null;
const show = (component: unknown, props: Record<string, unknown>): HTMLElement => {
  shown = mount(component as never, { target: document.body, props: props as never });
  flushSync();
  return document.body;
};

beforeAll(() => setLanguage('en'));
afterEach(() => {
  if (shown) void unmount(shown);
  shown = null;
  document.body.innerHTML = '';
});

test('every card finds its art in the sprite', () => {
  const ids = new Set([...sprite.matchAll(/<symbol id="([\w-]+)"/g)].map((found) => found[1]));
  for (const card of [...SPECIALS, '??', ...RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit))]) {
    const uses = [...show(Card, { card }).querySelectorAll('use')].map((use) => use.getAttribute('href')?.slice(1));
    expect(uses.length, card).toBeGreaterThan(0);
    for (const id of uses) expect(ids, card).toContain(id);
    if (shown) void unmount(shown);
    shown = null;
  }
});

test('a dialog that the browser has closed tells so, or is open again if it must be answered', () => {
  const children = createRawSnippet(() => ({ render: () => '<button>ace</button>' }));
  const onclose = vi.fn();
  const close = (props: object) => {
    const dialog = show(Dialog, { title: 'Your wish', children, ...props }).querySelector('dialog')!;
    dialog.close();
    return dialog;
  };
  expect(close({}).open).toBe(true);
  void unmount(shown!);
  close({ onclose });
  expect(onclose).toHaveBeenCalledTimes(1);
  // Whoever takes it away knows.
  void unmount(shown!);
  shown = null;
  expect(onclose).toHaveBeenCalledTimes(1);
});

test('suits are told apart by a letter, not by colour alone', () => {
  for (const suit of SUITS)
    expect(show(Card, { card: `9${suit}` }).querySelector(`use[href="#l-${suit}"]`)).not.toBeNull();
});

test('the sprite needs nothing that a strict policy refuses', () => {
  expect(sprite).not.toMatch(/\sstyle=|<style|<script|\son\w+=/);
});

const room = { width: 1280, height: 800 };

test('the cards of a hand are named buttons with one place for the keyboard', () => {
  const tapped = vi.fn();
  const box = show(Hand, {
    cards: ['Ma', '9g', 'Ks'],
    selected: ['9g'],
    room,
    ontap: tapped,
    onlongpress: vi.fn(),
    ondoubletap: vi.fn(),
    onplay: vi.fn(),
    onenter: vi.fn(),
  });
  const buttons = [...box.querySelectorAll('button')];
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Mah Jong',
    'nine of jade',
    'king of swords',
  ]);
  expect(buttons.map((button) => button.getAttribute('aria-pressed'))).toEqual(['false', 'true', 'false']);
  expect(buttons.filter((button) => button.tabIndex === 0)).toHaveLength(1);
  buttons[0]!.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
  flushSync();
  expect(buttons.map((button) => button.tabIndex)).toEqual([-1, 0, -1]);
  buttons[2]!.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));
  expect(tapped).toHaveBeenCalledWith('Ks');
});

test('Enter on a card plays the selection', () => {
  const thrown = vi.fn();
  const box = show(Hand, {
    cards: ['Ma'],
    selected: ['Ma'],
    room,
    ontap: vi.fn(),
    onlongpress: vi.fn(),
    ondoubletap: vi.fn(),
    onplay: vi.fn(),
    onenter: thrown,
  });
  box.querySelector('button')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  expect(thrown).toHaveBeenCalledOnce();
});

test('an empty place of the exchange keeps the focus and gives nothing back', () => {
  const taken = vi.fn();
  const names = ['Ben', 'Cho', 'Dov'];
  const box = show(ExchangeTray, { names, cards: ['2s', null, '3s'], done: false, ontake: taken });
  const holes = [...box.querySelectorAll<HTMLButtonElement>('.hole')];
  expect(holes.map((hole) => hole.getAttribute('aria-label'))).toEqual([
    'Card for Ben (Left): two of swords',
    'Card for Cho (Partner): choose a card',
    'Card for Dov (Right): three of swords',
  ]);
  expect(holes.map((hole) => hole.disabled)).toEqual([false, false, false]);
  for (const hole of holes) hole.click();
  expect(taken.mock.calls).toEqual([[0], [2]]);
});

test('the score sheet shows the player’s team first, with running totals and what became of calls', () => {
  const results = [
    { round: 0, points: [30, 70], bonus: [0, 100], score: [30, 170], out: [1, 0, 3], calls: ['-', 'T', '-', '-'] },
    {
      round: 1,
      points: [200, 0],
      bonus: [-200, 0],
      score: [0, 0],
      out: [0, 2],
      calls: ['-', '-', 'G', '-'],
      doubleVictory: true,
    },
  ];
  const box = show(ScoreSheet, { results, names: ['Ada', 'Ben', 'Cho', 'Dov'], team: 1 });
  expect([...box.querySelectorAll('thead small')].map((cell) => cell.textContent)).toEqual(['Ben · Dov', 'Ada · Cho']);
  expect([...box.querySelectorAll('td b')].map((cell) => cell.textContent)).toEqual(['170', '30', '170', '30']);
  // Each side has its own: calls, a double victory, and the order in which it went out.
  const notes = [...box.querySelectorAll('.note')].map((row) =>
    [...row.querySelectorAll('td')].slice(1).map((cell) => [...cell.children].map((line) => line.textContent)),
  );
  expect(notes).toEqual([
    [
      ['Ben: Tichu made', '1. Ben', '3. Dov'],
      ['2. Ada', '4. Cho'],
    ],
    [[], ['Double victory', 'Cho: Grand Tichu missed', '1. Ada', '2. Cho']],
  ]);
});

const even = (round: number, out: readonly number[]) => ({
  round,
  points: [50, 50],
  bonus: [0, 0],
  score: [50, 50],
  out,
  calls: ['-', '-', '-', '-'],
});

function endOf(
  room: object,
  seat: number | null,
  send: (message: object) => Promise<boolean> = () => Promise.resolve(true),
  onnext: (begins: boolean) => void = () => undefined,
): HTMLElement {
  HTMLDialogElement.prototype.showModal ??= () => undefined;
  const table = {
    state: { seats: [], ...room },
    seat,
    finalSeat: 'final' in room ? (seat ?? undefined) : undefined,
    team: (seat ?? 0) % 2,
    you: { player: `p${seat}` },
    view: { decision: 'ready' },
    lastRound: null,
    isHost: true,
    actsAsHost: true,
    isChoosing: false,
  };
  const names = ['Ada', 'Ben', 'Cho', 'Dov'];
  return show(RoundEnd, { input: { table, send, isSending: () => false }, names, onclose: vi.fn(), onnext });
}

describe('the end of a level round', () => {
  const level = { results: [even(0, [0, 1, 2])], score: [50, 50], winner: null };

  test.each(['single-round', 'standard goal=rounds:1'])('asks for the extra round under %s', (rules) => {
    const sent = vi.fn(() => Promise.resolve(true));
    const box = endOf({ ...level, rules }, 0, sent);
    expect(box.textContent).toContain('An extra round decides; both are added up.');
    const button = [...box.querySelectorAll('button')].find((other) => other.textContent?.includes('extra round'))!;
    button.click();
    expect(sent).toHaveBeenCalledWith({ type: 'TABLE.READY' });
  });

  test.each(['single-round goal=target:500', 'standard'])('asks for the next round under %s', (rules) => {
    const box = endOf({ ...level, rules }, 0);
    expect(box.textContent).not.toContain('extra round');
    expect(box.textContent).toContain('Next round');
  });
});

describe('the sheet at the end of a round', () => {
  const room = { results: [even(0, [0, 1, 2])], score: [50, 50], winner: null, rules: 'standard' };
  const seatOf = (player: string | null, ready: boolean) => ({ player, ready, connected: true, name: player ?? 'Bot' });
  const press = async (seats: readonly object[], answer: boolean) => {
    const next = vi.fn();
    const box = endOf({ ...room, seats }, 0, () => Promise.resolve(answer), next);
    [...box.querySelectorAll('button')].find((other) => other.textContent?.includes('Next round'))!.click();
    await new Promise((done) => setTimeout(done));
    return next.mock.calls.map(([begins]) => begins as boolean);
  };

  test('goes with the tap of the last who was waited for', async () => {
    expect(await press([seatOf('p0', false), seatOf('p1', true), seatOf(null, false)], true)).toEqual([true]);
  });
  test('stays while others are waited for, also if they are away', async () => {
    const away = { ...seatOf('p1', false), connected: false };
    expect(await press([seatOf('p0', false), away], true)).toEqual([]);
  });
  test('comes back if the server did not take it', async () => {
    expect(await press([seatOf('p0', false)], false)).toEqual([true, false]);
  });
});

describe('a match that is level after the extra round', () => {
  const room = {
    results: [even(0, [0, 1, 2]), even(1, [3, 0, 2])],
    rules: 'single-round',
    score: [100, 100],
    winner: 1,
  };

  test.each([
    [1, 'You have won!'],
    [0, 'They have won.'],
    [null, 'Ben & Dov have won.'],
  ])('is explained to seat %s: the first player out decides', (seat, title) => {
    const box = endOf(room, seat);
    expect(box.querySelector('h2')?.textContent).toBe(title);
    expect(box.textContent).toContain('Dov was out first in the last round');
  });

  test('is explained in the second person to who was first', () => {
    const final = { names: ['Ada', 'Ben', 'Cho', 'Dov'], players: ['', '', '', 'p3'] };
    expect(endOf({ ...room, final }, 3).textContent).toContain('you were out first in the last round');
  });

  test('a clear win needs no such words', () => {
    expect(endOf({ ...room, score: [100, 150] }, 0).textContent).not.toContain('out first');
  });
});

describe('a rematch', () => {
  const person = (player: string, ready: boolean, connected = true) => ({ name: player, player, ready, connected });
  const bot = { name: 'Ben', bot: 'easy', player: null, ready: true, connected: true };
  const room = { results: [even(0, [0, 1, 2])], rules: 'standard', score: [60, 40], winner: 0 };
  const button = (box: HTMLElement, text: string) =>
    [...box.querySelectorAll('button')].find((other) => other.textContent?.includes(text));

  test('is asked for by everybody who has a seat, and not only by the host', () => {
    const sent = vi.fn();
    const seats = [person('p0', false), bot, person('p2', false), bot];
    const box = endOf({ ...room, seats }, 2, sent);
    button(box, 'Rematch')!.click();
    expect(sent).toHaveBeenCalledWith({ type: 'TABLE.READY' });
    expect(box.textContent).not.toContain('Ready for a rematch');
  });

  test('shows who is ready and who is not, and whoever acts as host need not wait', () => {
    const sent = vi.fn();
    const seats = [person('p0', true), bot, person('p2', false), person('p3', false, false)];
    const box = endOf({ ...room, seats }, 0, sent);
    expect(box.textContent).toContain('Ready for a rematch: p0');
    expect(box.textContent).toContain('Waiting for p2');
    expect(box.textContent).not.toContain('p3');
    expect(button(box, 'Rematch')).toBeUndefined();
    button(box, 'Start without waiting')!.click();
    expect(sent).toHaveBeenCalledWith({ type: 'TABLE.START' });
  });

  test('is nothing that a spectator is asked about', () => {
    expect(button(endOf({ ...room, seats: [person('p0', false), bot, bot, bot] }, null), 'Rematch')).toBeUndefined();
  });
});
