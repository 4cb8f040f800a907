import { expect, test } from 'vitest';
import { comparedRows, muted, sheetRows } from '../src/lib/people';
import { historyLine, isSamePool } from '../src/lib/ratings';
import type { PlayerSheet, Results } from '../src/wire';

const none: Results = {
  games: 0,
  won: 0,
  rounds: 0,
  points: [0, 0],
  firstOut: 0,
  doubleVictories: 0,
  tichu: { called: 0, made: 0 },
  grand: { called: 0, made: 0 },
};

test('a player is compared with everybody, and nothing is divided by nothing', () => {
  const own: Results = { ...none, games: 4, won: 3, rounds: 40, points: [2400, 1600], tichu: { called: 8, made: 6 } };
  const rows = Object.fromEntries(comparedRows(own, none).map(({ name, values }) => [name, values]));
  expect(rows).toMatchObject({
    won: [0.75, null],
    perRound: [60, null],
    tichuCalled: [0.2, null],
    tichuMade: [0.75, null],
    grandMade: [null, null],
  });
});

test('whoever is blocked is silent once, and speaks again', () => {
  expect(muted(['a'], ['b', 'a'])).toEqual(['a', 'b']);
  expect(muted(['a', 'b'], [], ['a'])).toEqual(['b']);
});

test('a history is a line from the first rating to the last', () => {
  const line = historyLine([
    { before: 1500, after: 1540 },
    { before: 1540, after: 1480 },
  ]);
  expect(line).toEqual({ from: 1500, to: 1480, low: 1480, high: 1540, points: '0.0,26.0 50.0,2.0 100.0,38.0' });
  expect(historyLine([{ before: 1500, after: 1500 }]).points).toBe('0.0,20.0 100.0,20.0');
});

test('ratings of other rules or clocks are not drawn together', () => {
  const pool = { league: 'people', rules: 'standard', clock: 'fast' } as const;
  expect(isSamePool(pool, { ...pool })).toBe(true);
  expect(isSamePool(pool, { ...pool, clock: 'slow' })).toBe(false);
});

const sheet = (...kinds: PlayerSheet['kinds']): PlayerSheet => ({ games: 2, rounds: 20, lost: 0, error: null, kinds });

test('losses are bars to the left of zero and gains to the right, as wide as they are sure', () => {
  const { zero, rows } = sheetRows(
    sheet(
      { kind: 'grand', lost: 0, error: 0 },
      { kind: 'lead', lost: -10, error: 0 },
      { kind: 'wish', lost: 20, error: 10 / 1.96 },
    ),
  );
  expect(rows.map(({ kind }) => kind)).toEqual(['wish', 'lead']);
  // From -30 to 10.
  expect(zero).toBeCloseTo(75);
  expect([rows[0]!.from, rows[0]!.width]).toEqual([expect.closeTo(25), expect.closeTo(50)]);
  expect(rows[0]!.sure).toEqual([expect.closeTo(0), expect.closeTo(50)]);
  expect([rows[1]!.from, rows[1]!.width]).toEqual([expect.closeTo(75), expect.closeTo(25)]);
});

test('nothing is drawn of what is not known', () => {
  expect(sheetRows(sheet()).rows).toEqual([]);
  expect(sheetRows(sheet({ kind: 'gift', lost: 4, error: null })).rows[0]).toMatchObject({ sure: null, width: 100 });
  expect(sheetRows(sheet({ kind: 'gift', lost: 0, error: null })).rows).toEqual([]);
});
