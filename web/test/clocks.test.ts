import { expect, test } from 'vitest';
import { formatSeconds, timeLeft, SpectatorClocks } from '../src/lib/clocks';
import type { SeatView, TableState } from '../src/wire';

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

test('seconds are written as minutes and seconds', () => {
  expect([0, 9, 60, 75, 600].map(formatSeconds)).toEqual(['0:00', '0:09', '1:00', '1:15', '10:00']);
});

const seats = [{ player: 'p1' }, { player: null, bot: 'greedy' }, { player: 'p2' }, { player: 'p3' }];
const room = (more: object = {}) => ({ round: 0, stage: 'playing', clock, seats, ...more }) as unknown as TableState;
const seen = (pending: number[], now: number, more: object = {}) =>
  ({ seat: null, phase: 'TICHU.TRICK_PLAY', counts: [14, 14, 14, 14], pending, now, ...more }) as unknown as SeatView;

test('a spectator reckons the clock of a person from the picture in which they must decide', () => {
  const watched = new SpectatorClocks();
  expect(watched.estimate(seen([2], 1000), room())).toEqual([{ seat: 2, ends: 21_000, reserveEnds: 21_000 }]);
  // A word in the chat brings a new picture, not a new decision; bots have no clock.
  expect(watched.estimate(seen([2], 9000), room())[0]?.ends).toBe(21_000);
  expect(watched.estimate(seen([1], 9000, { counts: [14, 14, 13, 14] }), room())).toEqual([]);
  expect(watched.estimate(seen([2], 9500, { counts: [14, 13, 13, 14] }), room())[0]?.ends).toBe(29_500);
  expect(watched.estimate(seen([2], 9500), room({ clock: null }))).toEqual([]);
});

test('in the exchange everybody’s clock began with it', () => {
  const watched = new SpectatorClocks();
  const more = { phase: 'TICHU.EXCHANGE_SELECT' };
  watched.estimate(seen([0, 2, 3], 1000, more), room());
  expect(watched.estimate(seen([0, 3], 8000, more), room()).map(({ seat, ends }) => [seat, ends])).toEqual([
    [0, 21_000],
    [3, 21_000],
  ]);
});

test('after a pause a spectator cannot know the time of a decision, only that of the next', () => {
  const watched = new SpectatorClocks();
  watched.estimate(seen([2], 1000), room());
  watched.estimate(seen([2], 3000), room({ stage: 'paused' }));
  const [left] = watched.estimate(seen([2], 9000), room()).map((time) => timeLeft(time, clock, 9000));
  expect(left).toBeNull();
  expect(watched.estimate(seen([3], 9500, { counts: [14, 14, 13, 14] }), room())[0]?.ends).toBe(29_500);
});
