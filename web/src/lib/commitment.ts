/** What the table committed to before a deal, and what this page contributed and saw.  It survives a reload. */
import type { Card } from './cards';

export interface Commitment {
  /** Which deal it is about. */
  readonly game: string | null;
  readonly round: number;
  /** The hash of the seed. */
  readonly commit: string;
  /** How the deal follows from seed and nonces. */
  readonly derivation: number;
  /** Whether it arrived before the cards were dealt. */
  readonly early: boolean;
  /** Whether the table has shown another hash for the same deal. */
  readonly changed: boolean;
  /** The commitments to nonces by seat, as they were first shown as fixed. */
  readonly set: readonly string[] | null;
  /** The nonces by seat, as they were shown with the cards. */
  readonly nonces: readonly string[] | null;
  /** Where the player of this page sat. */
  readonly seat: number | null;
  /** This page's contribution to the shuffle. */
  readonly nonce: string | null;
  /** What of it the table has acknowledged. */
  readonly accepted: 'nothing' | 'commitment' | 'nonce';
  /** The player's cards as they were first seen, before the exchange. */
  readonly hand: readonly Card[];
}

/** What there is to go by without having been there. */
export const recordedCommitment = (commit: string, derivation: number): Commitment => ({
  game: null,
  round: 0,
  commit,
  derivation,
  early: false,
  changed: false,
  set: null,
  nonces: null,
  seat: null,
  nonce: null,
  accepted: 'nothing',
  hand: [],
});

/** For the deal to come or in play, and for the last one. */
type Which = 'tichu.promise' | 'tichu.kept';

/** Tabs may show different tables, so each has its own. */
export function loadCommitment(table: string, which: Which = 'tichu.promise'): Commitment | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(which) ?? 'null') as {
      table: string;
      commitment: Commitment;
    } | null;
    // One that an older page has kept says less.
    return kept?.table === table && 'accepted' in kept.commitment ? kept.commitment : null;
  } catch {
    return null;
  }
}

export function saveCommitment(table: string, commitment: Commitment, which: Which = 'tichu.promise'): void {
  try {
    sessionStorage.setItem(which, JSON.stringify({ table, commitment }));
  } catch {
    // Without storage it lives as long as the page.
  }
}
