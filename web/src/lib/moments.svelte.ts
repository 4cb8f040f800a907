/** Moments worth a cheer: a called Tichu that came true, a match that is won.  A tap or a key ends them. */
import type { SeatView, TableEvent, TableState } from '../wire';
import { dealAround, shakeTable, skipAnimations } from './animation';
import { speedFactor } from './settings.svelte';

export interface Moment {
  kind: 'T' | 'G' | 'match';
  /** Whose moment it is; for a match the own team's. */
  seat: number;
}

const SHOWN_MS = 1200;

/** What there is to celebrate about an event; null for almost all of them. */
export function momentOf(
  event: TableEvent,
  before: SeatView | null,
  after: SeatView | null,
  table: TableState | null,
): Moment | null {
  if (event.type === 'round_over') {
    const seat = after?.seat ?? null;
    if (seat !== null && table?.winner === seat % 2) return { kind: 'match', seat };
  }
  const [first] = event.type === 'round_over' ? event.result.out : (after?.out ?? []);
  if (first === undefined || before?.out.length) return null;
  const call = before?.calls[first] ?? '-';
  return call === 'T' || call === 'G' ? { kind: call, seat: first } : null;
}

export class Moments {
  shown = $state.raw<Moment | null>(null);

  /** Take up an event of a table. */
  see(event: TableEvent, before: SeatView | null, after: SeatView | null, table: TableState | null): void {
    if (event.type === 'dealt') {
      const me = after?.seat ?? 0;
      dealAround([1, 2, 3].map((by) => (me + by) & 3));
    }
    if (event.type === 'acted' && event.combination?.isBomb) shakeTable();
    const moment = momentOf(event, before, after, table);
    if (moment) this.show(moment);
  }

  show(moment: Moment): void {
    const factor = speedFactor();
    if (!factor) return;
    this.shown = moment;
    setTimeout(() => this.shown === moment && this.skip(), SHOWN_MS * Math.min(1, factor));
  }

  skip = (): void => {
    skipAnimations();
    this.shown = null;
  };
}
