import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compare, summaryFor, PEOPLE, perRound } from '../src/lib/results';
import type { GameInfo, Results } from '../src/wire';

test('people are those of the arena', () => {
  const source = readFileSync(`${process.cwd()}/../src/tichu/arena/statistics.py`, 'utf8');
  const [tichu, made, grand, grandMade] = (/PEOPLE: Final = Rates\(([^)]+)\)/.exec(source)?.[1] ?? '')
    .split(',')
    .map(Number);
  expect(PEOPLE).toEqual({ tichu: { called: tichu, made }, grand: { called: grand, made: grandMade } });
});

test('a player is compared with one player, not with a table', () => {
  expect(compare({ called: 3, made: 1 }, 12, { called: 0.6, made: 0.7 })).toEqual({
    called: 0.25,
    made: 1 / 3,
    peopleCalled: 0.15,
    peopleMade: 0.7,
  });
  expect(compare({ called: 0, made: 0 }, 0, { called: 0.6, made: 0.7 })).toMatchObject({ called: null, made: null });
});

test('points per round', () => {
  const results = { points: [300, 100], rounds: 4 } as unknown as Results;
  expect(perRound(results)).toEqual([75, 25]);
  expect(perRound({ ...results, rounds: 0 })).toBeNull();
});

const game = { seats: ['Ada', 'Ben', 'Cho', 'Dov'], players: ['', 'me', '', ''], score: [400, 1010], winner: 1 };
const seen = (more: object = {}) => summaryFor({ ...game, ...more } as unknown as GameInfo, 'me');

test('a game is seen from the player’s side', () => {
  expect(seen()).toEqual({ us: ['Ben', 'Dov'], them: ['Ada', 'Cho'], score: [1010, 400], won: true });
});

test('the winner of a level game is the one the server names', () => {
  expect(seen({ score: [100, 100], winner: 1 }).won).toBe(true);
  expect(seen({ score: [100, 100], winner: 0 }).won).toBe(false);
});
