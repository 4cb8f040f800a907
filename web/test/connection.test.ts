import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection, type ConnectionStatus } from '../src/lib/connection';
import type { FromServer } from '../src/wire';

/** A socket that the test holds the other end of. */
class Line {
  static made: Line[] = [];
  sent: string[] = [];
  closed = false;
  /** Connecting, until the test opens it. */
  readyState = 0;
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  constructor() {
    Line.made.push(this);
  }
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.closed = true;
  }
  opens() {
    this.readyState = 1;
    this.onopen?.();
  }
  says(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  get commands() {
    return this.sent.map((text) => JSON.parse(text)).filter((message) => message.type.startsWith('TICHU.'));
  }
}

let heard: FromServer[] = [];
let statuses: ConnectionStatus[] = [];
let seen = -1;

const opened = () =>
  new Connection({
    url: 'ws://tichu.test/ws/v1',
    hello: () => ({ type: 'hello', table: 'T', ...(seen < 0 ? {} : { since: seen }) }),
    onmessage: (message) => heard.push(message),
    onstatus: (status) => statuses.push(status),
    connect: () => new Line() as unknown as WebSocket,
  });
const welcome = { type: 'welcome', version: 4, you: {}, table: {} };
const last = () => Line.made[Line.made.length - 1]!;

beforeEach(() => {
  vi.useFakeTimers();
  Line.made = [];
  heard = [];
  statuses = [];
  seen = -1;
});
afterEach(() => vi.useRealTimers());

test('says hello first and nothing else before the welcome', () => {
  const connection = opened();
  void connection.request({ type: 'TICHU.PASS' });
  last().opens();
  expect(last().sent.map((text) => JSON.parse(text).type)).toEqual(['hello']);
  last().says(welcome);
  expect(last().commands).toHaveLength(1);
  connection.close();
});

test.each(['no_such_table', 'banned'])('after %s it does not come back', (code) => {
  const connection = opened();
  last().opens();
  last().says({ type: 'error', code, message: '' });
  last().onclose?.();
  vi.advanceTimersByTime(60_000);
  expect(Line.made).toHaveLength(1);
  connection.close();
});

test('an unanswered command is said again with the same id, an answered one is not', async () => {
  const connection = opened();
  last().opens();
  last().says(welcome);
  const first = connection.request({ type: 'TICHU.PASS' });
  const second = connection.request({ type: 'TICHU.DECLARE_TICHU' });
  const [pass, call] = last().commands;
  last().says({ type: 'ack', id: pass.id, version: 5 });
  expect(await first).toMatchObject({ type: 'ack' });

  seen = 5;
  last().onclose?.();
  expect(statuses.at(-1)).toBe('lost');
  vi.advanceTimersByTime(1000);
  expect(Line.made).toHaveLength(2);
  last().opens();
  expect(JSON.parse(last().sent[0]!)).toMatchObject({ type: 'hello', since: 5 });
  last().says({ ...welcome, version: 6 });
  expect(last().commands.map((message) => message.id)).toEqual([call.id]);
  last().says({ type: 'refused', id: call.id, reason: 'ALREADY_CALLED', message: '', version: 6 });
  expect(await second).toMatchObject({ reason: 'ALREADY_CALLED' });
  connection.close();
});

test('a question about cards is not asked again, and nobody waits for its answer', async () => {
  const connection = opened();
  last().opens();
  last().says(welcome);
  const check = connection.request({ type: 'check', cards: ['2s'] });
  const hint = connection.request({ type: 'hint' });
  last().onclose?.();
  expect([(await check).type, (await hint).type]).toEqual(['error', 'error']);
  expect((await connection.request({ type: 'hint' })).type).toBe('error');
  vi.advanceTimersByTime(1000);
  last().opens();
  last().says(welcome);
  expect(last().sent.map((text) => JSON.parse(text).type)).toEqual(['hello', 'ping']);
  connection.close();
});

test('a table that does not exist is not looked for again', () => {
  const connection = opened();
  last().opens();
  last().says({ type: 'error', code: 'no_such_table', message: '' });
  last().onclose?.();
  vi.advanceTimersByTime(60_000);
  expect(Line.made).toHaveLength(1);
  connection.close();
});

test('a socket that looks open and is dead after a sleep is replaced', () => {
  const connection = opened();
  last().opens();
  last().says(welcome);
  const asleep = last();
  vi.advanceTimersByTime(10);
  document.dispatchEvent(new Event('visibilitychange'));
  vi.advanceTimersByTime(3000);
  expect(asleep.closed).toBe(true);
  expect(Line.made).toHaveLength(2);
  connection.close();
});

test('a socket that falls silent is given up within ten seconds, one that answers is not', () => {
  const connection = opened();
  last().opens();
  last().says(welcome);
  for (let round = 0; round < 5; round++) {
    vi.advanceTimersByTime(6000);
    last().says({ type: 'pong', now: 1 });
  }
  expect(Line.made).toHaveLength(1);
  expect(last().sent.filter((text) => text.includes('ping'))).toHaveLength(6);
  vi.advanceTimersByTime(10_000);
  expect(Line.made).toHaveLength(2);
  connection.close();
});

test('a socket that is never welcomed is given up too', () => {
  const connection = opened();
  last().opens();
  vi.advanceTimersByTime(10_000);
  expect(Line.made.length).toBeGreaterThan(1);
  connection.close();
});

test('one that does not open has time until a balancer has asked the next node', () => {
  const connection = opened();
  vi.advanceTimersByTime(12_000);
  last().opens();
  vi.advanceTimersByTime(8000);
  expect(Line.made).toHaveLength(1);
  vi.advanceTimersByTime(2000);
  expect(Line.made).toHaveLength(2);
  connection.close();
});

test('one that never opens is closed at once, for no other may connect before it', () => {
  const connection = opened();
  const hung = last();
  vi.advanceTimersByTime(14_000);
  expect(hung.closed).toBe(true);
  expect(Line.made).toHaveLength(2);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(Line.made.map((line) => line.closed)).toEqual([true, true, false]);
  connection.close();
});

test('whoever leaves lets a socket open before it is closed, but not for long', () => {
  const leave = () => {
    opened().close();
    return last();
  };
  const soon = leave();
  expect(soon.closed).toBe(false);
  soon.opens();
  expect(soon.closed).toBe(true);
  expect(soon.sent).toEqual([]);
  const hung = leave();
  vi.advanceTimersByTime(2000);
  expect(hung.closed).toBe(true);
});

test('timers that are late, as in a hidden page, give up no socket that answers', () => {
  const connection = opened();
  last().opens();
  last().says(welcome);
  vi.setSystemTime(Date.now() + 60_000);
  vi.advanceTimersByTime(1000);
  expect(Line.made).toHaveLength(1);
  last().says({ type: 'pong', now: 1 });
  connection.close();
});
