/** Repeats a deal from its seed and the players’ nonces.  The module tichu.core.fairness explains how and why. */
import { parseCards, RANKS, SPECIALS, SUITS, type Card } from './cards';
import type { Commitment } from './commitment';
import { sha256 } from './sha256';

/** What the table reveals after a round. */
export interface Reveal {
  /** As in TTN. */
  readonly deal: string;
  readonly seed: string;
  /** By seat, empty for none. */
  readonly nonces: readonly string[];
}

/** Why a deal is not fair: a wrong hash, a missing nonce, other cards than the seed gives or than the player saw. */
export type Fault = 'seed' | 'share' | 'cards' | 'hand';

const SEED = /^[0-9a-f]{64}$/;
const DECK: readonly Card[] = [...SPECIALS, ...RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit))];

const parseHex = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
const formatHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const commitOf = (seed: string): string => formatHex(sha256(parseHex(seed)));

function* stream(text: string): Generator<number, never> {
  for (let block = 0; ; block++) yield* sha256(new TextEncoder().encode(`${text} ${block}`));
}

/** For each seat the first eight cards and the last six. */
export function fairDeal(seed: string, nonces: readonly string[]): Card[][][] {
  const cards = [...DECK];
  const bytes = stream(`tichu deal ${seed} ${nonces.join('/')}`);
  for (let place = cards.length - 1; place > 0; place--) {
    // A byte that would favour some places is skipped.
    const fair = 256 - (256 % (place + 1));
    let byte = bytes.next().value;
    while (byte >= fair) byte = bytes.next().value;
    const other = byte % (place + 1);
    [cards[place], cards[other]] = [cards[other]!, cards[place]!];
  }
  return [0, 1, 2, 3].map((seat) => [cards.slice(8 * seat, 8 * seat + 8), cards.slice(32 + 6 * seat, 38 + 6 * seat)]);
}

/** Hands as text, each part sorted, so that they can be compared. */
const formatHands = (hands: readonly (readonly Card[])[][]): string =>
  hands.map((parts) => parts.map((part) => [...part].sort().join('')).join('+')).join(' / ');
const parseHands = (deal: string): Card[][][] => deal.split(' / ').map((hand) => hand.split('+').map(parseCards));

/** What is wrong with a deal, given what the table committed to and the player saw; null if it is fair. */
export function faultOf(reveal: Reveal, commitment: Commitment): Fault | null {
  if (!SEED.test(reveal.seed) || commitOf(reveal.seed) !== commitment.commit) return 'seed';
  if (commitment.nonce !== null && reveal.nonces[commitment.seat ?? -1] !== commitment.nonce) return 'share';
  const hands = parseHands(reveal.deal);
  if (formatHands(fairDeal(reveal.seed, reveal.nonces)) !== formatHands(hands)) return 'cards';
  const own = commitment.seat === null ? [] : (hands[commitment.seat]?.flat() ?? []);
  return commitment.hand.every((card) => own.includes(card)) ? null : 'hand';
}
