/** What goes on: asked for by the start page again and again. */
import type { Home } from '../wire';
import { request } from './api';

export const home = (): Promise<Home> => request('home');

interface Named {
  readonly id: string;
}

/** Those of now, with who was shown already in the same places: nothing moves under a finger but what goes. */
export function inPlace<T extends Named>(before: readonly T[], now: readonly T[]): T[] {
  const places = new Map(before.map(({ id }, place) => [id, place]));
  const place = ({ id }: T): number => places.get(id) ?? before.length;
  return [...now].sort((one, other) => place(one) - place(other));
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago something was, in the words of a language. */
export function ago(at: number, now: number, language: string): string {
  const past = Math.max(0, now - at);
  const [unit, ms] = UNITS.find(([, length]) => past >= length) ?? (['second', Infinity] as const);
  // A day is 24 hours here, and "yesterday" would be one of the calendar; less than a minute is now.
  const numeric = unit === 'second' ? 'auto' : 'always';
  return new Intl.RelativeTimeFormat(language, { numeric, style: 'short' }).format(-Math.floor(past / ms), unit);
}
