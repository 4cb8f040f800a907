/** The HTTP part of the server. */
import type {
  ApiError,
  BotList,
  CodeInfo,
  GameList,
  Me,
  NewTable,
  NewTableAnswer,
  QrRequest,
  RulesInfo,
  SeatKey,
  TableInfo,
} from '../wire';
import { t, tMaybe } from './i18n.svelte';
import { forget, load, save } from './storage';
import { randomHex } from './random';
import { address } from './router.svelte';

/** A refusal by the server, with a sentence for people. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Why a request failed, in the player's language as far as we have words for it. */
export const failureText = (error: unknown): string =>
  error instanceof Refusal ? tMaybe(`reason.${error.code}`, {}, error.message) : t('start.offline');

export const token = (): string | null => load('token');
/** What tells two players in one browser from two browsers; drawn by chance, and about nobody. */
export function device(): string {
  const known = load('device');
  if (known) return known;
  const drawn = randomHex(8);
  save('device', drawn);
  return drawn;
}
export const saveToken = (value: string): void => save('token', value);

/** The key of a seat link, kept for its table until the server answers with somebody's own token there. */
export const seatKey = (id: string): string | undefined => {
  const [table, key] = load('key')?.split(' ') ?? [];
  return table === id ? key : undefined;
};
export const saveSeatKey = (id: string, key: string): void => save('key', `${id} ${key}`);
export const forgetSeatKey = (id: string): void => {
  if (seatKey(id)) forget('key');
};

export async function request<T>(
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<T> {
  const headers: Record<string, string> = {};
  const own = token();
  if (own) headers.authorization = `Bearer ${own}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(address(`api/${path}`), {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const error = answer as ApiError | null;
    throw new Refusal(error?.error ?? String(response.status), error?.message ?? response.statusText);
  }
  return answer as T;
}

export const me = (): Promise<Me> => request('me');
export const games = (before?: number): Promise<GameList> => request(`games${before ? `?before=${before}` : ''}`);
export const bots = (): Promise<BotList> => request('bots');

/** The bots to choose from: the levels, or all of them on a server without levels. */
export async function botLevels(): Promise<{ readonly levels: readonly string[]; readonly usual: string }> {
  const { bots: all, default: usual } = await bots();
  const levels = all.filter((bot) => bot.isLevel);
  return { levels: (levels.length ? levels : all).map((bot) => bot.name), usual };
}

export const rules = (): Promise<RulesInfo> => request('rules');
export const tableInfo = (id: string): Promise<TableInfo> => request(`tables/${encodeURIComponent(id)}`);
export const tableOfCode = (code: string): Promise<CodeInfo> => request(`codes/${encodeURIComponent(code)}`);

/** The key of your seat: the one that opened it here, or a new one. */
export const ownSeatKey = async (id: string): Promise<string> =>
  seatKey(id) ?? (await request<SeatKey>(`tables/${encodeURIComponent(id)}/key`, undefined, 'POST')).key;

/** A secret link as a picture; posted, so that it stays out of addresses and logs. */
export async function secretQr(path: string): Promise<string> {
  const response = await fetch(address('api/qr'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ path } satisfies QrRequest),
  });
  if (!response.ok) throw new Refusal(String(response.status), response.statusText);
  // img-src allows data: addresses, not blob: ones.
  return `data:image/svg+xml,${encodeURIComponent(await response.text())}`;
}

export async function newTable(wanted: NewTable): Promise<NewTableAnswer> {
  const answer = await request<NewTableAnswer>('tables', wanted);
  if (answer.you.token) saveToken(answer.you.token);
  return answer;
}
