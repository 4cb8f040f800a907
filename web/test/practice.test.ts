import { beforeEach, describe, expect, test } from 'vitest';
import {
  EMPTY,
  forgetRecord,
  inPlainOrder,
  loadRecord,
  nextPuzzle,
  noteAnswer,
  ofTheme,
  otherwise,
  scaleOf,
  shownOf,
  signed,
  solvedOf,
  unseenBy,
} from '../src/lib/practice';
import { passesAt } from '../src/lib/replay';
import { save } from '../src/lib/storage';
import type { PuzzleEntry, SeatView, TrainerJudgement } from '../src/wire';

const puzzles: PuzzleEntry[] = [
  { id: 'a', theme: 'wish' },
  { id: 'b', theme: 'bomb' },
  { id: 'c', theme: 'wish' },
];

describe('the record', () => {
  beforeEach(() => void forgetRecord());

  test('adds up by theme and remembers puzzles', () => {
    let record = noteAnswer(EMPTY, 'puzzle.wish', true, 'a');
    record = noteAnswer(record, 'puzzle.wish', false, 'c');
    record = noteAnswer(record, 'grand', true);
    expect(loadRecord()).toEqual(record);
    expect(record.tallies).toEqual({ 'puzzle.wish': { answered: 2, right: 1 }, grand: { answered: 1, right: 1 } });
    expect(record.puzzles).toEqual({ a: true, c: false });
    expect(solvedOf(puzzles, record)).toBe(1);
    expect(forgetRecord()).toEqual(loadRecord());
  });

  test.each(['nonsense', '[]', '{"tallies": 3}', '{"tallies": {"x": 1}, "puzzles": [1]}', 'null'])(
    'is empty where something else is stored: %s',
    (text) => {
      save('practice', text);
      expect(loadRecord().tallies).toEqual({});
    },
  );
});

describe('puzzles', () => {
  test('come by theme', () => {
    expect(ofTheme(puzzles, 'wish').map(({ id }) => id)).toEqual(['a', 'c']);
    expect(ofTheme(puzzles, 'all')).toEqual(puzzles);
  });

  test('that are not solved come first, and then all again', () => {
    const solved = { ...EMPTY, puzzles: { a: true, b: true } };
    expect(nextPuzzle(puzzles, EMPTY, null)?.id).toBe('a');
    expect(nextPuzzle(puzzles, EMPTY, 'c')?.id).toBe('a');
    expect(nextPuzzle(puzzles, solved, 'a')?.id).toBe('c');
    expect(nextPuzzle(puzzles, { ...EMPTY, puzzles: { a: true, b: true, c: true } }, 'a')?.id).toBe('b');
    expect(nextPuzzle([puzzles[0]!], solved, 'a')?.id).toBe('a');
    expect(nextPuzzle([], EMPTY, null)).toBeUndefined();
  });

  test('offer their candidates in an order that tells nothing', () => {
    const candidates = [{ action: '0:9s' }, { action: '0:-' }];
    expect(inPlainOrder(candidates)).toEqual(inPlainOrder([...candidates].reverse()));
  });
});

test('both calls are judged at once', () => {
  const judged = { answer: 'call', isAgreed: true, choice: 'call' } as TrainerJudgement;
  expect(otherwise(judged)).toMatchObject({ answer: 'no', isAgreed: false, choice: 'call' });
  expect(otherwise(otherwise(judged))).toEqual(judged);
});

describe('a position', () => {
  const single = (card: string) => ({ type: 'SINGLE', cards: [card], text: card, rank: '9' });
  const view = {
    seat: 2,
    hand: ['Ma', '2s'],
    trick: [{ seat: 0, combination: single('9s') }, { seat: 1 }, { seat: 3 }],
    position: '*1/*1/Ma2s/*1 p2 0:9s 0/0/0/0 - ---- - -/-/-/- 9sTsDr',
  } as unknown as SeatView;

  test('is a step of a replay, with whoever has passed', () => {
    const shown = shownOf(view, null, ['n', 'e', 's', 'w']);
    expect(shown.south).toBe(2);
    expect(shown.position.seat).toBe(2);
    expect(passesAt(shown.steps, shown.position.step)).toEqual([false, true, false, true]);
    expect(shownOf(view, [['2s'], [], [], []], []).position.seat).toBeNull();
  });

  test('says which cards are still out', () => {
    const unseen = unseenBy(view);
    expect(unseen).toHaveLength(56 - 2 - 3);
    expect(unseen).not.toContain('Ts');
    expect(unseen.at(-1)).toBe('Ph');
  });
});

test('a scale has room for every value, its error and nothing', () => {
  const at = scaleOf([
    { points: -20, pointsError: 5 },
    { points: 60, pointsError: 10 },
  ]);
  expect([at(-30), at(80)]).toEqual([0, 100]);
  expect(at(0)).toBeGreaterThan(0);
  expect(scaleOf([])(0)).toBe(0);
});

test('points have a sign', () => {
  expect([12.4, -3.6, 0.2].map(signed)).toEqual(['+12', '−4', '0']);
});
