/** Which cards a tap means.  The server's suggestions say what is legal; nothing here knows the rules. */
import type { Combination, SeatView } from '../wire';
import { rankOf, type Card } from './cards';

const holds = (play: Combination, card: Card): boolean => play.cards.some((other) => rankOf(other) === rankOf(card));

/** The same play with the tapped card in place of another of its rank. */
function withCard(play: Combination, card: Card): Card[] {
  if (play.cards.includes(card)) return [...play.cards];
  const place = play.cards.findIndex((other) => rankOf(other) === rankOf(card));
  return play.cards.map((other, i) => (i === place ? card : other));
}

const cost = (play: Combination): number => (play.isBomb ? 100 : 0) + (play.cards.includes('Ph') ? 10 : 0);

/** A first tap on a trick: for a nine on a pair the pair of nines, and so on; null if only the card is meant. */
export function fittingCards(view: SeatView, card: Card): Card[] | null {
  if (!view.top || view.top.combination.cards.length === 1) return null;
  const plays = view.suggestions.filter((play) => !play.isBomb && holds(play, card));
  const main = plays.filter((play) => play.rank === rankOf(card));
  const [best] = (main.length ? main : plays).toSorted((a, b) => cost(a) - cost(b));
  return best ? withCard(best, card) : null;
}

/** A double tap: what fits the trick, or the longest lead with the card. */
export function bestCards(view: SeatView, card: Card): Card[] {
  const fit = fittingCards(view, card);
  if (fit) return fit;
  const [best] = view.suggestions
    .filter((play) => holds(play, card))
    .toSorted((a, b) => cost(a) - cost(b) || b.cards.length - a.cards.length);
  return best ? withCard(best, card) : [card];
}

/** A long press: all cards of the rank. */
export const sameRank = (hand: readonly Card[], card: Card): Card[] =>
  hand.filter((other) => rankOf(other) === rankOf(card));
