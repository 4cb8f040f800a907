/** What the table has promised about a deal, and what this page has given and seen.  It outlives a reload. */
import type { Card } from './cards';

export interface Promised {
  /** The hash of the seed. */
  readonly commit: string;
  /** Whether it was heard before the cards were dealt. */
  readonly early: boolean;
  /** Where this page’s player sat. */
  readonly seat: number | null;
  /** The share in the shuffle that was taken from here. */
  readonly nonce: string | null;
  /** The own cards as they were first seen, before the exchange. */
  readonly hand: readonly Card[];
}

const KEY = 'tichu.promise';

/** Tabs play at different tables, so each remembers its own. */
export function recallPromise(table: string, commit: string): Promised | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as { table: string; promised: Promised } | null;
    return kept?.table === table && kept.promised.commit === commit ? kept.promised : null;
  } catch {
    return null;
  }
}

export function keepPromise(table: string, promised: Promised): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ table, promised }));
  } catch {
    // A promise that cannot be kept lives as long as the page.
  }
}
