import { flushSync, mount, unmount, type Component } from 'svelte';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import LobbySeat from '../src/components/lobby/LobbySeat.svelte';
import SwapAsked from '../src/components/lobby/SwapAsked.svelte';
import { setLanguage } from '../src/lib/i18n.svelte';
import { PlayerInput } from '../src/lib/input.svelte';
import { settings } from '../src/lib/settings.svelte';
import type { Table } from '../src/lib/table.svelte';
import { catalog } from '../src/messages/lobby';

/** Two people swap seats when both want it: Ben, in seat 1, is this player; Ada is the host. */
interface Seat {
  name: string;
  player: string;
  bot: null;
  ready: boolean;
  connected: boolean;
  swapWith?: number | null;
}
const person = (name: string, swapWith: number | null = null): Seat => ({
  name,
  player: name,
  bot: null,
  ready: false,
  connected: true,
  swapWith,
});

let shown: Record<string, unknown> | null = null;
let sent: unknown[] = [];

beforeAll(async () => {
  await setLanguage('en');
  $effect.root(() => catalog.load());
  await vi.waitFor(() => expect(catalog.ready).toBe(true));
});
afterEach(() => {
  if (shown) void unmount(shown);
  [shown, sent, settings.muted] = [null, [], []];
  document.body.innerHTML = '';
});

function show(component: unknown, seats: readonly Seat[], seat: number | null, rated = false): void {
  const command = (message: unknown) => {
    sent.push(message);
    return new Promise(() => undefined);
  };
  const state = { seats, stage: 'open', host: 'Ada', rated };
  const table = { state, view: null, command, seat, actsAsHost: false, you: { player: 'Ben' } };
  const props = { input: new PlayerInput(table as unknown as Table), seat: 2, who: seats[2], level: '' };
  shown = mount(component as Component<typeof props>, { target: document.body, props });
  flushSync();
}

const buttons = () => [...document.querySelectorAll('button')].map((one) => one.textContent.trim());
const FOUR = [person('Ada'), person('Ben'), person('Cyd'), person('Dan')];
const asking = (from: number, to: number) => FOUR.map((who, seat) => (seat === from ? { ...who, swapWith: to } : who));

test.each([
  ['nobody has asked', FOUR, 'Ask to swap', 'Team A', { first: 1, second: 2 }],
  ['I have', asking(1, 2), 'Never mind', 'asked to swap', { first: 1, second: 1 }],
  ['they have', asking(2, 1), 'Swap seats', 'would like your seat', { first: 1, second: 2 }],
  ['somebody else has', asking(2, 3), 'Ask to swap', 'Team A', { first: 1, second: 2 }],
])('at the seat of another: %s', (_, seats, text, about, message) => {
  show(LobbySeat, seats, 1);
  expect(buttons()).toEqual([text]);
  expect(document.querySelector('small')!.textContent).toBe(about);
  document.querySelector('button')!.click();
  flushSync();
  expect(sent).toEqual([{ type: 'TABLE.SWAP', ...message }]);
  expect(document.querySelector('button')!.className).toContain('sent');
});

test.each([
  ['who has gone', FOUR.map((who) => ({ ...who, connected: false })), 1, false],
  ['at a rated table', FOUR, 1, true],
  ['for whoever watches', FOUR, null, false],
])('nobody is asked %s', (_, seats, seat, rated) => {
  show(LobbySeat, seats, seat, rated);
  expect(buttons()).toEqual([]);
});

test('whoever is asked agrees with one tap', () => {
  show(SwapAsked, asking(2, 1), 1);
  expect(document.body.textContent).toContain('Cyd would like to swap seats with you.');
  document.querySelector('button')!.click();
  expect(sent).toEqual([{ type: 'TABLE.SWAP', first: 1, second: 2 }]);
});

test.each([
  ['somebody else is asked', asking(2, 3), 1],
  ['one only watches', FOUR, null],
])('nothing is said where %s', (_, seats, seat) => {
  show(SwapAsked, seats, seat);
  expect(document.body.textContent.trim()).toBe('');
});

test('whoever is not listened to asks in vain', () => {
  settings.muted = ['Cyd'];
  show(SwapAsked, asking(2, 1), 1);
  expect(buttons()).toEqual([]);
});
