import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dealing } from '../src/lib/dealing.svelte';
import { follow, later } from '../src/lib/later.svelte';
import { settings } from '../src/lib/settings.svelte';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  settings.speed = 'normal';
  vi.useRealTimers();
});

/** Let this many frames be drawn. */
function draw(frames = 1) {
  for (let i = 0; i < frames; i++) {
    vi.advanceTimersToNextFrame();
    vi.advanceTimersByTime(1);
  }
}

test('what is left for later comes a frame later, unless it is called off', () => {
  const done: string[] = [];
  later(() => done.push('second'), 2);
  later(() => done.push('first'));
  const callOff = later(() => done.push('never'));
  callOff();
  expect(done).toEqual([]);
  draw();
  expect(done).toEqual(['first']);
  draw();
  expect(done).toEqual(['first', 'second']);
});

test('what takes long has a frame of its own', () => {
  const done: number[] = [];
  const now = vi.spyOn(performance, 'now');
  let time = 0;
  now.mockImplementation(() => time);
  for (const i of [1, 2, 3])
    later(() => {
      done.push(i);
      time += 4;
    });
  draw();
  expect(done).toEqual([1, 2]);
  draw();
  expect(done).toEqual([1, 2, 3]);
  now.mockRestore();
});

test('a page without frames goes on', () => {
  const done: string[] = [];
  vi.stubGlobal('requestAnimationFrame', () => 0);
  later(() => done.push('late'));
  vi.unstubAllGlobals();
  vi.advanceTimersByTime(249);
  expect(done).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(done).toEqual(['late']);
});

test('who wants no motion waits for nothing', () => {
  settings.speed = 'none';
  const done: string[] = [];
  later(() => done.push('now'), 2);
  expect(done).toEqual(['now']);
});

test('a value follows another one a frame later, or at once', () => {
  let value = $state(0);
  let followed: { readonly current: number } | undefined;
  const stop = $effect.root(() => {
    followed = follow(() => value);
  });
  const change = (next: number) => flushSync(() => (value = next));
  change(1);
  expect(followed?.current).toBe(0);
  // What comes in between takes the place of what was waiting, and makes nobody wait for longer.
  change(2);
  draw();
  expect(followed?.current).toBe(2);
  settings.speed = 'none';
  change(3);
  expect(followed?.current).toBe(3);
  stop();
});

test('cards are dealt one to a frame, and the question comes after the last of them', () => {
  dealing.begin(['2s', '3s']);
  const seen: [number, boolean][] = [];
  for (let i = 0; i < 12; i++) {
    const [last] = seen.slice(-1);
    if (last?.[0] !== dealing.waiting.size || last[1] !== dealing.isOn) seen.push([dealing.waiting.size, dealing.isOn]);
    draw();
  }
  expect(seen).toEqual([
    [2, true],
    [1, true],
    [0, true],
    [0, false],
  ]);
  dealing.begin(['4s', '5s']);
  dealing.finish();
  expect([dealing.waiting.size, dealing.isOn]).toEqual([0, false]);
  draw(12);
  expect(dealing.waiting.size).toBe(0);
});
