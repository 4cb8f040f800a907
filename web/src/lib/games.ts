/** Finished games. */
import type { GameFile, GameList, GameViews, RoundViews } from '../wire';
import { newTable, request } from './api';

/** All rounds with deal, actions and score, but without views: small enough to load at once. */
export const gameFile = (id: string): Promise<GameFile> => request(`games/${encodeURIComponent(id)}.json`);

/** One round, action by action, with all hands or as one seat saw it. */
export async function roundViews(id: string, round: number, seat: number | null): Promise<RoundViews> {
  const answer = await request<GameViews>(
    `games/${encodeURIComponent(id)}/views?round=${round}${seat === null ? '' : `&seat=${seat}`}`,
  );
  const [found] = answer.rounds;
  if (!found) throw new Error(`no round ${round}`);
  return found;
}

export const myGames = (before: number | null): Promise<GameList> =>
  request(`games?limit=20${before === null ? '' : `&before=${before}`}`);

/** Open a casual table that goes on from this step of the round; returns the path of its page. */
export async function playOn(
  file: GameFile,
  round: number,
  step: number,
  seat: number,
  bot: string,
  name: string,
): Promise<string> {
  const one = file.rounds[round];
  if (!one) throw new Error(`no round ${round}`);
  const seats = [0, 1, 2, 3].map((at) => (at === seat ? 'you' : bot));
  const settings = {
    rules: file.game.rules,
    casual: true,
    deal: one.deal.join(' / '),
    actions: one.actions.slice(0, step),
  };
  const { table } = await newTable({ name, settings, seats, start: true });
  return `t/${table.id}`;
}
