/** Repeats a deal from its seed and the players’ nonces.  The module tichu.core.fairness explains how and why. */
import { parseCards, RANKS, SPECIALS, SUITS, type Card } from './cards';
import type { DealProof } from '../wire';
import type { Commitment } from './commitment';
import { sha256 } from './sha256';

/** What the table reveals after a round. */
export interface Reveal extends DealProof {
  /** As in TTN. */
  readonly deal: string;
}

/**
 * Why a deal is not fair: a wrong hash, other commitments than were shown, a missing nonce of this player, a nonce that
 * nobody committed to, other cards than follow or than the player saw.
 */
export type Fault = 'seed' | 'set' | 'share' | 'opening' | 'cards' | 'hand';

/** What a seat has to do with a deal: only a nonce that was committed to and opened proves something to it. */
export type SeatShare = 'proved' | 'unopened' | 'uncommitted' | 'none';

/** What a deal proves to the player of this page, who may also be unheard, have given it elsewhere, or watch. */
export type OwnShare = 'proved' | 'unheard' | 'other' | 'none' | 'late' | 'watching';

/** What stands before the commitment to a nonce that was given without one. */
const GIVEN_OPENLY = '~';
const SEED = /^[0-9a-f]{64}$/;
const DECK: readonly Card[] = [...SPECIALS, ...RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit))];

const parseHex = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
const formatHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const commitOf = (seed: string): string => formatHex(sha256(parseHex(seed)));

export const nonceCommitOf = (commit: string, seat: number, nonce: string): string =>
  formatHex(sha256(new TextEncoder().encode(`tichu nonce ${commit} ${seat} ${nonce}`)));

function* stream(text: string): Generator<number, never> {
  for (let block = 0; ; block++) yield* sha256(new TextEncoder().encode(`${text} ${block}`));
}

/** For each seat the first eight cards and the last six. */
export function fairDeal({ derivation, seed, commitments, nonces }: DealProof): Card[][][] {
  const cards = [...DECK];
  const parts = derivation === 1 ? [seed] : [derivation, seed, commitments.join('/')];
  const bytes = stream(`tichu deal ${parts.join(' ')} ${nonces.join('/')}`);
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

const same = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one, seat) => one === others[seat]);

/** Whether every nonce is the one that its seat committed to. */
function opensAll({ seed, commitments, nonces }: DealProof): boolean {
  const commit = commitOf(seed);
  return nonces.every((nonce, seat) => {
    const commitment = commitments[seat] ?? '';
    if (!nonce) return !commitment.startsWith(GIVEN_OPENLY);
    return commitment.replace(GIVEN_OPENLY, '') === nonceCommitOf(commit, seat, nonce);
  });
}

/** What is wrong with a deal, given what the table committed to and the player saw; null if nothing is. */
export function faultOf(reveal: Reveal, kept: Commitment): Fault | null {
  if (kept.changed || !SEED.test(reveal.seed) || commitOf(reveal.seed) !== kept.commit) return 'seed';
  if (reveal.derivation !== kept.derivation || (kept.set && !same(kept.set, reveal.commitments))) return 'set';
  const seat = kept.seat ?? -1;
  const ours = kept.nonce === null ? '' : nonceCommitOf(kept.commit, seat, kept.nonce);
  if (kept.accepted === 'commitment' && reveal.commitments[seat] !== ours) return 'share';
  if (kept.accepted === 'nonce' && reveal.nonces[seat] !== kept.nonce) return 'share';
  if (kept.nonces && !same(kept.nonces, reveal.nonces)) return 'opening';
  if (reveal.derivation > 1 && !opensAll(reveal)) return 'opening';
  const hands = parseHands(reveal.deal);
  if (formatHands(fairDeal(reveal)) !== formatHands(hands)) return 'cards';
  const own = kept.seat === null ? [] : (hands[kept.seat]?.flat() ?? []);
  return kept.hand.every((card) => own.includes(card)) ? null : 'hand';
}

/** What each seat has to do with the deal. */
export function sharesOf({ commitments, nonces }: DealProof): SeatShare[] {
  return [0, 1, 2, 3].map((seat) => {
    const [commitment, nonce] = [commitments[seat] ?? '', nonces[seat] ?? ''];
    if (!commitment) return nonce ? 'uncommitted' : 'none';
    if (commitment.startsWith(GIVEN_OPENLY)) return 'uncommitted';
    return nonce ? 'proved' : 'unopened';
  });
}

/** What a deal without a fault proves to the player of this page. */
export function ownShare(reveal: DealProof, kept: Commitment): OwnShare {
  if (kept.seat === null) return kept.early ? 'watching' : 'late';
  if (!kept.early) return 'late';
  if (kept.nonce !== null && reveal.nonces[kept.seat] === kept.nonce) return 'proved';
  const ours = kept.nonce === null ? '' : nonceCommitOf(kept.commit, kept.seat, kept.nonce);
  if (reveal.commitments[kept.seat] !== ours && sharesOf(reveal)[kept.seat] !== 'none') return 'other';
  return kept.nonce === null ? 'none' : 'unheard';
}
