/** Time to decide: a decision has its own, and after it a reserve runs that must last the whole game. */
import type { Clock, SeatTime, SeatView, TableState } from '../wire';

export interface TimeLeft {
  /** Of the decision’s time, or of the reserve: 1 for all of it. */
  readonly share: number;
  readonly seconds: number;
  readonly reserve: boolean;
}

/** What is left at a moment; null when nothing is. */
export function timeLeft({ ends, reserveEnds }: SeatTime, clock: Clock, now: number): TimeLeft | null {
  const reserve = now >= ends;
  const left = (reserve ? reserveEnds : ends) - now;
  if (left <= 0) return null;
  const whole = (reserve ? (clock.reserve ?? 0) : clock.decision) * 1000;
  return { share: Math.min(1, left / whole), seconds: Math.ceil(left / 1000), reserve };
}

/** 75 seconds as 1:15. */
export const minutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/**
 * The clocks as a spectator can know them.  The server tells a spectator none, because they would tell who has played
 * in a trick that is not shown yet; but whoever must decide in the picture that is shown has had the time of the
 * decision since it was made.  Their reserve is not known.
 */
export class Watched {
  #what = '';
  #since = new Map<number, number>();

  clocks(view: SeatView, room: TableState): readonly SeatTime[] {
    const { clock } = room;
    if (!clock) return [];
    const simultaneous = view.phase === 'TICHU.DECLARE_GRAND_WINDOW' || view.phase === 'TICHU.EXCHANGE_SELECT';
    const what = `${room.round} ${view.phase} ${simultaneous ? '' : view.counts.join()}`;
    if (what !== this.#what) this.#since.clear();
    this.#what = what;
    const persons = view.pending.filter((seat) => room.seats[seat]?.player);
    for (const seat of persons) if (!this.#since.has(seat)) this.#since.set(seat, view.now);
    // A pause stops the clocks; how long, a spectator cannot know.
    if (room.stage !== 'playing') for (const seat of persons) this.#since.set(seat, -Infinity);
    return persons.map((seat) => {
      const ends = (this.#since.get(seat) ?? view.now) + clock.decision * 1000;
      return { seat, ends, reserveEnds: ends };
    });
  }
}
