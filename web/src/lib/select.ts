/** Which cards a touch means.  The server's suggestions say what is legal; nothing here knows a rule. */
import type { Combination, SeatView } from '../wire';
import { rankOf, type Card } from './cards';

const holds = (play: Combination, card: Card): boolean => play.cards.some((other) => rankOf(other) === rankOf(card));

/** The same play with the touched card in the place of one of its rank. */
function around(play: Combination, card: Card): Card[] {
  if (play.cards.includes(card)) return [...play.cards];
  const place = play.cards.findIndex((other) => rankOf(other) === rankOf(card));
  return play.cards.map((other, i) => (i === place ? card : other));
}

const cost = (play: Combination): number => (play.isBomb ? 100 : 0) + (play.cards.includes('Ph') ? 10 : 0);

/** A first touch on a trick: the pair for a nine on a pair, and so on; null where one card is meant. */
export function fitting(view: SeatView, card: Card): Card[] | null {
  if (!view.top || view.top.combination.cards.length === 1) return null;
  const plays = view.suggestions.filter((play) => !play.isBomb && holds(play, card));
  const main = plays.filter((play) => play.rank === rankOf(card));
  const [best] = (main.length ? main : plays).toSorted((a, b) => cost(a) - cost(b));
  return best ? around(best, card) : null;
}

/** A double touch: what fits the trick, or the longest lead around the card. */
export function bestAround(view: SeatView, card: Card): Card[] {
  const fit = fitting(view, card);
  if (fit) return fit;
  const [best] = view.suggestions
    .filter((play) => holds(play, card))
    .toSorted((a, b) => cost(a) - cost(b) || b.cards.length - a.cards.length);
  return best ? around(best, card) : [card];
}

/** A long touch: all cards of the rank. */
export const sameRank = (hand: readonly Card[], card: Card): Card[] =>
  hand.filter((other) => rankOf(other) === rankOf(card));
