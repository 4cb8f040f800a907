import { flushSync, mount, unmount, type Component } from 'svelte';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import Guest from '../src/components/account/Guest.svelte';
import Own from '../src/components/account/Own.svelte';
import Puzzles from '../src/components/practice/Puzzles.svelte';
import PlayTools from '../src/components/table/PlayTools.svelte';
import { setLanguage } from '../src/lib/i18n.svelte';
import { PlayerInput } from '../src/lib/input.svelte';
import { route } from '../src/lib/router.svelte';
import type { Table } from '../src/lib/table.svelte';
import { catalog as accounts } from '../src/messages/account';
import { catalog as people } from '../src/messages/people';
import { catalog as practice } from '../src/messages/practice';
import { catalog as replays } from '../src/messages/replay';
import { catalog as reviews } from '../src/messages/review';
import New from '../src/routes/new.svelte';
import Player from '../src/routes/player.svelte';
import type { SeatView } from '../src/wire';

/** What is on its way is asked for once, and what failed can be asked for again. */
const CATALOGS = [accounts, people, practice, replays, reviews];
let shown: Record<string, unknown> | null = null;
/** What the page has asked the server for, and what it hears: nothing yet, or that there is no connection. */
let asked: string[] = [];
let answer: (path: string) => unknown = () => undefined;

