import { expect, test } from 'vitest';
import { secondsBetween } from '../src/lib/quick';

test('what is still to come is never none, so no button comes before its time', () => {
  expect([0, 1, 999, 1000, 1001].map((ms) => secondsBetween(0, ms))).toEqual([0, 1, 1, 1, 2]);
  expect(secondsBetween(500, 0)).toBe(0);
});
