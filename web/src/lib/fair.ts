/** Dealing a round again from its seed and the players’ shares.  The module tichu.core.fairness says how and why. */
import { parseCards, RANKS, SPECIALS, SUITS, type Card } from './cards';
import type { Promised } from './promise';
import { sha256 } from './sha256';

/** What the table shows after a round. */
export interface Shown {
  /** As in TTN. */
  readonly deal: string;
  readonly seed: string;
  /** By seat, empty for none. */
  readonly nonces: readonly string[];
}

/** Why a deal is not fair: another hash, a missing share, other cards than the seed gives or than the player saw. */
export type Fault = 'seed' | 'share' | 'cards' | 'hand';

const SEED = /^[0-9a-f]{64}$/;
const PACK: readonly Card[] = [...SPECIALS, ...RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit))];

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const commitOf = (seed: string): string => hexOf(sha256(bytesOf(seed)));

function* stream(text: string): Generator<number, never> {
  for (let block = 0; ; block++) yield* sha256(new TextEncoder().encode(`${text} ${block}`));
}

/** For each seat the first eight cards and the last six. */
export function fairDeal(seed: string, nonces: readonly string[]): Card[][][] {
  const cards = [...PACK];
  const bytes = stream(`tichu deal ${seed} ${nonces.join('/')}`);
  for (let place = cards.length - 1; place > 0; place--) {
    // A byte that would favour some places is passed over.
    const fair = 256 - (256 % (place + 1));
    let byte = bytes.next().value;
    while (byte >= fair) byte = bytes.next().value;
    const other = byte % (place + 1);
    [cards[place], cards[other]] = [cards[other]!, cards[place]!];
  }
  return [0, 1, 2, 3].map((seat) => [cards.slice(8 * seat, 8 * seat + 8), cards.slice(32 + 6 * seat, 38 + 6 * seat)]);
}

/** Hands as text in an order of their own, so that they can be compared. */
const told = (hands: readonly (readonly Card[])[][]): string =>
  hands.map((parts) => parts.map((part) => [...part].sort().join('')).join('+')).join(' / ');
const handsOf = (deal: string): Card[][][] => deal.split(' / ').map((hand) => hand.split('+').map(parseCards));

/** What is wrong with a deal, measured by what was promised and seen; null if it holds. */
export function faultOf(shown: Shown, promised: Promised): Fault | null {
  if (!SEED.test(shown.seed) || commitOf(shown.seed) !== promised.commit) return 'seed';
  if (promised.nonce !== null && shown.nonces[promised.seat ?? -1] !== promised.nonce) return 'share';
  const hands = handsOf(shown.deal);
  if (told(fairDeal(shown.seed, shown.nonces)) !== told(hands)) return 'cards';
  const own = promised.seat === null ? [] : (hands[promised.seat]?.flat() ?? []);
  return promised.hand.every((card) => own.includes(card)) ? null : 'hand';
}
