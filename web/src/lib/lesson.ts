/**
 * The lesson: positions for a real table, and what to do in them.  Whether a play is allowed is the table's business;
 * this module only says whether it was the one that the step is about.
 */
import type { Acted, SeatView } from '../wire';
import { rankOf } from './cards';
import steps from './lesson.json';

export type StepName =
  'beat' | 'combos' | 'pass' | 'bomb' | 'wish' | 'phoenix' | 'dragon' | 'dog' | 'exchange' | 'calls';
export type Verdict = 'done' | 'missed' | null;

interface Observation {
  /** The player's seat. */
  me: number;
  event: Acted;
  /** After the event. */
  view: SeatView | null;
}

const isPlay = ({ me, event }: Observation): boolean => event.seat === me && event.what === 'play';
const isPass = ({ me, event }: Observation): boolean => event.seat === me && event.what === 'pass';
const cards = ({ event }: Observation): readonly string[] => event.combination?.cards ?? [];
/** The play that the step is about, or another play or a pass instead. */
const play = (seen: Observation, wanted: boolean): Verdict =>
  isPlay(seen) ? (wanted ? 'done' : 'missed') : isPass(seen) ? 'missed' : null;

const JUDGES: Record<StepName, (seen: Observation) => Verdict> = {
  beat: (seen) =>
    isPass(seen) ? 'missed' : seen.event.what === 'take' ? (seen.event.seat === seen.me ? 'done' : 'missed') : null,
  combos: (seen) => play(seen, cards(seen).length > 1),
  pass: (seen) => (isPass(seen) ? 'done' : isPlay(seen) ? 'missed' : null),
  bomb: (seen) =>
    seen.event.what === 'take' && seen.event.seat !== seen.me
      ? 'missed'
      : play(seen, seen.event.combination?.isBomb === true),
  wish: (seen) => {
    const { me, event, view } = seen;
    if (event.seat === me) {
      if (event.what === 'wish') return event.rank === 'A' ? null : 'missed';
      return event.what === 'play' && !cards(seen).includes('Ma') ? 'missed' : null;
    }
    if (event.what === 'play' && cards(seen).some((card) => rankOf(card) === 'A')) return 'done';
    return event.what === 'take' && view?.wish ? 'missed' : null;
  },
  phoenix: (seen) => play(seen, cards(seen).includes('Ph')),
  dragon: (seen) => {
    if (seen.event.what === 'take')
      return seen.event.seat === seen.me && seen.event.recipient != null ? 'done' : 'missed';
    return isPass(seen) || (isPlay(seen) && !cards(seen).includes('Dr')) ? 'missed' : null;
  },
  dog: (seen) => play(seen, cards(seen).includes('Do')),
  exchange: ({ view }) => (view?.phase === 'TICHU.TRICK_PLAY' ? 'done' : null),
  calls: (seen) =>
    seen.event.seat === seen.me && seen.event.what === 'tichu' ? 'done' : isPlay(seen) ? 'missed' : null,
};

export interface Step {
  readonly name: StepName;
  /** As in docs/notation.md; the player has seat 0. */
  readonly position: string;
}

export const STEPS: readonly Step[] = steps.map(({ name, position }) => ({ name: name as StepName, position }));

/** A single round, so that a table whose player has left comes to an end. */
export const RULES = 'standard goal=rounds:1';

export const judge = (name: StepName, seen: Observation): Verdict => JUDGES[name](seen);

/** Which tip to give in the whole round at the end: about the decision to make, or about waiting. */
export function tipOf(
  view: SeatView | null,
): 'grand' | 'exchange' | 'lead' | 'follow' | 'wish' | 'gift' | 'wait' | 'out' {
  if (!view) return 'wait';
  const { decision } = view;
  if (decision === 'grand' || decision === 'exchange' || decision === 'wish' || decision === 'gift') return decision;
  if (decision === 'play') return view.top ? 'follow' : 'lead';
  return view.seat !== null && view.out.includes(view.seat) ? 'out' : 'wait';
}

/** Cards to show beside the text, and the message that names them. */
export const PICTURES: Partial<
  Record<StepName, readonly { readonly cards: readonly string[]; readonly name: string }[]>
> = {
  beat: [{ cards: ['5s', 'Tb', 'Kg', 'Ar'], name: 'suits' }],
  combos: [
    { cards: ['7s', '7r'], name: 'pair' },
    { cards: ['9s', '9b', '9g'], name: 'triple' },
    { cards: ['Js', 'Jb', 'Jr', '4g', '4r'], name: 'house' },
    { cards: ['3b', '4s', '5r', '6r', '7g'], name: 'straight' },
    { cards: ['8s', '8b', '9g', '9r', 'Tb', 'Tr'], name: 'stairs' },
  ],
  bomb: [
    { cards: ['6s', '6b', '6g', '6r'], name: 'four' },
    { cards: ['4g', '5g', '6g', '7g', '8g'], name: 'flush' },
  ],
};
