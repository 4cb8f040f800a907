import { flushSync, mount, unmount, type Component } from 'svelte';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import App from '../src/App.svelte';
import Own from '../src/components/account/Own.svelte';
import OptionFields from '../src/components/lobby/OptionFields.svelte';
import Games from '../src/components/people/Games.svelte';
import Menu from '../src/components/practice/Menu.svelte';
import Puzzles from '../src/components/practice/Puzzles.svelte';
import MatchRatings from '../src/components/results/MatchRatings.svelte';
import RuleSets from '../src/components/rules/RuleSets.svelte';
import Invite from '../src/components/Invite.svelte';
import SeatLink from '../src/components/table/SeatLink.svelte';
import { inOrder } from '../src/lib/asking';
import { setLanguage } from '../src/lib/i18n.svelte';
import * as pages from '../src/lib/pages';
import { Replayer } from '../src/lib/replayer.svelte';
import { go, route } from '../src/lib/router.svelte';
import { TableOptions } from '../src/lib/tableOptions.svelte';
import { catalog as accounts } from '../src/messages/account';
import { catalog as home } from '../src/messages/home';
import { catalog as mine } from '../src/messages/me';
import { catalog as people } from '../src/messages/people';
import { catalog as practice } from '../src/messages/practice';
import { catalog as quick } from '../src/messages/quick';
import { catalog as rules } from '../src/messages/rules';
import Account from '../src/routes/account.svelte';
import Leaderboard from '../src/routes/leaderboard.svelte';
import Me from '../src/routes/me.svelte';
import People from '../src/routes/people.svelte';
import Player from '../src/routes/player.svelte';
import Quick from '../src/routes/quick.svelte';
import Start from '../src/routes/start.svelte';

/** What came late or not at all is never shown under what was asked for last, and can be asked for again. */
const CATALOGS = [accounts, home, mine, people, practice, quick, rules];
interface Question {
  path: string;
  /** The server answers; without an answer there is no connection. */
  end: (told?: object, status?: number) => Promise<void>;
}
let questions: Question[] = [];
let shown: Record<string, unknown> | null = null;

