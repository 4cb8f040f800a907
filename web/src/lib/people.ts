/** People: profiles, who follows whom, and who is never brought together with whom. */
import type {
  Leaderboard,
  NewReport,
  People,
  Person,
  Profile,
  RatingPool,
  RelationTo,
  Reported,
  Results,
} from '../wire';
import { request } from './api';
import { perRound, share } from './results';
import { settings } from './settings.svelte';

const of = (player: string): string => encodeURIComponent(player);

export const profile = (player: string): Promise<Profile> => request(`players/${of(player)}`);
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
