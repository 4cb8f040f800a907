/** The quick match and ratings: what the page asks the server for. */
import type { MatchRatings, QuickRequest, QuickState, Registered } from '../wire';
import { device, request, saveToken, token } from './api';

/** Whoever has no token yet becomes a guest. */
async function beSomebody(name: string): Promise<void> {
  if (!token()) saveToken((await request<Registered>('players', { name })).token);
}

export async function look(wanted: QuickRequest, name: string): Promise<QuickState> {
  await beSomebody(name);
  return request('quick', { ...wanted, device: device() });
}

export const search = (): Promise<QuickState> => request('quick');
export const stopLooking = (): Promise<QuickState> => request('quick', undefined, 'DELETE');
export const welcomeBots = (): Promise<QuickState> => request('quick/bots', {});
export const matchRatings = (game: string): Promise<MatchRatings> => request(`games/${game}/ratings`);

/** Whole seconds from one time to another, never less than none; what has begun counts, so that none is none. */
export const secondsBetween = (from: number, to: number): number => Math.max(0, Math.ceil((to - from) / 1000));