/** An answer that is still to come. */
function promised<T>(): { promise: Promise<T>; resolve: (told: T) => void; reject: (error: Error) => void } {
  let [resolve, reject]: [(told: T) => void, (error: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<T>((yes, no) => ([resolve, reject] = [yes, no]));
  return { promise, resolve, reject };
}
const settle = async (): Promise<void> => {
  await new Promise((done) => setTimeout(done));
  flushSync();
};

beforeAll(async () => {
  await setLanguage('en');
  $effect.root(() => CATALOGS.forEach((one) => one.load()));
  await vi.waitFor(() => expect(CATALOGS.every((one) => one.ready)).toBe(true));
});
beforeEach(() => {
  questions = [];
  localStorage.setItem('tichu.token', 'mine');
  HTMLDialogElement.prototype.showModal ??= () => undefined;
  vi.stubGlobal('isSecureContext', false);
  vi.stubGlobal('fetch', (url: string) => {
    const { promise, resolve, reject } = promised<Response>();
    const end: Question['end'] = (told, status = 200) => {
      if (told) resolve(new Response(JSON.stringify(told), { status }));
      else reject(new TypeError('no connection'));
      return settle();
    };
    questions.push({ path: url.split('/api/')[1] ?? '', end });
    return promise;
  });
});
afterEach(() => {
  if (shown) void unmount(shown);
  shown = null;
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
  document.body.innerHTML = '';
});

function show(component: unknown, props: object = {}): void {
  shown = mount(component as Component<typeof props>, { target: document.body, props });
  flushSync();
}
const text = () => document.body.textContent.replaceAll(/\s+/g, ' ');
const button = (name: string) =>
  [...document.querySelectorAll('button')].find((one) => one.textContent.trim() === name);
async function press(name: string): Promise<void> {
  button(name)!.click();
  await settle();
}
/** The oldest open question of this path, answered; with nothing the connection has gone. */
async function answer(path: string, told?: object, status?: number): Promise<void> {
  const at = questions.findIndex((one) => one.path.startsWith(path));
  expect(at, `${path} in ${questions.map((one) => one.path).join()}`).toBeGreaterThanOrEqual(0);
  await questions.splice(at, 1)[0]!.end(told, status);
}

const POOLS = ['standard', 'tournament'].map((set) => ({ league: 'people', rules: set, clock: 'fast' }));
const board = (at: number, name: string) => ({
  ...{ pool: POOLS[at], pools: at ? [...POOLS].reverse() : POOLS, pairs: [], bots: [] },
  players: [{ rank: 1, players: [name], names: [name], rating: 1500, deviation: 9 }],
});
async function choosePool(at: number): Promise<void> {
  const list = document.querySelector('select')!;
  list.value = [...list.options].find((one) => one.value.toLowerCase().includes(POOLS[at]!.rules))!.value;
  list.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
}

test('a leaderboard that does not come leaves no other one under its name', async () => {
  show(Leaderboard);
  await answer('leaderboard', board(0, 'Ada'));
  expect(text()).toContain('Ada');
  const usual = document.querySelector('select')!.value;
  await choosePool(1);
  expect(text()).not.toContain('Ada');
  await answer('leaderboard?league=people&rules=tournament');
  expect(text()).not.toContain('Ada');
  expect(document.querySelector('[role=alert]')!.textContent).toBe('This cannot be loaded.');
  expect(document.querySelector('select')!.value).not.toBe(usual);
  await press('Try again');
  // The server lists its pools in another order by now.
  await answer('leaderboard?league=people&rules=tournament', board(1, 'Ben'));
  expect(text()).toContain('Ben');
  expect(document.querySelector('select')!.value).not.toBe(usual);
});

test('the answer about the leaderboard before is no answer', async () => {
  show(Leaderboard);
  await answer('leaderboard', board(0, 'Ada'));
  await choosePool(1);
  await choosePool(0);
  await answer('leaderboard?league=people&rules=standard', board(0, 'Cho'));
  await answer('leaderboard?league=people&rules=tournament', board(1, 'Ben'));
  expect(text()).toContain('Cho');
});

const ACCOUNT = { name: 'Ada', created: 0, sessions: [], codesLeft: 8, email: null };
const BUSY = { error: 'busy', message: 'busy' };

test('an account that cannot be loaded again is asked for again', async () => {
  show(Account);
  await answer('me', { account: true });
  await answer('me/account', ACCOUNT);
  const form = document.querySelector('form')!;
  form.querySelector('input')!.value = 'Ben';
  form.querySelector('input')!.dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
  form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  await answer('me/name', { name: 'Ben' });
  await answer('me');
  expect(text()).not.toContain('Log out');
  await press('Try again');
  await answer('me', { account: true });
  await answer('me/account', { ...ACCOUNT, name: 'Ben' });
  expect(document.querySelector('h1')!.textContent).toContain('Ben');
});

test.each([
  ['account', Account, 'me', 'Create an account'],
  ['results', Me, 'me', 'You have not played here yet'],
  ['people', People, 'me/people', 'You have not played here yet'],
])('a server that is busy makes nobody a stranger: %s', async (_name, page, path, stranger) => {
  show(page);
  await answer(path, BUSY, 503);
  expect(text()).not.toContain(stranger);
  await press('Try again');
  await answer(path, { error: 'wrong_token', message: '' }, 401);
  expect(text()).toContain(stranger);
});

const RESULTS = { games: 0, rounds: 0 };
const GAME = {
  ...{ id: 'g', seats: ['Ada', 'Ben', 'Cho', 'Dov'], players: ['a', 'b', 'c', 'd'], score: [1000, 0], winner: 0 },
  ...{ finished: 0, rules: 'standard', casual: false, rounds: 3 },
};

test('a list of games that did not come is asked for again, the own one and that of somebody else', async () => {
  show(Me);
  await answer('me', { name: 'Ada', player: 'a', results: RESULTS });
  await answer('games');
  await press('Try again');
  await answer('games', { games: [GAME], before: null });
  expect(document.querySelector('a[href$="game/g"]')).not.toBeNull();
  await unmount(shown!);
  show(Games, { player: 'a' });
  await answer('players/a/games');
  await press('Try again');
  await answer('players/a/games', { games: [{ game: GAME, rated: false }], before: null });
  expect(document.querySelector('a[href$="game/g"]')).not.toBeNull();
});

const profile = (name: string) => ({
  ...{ person: { player: name, name, kind: 'person', account: true }, created: 0, followers: 0 },
  ...{ relation: { follows: false, blocks: false, followsYou: false }, results: RESULTS, everybody: RESULTS },
});

test('a profile that did not come is asked for again, and nobody is blocked for somebody else', async () => {
  const props = $state({ route: { name: 'player', rest: ['ada'], query: new URLSearchParams() } });
  show(Player, props);
  await answer('players/ada');
  await press('Try again');
  questions = questions.slice(-2);
  await answer('players/ada', profile('ada'));
  await answer('players/ada/ratings', { ratings: [], pairs: [], history: [] });
  await press('Block');
  expect(document.querySelector('dialog')).not.toBeNull();
  props.route = { ...props.route, rest: ['ben'] };
  await settle();
  expect(document.querySelector('dialog')).toBeNull();
});

const INFO = { presets: [{ name: 'standard', fields: {} }], fields: [] };
const PUZZLES = { puzzles: [{ id: 'p', theme: 'wish', origin: 'play', proved: false }] };
const RECORD = { puzzles: {}, tallies: {} };
const TABLE = { state: { match: 'm', seats: [] }, you: { player: 'a' } };
const PERSON = { before: 1500, after: 1510, deviation: 9, change: 10 };

test.each([
  ['puzzles', Menu, { record: RECORD }, 'puzzles', PUZZLES, 'a[href$="puzzles/wish"]'],
  ['rule sets', RuleSets, {}, 'rules', INFO, 'table'],
  ['settings', OptionFields, { options: new TableOptions() }, 'rules', INFO, 'option[value="standard"]'],
  ['an invitation', Invite, { id: 'T', code: 'C' }, 'tables/T', { link: 'l', qr: 'data:,' }, 'img'],
  ['ratings', MatchRatings, { table: TABLE, names: [] }, 'games/m/ratings', { players: [PERSON] }, '.ratings'],
])('what did not come is asked for again: %s', async (_name, component, props, path, told, found) => {
  show(component, props);
  await answer(path);
  expect(document.querySelector(found)).toBeNull();
  await press('Try again');
  await answer(path, told);
  expect(document.querySelector(found)).not.toBeNull();
  expect(button('Try again')).toBeUndefined();
});

test('the link of a seat that did not come is asked for again', async () => {
  show(SeatLink, { id: 'T' });
  await answer('tables/T/key');
  await press('Try again');
  await answer('tables/T/key', { key: 'k' });
  await answer('qr', {});
  expect(document.querySelector('img')).not.toBeNull();
});

test('passkeys that did not come are not none', async () => {
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PublicKeyCredential', { parseCreationOptionsFromJSON: vi.fn() });
  const all = { tryTo: () => Promise.resolve(true), wrong: '', busy: false };
  show(Own, { own: ACCOUNT, ...all, onchange: vi.fn(), oncodes: vi.fn(), onleave: vi.fn() });
  expect(text()).not.toContain('None yet.');
  await answer('me/passkeys');
  expect(text()).not.toContain('None yet.');
  await press('Try again');
  await answer('me/passkeys', { passkeys: [] });
  expect(text()).toContain('None yet.');
});

const HOME = {
  ...{ people: 0, tables: [], watchable: [], playing: 0, seekers: { rated: 0, casual: 0 }, followed: [] },
  ...{ games: [], board: null },
};
const around = (name: string) => ({
  ...HOME,
  tables: [{ id: name, name, stage: 'open', seats: [], preset: 'standard', score: [0, 0] }],
});

test('the start page says what did not come, and the older answer is not taken for the newer one', async () => {
  show(Start);
  await answer('home');
  await answer('me', BUSY, 503);
  expect(document.querySelector('h1')).not.toBeNull();
  await press('Try again');
  await answer('me', { name: '', player: 'a', tables: [], results: RESULTS });
  document.dispatchEvent(new Event('visibilitychange'));
  const [older] = questions.filter((one) => one.path === 'home');
  questions = questions.filter((one) => one !== older);
  await answer('home', around('newer'));
  expect(text()).toContain('newer');
  expect(button('Try again')).toBeUndefined();
  await older!.end(around('older'));
  expect(text()).toContain('newer');
});

test('a search is as the last answer says', async () => {
  let ask: () => void = () => undefined;
  vi.stubGlobal('setInterval', (what: () => void) => {
    ask = what;
    return 0;
  });
  const props = { route: { name: 'quick', rest: [], query: new URLSearchParams() } };
  show(Quick, props);
  ask();
  const before = questions.splice(0)[0]!;
  const form = document.querySelector('form')!;
  form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  const state = { now: 0, since: 0, expected: null, seekers: 1, rated: false, spread: 1, botsAt: null, bots: false };
  await settle();
  await answer('quick', { ...state, state: 'waiting', invites: [] });
  expect(document.querySelector('form')).toBeNull();
  await before.end({ ...state, state: 'none', invites: [] });
  expect(document.querySelector('form')).toBeNull();
});

test('whoever has left the puzzles is not led back by their list', async () => {
  go('practice');
  show(Puzzles, { theme: 'wish', wanted: null, record: RECORD, onanswer: vi.fn() });
  await unmount(shown!);
  shown = null;
  go('rules');
  await answer('puzzles', PUZZLES);
  expect(route().name).toBe('rules');
});

const file = (id: string) => ({
  ...{
    tags: {},
    rounds: [
      { deal: [], actions: [] },
      { deal: [], actions: [] },
    ],
  },
  game: { ...GAME, id },
});
const views = (round: number) => ({ rounds: [{ round, steps: [{ text: `round ${round}` }], result: null }] });

test('a game is not blamed for another one, and no round is shown under the name of another one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const real = async () => {
    for (let i = 0; i < 9; i++) await Promise.resolve();
    flushSync();
  };
  const end = async (path: string, told?: object) => {
    const [one] = questions.splice(
      questions.findIndex((other) => other.path.startsWith(path)),
      1,
    );
    void one!.end(told);
    await real();
    await vi.advanceTimersByTimeAsync(0);
    flushSync();
  };
  let props = $state.raw({ name: 'game', rest: ['a'], query: new URLSearchParams() });
  let replayer!: Replayer;
  const stop = $effect.root(() => void (replayer = new Replayer(() => props)));
  flushSync();
  props = { ...props, rest: ['b'] };
  flushSync();
  await end('games/a.json');
  expect(replayer.failure).toBeNull();
  await end('games/b.json', file('b'));
  await end('games/b/views?round=0', views(0));
  expect(replayer.steps[0]?.text).toBe('round 0');
  props = { ...props, query: new URLSearchParams('round=2') };
  flushSync();
  await vi.advanceTimersByTimeAsync(400);
  expect(replayer.position.round).toBe(1);
  expect(replayer.steps).toEqual([]);
  await end('games/b/views?round=1');
  expect(replayer.failure).toBe('failed');
  replayer.again();
  flushSync();
  await end('games/b.json', file('b'));
  await end('games/b/views?round=1', views(1));
  expect(replayer.failure).toBeNull();
  expect(replayer.steps[0]?.text).toBe('round 1');
  // Where somebody sat in one game they need not sit in the next.
  await end('me', { player: 'c' });
  stop();
});

test('a page whose code did not come says so instead of showing the one before', async () => {
  vi.spyOn(pages, 'loadPage').mockImplementation(() => Promise.reject(new TypeError('no connection')));
  show(App);
  await settle();
  expect(text()).toContain('The server cannot be reached.');
  expect(button('Try again')).toBeDefined();
});

test('answers are taken in the order of the questions', async () => {
  const taken: string[] = [];
  const take = inOrder<string>((one) => taken.push(one));
  const [first, second, third] = [1, 2, 3].map(() => promised<string>());
  const all = [first, second, third].map((one) => take(one!.promise).catch(() => taken.push('failed')));
  second!.resolve('second');
  await all[1];
  first!.resolve('first');
  third!.reject(new Error());
  await Promise.all(all);
  expect(taken).toEqual(['second', 'failed']);
});
