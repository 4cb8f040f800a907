/** A player's results, and what to compare them with. */
import type { CallRate, GameInfo, Results } from '../wire';
import { preferredLanguage } from './i18n.svelte';

/** What people do, counted over millions of rounds: calls per round by all four together, and the share made. */
export const PEOPLE = { tichu: { called: 0.557, made: 0.734 }, grand: { called: 0.313, made: 0.618 } } as const;

/** A share between 0 and 1, or null if there is nothing to divide. */
export const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

/** A share in per cent, or a dash. */
export function formatShare(value: number | null): string {
  const percent = new Intl.NumberFormat(preferredLanguage(), { style: 'percent', maximumFractionDigits: 1 });
  return value === null ? '–' : percent.format(value);
}

export interface Comparison {
  readonly called: number | null;
  readonly made: number | null;
  /** The rates of one player, not of the table. */
  readonly peopleCalled: number;
  readonly peopleMade: number;
}

export function compare(
  rate: CallRate,
  rounds: number,
  people: { readonly called: number; readonly made: number },
): Comparison {
  return {
    called: share(rate.called, rounds),
    made: share(rate.made, rate.called),
    peopleCalled: people.called / 4,
    peopleMade: people.made,
  };
}

/** Points per round of the player's team and of the other one. */
export function perRound({ points, rounds }: Results): readonly [number, number] | null {
  return rounds > 0 ? [points[0] / rounds, points[1] / rounds] : null;
}

export interface GameSummary {
  readonly us: readonly string[];
  readonly them: readonly string[];
  readonly score: readonly [number, number];
  readonly won: boolean;
}

/** A game from the player's side of the table. */
export function summaryFor({ players, seats, score, winner }: GameInfo, player: string): GameSummary {
  const side = Math.max(0, players.indexOf(player)) % 2;
  const names = (team: number): string[] => [seats[team] ?? '', seats[team + 2] ?? ''];
  return {
    us: names(side),
    them: names(1 - side),
    score: side ? [score[1], score[0]] : score,
    // Not from the score: a match can be won with level totals.
    won: winner === side,
  };
}
