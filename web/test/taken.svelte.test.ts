import { flushSync, mount, unmount, type Component } from 'svelte';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import LobbySeat from '../src/components/lobby/LobbySeat.svelte';
import LobbySettings from '../src/components/lobby/LobbySettings.svelte';
import Searching from '../src/components/quick/Searching.svelte';
import Assist from '../src/components/table/Assist.svelte';
import Chat from '../src/components/table/Chat.svelte';
import RatedPause from '../src/components/table/RatedPause.svelte';
import Spectating from '../src/components/table/Spectating.svelte';
import { setLanguage } from '../src/lib/i18n.svelte';
import { PlayerInput } from '../src/lib/input.svelte';
import type { Table } from '../src/lib/table.svelte';
import { catalog } from '../src/messages/lobby';
import { catalog as quick } from '../src/messages/quick';

/** Who sits where, what is played, what is said: a tap shows at once that it was taken, and a second does nothing. */
const person = (name: string) => ({ name, player: name, bot: null, ready: false, connected: true });
const bot = { name: 'Hu', player: null, bot: 'greedy', ready: true, connected: true };
const free = { name: '', player: null, bot: null, ready: false, connected: false };

let shown: Record<string, unknown> | null = null;
let sent: { type: string; text?: string }[] = [];
let answers: (() => void)[] = [];

beforeAll(async () => {
  await setLanguage('en');
  $effect.root(() => {
    catalog.load();
    quick.load();
  });
  await vi.waitFor(() => expect(catalog.ready && quick.ready).toBe(true));
});
beforeEach(() => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  HTMLDialogElement.prototype.showModal ??= () => undefined;
  [sent, answers] = [[], []];
});
afterEach(() => {
  vi.unstubAllGlobals();
  if (shown) void unmount(shown);
  shown = null;
  document.body.innerHTML = '';
});

/** Show something at a table that takes its time to answer; `seat` is the player's own. */
function show(component: unknown, seat: number | null, props: object = {}, stage = 'open'): void {
  const room = {
    seats: [person('Ada'), person('Ben'), bot, free],
    stage,
    host: 'Ada',
    rules: 'standard',
    pace: 1,
    name: '',
  };
  const command = (message: { type: string }) => {
    sent.push(message);
    return new Promise((resolve) => answers.push(() => resolve({ ok: true })));
  };
  const table = $state({ state: room, view: null, command, seat, actsAsHost: true, chat: [], you: { player: 'Ada' } });
  const input = new PlayerInput(table as unknown as Table);
  const all = { input, room, names: ['Ada', 'Ben', 'Hu', ''], player: () => undefined, onclose: vi.fn(), ...props };
  shown = mount(component as Component<typeof all>, { target: document.body, props: all });
  flushSync();
}

const button = (text: string) =>
  [...document.querySelectorAll('button')].find((one) => one.textContent.trim().includes(text))!;

/** A tap, another one, and the answer. */
async function expectTaken(text: string, type: string): Promise<void> {
  button(text).click();
  flushSync();
  expect(button(text).className).toContain('sent');
  expect(button(text).getAttribute('aria-disabled')).toBe('true');
  button(text).click();
  expect(sent.map((message) => message.type)).toEqual([type]);
  answers[0]!();
  await new Promise((done) => setTimeout(done));
  flushSync();
  expect(button(text)?.className ?? '').not.toContain('sent');
}

const at = (seat: number) => ({ seat, who: [person('Ada'), person('Ben'), bot, free][seat], level: 'clever' });

test.each([
  ['sit', LobbySeat, null, at(3), 'Sit here', 'TABLE.SIT'],
  ['stand', LobbySeat, 0, at(0), 'Stand up', 'TABLE.STAND'],
  ['go to a free seat', LobbySeat, 0, at(3), 'Move here', 'TABLE.SWAP'],
  ['swap with somebody', LobbySeat, 0, at(1), 'Swap seats', 'TABLE.SWAP'],
  ['put a bot', LobbySeat, 0, at(3), 'Put a bot', 'TABLE.PUT_BOT'],
  ['another level', LobbySeat, 0, at(2), 'Make', 'TABLE.PUT_BOT'],
  ['remove a bot', LobbySeat, 0, at(2), 'Remove', 'TABLE.REMOVE'],
  ['take over from a bot', Spectating, null, {}, 'Hu', 'TABLE.SIT'],
  ['let a bot play', Assist, 0, { seats: [1] }, 'Ben', 'TABLE.STAND_IN'],
])('%s', async (_, component, own, props, text, type) => {
  show(component, own, props);
  await expectTaken(text, type);
});

test('go on after a pause of a rated match', async () => {
  show(RatedPause, 0, {}, 'paused');
  await expectTaken('Resume', 'TABLE.RESUME');
});

test('the settings stay open until they are changed', async () => {
  show(LobbySettings, 0);
  button('Change').click();
  flushSync();
  await expectTaken('Use these', 'TABLE.CHANGE_SETTINGS');
});

test('two free seats are two wishes', () => {
  show(LobbySeat, 0, at(3));
  button('Put a bot').click();
  expect(sent).toHaveLength(1);
  flushSync();
  button('Move here').click();
  expect(sent.map((message) => message.type)).toEqual(['TABLE.PUT_BOT', 'TABLE.SWAP']);
});

test('somebody is removed once', () => {
  show(LobbySeat, 0, at(1));
  button('Remove').click();
  flushSync();
  const sure = [...document.querySelectorAll<HTMLButtonElement>('dialog button')].find((one) =>
    one.textContent.includes('Remove'),
  )!;
  sure.click();
  flushSync();
  expect(button('Remove').className).toContain('sent');
  button('Remove').click();
  flushSync();
  expect(document.querySelector('dialog')).toBeNull();
  expect(sent).toHaveLength(1);
});

test('what is said is said once, and what is written meanwhile stays', async () => {
  show(Chat, 0);
  const input = document.querySelector<HTMLInputElement>('form input')!;
  const form = document.querySelector('form')!;
  const write = (text: string) => {
    input.value = text;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    flushSync();
  };
  const send = () => {
    form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
    flushSync();
  };
  write('hello');
  send();
  expect(form.querySelector('button')!.className).toContain('sent');
  send();
  write('and more');
  send();
  expect(sent.map((message) => message.text)).toEqual(['hello']);
  answers[0]!();
  await new Promise((done) => setTimeout(done));
  flushSync();
  expect(input.value).toBe('and more');
  expect(form.querySelector('button')!.className).not.toContain('sent');
});

test.each([
  ['stop', 'Stop'],
  ['bots', 'Play with bots'],
])('a search shows what it was told: %s', (busy, text) => {
  const search = { state: 'waiting', rated: false, since: 0, now: 9000, seekers: 1, expected: null, botsAt: 1000 };
  show(Searching, null, { search, busy, onbots: vi.fn(), onstop: vi.fn() });
  expect(button(text).className).toContain('sent');
});
