/** Cards as the wire writes them: rank and suit ("9g", "Ts"), or Ma, Do, Ph, Dr; "??" is a card face down. */
export type Card = string;

export const RANKS = ['2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'] as const;
export const SUITS = ['s', 'b', 'g', 'r'] as const;
export const SPECIALS = ['Ma', 'Do', 'Ph', 'Dr'] as const;
export const HIDDEN: Card = '??';

/** What cards are worth when they are taken; all others count nothing. */
export const POINTS: Readonly<Record<string, number>> = { '5': 5, T: 10, K: 10, Dr: 25, Ph: -25 };

export const isSpecial = (card: Card): boolean => (SPECIALS as readonly string[]).includes(card);
export const rankOf = (card: Card): string => (isSpecial(card) ? card : card.charAt(0));
export const suitOf = (card: Card): string => (isSpecial(card) ? '' : card.charAt(1));

/** "Ma2s9g" as a list of cards; "-" is an empty list, "*3" three cards face down. */
export function parseCards(text: string): Card[] {
  if (text === '-' || text === '') return [];
  if (text.startsWith('*')) return Array<Card>(Number(text.slice(1))).fill(HIDDEN);
  return text.match(/../g) ?? [];
}

const SPECIAL_KEYS: Record<string, number> = { Do: 0, Ma: 1, Ph: 15.5, Dr: 16 };

/** Where a card stands in a sorted hand; the special cards come before and after the ranks. */
export const sortKey = (card: Card): number => SPECIAL_KEYS[card] ?? RANKS.indexOf(card.charAt(0) as '2') + 2;
const suitKey = (card: Card): number => SUITS.indexOf(suitOf(card) as 's');

export const ORDERS = ['rank', 'suit', 'combination'] as const;
export type Order = (typeof ORDERS)[number];

/** A hand in the order the player asked for; the same cards always come out the same way. */
export function sortCards(hand: readonly Card[], order: Order): Card[] {
  const byRank = (a: Card, b: Card) => sortKey(a) - sortKey(b) || suitKey(a) - suitKey(b);
  const cards = [...hand].sort(byRank);
  if (order === 'suit') return cards.sort((a, b) => suitKey(a) - suitKey(b) || sortKey(a) - sortKey(b));
  if (order === 'combination') {
    const count = (card: Card) => (isSpecial(card) ? 0 : hand.filter((other) => rankOf(other) === rankOf(card)).length);
    return cards.sort((a, b) => count(a) - count(b) || byRank(a, b));
  }
  return cards;
}
