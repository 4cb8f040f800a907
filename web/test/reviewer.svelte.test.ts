import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { saveToken } from '../src/lib/api';
import { Reviewer } from '../src/lib/reviewer.svelte';
import type { ReviewState } from '../src/wire';

const state = (which: ReviewState['state']): ReviewState => ({
  ...{ game: 'g', state: which, place: 0, underWay: 1, rounds: 1, roundsDone: 0, parts: 2, partsDone: 1 },
  ...{ type: 'review', failedRounds: [], isWhole: true, decisions: [], chances: [] },
});

class Line {
  static last: Line | undefined;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor() {
    Line.last = this;
  }
  close() {}
}

/** What the server answers, one after the other: a state, a status, or nothing if it is away; and what it was asked. */
let answers: (ReviewState | number | 'away')[] = [];
let asked: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Line);
  vi.stubGlobal('fetch', (_: string, { method }: { method: string }) => {
    asked.push(method);
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (answer === 'away') return Promise.reject(new TypeError('failed to fetch'));
    if (typeof answer === 'number') return Promise.resolve(new Response('', { status: answer, statusText: 'no' }));
    return Promise.resolve(new Response(JSON.stringify(answer)));
  });
  asked = [];
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  saveToken('');
});

async function reviewing(...told: typeof answers): Promise<{ reviewer: Reviewer; end: () => void }> {
  answers = told;
  let reviewer: Reviewer | undefined;
  const end = $effect.root(() => {
    reviewer = new Reviewer(() => 'g');
  });
  flushSync();
  await vi.advanceTimersByTimeAsync(0);
  return { reviewer: reviewer!, end };
}

test('a server that is away for long is asked until it is there', async () => {
  saveToken('mine');
  const { reviewer, end } = await reviewing(state('running'), 'away', 502, 'away', state('running'));
  Line.last?.onclose?.();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(reviewer.failure).not.toBe('');
  await vi.advanceTimersByTimeAsync(45_000);
  expect(asked).toEqual(['GET', 'POST', 'POST', 'POST', 'POST']);
  expect(reviewer.failure).toBe('');
  expect(reviewer.isRunning).toBe(true);
  end();
});

test('a socket that says nothing any more is given up', async () => {
  saveToken('mine');
  const { reviewer, end } = await reviewing(state('running'));
  const first = Line.last!;
  for (const _ of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(10_000);
    first.onmessage?.({ data: JSON.stringify(state('running')) });
  }
  expect(asked).toEqual(['GET']);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked).toEqual(['GET', 'POST']);
  expect(Line.last).not.toBe(first);
  // The end of the old one means nothing to the new one.
  first.onclose?.();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toEqual(['GET', 'POST']);
  expect(reviewer.isRunning).toBe(true);
  end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual(['GET', 'POST']);
});

test('who has no token looks on and asks for nothing', async () => {
  const { reviewer, end } = await reviewing(state('running'), state('none'));
  Line.last?.onclose?.();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(asked).toEqual(['GET', 'GET']);
  expect(reviewer.isRunning).toBe(false);
  end();
});

test('a refusal is final, and one can ask again', async () => {
  saveToken('mine');
  const { reviewer, end } = await reviewing(state('running'), 429);
  Line.last?.onclose?.();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toEqual(['GET', 'POST']);
  expect(reviewer.failure).not.toBe('');
  expect(reviewer.isRunning).toBe(false);
  end();
});

test('what could not be read at first is read later, and never after one has left', async () => {
  const { reviewer, end } = await reviewing('away', state('done'));
  expect(reviewer.failure).not.toBe('');
  await vi.advanceTimersByTimeAsync(4_000);
  expect(reviewer.progress?.state).toBe('done');
  end();
  const gone = await reviewing('away');
  gone.end();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toEqual(['GET', 'GET', 'GET']);
});
