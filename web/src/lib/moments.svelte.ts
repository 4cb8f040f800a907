/** Moments worth a cheer: a called Tichu that came true, a match that is won.  A tap or a key ends them. */
import type { SeatView, TableEvent, TableState } from '../wire';
import { dealAround, shakeTable, skipAnimations } from './animation';
import { dealing } from './dealing.svelte';
import { speedFactor } from './settings.svelte';

export interface Moment {
  kind: 'T' | 'G' | 'match';
  /** Whose moment it is; for a match the own team's. */
  seat: number;
}

const SHOWN_MS = 1200;

/** The call that has come true with an event; null for almost all of them. */
export function calledAndMade(event: TableEvent, before: SeatView | null, after: SeatView | null): Moment | null {
  const [first] = event.type === 'round_over' ? event.result.out : (after?.out ?? []);
  if (first === undefined || before?.out.length) return null;
  const call = before?.calls[first] ?? '-';
  return call === 'T' || call === 'G' ? { kind: call, seat: first } : null;
}

export class Moments {
  shown = $state.raw<Moment | null>(null);
  #winner: number | null;

  constructor(table: TableState | null) {
    this.#winner = table?.winner ?? null;
  }

  /** Take up an event of a table. */
  see(event: TableEvent, before: SeatView | null, after: SeatView | null, table: TableState | null): void {
    if (event.type === 'dealt') {
      const me = after?.seat ?? 0;
      dealAround([1, 2, 3].map((by) => (me + by) & 3));
    }
    const fresh = after?.hand.filter((card) => !before?.hand.includes(card)) ?? [];
    if (fresh.length) dealing.begin(fresh);
    if (event.type === 'acted' && event.combination?.isBomb) shakeTable();
    const made = calledAndMade(event, before, after);
    if (made) this.show(made);
    // The table is told together with the last of several events, whichever that is.
    const winner = table?.winner ?? null;
    const seat = after?.seat ?? null;
    if (winner !== this.#winner && seat !== null && winner === seat % 2) this.show({ kind: 'match', seat });
    this.#winner = winner;
  }

  show(moment: Moment): void {
    const factor = speedFactor();
    if (!factor) return;
    this.shown = moment;
    setTimeout(() => this.shown === moment && this.skip(), SHOWN_MS * Math.min(1, factor));
  }

  skip = (): void => {
    dealing.finish();
    skipAnimations();
    this.shown = null;
  };
}
