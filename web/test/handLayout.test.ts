import { expect, test } from 'vitest';
import { handLayout } from '../src/lib/handLayout';

const SCREENS = [
  [360, 740],
  [740, 360],
  [1280, 800],
  [1900, 1000],
] as const;

test.each(SCREENS)('all cards of a hand lie on a screen of %d by %d', (width, height) => {
  for (let count = 1; count <= 14; count++) {
    const { cardWidth, height: room, lift, spots } = handLayout(count, width, height);
    expect(spots).toHaveLength(count);
    for (const { x, y } of spots) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + cardWidth).toBeLessThanOrEqual(width);
      expect(y - lift).toBeGreaterThanOrEqual(0);
      expect(y + cardWidth * 1.4).toBeLessThanOrEqual(room + 1);
    }
  }
});

test('a narrow screen has rows of at most seven cards, which do not cover each other', () => {
  const { cardWidth, hasRows, spots } = handLayout(13, 360, 740);
  expect(hasRows).toBe(true);
  const rows = [...new Set(spots.map(({ y }) => y))].map((y) => spots.filter((spot) => spot.y === y));
  expect(rows.map((row) => row.length)).toEqual([7, 6]);
  for (const row of rows) row.slice(1).forEach(({ x }, i) => expect(x - row[i]!.x).toBeGreaterThanOrEqual(cardWidth));
});

test('the box of a hand keeps its height while cards are played', () => {
  for (const [width, height] of SCREENS)
    expect(new Set([14, 9, 5, 1].map((count) => handLayout(count, width, height).height)).size).toBe(1);
});
