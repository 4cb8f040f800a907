import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { follow, later } from '../src/lib/later.svelte';
import { settings } from '../src/lib/settings.svelte';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  settings.speed = 'normal';
  vi.useRealTimers();
});

test('what is left for later comes a frame later, unless it is called off', () => {
  const done: string[] = [];
  later(() => done.push('second'), 2);
  later(() => done.push('first'));
  const callOff = later(() => done.push('never'));
  callOff();
  expect(done).toEqual([]);
  vi.advanceTimersByTime(20);
  expect(done).toEqual(['first']);
  vi.advanceTimersByTime(20);
  expect(done).toEqual(['first', 'second']);
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
  vi.advanceTimersByTime(19);
  // What comes in between takes the place of what was waiting, and makes nobody wait for longer.
  change(2);
  vi.advanceTimersByTime(1);
  expect(followed?.current).toBe(2);
  settings.speed = 'none';
  change(3);
  expect(followed?.current).toBe(3);
  stop();
});
