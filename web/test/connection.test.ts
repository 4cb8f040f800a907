import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection, type ConnectionStatus } from '../src/lib/connection';
import type { FromServer } from '../src/wire';

/** A socket that the test holds the other end of. */
class Line {
  static made: Line[] = [];
  sent: string[] = [];
  closed = false;
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
  last().onopen?.();
  expect(last().sent.map((text) => JSON.parse(text).type)).toEqual(['hello']);
  last().says(welcome);
  expect(last().commands).toHaveLength(1);
  connection.close();
});

test('an unanswered command is said again with the same id, an answered one is not', async () => {
  const connection = opened();
  last().onopen?.();
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
  last().onopen?.();
  expect(JSON.parse(last().sent[0]!)).toMatchObject({ type: 'hello', since: 5 });
  last().says({ ...welcome, version: 6 });
  expect(last().commands.map((message) => message.id)).toEqual([call.id]);
  last().says({ type: 'refused', id: call.id, reason: 'ALREADY_CALLED', message: '', version: 6 });
  expect(await second).toMatchObject({ reason: 'ALREADY_CALLED' });
  connection.close();
});

test('a question about cards is not asked again, and nobody waits for its answer', async () => {
  const connection = opened();
  last().onopen?.();
  last().says(welcome);
  const check = connection.request({ type: 'check', cards: ['2s'] });
  const hint = connection.request({ type: 'hint' });
  last().onclose?.();
  expect([(await check).type, (await hint).type]).toEqual(['error', 'error']);
  expect((await connection.request({ type: 'hint' })).type).toBe('error');
  vi.advanceTimersByTime(1000);
  last().onopen?.();
  last().says(welcome);
  expect(last().sent.map((text) => JSON.parse(text).type)).toEqual(['hello', 'ping']);
  connection.close();
});

test('a table that does not exist is not looked for again', () => {
  const connection = opened();
  last().onopen?.();
  last().says({ type: 'error', code: 'no_such_table', message: '' });
  last().onclose?.();
  vi.advanceTimersByTime(60_000);
  expect(Line.made).toHaveLength(1);
  connection.close();
});

test('a socket that looks open and is dead after a sleep is replaced', () => {
  const connection = opened();
  last().onopen?.();
  last().says(welcome);
  const asleep = last();
  vi.advanceTimersByTime(10);
  document.dispatchEvent(new Event('visibilitychange'));
  vi.advanceTimersByTime(3000);
  expect(asleep.closed).toBe(true);
  expect(Line.made).toHaveLength(2);
  connection.close();
});
