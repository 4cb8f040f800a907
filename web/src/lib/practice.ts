/** Puzzles and trainers: what is asked of the server, one's own record, and how answers are drawn. */
import type {
  PuzzleEntry,
  PuzzleFile,
  PuzzleList,
  PuzzleTheme,
  SeatView,
  TrainerHand,
  TrainerJudgement,
  TrainerName,
  ViewStep,
} from '../wire';
import { request } from './api';
import { t } from './i18n.svelte';
import { parseCards, RANKS, sortCards, SPECIALS, SUITS, type Card } from './cards';
import type { Shown } from './replayer.svelte';
import { loadJson, save } from './storage';

export const THEMES: readonly PuzzleTheme[] = [
  ...(['call', 'exchange', 'lead', 'follow', 'bomb', 'wish', 'gift', 'endgame'] as const),
];
export const TRAINERS: readonly TrainerName[] = ['grand', 'tichu', 'exchange'];

export const puzzleList = (): Promise<PuzzleList> => request('puzzles');
export const puzzleFile = (id: string): Promise<PuzzleFile> => request(`puzzles/${encodeURIComponent(id)}`);
export const dealHand = (trainer: TrainerName, seed: number): Promise<TrainerHand> =>
  request(`practice/${trainer}?seed=${seed}`);
export const judgeAnswer = (trainer: TrainerName, seed: number, answer: string): Promise<TrainerJudgement> =>
  request(`practice/${trainer}/judgement?seed=${seed}&answer=${encodeURIComponent(answer)}`);

/** Both calls are judged at once: who says the other thing hears the same, and disagrees where the other one agrees. */
export const otherwise = (judged: TrainerJudgement): TrainerJudgement => ({
  ...judged,
  answer: judged.answer === 'call' ? 'no' : 'call',
  isAgreed: !judged.isAgreed,
});

/** A number for a question. */
export const randomSeed = (): number => Math.floor(Math.random() * 2 ** 31);

export interface Tally {
  readonly answered: number;
  readonly right: number;
}

/** One's own record; it never leaves the browser. */
export interface PracticeRecord {
  /** By id: whether the last answer was right. */
  readonly puzzles: Readonly<Record<string, boolean>>;
  /** By theme and by trainer. */
  readonly tallies: Readonly<Record<string, Tally>>;
}

const KEY = 'practice';
export const EMPTY: PracticeRecord = { puzzles: {}, tallies: {} };

/** What somebody else has written there counts for nothing. */
export function loadRecord(): PracticeRecord {
  const { puzzles, tallies } = loadJson<{ puzzles: unknown; tallies: unknown }>(KEY, EMPTY);
  const entries = (value: unknown): [string, unknown][] =>
    value && typeof value === 'object' ? Object.entries(value) : [];
  const isTally = (one: unknown): one is Tally =>
    typeof one === 'object' && one !== null && 'answered' in one && 'right' in one && Number(one.answered) > 0;
  return {
    puzzles: Object.fromEntries(entries(puzzles).map(([id, right]) => [id, right === true])),
    tallies: Object.fromEntries(
      entries(tallies).flatMap(([name, one]) =>
        isTally(one) ? [[name, { answered: Number(one.answered), right: Number(one.right) || 0 }]] : [],
      ),
    ),
  };
}

/** The record with one more answer, stored. */
export function noteAnswer(record: PracticeRecord, name: string, isRight: boolean, puzzle?: string): PracticeRecord {
  const { answered, right } = record.tallies[name] ?? { answered: 0, right: 0 };
  const after = {
    puzzles: puzzle === undefined ? record.puzzles : { ...record.puzzles, [puzzle]: isRight },
    tallies: { ...record.tallies, [name]: { answered: answered + 1, right: right + (isRight ? 1 : 0) } },
  };
  save(KEY, JSON.stringify(after));
  return after;
}

export function forgetRecord(): PracticeRecord {
  save(KEY, JSON.stringify(EMPTY));
  return EMPTY;
}

/** Of all puzzles those of a theme. */
export const ofTheme = (all: readonly PuzzleEntry[], theme: string): readonly PuzzleEntry[] =>
  all.filter((one) => theme === 'all' || one.theme === theme);

export const solvedOf = (some: readonly PuzzleEntry[], record: PracticeRecord): number =>
  some.filter(({ id }) => record.puzzles[id]).length;

/** The next puzzle after one: the next that was never solved, or else the next. */
export function nextPuzzle(
  some: readonly PuzzleEntry[],
  record: PracticeRecord,
  after: string | null,
): PuzzleEntry | undefined {
  const at = some.findIndex(({ id }) => id === after);
  const others = [...some.slice(at + 1), ...some.slice(0, at < 0 ? 0 : at)];
  return others.find(({ id }) => !record.puzzles[id]) ?? others[0] ?? some[0];
}

/** Who sits where, by seat, as seen from one of them. */
export const placeNames = (seat: number): readonly string[] =>
  [0, 1, 2, 3].map((other) =>
    t(`place.${(['me', 'left', 'partner', 'right'] as const)[(other - seat + 4) & 3] ?? 'me'}`),
  );

/** Candidates in an order that tells nothing of their worth: by their text. */
export const inPlainOrder = <T extends { readonly action: string }>(some: readonly T[]): readonly T[] =>
  [...some].sort((a, b) => (a.action < b.action ? -1 : 1));

/** A position as a step of a replay, seen by its seat or with all hands; passes since the last play are steps of it. */
export function shownOf(view: SeatView, hands: readonly (readonly Card[])[] | null, names: readonly string[]): Shown {
  const seat = view.seat ?? 0;
  const last = view.trick.findLastIndex(({ combination }) => combination);
  const step: ViewStep = { text: '', event: null, view, hands: hands ?? [] };
  const passes = view.trick
    .slice(last + 1)
    .map((play): ViewStep => ({ ...step, event: { type: 'acted', what: 'pass', seat: play.seat, text: '' } }));
  const steps = [step, ...passes];
  return {
    ...{ file: null, views: null, names: [...names], steps, step, south: seat },
    position: { id: '', round: 0, step: steps.length - 1, seat: hands ? null : seat, tab: 'actions' },
  };
}

/** What the seat has not seen yet, in order. */
export function unseenBy(view: SeatView): readonly Card[] {
  const all = [...SPECIALS, ...RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit))];
  const seen = new Set([...view.hand, ...parseCards(view.position.split(' ').at(-1) ?? '')]);
  return sortCards(
    all.filter((card) => !seen.has(card)),
    'rank',
  );
}

/** Where points lie on a line that has room for all values with their errors, and for nothing at all; from 0 to 100. */
export function scaleOf(values: readonly { readonly points: number; readonly pointsError: number }[]) {
  const low = Math.min(0, ...values.map(({ points, pointsError }) => points - 2 * pointsError));
  const high = Math.max(0, ...values.map(({ points, pointsError }) => points + 2 * pointsError));
  const size = Math.max(1, high - low);
  return (points: number): number => (100 * (points - low)) / size;
}

/** With a real minus, and a sign in front of every number but 0. */
export function signed(points: number): string {
  const whole = Math.round(points);
  return whole ? `${whole < 0 ? '−' : '+'}${Math.abs(whole)}` : '0';
}
