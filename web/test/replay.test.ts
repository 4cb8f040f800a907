import { describe, expect, test, vi } from 'vitest';
import { playOn } from '../src/lib/games';
import {
  giftsAt,
  passesAt,
  pathOf,
  positionOf,
  scoreBefore,
  stepFrom,
  stopFrom,
  stops,
  sections,
} from '../src/lib/replay';
import type { Acted, GameFile, ViewStep } from '../src/wire';

/** Steps as the server tells them; what the view shows does not matter here. */
function told(...texts: string[]): ViewStep[] {
  const step = (text: string): ViewStep => ({ text, event: eventOf(text), view: {} as ViewStep['view'], hands: [] });
  return [step(''), ...texts.map(step)];
}

function eventOf(text: string): Acted | null {
  const [seat, sign, rest] = [Number(text[0]), text[1] ?? '', text.slice(2)];
  const acted = (what: Acted['what'], more: Partial<Acted> = {}): Acted => ({
    type: 'acted',
    seat,
    text,
    what,
    ...more,
  });
  if (text === '' || rest === 'B') return null;
  if (sign === '>') return acted('exchange');
  if (sign === '!') return acted('take', rest ? { recipient: Number(rest) } : {});
  if (rest === 'G') return acted(sign === '+' ? 'grand' : 'no_grand');
  if (rest === 'T') return acted('tichu');
  if (rest === '-') return acted('pass');
  return acted('play', {
    combination: { cards: [rest], type: rest === 'Do' ? 'DOG' : 'SINGLE', rank: '', length: 1, text: rest },
  });
}

const round = told(
  '0-G',
  '1-G',
  '2+G',
  '3-G',
  '0>7sMa2r',
  '1>',
  '1+T',
  '2>2s3s4s',
  '3>5s6s7s',
  '0:Do',
  '2:9s',
  '1:-',
  '0:-',
  '3:-',
  '2!',
  '2:Dr',
  '1:-',
  '0:-',
  '3:-',
  '2!1',
  '2:3s',
);

const BEGINNING = { id: 'a1', round: 0, step: 0, seat: null, tab: 'actions' };

describe('a position', () => {
  test('is read from an address and written back', () => {
    const place = { id: 'a1', round: 2, step: 17, seat: 3, tab: 'actions' } as const;
    expect(pathOf(place)).toBe('game/a1?round=3&step=17&seat=3');
    expect(pathOf({ ...place, tab: 'review' })).toBe('game/a1?round=3&step=17&seat=3&tab=review');
    for (const one of [place, { ...place, tab: 'review' }] as const)
      expect(positionOf('a1', new URLSearchParams(pathOf(one).split('?')[1]))).toEqual(one);
  });

  test('is the first deal with all hands if nothing else is said', () => {
    expect(positionOf('a1', new URLSearchParams())).toEqual(BEGINNING);
  });

  test.each(['round=0&step=-3&seat=7&tab=x', 'round=x&step=1e9&seat=', 'step=%F0%9F%90%B6'])(
    'is the beginning for nonsense: %s',
    (query) => {
      expect(positionOf('a1', new URLSearchParams(query))).toEqual(BEGINNING);
    },
  );
});

describe('what belongs together', () => {
  test('calls, exchange, then trick after trick; the Dog is one of its own', () => {
    expect(sections(round).map(({ kind, number, from, to, taker }) => [kind, number, from, to, taker])).toEqual([
      ['grand', 1, 1, 4, null],
      ['exchange', 1, 5, 9, null],
      ['trick', 1, 10, 10, null],
      ['trick', 2, 11, 15, 2],
      ['trick', 3, 16, 20, 1],
      ['trick', 4, 21, 21, null],
    ]);
  });

  test('stepping by trick stops while the trick still lies there', () => {
    expect(stops(round)).toEqual([0, 4, 9, 10, 14, 19, 21]);
    expect([stopFrom(round, 10, 1), stopFrom(round, 14, 1), stopFrom(round, 14, -1), stopFrom(round, 12, -1)]).toEqual([
      14, 19, 10, 10,
    ]);
    expect([stopFrom(round, 21, 1), stopFrom(round, 0, -1)]).toEqual([21, 0]);
  });

  test('a round that ends with the gift of the Dragon stops at its end', () => {
    expect(stops(told('0:Dr', '0!1'))).toEqual([0, 2]);
  });

  test('what a seat was not told is not a step', () => {
    const steps = told('0:9s', '', '', '3:-');
    expect([stepFrom(steps, 1, 1), stepFrom(steps, 4, -1), stepFrom(steps, 4, 1), stepFrom(steps, 0, -1)]).toEqual([
      4, 1, 4, 0,
    ]);
  });

  test('gifts are known as far as they are told', () => {
    expect(giftsAt(round, 6)).toEqual([
      { from: 0, cards: ['7s', 'Ma', '2r'] },
      { from: 1, cards: [] },
    ]);
    expect(giftsAt(round, 4)).toEqual([]);
  });

  test('passes count since the last play', () => {
    expect(passesAt(round, 13)).toEqual([true, true, false, false]);
    expect(passesAt(round, 16)).toEqual([false, false, false, false]);
  });
});

describe('playing on', () => {
  const file = (rules: string, tags: GameFile['tags'], ...scores: [number, number][]): GameFile =>
    ({
      game: { rules, seats: [] },
      tags,
      rounds: scores.map((score) => ({ deal: ['a', 'b', 'c', 'd'], actions: ['0-G', '1-G'], score })),
    }) as unknown as GameFile;

  async function settingsFor(game: GameFile, round: number): Promise<Record<string, unknown>> {
    const asked: Record<string, unknown>[] = [];
    vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
      asked.push((JSON.parse(init.body as string) as { settings: Record<string, unknown> }).settings);
      return Promise.resolve(new Response(JSON.stringify({ table: { id: 't' }, you: {} }), { status: 200 }));
    });
    await playOn(game, round, 1, 0, 'best', 'Ann').catch(() => '');
    vi.unstubAllGlobals();
    return asked[0] ?? {};
  }

  test('goes on with the score of the match', async () => {
    const game = file('standard', {}, [100, 0], [60, 40], [300, 100]);
    expect(scoreBefore(game, 2)).toEqual([160, 40]);
    expect(await settingsFor(game, 2)).toMatchObject({ score: [160, 40], actions: ['0-G'] });
    expect(await settingsFor(game, 0)).not.toHaveProperty('score');
  });

  test('begins where the match began', async () => {
    const game = file('standard', { Start: ['860', '720'] }, [60, 40]);
    expect(await settingsFor(game, 0)).toMatchObject({ score: [860, 720] });
  });

  test('begins at nothing where rounds are counted, or the match was over', async () => {
    expect(await settingsFor(file('single-round', {}, [50, 50], [60, 40]), 1)).not.toHaveProperty('score');
    expect(await settingsFor(file('standard goal=target:100', {}, [150, 50], [60, 40]), 1)).not.toHaveProperty('score');
  });
});
