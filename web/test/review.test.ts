import { describe, expect, test } from 'vitest';
import { decisionAt, isMistake, merge, mistakeFrom, parseAction, pointsOf } from '../src/lib/review';
import type { ReviewedDecision } from '../src/wire';

const decision = (round: number, action: number, verdict: ReviewedDecision['verdict']): ReviewedDecision => ({
  ...{ round, action, verdict },
  ...{ seat: 0, kind: 'lead', played: '0:-' },
});

describe('an action', () => {
  test.each([
    ['2:5s6bP78r9g', 'play', ['5s', '6b', 'Ph as 7', '8r', '9g']],
    ['2:Ph', 'play', ['Ph']],
    ['0>2sMa2b', 'exchange', ['2s', 'Ma', '2b']],
    ['1:-', 'pass', []],
    ['1+T', 'tichu', []],
    ['3-G', 'no_grand', []],
    ['3-B', 'no_bomb', []],
    ['2?-', 'no_wish', []],
    ['2!', 'take', []],
  ])('%s is taken apart', (text, what, cards) => {
    const parsed = parseAction(text);
    expect(parsed.what).toBe(what);
    expect(parsed.cards.map(({ card, phoenixAs }) => (phoenixAs ? `${card} as ${phoenixAs}` : card))).toEqual(cards);
  });

  test('says what is wished for and who gets the Dragon', () => {
    expect(parseAction('2?8')).toMatchObject({ what: 'wish', rank: '8' });
    expect(parseAction('2!3')).toMatchObject({ what: 'dragon', recipient: 3 });
  });
});

describe('decisions', () => {
  const known = [decision(0, 4, 'unclear'), decision(1, 2, 'blunder')];

  test('that are told again have the newer verdict, in the order of play', () => {
    const all = merge(known, [decision(0, 9, 'same'), decision(0, 4, 'mistake')]);
    expect(all.map(({ round, action, verdict }) => [round, action, verdict])).toEqual([
      [0, 4, 'mistake'],
      [0, 9, 'same'],
      [1, 2, 'blunder'],
    ]);
  });

  test('are shown where they are taken and right after', () => {
    expect(decisionAt(known, 1, 2)).toBe(known[1]);
    expect(decisionAt(known, 1, 3)).toBe(known[1]);
    expect(decisionAt(known, 1, 4)).toBeUndefined();
    // A mistake that was just made before what comes next.
    expect(decisionAt(merge(known, [decision(1, 3, 'same')]), 1, 3)?.action).toBe(2);
  });

  test('that are mistakes can be walked along', () => {
    const mistakes = merge(known, [decision(0, 4, 'inaccuracy'), decision(0, 6, 'failed')]).filter(isMistake);
    expect(mistakeFrom(mistakes, 0, 0, 1)?.action).toBe(4);
    expect(mistakeFrom(mistakes, 0, 4, 1)?.round).toBe(1);
    expect(mistakeFrom(mistakes, 1, 2, 1)).toBeUndefined();
    expect(mistakeFrom(mistakes, 1, 2, -1)?.round).toBe(0);
  });
});

test('the line of chances gives every round the same room', () => {
  const chances = [
    { round: 0, action: null, win: 0.5 },
    { round: 0, action: 9, win: 0.6 },
    { round: 1, action: 4, win: 0.4 },
    { round: 2, action: null, win: 1 },
  ];
  expect(pointsOf(chances, [10, 10]).map(({ x, y }) => [x, y])).toEqual([
    [0, 0.5],
    [0.5, 0.6],
    [0.75, 0.4],
    [1, 1],
  ]);
});
