/** A finished game, step by step: positions in it, and which steps belong together. */
import type { GameFile, RoundViews, ViewStep } from '../wire';
import { parseCards, type Card } from './cards';

/** A position in a game, as its address says it. */
export interface Position {
  readonly id: string;
  /** Counted from 0. */
  readonly round: number;
  /** How many actions of the round have been taken. */
  readonly step: number;
  /** Through whose eyes; null for all hands. */
  readonly seat: number | null;
  /** What is told beside it. */
  readonly tab: Tab;
}

export const TABS = ['actions', 'review'] as const;
export type Tab = (typeof TABS)[number];

function parseNumber(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : otherwise;
}

/** People count rounds from 1, and so does the address. */
export function positionOf(id: string, query: URLSearchParams): Position {
  const seat = parseNumber(query.get('seat'), 9);
  return {
    id,
    round: Math.max(0, parseNumber(query.get('round'), 1) - 1),
    step: parseNumber(query.get('step'), 0),
    seat: seat < 4 ? seat : null,
    tab: query.get('tab') === 'review' ? 'review' : 'actions',
  };
}

export function pathOf({ id, round, step, seat, tab }: Position): string {
  const rest = `${seat === null ? '' : `&seat=${seat}`}${tab === 'actions' ? '' : `&tab=${tab}`}`;
  return `game/${encodeURIComponent(id)}?round=${round + 1}&step=${step}${rest}`;
}

/** How the match stood before a round; one that was taken up in its middle did not begin at 0:0. */
export function scoreBefore(file: GameFile, round: number): [number, number] {
  const [ours, theirs] = file.tags.Start ?? [];
  return file.rounds
    .slice(0, round)
    .reduce<[number, number]>(
      ([one, two], { score }) => [one + (score?.[0] ?? 0), two + (score?.[1] ?? 0)],
      [Number(ours ?? 0), Number(theirs ?? 0)],
    );
}

/** A section of a round: the Grand Tichu calls, the exchange, a trick. */
export interface Section {
  readonly kind: 'grand' | 'exchange' | 'trick';
  /** Tricks are counted from 1. */
  readonly number: number;
  /** Its first and last step. */
  readonly from: number;
  readonly to: number;
  /** Who took the trick, or whom it was given to. */
  readonly taker: number | null;
}

const kindOf = (step: ViewStep): Section['kind'] => {
  const what = step.event?.what;
  if (what === 'grand' || what === 'no_grand' || what === 'grand_hidden') return 'grand';
  return what === 'exchange' ? 'exchange' : 'trick';
};

/** Whether this step takes played cards off the table. */
const clearsTable = (step: ViewStep): boolean => step.event?.what === 'take' || step.event?.combination?.type === 'DOG';

/** The sections of a round in order; step 0 is the deal and belongs to none. */
export function sections(steps: readonly ViewStep[]): Section[] {
  const found: { kind: Section['kind']; number: number; from: number; to: number; taker: number | null }[] = [];
  let open: (typeof found)[number] | undefined;
  steps.forEach((step, at) => {
    if (at === 0) return;
    // A Tichu call belongs to the section in which it is made.
    const kind = step.event?.what === 'tichu' && open ? open.kind : kindOf(step);
    if (!open || open.kind !== kind) {
      open = {
        kind,
        number: found.filter((one) => one.kind === 'trick').length + 1,
        from: at,
        to: at,
        taker: null,
      };
      found.push(open);
    }
    open.to = at;
    if (!clearsTable(step)) return;
    if (step.event?.what === 'take') open.taker = step.event.recipient ?? step.event.seat;
    open = undefined;
  });
  return found;
}

/** Where stepping by trick stops: the deal, the calls, the exchange, each trick while it still lies there, the end. */
export function stops(steps: readonly ViewStep[]): number[] {
  const at = sections(steps).map(({ to }) =>
    steps[to]?.event?.what === 'take' && to !== steps.length - 1 ? to - 1 : to,
  );
  return [...new Set([0, ...at, Math.max(0, steps.length - 1)])];
}

/** What a seat was never told is not a step for it. */
const isVisible = (step: ViewStep | undefined, at: number): boolean =>
  at === 0 || (step !== undefined && step.text !== '');

/** The next step in a direction where there is something to see. */
export function stepFrom(steps: readonly ViewStep[], at: number, by: 1 | -1): number {
  for (let next = at + by; next >= 0 && next < steps.length; next += by) if (isVisible(steps[next], next)) return next;
  return at;
}

export function stopFrom(steps: readonly ViewStep[], at: number, by: 1 | -1): number {
  const all = stops(steps);
  return (by > 0 ? all.find((stop) => stop > at) : all.findLast((stop) => stop < at)) ?? at;
}

export interface Gift {
  readonly from: number;
  /** To LEFT, PARTNER, RIGHT; empty if the viewer was not told. */
  readonly cards: readonly Card[];
}

/** The gifts that lie on the table at a step of the exchange: `2>7sMa2r`. */
export function giftsAt(steps: readonly ViewStep[], at: number): Gift[] {
  return steps.slice(1, at + 1).flatMap((step) => {
    if (step.event?.what !== 'exchange') return [];
    return [{ from: step.event.seat, cards: parseCards(step.text.slice(2)) }];
  });
}

/** Who has passed since the last play. */
export function passesAt(steps: readonly ViewStep[], at: number): boolean[] {
  const passed = [false, false, false, false];
  for (let i = at; i > 0; i--) {
    const event = steps[i]?.event;
    if (event?.what === 'play' || event?.what === 'take') break;
    if (event?.what === 'pass') passed[event.seat] = true;
  }
  return passed;
}

export const lastStep = (round: RoundViews): number => Math.max(0, round.steps.length - 1);
