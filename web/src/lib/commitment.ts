/** What the table committed to before a deal, and what this page contributed and saw.  It survives a reload. */
import type { Card } from './cards';

export interface Commitment {
  /** The hash of the seed. */
  readonly commit: string;
  /** Whether it arrived before the cards were dealt. */
  readonly early: boolean;
  /** Where the player of this page sat. */
  readonly seat: number | null;
  /** This page's contribution to the shuffle, if the table accepted one. */
  readonly nonce: string | null;
  /** The player's cards as they were first seen, before the exchange. */
  readonly hand: readonly Card[];
}

const KEY = 'tichu.promise';

/** Tabs may show different tables, so each has its own. */
export function loadCommitment(table: string, commit: string): Commitment | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as { table: string; commitment: Commitment } | null;
    return kept?.table === table && kept.commitment.commit === commit ? kept.commitment : null;
  } catch {
    return null;
  }
}

export function saveCommitment(table: string, commitment: Commitment): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ table, commitment }));
  } catch {
    // Without storage it lives as long as the page.
  }
}
