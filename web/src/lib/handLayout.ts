/** Where the cards of a hand lie: in a fan, or in two rows on a narrow screen. */

const NARROW = 620;
/** A phone on its side. */
const LOW = 500;
const GAP = 4;
/** The cards of a row on a narrow screen. */
const PER_ROW = 7;

export interface Spot {
  readonly x: number;
  readonly y: number;
  /** Degrees. */
  readonly turn: number;
}

export interface HandLayout {
  readonly hasRows: boolean;
  readonly cardWidth: number;
  readonly height: number;
  /** How far a selected card moves up. */
  readonly lift: number;
  /** One for each card. */
  readonly spots: readonly Spot[];
}

function rows(count: number, width: number, cardWidth: number): Spot[] {
  const first = count > PER_ROW ? Math.ceil(count / 2) : count;
  const step = cardWidth + GAP;
  return Array.from({ length: count }, (_, i) => {
    const isSecond = i >= first;
    const inRow = isSecond ? count - first : first;
    const x = (width - (inRow * step - GAP)) / 2 + (isSecond ? i - first : i) * step;
    return { x, y: 12 + (isSecond || count <= PER_ROW ? cardWidth * 1.4 + GAP : 0), turn: 0 };
  });
}

function fan(count: number, width: number, cardWidth: number, lift: number, curve: number): Spot[] {
  const step = Math.min(cardWidth * 0.66, count > 1 ? (width - cardWidth - 24) / (count - 1) : 0);
  return Array.from({ length: count }, (_, i) => {
    const fromMiddle = i - (count - 1) / 2;
    const x = (width - cardWidth) / 2 + fromMiddle * step;
    return { x, y: lift + fromMiddle ** 2 * curve, turn: fromMiddle * 0.9 };
  });
}

export function handLayout(count: number, width: number, screenHeight: number): HandLayout {
  const isLow = screenHeight < LOW;
  if (width < NARROW) {
    const cardWidth = Math.min(64, (width - (PER_ROW - 1) * GAP) / PER_ROW);
    const height = cardWidth * 2.8 + GAP + 14;
    return { hasRows: true, cardWidth, height, lift: 10, spots: rows(count, width, cardWidth) };
  }
  const largest = screenHeight > 880 ? 126 : 104;
  const cardWidth = isLow ? 60 : Math.min(largest, Math.max(74, width / 9));
  const lift = isLow ? 10 : 26;
  return {
    hasRows: false,
    cardWidth,
    height: cardWidth * 1.4 + lift + (isLow ? 12 : 26),
    lift,
    spots: fan(count, width, cardWidth, lift, isLow ? 0.15 : 0.38),
  };
}
