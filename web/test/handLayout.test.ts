import { expect, test } from 'vitest';
import { handLayout, type HandLayout } from '../src/lib/handLayout';

/** The width of the hand as the table lays it out. */
const handWidth = (width: number, height: number): number =>
  width < 560 || height >= 480 ? width - 16 : width - 24 - Math.max(140, Math.min(width * 0.27, 300));
const layout = (count: number, width: number, height: number): HandLayout =>
  handLayout(count, handWidth(width, height), { width, height });

const rowsOf = ({ spots }: HandLayout) =>
  [...new Set(spots.map(({ y }) => y))].map((y) => spots.filter((spot) => spot.y === y));

test('all cards of a hand lie in its box', () => {
  for (let width = 320; width <= 1900; width += 20)
    for (let height = 320; height <= 1200; height += 40)
      for (const count of [1, 7, 8, 14]) {
        const { spots, cardWidth, lift, height: boxHeight } = layout(count, width, height);
        const fits = ({ x, y }: { x: number; y: number }) =>
          x >= 0 &&
          x + cardWidth <= handWidth(width, height) + 0.01 &&
          y - lift >= 0 &&
          y + cardWidth * 1.4 <= boxHeight;
        expect(spots.every(fits), `${count} cards on ${width} x ${height}`).toBe(true);
      }
});

test.each([
  [320, 320],
  [375, 553],
  [559, 400],
  [560, 320],
  [600, 360],
  [932, 430],
  [560, 900],
  [1440, 900],
])('on %d by %d every card shows its rank and can be hit', (width, height) => {
  const hand = layout(14, width, height);
  const smallest = Math.max(24, hand.cardWidth * 0.43);
  for (const row of hand.hasRows ? rowsOf(hand) : [hand.spots])
    row.slice(1).forEach(({ x }, i) => expect(x - row[i]!.x).toBeGreaterThanOrEqual(smallest));
  const [first, second] = rowsOf(hand).map((row) => row[0]!.y);
  if (hand.hasRows) expect(second! - first! - hand.lift).toBeGreaterThanOrEqual(24);
});

test('a narrow screen has rows of at most seven cards, which do not cover each other where it is tall', () => {
  const hand = layout(13, 360, 740);
  expect(rowsOf(hand).map((row) => row.length)).toEqual([7, 6]);
  for (const row of rowsOf(hand))
    row.slice(1).forEach(({ x }, i) => expect(x - row[i]!.x).toBeGreaterThanOrEqual(hand.cardWidth));
  const [first, second] = rowsOf(hand).map((row) => row[0]!.y);
  expect(second! - first!).toBeGreaterThanOrEqual(hand.cardWidth * 1.4);
});

test('the box of a hand keeps its height while cards are played', () => {
  for (const [width, height] of [
    [320, 320],
    [360, 740],
    [740, 360],
    [1280, 800],
  ] as const)
    expect(new Set([14, 9, 5, 1].map((count) => layout(count, width, height).height)).size).toBe(1);
});
