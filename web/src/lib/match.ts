/** What a match is played to, and how a level one is decided (§9 of the rules). */
import type { TableState } from '../wire';

/** The goal of a rule set as the server writes it: `single-round goal=target:500`. */
export function goalOf(rules: string): string {
  const [preset, ...fields] = rules.split(' ');
  const changed = fields.find((field) => field.startsWith('goal='));
  return changed?.slice('goal='.length) ?? (preset === 'single-round' ? 'rounds:1' : 'target:1000');
}

const isLevel = ({ score }: TableState): boolean => score[0] === score[1];

/** §9.2: a single round that ends level is followed by an extra one. */
export function hasExtraRound(table: TableState): boolean {
  return table.winner === null && isLevel(table) && goalOf(table.rules) === 'rounds:1';
}

/** §9.2: who won a match that is level even after the extra round, by going out first in it. */
export function decidingSeat(table: TableState): number | undefined {
  return table.winner !== null && isLevel(table) ? table.results.at(-1)?.out[0] : undefined;
}
