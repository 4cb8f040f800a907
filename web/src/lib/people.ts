/** People: profiles, who follows whom, and who is never brought together with whom. */
import type {
  Leaderboard,
  NewReport,
  People,
  Person,
  PlayerSheet,
  Profile,
  ProfileGames,
  RatingPool,
  RelationTo,
  Reported,
  Results,
  ReviewKind,
} from '../wire';
import { request } from './api';
import { perRound, share } from './results';
import { settings } from './settings.svelte';

const of = (player: string): string => encodeURIComponent(player);

export const profile = (player: string): Promise<Profile> => request(`players/${of(player)}`);
/** Somebody's games that may be seen, the latest first. */
export const playerGames = (player: string, before: number | null): Promise<ProfileGames> =>
  request(`players/${of(player)}/games?limit=10${before === null ? '' : `&before=${before}`}`);
/** Of this pool, or of the usual one. */
export const leaderboard = (pool?: RatingPool): Promise<Leaderboard> =>
  request(pool ? `leaderboard?${String(new URLSearchParams(asked(pool)))}` : 'leaderboard');
const asked = ({ league, rules, clock }: RatingPool): Record<string, string> => ({ league, rules, clock });
export const people = (): Promise<People> => request('me/people');
/** Tell the operator about somebody. */
export const report = (player: string, about: NewReport): Promise<Reported> =>
  request(`players/${of(player)}/reports`, about);
export const setFollow = (player: string, on: boolean): Promise<RelationTo> =>
  request(`me/follows/${of(player)}`, undefined, on ? 'POST' : 'DELETE');

/** Whoever is blocked is silent here, too. */
export async function setBlock(player: string, on: boolean): Promise<RelationTo> {
  const relation = await request<RelationTo>(`me/blocks/${of(player)}`, undefined, on ? 'POST' : 'DELETE');
  settings.muted = muted(settings.muted, on ? [player] : [], on ? [] : [player]);
  return relation;
}

/** Those who are silent, with some more and without some. */
export const muted = (before: readonly string[], more: readonly string[], less: readonly string[] = []): string[] =>
  [...new Set([...before, ...more])].filter((player) => !less.includes(player));

/** Nothing is shown of what those say whom the player has blocked, on this device or another. */
export async function silenceBlocked(): Promise<void> {
  const { blocks } = await people();
  const silent = muted(
    settings.muted,
    blocks.map((one: Person) => one.player),
  );
  if (silent.length > settings.muted.length) settings.muted = silent;
}

export interface ComparedRow {
  readonly name: 'won' | 'perRound' | 'firstOut' | 'double' | 'tichuCalled' | 'tichuMade' | 'grandCalled' | 'grandMade';
  /** A share, or points; null where there is nothing to divide. */
  readonly values: readonly [number | null, number | null];
}

/** A player's results beside everybody's, row by row. */
export function comparedRows(own: Results, everybody: Results): readonly ComparedRow[] {
  const row = (name: ComparedRow['name'], value: (results: Results) => number | null): ComparedRow => ({
    name,
    values: [value(own), value(everybody)],
  });
  return [
    row('won', (all) => share(all.won, all.games)),
    row('perRound', (all) => perRound(all)?.[0] ?? null),
    row('firstOut', (all) => share(all.firstOut, all.rounds)),
    row('double', (all) => share(all.doubleVictories, all.rounds)),
    row('tichuCalled', (all) => share(all.tichu.called, all.rounds)),
    row('tichuMade', (all) => share(all.tichu.made, all.tichu.called)),
    row('grandCalled', (all) => share(all.grand.called, all.rounds)),
    row('grandMade', (all) => share(all.grand.made, all.grand.called)),
  ];
}

/** The truth is so near in 19 cases of 20. */
export const sure = (error: number): number => 1.96 * error;

export interface SheetRow {
  readonly kind: ReviewKind;
  readonly lost: number;
  readonly error: number | null;
  /** The bar, of a drawing that is 100 wide; what is lost lies left of zero. */
  readonly from: number;
  readonly width: number;
  /** From where to where the truth may be; null while nothing is known of it. */
  readonly sure: readonly [number, number] | null;
}

/** Kinds of decisions in which something was lost or gained, the dearest first, and where zero is. */
export function sheetRows({ kinds }: PlayerSheet): { readonly zero: number; readonly rows: readonly SheetRow[] } {
  const known = kinds.filter(({ lost, error }) => lost || error).sort((one, two) => two.lost - one.lost);
  const ends = known.flatMap(({ lost, error }) => [-lost - sure(error ?? 0), -lost + sure(error ?? 0)]);
  const low = Math.min(0, ...ends);
  const span = Math.max(0, ...ends) - low || 1;
  const at = (points: number): number => (100 * (points - low)) / span;
  const rows = known.map(({ kind, lost, error }) => ({
    kind,
    lost,
    error,
    from: at(Math.min(0, -lost)),
    width: (100 * Math.abs(lost)) / span,
    sure: error === null ? null : ([at(-lost - sure(error)), at(-lost + sure(error))] as const),
  }));
  return { zero: at(0), rows };
}
