/**
 * The lesson: positions for a real table, and what is to be done in them.  Whether a play is allowed is the table's
 * business; here it only says whether it was the one that this step is about.
 */
import type { Acted, SeatView } from '../wire';
import { rankOf } from './cards';
import found from './lesson.json';

export type StepName =
  'beat' | 'combos' | 'pass' | 'bomb' | 'wish' | 'phoenix' | 'dragon' | 'dog' | 'exchange' | 'calls';
export type Verdict = 'done' | 'missed' | null;

interface Seen {
  /** The player's seat. */
  me: number;
  event: Acted;
  /** After it. */
  view: SeatView | null;
}

const played = ({ me, event }: Seen): boolean => event.seat === me && event.what === 'play';
const passed = ({ me, event }: Seen): boolean => event.seat === me && event.what === 'pass';
const cards = ({ event }: Seen): readonly string[] => event.combination?.cards ?? [];
/** The play that the step is about, or another play or a pass instead. */
const play = (seen: Seen, wanted: boolean): Verdict =>
  played(seen) ? (wanted ? 'done' : 'missed') : passed(seen) ? 'missed' : null;

const JUDGES: Record<StepName, (seen: Seen) => Verdict> = {
  beat: (seen) =>
    passed(seen) ? 'missed' : seen.event.what === 'take' ? (seen.event.seat === seen.me ? 'done' : 'missed') : null,
  combos: (seen) => play(seen, cards(seen).length > 1),
  pass: (seen) => (passed(seen) ? 'done' : played(seen) ? 'missed' : null),
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
    return passed(seen) || (played(seen) && !cards(seen).includes('Dr')) ? 'missed' : null;
  },
  dog: (seen) => play(seen, cards(seen).includes('Do')),
  exchange: ({ view }) => (view?.phase === 'TICHU.TRICK_PLAY' ? 'done' : null),
  calls: (seen) =>
    seen.event.seat === seen.me && seen.event.what === 'tichu' ? 'done' : played(seen) ? 'missed' : null,
};

export interface Step {
  readonly name: StepName;
  /** As in docs/notation.md; the player has seat 0. */
  readonly position: string;
}

export const STEPS: readonly Step[] = found.map(({ name, position }) => ({ name: name as StepName, position }));

/** One round and no more, so that a table that was left comes to its end. */
export const RULES = 'standard goal=rounds:1';

export const judge = (name: StepName, seen: Seen): Verdict => JUDGES[name](seen);

/** What to say in a whole round: about the decision that is asked for, or about waiting. */
export function tipOf(
  view: SeatView | null,
): 'grand' | 'exchange' | 'lead' | 'follow' | 'wish' | 'gift' | 'wait' | 'out' {
  if (!view) return 'wait';
  const { decision } = view;
  if (decision === 'grand' || decision === 'exchange' || decision === 'wish' || decision === 'gift') return decision;
  if (decision === 'play') return view.top ? 'follow' : 'lead';
  return view.seat !== null && view.out.includes(view.seat) ? 'out' : 'wait';
}

/** Cards to look at beside the words, and the message that names them. */
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
