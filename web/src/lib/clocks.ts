/** Time to decide: each decision has its own; when it is used up, a reserve runs that must last the whole game. */
import type { Clock, SeatTime, SeatView, TableState } from '../wire';

export interface TimeLeft {
  /** What is left of the decision’s time, or of the reserve: 1 for all of it. */
  readonly share: number;
  readonly seconds: number;
  readonly reserve: boolean;
}

/** The time left at a moment; null when there is none. */
export function timeLeft({ ends, reserveEnds }: SeatTime, clock: Clock, now: number): TimeLeft | null {
  const reserve = now >= ends;
  const left = (reserve ? reserveEnds : ends) - now;
  if (left <= 0) return null;
  const whole = (reserve ? (clock.reserve ?? 0) : clock.decision) * 1000;
  return { share: Math.min(1, left / whole), seconds: Math.ceil(left / 1000), reserve };
}

/** 75 seconds as 1:15. */
export const formatSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/**
 * The clocks as far as a spectator can know them.  The server does not send them to spectators, because they would give
 * away who has played in a trick that is not shown yet; but a player who is to decide in the view that is shown has had
 * the time of the decision since that view was made.  Their reserve is unknown.
 */
export class SpectatorClocks {
  #decision = '';
  #since = new Map<number, number>();

  estimate(view: SeatView, room: TableState): readonly SeatTime[] {
    const { clock } = room;
    if (!clock) return [];
    const simultaneous = view.phase === 'TICHU.DECLARE_GRAND_WINDOW' || view.phase === 'TICHU.EXCHANGE_SELECT';
    const decision = `${room.round} ${view.phase} ${simultaneous ? '' : view.counts.join()}`;
    if (decision !== this.#decision) this.#since.clear();
    this.#decision = decision;
    const people = view.pending.filter((seat) => room.seats[seat]?.player);
    for (const seat of people) if (!this.#since.has(seat)) this.#since.set(seat, view.now);
    // A pause stops the clocks, and a spectator cannot know for how long.
    if (room.stage !== 'playing') for (const seat of people) this.#since.set(seat, -Infinity);
    return people.map((seat) => {
      const ends = (this.#since.get(seat) ?? view.now) + clock.decision * 1000;
      return { seat, ends, reserveEnds: ends };
    });
  }
}
