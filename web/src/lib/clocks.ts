/** Time to decide: a decision has its own, and after it a reserve runs that must last the whole game. */
import type { Clock, SeatTime } from '../wire';

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
export const minutes = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
