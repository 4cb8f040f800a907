import { expect, test } from 'vitest';
import { minutes, timeLeft } from '../src/lib/clocks';

const clock = { decision: 20, reserve: 60 };
const running = { seat: 1, ends: 100_000, reserveEnds: 130_000 };

test('a decision has its own time, then the reserve runs, then there is none', () => {
  expect(timeLeft(running, clock, 85_000)).toEqual({ share: 0.75, seconds: 15, reserve: false });
  expect(timeLeft(running, clock, 99_999)).toMatchObject({ seconds: 1, reserve: false });
  // Half of the reserve has gone in earlier decisions.
  expect(timeLeft(running, clock, 100_000)).toEqual({ share: 0.5, seconds: 30, reserve: true });
  expect(timeLeft(running, clock, 130_000)).toBeNull();
});

test('without a reserve the time ends with the decision’s', () => {
  expect(timeLeft({ ...running, reserveEnds: 100_000 }, { decision: 20 }, 100_000)).toBeNull();
});

test('a clock of the server that runs before ours is not more than full', () => {
  expect(timeLeft(running, clock, 70_000)?.share).toBe(1);
});

test('seconds are read as minutes', () => {
  expect([0, 9, 60, 75, 600].map(minutes)).toEqual(['0:00', '0:09', '1:00', '1:15', '10:00']);
});
