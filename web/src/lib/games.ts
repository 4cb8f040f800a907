/** Finished games. */
import type { GameFile, GameList, GameViews, RoundViews } from '../wire';
import { newTable, request } from './api';
import { goalOf } from './match';
import { scoreBefore } from './replay';

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

/** How the match stands before a round, if it is played to points and not over by then. */
function standing(file: GameFile, round: number): { score?: readonly [number, number] } {
  const [kind, most] = goalOf(file.game.rules).split(':');
  const score = scoreBefore(file, round);
  const isOver = Math.max(...score) >= Number(most) && score[0] !== score[1];
  return kind === 'target' && !isOver && score.some((points) => points) ? { score } : {};
}

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
    ...standing(file, round),
  };
  const { table } = await newTable({ name, settings, seats, start: true });
  return `t/${table.id}`;
}