beforeAll(async () => {
  await setLanguage('en');
  $effect.root(() => CATALOGS.forEach((one) => one.load()));
  await vi.waitFor(() => expect(CATALOGS.every((one) => one.ready)).toBe(true));
});
beforeEach(() => {
  [asked, answer] = [[], () => undefined];
  vi.stubGlobal('isSecureContext', false);
  vi.stubGlobal('fetch', (url: string, { method = 'GET' }: RequestInit = {}) => {
    const path = url.split('/api/')[1] ?? '';
    asked.push(`${method} ${path}`);
    const told = answer(path);
    if (told instanceof Promise) return told;
    if (told === undefined) return Promise.reject(new TypeError('no connection'));
    return Promise.resolve(new Response(JSON.stringify(told)));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  if (shown) void unmount(shown);
  shown = null;
  document.body.innerHTML = '';
});

function show(component: unknown, props: object): void {
  shown = mount(component as Component<typeof props>, { target: document.body, props });
  flushSync();
}
const settle = async (): Promise<void> => {
  await new Promise((done) => setTimeout(done));
  flushSync();
};
const button = (text: string) =>
  [...document.querySelectorAll('button')].find((one) => one.textContent.includes(text))!;
function submit(form: Element): void {
  form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  flushSync();
}

test('whoever logs in twice while the first answer is on its way asks once', async () => {
  // The page is busy: it takes no more work.
  show(Guest, { busy: true, tryTo: () => Promise.resolve(false), onenter: vi.fn() });
  submit(document.querySelectorAll('form')[1]!);
  await settle();
  expect(asked).toEqual([]);
});

test('a name is saved once it is another one, and the button can always have the keyboard', () => {
  const own = { name: 'Ada', created: 0, sessions: [], codesLeft: 8, email: null };
  const tryTo = vi.fn(() => Promise.resolve(true));
  show(Own, { own, tryTo, wrong: '', busy: false, onchange: vi.fn(), oncodes: vi.fn(), onleave: vi.fn() });
  const form = document.querySelector('form')!;
  const save = form.querySelector('button')!;
  expect([save.disabled, save.getAttribute('aria-disabled')]).toEqual([false, 'true']);
  submit(form);
  expect(tryTo).not.toHaveBeenCalled();
  const input = form.querySelector('input')!;
  input.value = 'Ben';
  input.dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
  expect(save.getAttribute('aria-disabled')).toBe('false');
  submit(form);
  expect(tryTo).toHaveBeenCalledOnce();
});

const PUZZLES = ['a', 'b'].map((id) => ({ id, theme: 'wish', origin: 'play', proved: false }));
const puzzle = (id: string): object => ({
  ...{ id, theme: 'wish', origin: 'play', proved: null, proof: null, seat: 0, hands: [], worlds: 9, reasons: [] },
  ...{ played: '0:-', candidates: [{ action: '0:-', points: 0, pointsError: 0, win: null }] },
  view: {
    ...{ seat: 0, phase: 'TICHU.DECLARE_GRAND_WINDOW', hand: [], counts: [8, 8, 8, 8], points: [], score: [0, 0] },
    ...{ pending: [], calls: [], out: [], trick: [], lastTrick: [], given: [], received: [], position: '' },
  },
});

test('a puzzle that did not come is asked for again', async () => {
  const props = $state({ theme: 'wish', wanted: 'a', record: { puzzles: {}, tallies: {} }, onanswer: vi.fn() });
  const told: Record<string, unknown> = { puzzles: { puzzles: PUZZLES } };
  answer = (path) => told[path];
  show(Puzzles, props);
  await settle();
  expect(document.querySelector('[role=alert]')).not.toBeNull();
  told['puzzles/a'] = puzzle('a');
  button('Try again').click();
  await settle();
  expect(document.querySelector('[role=alert]')).toBeNull();
  document.querySelector<HTMLButtonElement>('.choices button')!.click();
  await settle();
  // The next one does not come either, at first.
  const goOn = async (): Promise<void> => {
    button('Next').click();
    await settle();
    props.wanted = route().rest[2]!;
    await settle();
  };
  await goOn();
  expect(document.querySelector('[role=alert]')).not.toBeNull();
  told['puzzles/b'] = puzzle('b');
  await goOn();
  expect(document.querySelector('[role=alert]')).toBeNull();
  expect(document.querySelector('.choices')).not.toBeNull();
});

test('a table is opened although the list of bots did not come at first', async () => {
  show(New, {});
  await settle();
  answer = (path) => (path === 'bots' ? { bots: [], default: 'clever' } : undefined);
  submit(document.querySelector('form')!);
  await settle();
  expect(asked.filter((one) => one.startsWith('POST'))).toEqual(['POST tables']);
  expect(document.querySelector('form button.main')!.getAttribute('aria-disabled')).toBe('false');
});

test('what somebody is to me is not said of whom I look at meanwhile', async () => {
  localStorage.setItem('tichu.token', 'mine');
  const relation = { follows: false, blocks: false, followsYou: false };
  const person = (name: string): object => ({
    ...{ person: { player: name, name, kind: 'person', account: true }, created: 0, followers: 0, relation },
    ...{ results: { rounds: 0 }, everybody: { rounds: 0 } },
  });
  let follow: (response: Response) => void = () => undefined;
  answer = (path) => {
    if (path.includes('follow')) return new Promise((resolve) => (follow = resolve));
    if (path.includes('ratings')) return { ratings: [], pairs: [], history: [] };
    return path.includes('games') ? { games: [], before: null } : person(path.split('/')[1]!);
  };
  const props = $state({ route: { name: 'player', rest: ['ada'], query: new URLSearchParams() } });
  show(Player, props);
  await settle();
  button('Follow').click();
  await settle();
  props.route = { ...props.route, rest: ['ben'] };
  await settle();
  follow(new Response(JSON.stringify({ ...relation, follows: true })));
  await settle();
  expect(document.querySelector('h1')!.textContent).toBe('ben');
  expect(button('Follow').textContent.trim()).toBe('Follow');
});

test('a hint is shown as on its way, and the keyboard stays on its button', async () => {
  let told: (hinted: null) => void = () => undefined;
  const view = { decision: 'play', phase: 'TICHU.EXCHANGE_SELECT' } as unknown as SeatView;
  const hint = vi.fn(() => new Promise((resolve) => (told = resolve)));
  const input = new PlayerInput({ state: { casual: true }, view, hint } as unknown as Table);
  show(PlayTools, { input, view });
  button('Hint').click();
  flushSync();
  expect([button('Hint').disabled, button('Hint').getAttribute('aria-disabled')]).toEqual([false, 'true']);
  expect(button('Hint').className).toContain('sent');
  button('Hint').click();
  expect(hint).toHaveBeenCalledOnce();
  told(null);
  await settle();
  expect(button('Hint').getAttribute('aria-disabled')).toBe('false');
});
