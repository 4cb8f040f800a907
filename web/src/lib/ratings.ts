/** How strong people are, and how that came. */
import type { PlayerRatings, RatingPast, RatingPool } from '../wire';
import { request } from './api';

export const ratings = (player: string): Promise<PlayerRatings> =>
  request(`players/${encodeURIComponent(player)}/ratings`);

export const isSamePool = (one: RatingPool, other: RatingPool): boolean =>
  one.league === other.league && one.rules === other.rules && one.clock === other.clock;

export interface HistoryLine {
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
  /** As an SVG writes them, 100 wide and 40 high, one a match. */
  readonly points: string;
}

/** The matches of a rating as a line. */
export function historyLine(past: readonly Pick<RatingPast, 'before' | 'after'>[]): HistoryLine {
  const values = [...past.slice(0, 1).map((one) => one.before), ...past.map((one) => one.after)];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const x = (at: number): number => (100 * at) / Math.max(1, values.length - 1);
  // A rating that stands still is a line in the middle.
  const y = (value: number): number => (high > low ? 38 - (36 * (value - low)) / (high - low) : 20);
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return { from: values[0] ?? 0, to: values.at(-1) ?? 0, low, high, points };
}
