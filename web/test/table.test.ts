import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Table } from '../src/lib/table.svelte';
import type { SeatView, TableState } from '../src/wire';

class Line {
  static made: Line[] = [];
  sent: { type: string; id?: string; since?: number; nonce?: string; commitment?: string; version?: number }[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  constructor(readonly url: string) {
    Line.made.push(this);
    queueMicrotask(() => this.onopen?.());
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {}
  says(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const seats = ['Ada', 'Ben', 'Cho', 'Dov'].map((name, i) => ({
  name,
  player: i ? null : 'p1',
  bot: i ? 'greedy' : null,
  connected: true,
  ready: false,
}));
const state = (more: Partial<TableState> = {}) =>
  ({ id: 'T', seats, host: 'p1', commit: null, results: [], score: [0, 0], ...more }) as unknown as TableState;
const view = (more: Partial<SeatView> = {}) =>
  ({
    seat: 0,
    hand: ['2s'],
    counts: [0, 0, 0, 0],
    out: [],
    decision: null,
    now: Date.now() + 5000,
    ...more,
  }) as unknown as SeatView;
const welcome = (version: number, more: object = {}) => ({
  type: 'welcome',
  version,
  you: { player: 'p1', name: 'Ada', token: 'secret', seat: 0 },
  table: state(),
  view: view(),
  ...more,
});
const acted = (seat: number, what: string) => ({ type: 'acted', seat, what, text: '' });
const last = () => Line.made[Line.made.length - 1]!;

let table: Table;
beforeEach(async () => {
  Line.made = [];
  localStorage.clear();
  vi.stubGlobal('WebSocket', Line);
  table = new Table('T');
  await Promise.resolve();
});
afterEach(() => {
  table.close();
  vi.unstubAllGlobals();
});

test('the token of the welcome is kept and shown again', async () => {
  expect(last().sent[0]).toMatchObject({ type: 'hello', table: 'T' });
  expect(last().sent[0]).not.toHaveProperty('since');
  last().says(welcome(3));
  expect(table.seat).toBe(0);
  expect(table.isHost).toBe(true);
  expect(localStorage.getItem('tichu.token')).toBe('secret');
  const again = new Table('T');
  await Promise.resolve();
  expect(last().sent[0]).toMatchObject({ token: 'secret' });
  again.close();
});

test('an event brings the view after it; a repeated one changes nothing', () => {
  const heard = vi.fn();
  table.listen(heard);
  last().says(welcome(3));
  last().says({ type: 'event', version: 4, event: acted(1, 'pass'), view: view({ hand: ['3s'] }) });
  expect(table.view?.hand).toEqual(['3s']);
  expect(table.lastActions[1]?.what).toBe('pass');
  last().says({ type: 'event', version: 4, event: acted(1, 'pass'), view: view({ hand: [] }) });
  expect(table.view?.hand).toEqual(['3s']);
  expect(heard).toHaveBeenCalledOnce();
});

test('an event without a view leaves the old one, one with null takes it away', () => {
  last().says(welcome(3));
  last().says({ type: 'event', version: 4, event: { type: 'said', name: 'Ben', player: 'p2', text: 'hi' } });
  expect(table.view?.hand).toEqual(['2s']);
  expect(table.chat).toHaveLength(1);
  last().says({ type: 'event', version: 5, event: { type: 'opened' }, view: null });
  expect(table.view).toBeNull();
});

test('a gap in the versions is closed by asking for what was missed', async () => {
  last().says(welcome(3));
  last().says({ type: 'event', version: 6, event: acted(1, 'pass') });
  expect(table.version).toBe(3);
  await Promise.resolve();
  expect(Line.made).toHaveLength(2);
  expect(last().sent[0]).toMatchObject({ type: 'hello', since: 3 });
  const said = { type: 'said', name: 'Ben', player: 'p2', text: 'while you were away' };
  last().says(welcome(6, { missed: [{ type: 'event', version: 5, event: said }] }));
  expect(table.version).toBe(6);
  expect(table.chat.map((line) => line.text)).toEqual(['while you were away']);
});

test('a play answers the passes before it', () => {
  last().says(welcome(3));
  last().says({ type: 'event', version: 4, event: acted(1, 'pass') });
  last().says({ type: 'event', version: 5, event: acted(2, 'play') });
  expect(table.lastActions.map((event) => event?.what)).toEqual([undefined, undefined, 'play', undefined]);
});

test('the page has a part in the shuffle, and keeps what it saw of it until the round is over', async () => {
  const shuffle = (more: object = {}) => ({
    ...{ derivation: 2, commitments: ['', '', '', ''], fixed: false, nonces: ['', '', '', ''] },
    ...more,
  });
  const waiting = state({ commit: 'abc', game: 'G', round: 0, shuffle: shuffle() });
  last().says(welcome(3, { table: waiting, view: view({ hand: [], phase: 'TICHU.DEAL_PART1' }) }));
  const { id, commitment } = last().sent.find((message) => message.type === 'TABLE.COMMIT_NONCE')!;
  last().says({ type: 'ack', id, version: 3 });
  const commitments = [commitment!, '', '', ''];
  const fixed = state({ commit: 'abc', game: 'G', round: 0, shuffle: shuffle({ commitments, fixed: true }) });
  last().says({ type: 'event', version: 4, event: { type: 'committed', what: 'set' }, table: fixed });
  const opening = last().sent.find((message) => message.type === 'TABLE.NONCE')!;
  last().says({ type: 'ack', id: opening.id, version: 4 });
  await Promise.resolve();
  last().says({
    type: 'event',
    version: 5,
    event: { type: 'dealt', round: 0 },
    table: fixed,
    view: view({ phase: 'TICHU.DECLARE_GRAND_WINDOW', counts: [8, 8, 8, 8] }),
  });
  last().says({ type: 'event', version: 6, event: { type: 'round_over' }, table: state() });
  expect(table.commitment).toMatchObject({ commit: 'abc', early: true, seat: 0, set: commitments, hand: ['2s'] });
  expect(table.commitment).toMatchObject({ accepted: 'nonce', nonce: opening.nonce });
});

test('a command says what version it was made for, and a stale one brings the fresh view', async () => {
  last().says(welcome(3));
  const done = table.command({ type: 'TICHU.PLAY_CARDS', cards: ['2s'] });
  const sent = last().sent.at(-1)!;
  expect(sent).toMatchObject({ type: 'TICHU.PLAY_CARDS', version: 3 });
  last().says({
    type: 'refused',
    id: sent.id,
    reason: 'STALE',
    message: 'late',
    version: 3,
    view: view({ hand: ['4s'] }),
  });
  expect(await done).toEqual({ ok: false, reason: 'STALE', message: 'late' });
  expect(table.view?.hand).toEqual(['4s']);
});

test('the clock is the server’s', () => {
  last().says(welcome(3));
  expect(Math.abs(table.now() - Date.now() - 5000)).toBeLessThan(1000);
});

test('a spectator’s picture may be old: the time comes from the answer to a ping', () => {
  const old = view({ seat: null, now: Date.now() - 60_000 });
  last().says({ ...welcome(3), you: { player: 'p9', name: '' }, view: old });
  expect(last().sent.at(-1)).toEqual({ type: 'ping' });
  last().says({ type: 'pong', now: Date.now() + 5000 });
  last().says({ type: 'state', version: 3, table: state(), view: old });
  expect(Math.abs(table.now() - Date.now() - 5000)).toBeLessThan(1000);
});

test('somebody who gets up has no seat', () => {
  last().says(welcome(3));
  const empty = seats.map((seat) => ({ ...seat, player: null }));
  last().says({
    type: 'event',
    version: 4,
    event: { type: 'seated', what: 'stand', seat: 0 },
    table: state({ seats: empty }),
  });
  expect(table.seat).toBeNull();
});

test('after a reload at the end of a round its cards and what was kept about its deal are there', async () => {
  sessionStorage.clear();
  const over = { type: 'round_over', result: { round: 0 }, hands: [['2s'], [], [], ['9b']] };
  const shuffle = { derivation: 2, commitments: ['', '', '', ''], fixed: false, nonces: ['', '', '', ''] };
  const between = (commit: string, round: number) => state({ game: 'G', round, commit, shuffle: shuffle });
  last().says(welcome(1, { table: between('abc', 0) }));
  last().says({ type: 'event', version: 2, event: over, table: state({ game: 'G', round: 1 }), view: view() });
  // The next deal is prepared.
  last().says({ type: 'state', version: 2, table: between('def', 1), view: view() });
  expect(table.commitment).toMatchObject({ commit: 'abc', round: 0 });
  table.close();
  table = new Table('T');
  await Promise.resolve();
  last().says(welcome(2, { table: between('def', 1), lastRound: over }));
  expect(table.lastRound).toEqual(over);
  expect(table.commitment).toMatchObject({ commit: 'abc', round: 0 });
  // Another game has nothing to do with it.
  table.close();
  table = new Table('T');
  await Promise.resolve();
  last().says(welcome(2, { table: { ...between('def', 1), game: 'H' }, lastRound: over }));
  expect(table.commitment).toBeNull();
});
