import { expect, test } from 'vitest';
import { ago, inPlace } from '../src/lib/home';

const named = (ids: string) => [...ids].map((id) => ({ id }));
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).join('');

test.each([
  ['', 'abc', 'abc'],
  ['abc', 'abc', 'abc'],
  ['abc', 'xcab', 'abcx'],
  ['abc', 'ca', 'ac'],
  ['abc', 'yxb', 'byx'],
  ['abc', '', ''],
])('after %s comes %s: shown as %s', (before, now, shown) =>
  expect(ids(inPlace(named(before), named(now)))).toBe(shown),
);

test('what is shown is what the server says now', () => {
  expect(inPlace([{ id: 'a', score: 1 }], [{ id: 'a', score: 2 }])).toEqual([{ id: 'a', score: 2 }]);
});

test.each([
  [30, 'now'],
  [-5, 'now'],
  [90, '1 min. ago'],
  [3 * 3600, '3 hr. ago'],
  // Not "yesterday": at two in the morning it was the day before that.
  [30 * 3600, '1 day ago'],
  [50 * 3600, '2 days ago'],
])('%i seconds: %s', (seconds, words) => expect(ago(0, 1000 * seconds, 'en')).toBe(words));
