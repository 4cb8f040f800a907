/** The review of a finished game: what its decisions were worth. */
import type { ReviewChance, ReviewedDecision } from '../wire';
import type { Card } from './cards';

/** Something that was done, or could have been, taken apart for people. */
export interface Deed {
  readonly what:
    'play' | 'pass' | 'tichu' | 'grand' | 'no_grand' | 'exchange' | 'wish' | 'no_wish' | 'take' | 'dragon' | 'no_bomb';
  readonly cards: readonly Card[];
  /** What was wished for. */
  readonly rank: string;
  /** Who got the Dragon's trick. */
  readonly recipient: number;
}

const FIXED: Readonly<Record<string, Deed['what']>> = {
  '+T': 'tichu',
  '+G': 'grand',
  '-G': 'no_grand',
  ':-': 'pass',
  '-B': 'no_bomb',
  '?-': 'no_wish',
  '!': 'take',
};
const SIGNS: Readonly<Record<string, Deed['what']>> = { ':': 'play', '>': 'exchange', '?': 'wish', '!': 'dragon' };

/** From TTN: `2:7s7b`, `0>2sMa2b`, `1?8`. */
export function deedOf(text: string): Deed {
  const what = FIXED[text.slice(1)] ?? SIGNS[text.charAt(1)] ?? 'take';
  const rest = text.slice(2);
  return {
    what,
    cards: what === 'play' || what === 'exchange' ? (rest.match(/Ma|Do|Ph|Dr|[2-9TJQKA][sbgr]/g) ?? []) : [],
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

export const isMistake = ({ verdict }: ReviewedDecision): boolean => verdict !== 'same' && verdict !== 'unclear';

/** As chess players write them. */
export const MARKS: Readonly<Partial<Record<ReviewedDecision['verdict'], string>>> = {
  inaccuracy: '?!',
  mistake: '?',
  blunder: '??',
};

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

/** What there is to say about a place in the game: what is decided there, or what just was. */
export function decisionAt(
  decisions: readonly ReviewedDecision[],
  round: number,
  step: number,
): ReviewedDecision | undefined {
  const at = (action: number) => decisions.find((one) => one.round === round && one.action === action);
  return at(step) ?? at(step - 1);
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
