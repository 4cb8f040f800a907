/** The review of a finished game: what its decisions were worth. */
import type { ReviewChance, ReviewedDecision } from '../wire';
import { parseCards, type Card } from './cards';

/** An action of a record, taken apart for people. */
export interface ParsedAction {
  readonly what:
    'play' | 'pass' | 'tichu' | 'grand' | 'no_grand' | 'exchange' | 'wish' | 'no_wish' | 'take' | 'dragon' | 'no_bomb';
  readonly cards: readonly PlayedCard[];
  /** What was wished for. */
  readonly rank: string;
  /** Who got the Dragon's trick. */
  readonly recipient: number;
}

export interface PlayedCard {
  readonly card: Card;
  /** The rank that the Phoenix stands for; empty for other cards. */
  readonly phoenixAs: string;
}

const FIXED: Readonly<Record<string, ParsedAction['what']>> = {
  '+T': 'tichu',
  '+G': 'grand',
  '-G': 'no_grand',
  ':-': 'pass',
  '-B': 'no_bomb',
  '?-': 'no_wish',
  '!': 'take',
};
const SIGNS: Readonly<Record<string, ParsedAction['what']>> = {
  ':': 'play',
  '>': 'exchange',
  '?': 'wish',
  '!': 'dragon',
};

/** In a combination the Phoenix is written with the rank that it stands for: `7sP7`. */
const playedCard = (text: string): PlayedCard =>
  /^P[^h]/.test(text) ? { card: 'Ph', phoenixAs: text.charAt(1) } : { card: text, phoenixAs: '' };

/** From TTN: `2:7sP7`, `0>2sMa2b`, `1?8`. */
export function parseAction(text: string): ParsedAction {
  const what = FIXED[text.slice(1)] ?? SIGNS[text.charAt(1)] ?? 'take';
  const rest = text.slice(2);
  return {
    what,
    cards: what === 'play' || what === 'exchange' ? parseCards(rest).map(playedCard) : [],
    rank: what === 'wish' ? rest : '',
    recipient: what === 'dragon' ? Number(rest) : -1,
  };
}

const keyOf = ({ round, action }: ReviewedDecision): number => 10_000 * round + action;

/** Decisions as they are told next put into those that are known, in the order of play. */
export function merge(
  known: readonly ReviewedDecision[],
  told: readonly ReviewedDecision[],
): readonly ReviewedDecision[] {
  const all = new Map([...known, ...told].map((one) => [keyOf(one), one]));
  return [...all.values()].sort((a, b) => keyOf(a) - keyOf(b));
}

/** As chess players write them. */
export const MARKS: Readonly<Partial<Record<ReviewedDecision['verdict'], string>>> = {
  inaccuracy: '?!',
  mistake: '?',
  blunder: '??',
};

export const isMistake = ({ verdict }: ReviewedDecision): boolean => verdict in MARKS;

/** The nearest mistake before or behind a place in the game. */
export function mistakeFrom(
  mistakes: readonly ReviewedDecision[],
  round: number,
  step: number,
  by: 1 | -1,
): ReviewedDecision | undefined {
  const here = 10_000 * round + step;
  return by > 0 ? mistakes.find((one) => keyOf(one) > here) : mistakes.findLast((one) => keyOf(one) < here);
}

/** What there is to say about a place in the game: what is decided there or just was, mistakes first. */
export function decisionAt(
  decisions: readonly ReviewedDecision[],
  round: number,
  step: number,
): ReviewedDecision | undefined {
  const at = (action: number) => decisions.find((one) => one.round === round && one.action === action);
  const [next, last] = [at(step), at(step - 1)];
  return [next, last].find((one) => one && isMistake(one)) ?? next ?? last;
}

/** A moment of the game on the line of chances: from 0 to 1 along and up. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly round: number;
  readonly step: number;
}

/** Every round gets the same room, and its actions share it. */
export function pointsOf(chances: readonly ReviewChance[], actions: readonly number[]): Point[] {
  const rounds = Math.max(1, actions.length);
  return chances.map(({ round, action, win }) => {
    const inside = action === null ? 0 : (action + 1) / Math.max(1, actions[round] ?? 1);
    return { x: Math.min(1, (round + inside) / rounds), y: win, round, step: action === null ? 0 : action + 1 };
  });
}
