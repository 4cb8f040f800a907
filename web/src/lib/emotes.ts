/** What can be said with one tap, in the order of a game. */
import type { EmoteName } from '../wire';

export const EMOTES: readonly EmoteName[] = [
  'hello',
  'well_played',
  'thanks',
  'sorry',
  'wow',
  'laugh',
  'hurry',
  'goodbye',
];
