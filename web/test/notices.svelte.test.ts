import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { notices, shorten } from '../src/lib/notices.svelte';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

test('one notice is shown at a time, and the next one as soon as it has been read', () => {
  notices.show('first');
  notices.show('second');
  notices.show('third');
  const seen = [notices.shown?.text];
  for (let i = 0; i < 3; i++) {
    vi.advanceTimersToNextTimer();
    seen.push(notices.shown?.text);
  }
  expect(seen).toEqual(['first', 'second', 'third', undefined]);
});

test('a notice goes soon when another one waits', () => {
  notices.show('first', 'said');
  vi.advanceTimersByTime(500);
  notices.show('second');
  vi.advanceTimersByTime(1000);
  expect(notices.shown?.text).toBe('first');
  vi.advanceTimersByTime(1000);
  expect(notices.shown?.text).toBe('second');
});

test('why something is refused is shown at once', () => {
  notices.show('first');
  notices.show('second');
  notices.show('no', 'bad');
  expect(notices.shown).toMatchObject({ text: 'no', kind: 'bad' });
  expect(notices.urgent).toBe('no');
  vi.advanceTimersToNextTimer();
  expect(notices.shown?.text).toBe('second');
});

test('what is said twice is shown once, and a long sentence longer', () => {
  notices.show('no', 'bad');
  vi.advanceTimersByTime(2000);
  notices.show('no', 'bad');
  vi.advanceTimersByTime(2000);
  expect(notices.shown?.text).toBe('no');
  vi.advanceTimersByTime(2000);
  expect(notices.shown).toBeNull();
  notices.show('x'.repeat(70));
  vi.advanceTimersByTime(4000);
  expect(notices.shown).not.toBeNull();
});

test('of a flood the last ones are kept', () => {
  for (let i = 0; i < 20; i++) notices.show(`${i}`);
  const seen: string[] = [];
  while (notices.shown) {
    seen.push(notices.shown.text);
    vi.advanceTimersToNextTimer();
  }
  expect(seen).toEqual(['0', '17', '18', '19']);
});

test('a long text is shortened between words, a long word inside, and wide signs count twice', () => {
  expect(shorten('short enough')).toBe('short enough');
  expect(shorten('word '.repeat(60))).toMatch(/^(word )+…$/);
  expect(shorten('word '.repeat(60)).length).toBeLessThan(85);
  expect(shorten('x'.repeat(280))).toMatch(/^x{70,80}…$/);
  expect(shorten('가'.repeat(280))).toMatch(/^가{35,40}…$/);
});
