/** Where the cards of a hand lie: in a fan, or in two rows on a narrow screen. */

/** The width of a table with two rows, and the height of a table on a phone on its side. */
const NARROW = 560;
const LOW = 480;
const GAP = 4;
/** The cards of a row on a narrow screen. */
const PER_ROW = 7;
/** Where the screen is low the second row lies on the first one; rank and suit stay free, at last the rank alone. */
const [LOWEST, TALL] = [320, 700];
const RANK = 0.62;
const WHOLE = 1.4;
/** What a finger needs. */
const SMALLEST = 24.5;

/** What there is for the whole table. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

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

const clamp = (least: number, value: number, most: number): number => Math.max(least, Math.min(value, most));

function rows(count: number, width: number, room: Room): HandLayout {
  const cardWidth = Math.min(64, (width - (PER_ROW - 1) * GAP) / PER_ROW, Math.max(38, room.height * 0.12));
  const share = clamp(0, (room.height - LOWEST) / (TALL - LOWEST), 1);
  const lift = 5 + 4 * share;
  // A selected card of the second row moves up on the first one.
  const second = lift + Math.max(cardWidth * (RANK + (WHOLE - RANK) * share) + GAP * share, SMALLEST + lift);
  const first = count > PER_ROW ? Math.ceil(count / 2) : count;
  const step = Math.min(cardWidth + GAP, (width - cardWidth) / (PER_ROW - 1));
  const spots = Array.from({ length: count }, (_, i) => {
    const isSecond = i >= first;
    const inRow = isSecond ? count - first : first;
    const x = (width - cardWidth - (inRow - 1) * step) / 2 + (isSecond ? i - first : i) * step;
    return { x, y: isSecond || count <= PER_ROW ? second : lift, turn: 0 };
  });
  return { hasRows: true, cardWidth, height: second + cardWidth * WHOLE + 2, lift, spots };
}

/** As large as wanted, if the rank of each of fourteen cards stays free. */
function fan(count: number, width: number, wanted: number, isLow: boolean): HandLayout {
  const cardWidth = Math.min(wanted, (width - 20) / (1 + 13 * 0.45));
  const lift = isLow ? 8 : cardWidth * 0.22;
  const curve = cardWidth * (isLow ? 0.0015 : 0.0036);
  const step = Math.min(cardWidth * 0.66, count > 1 ? (width - cardWidth - (isLow ? 6 : 20)) / (count - 1) : 0);
  const spots = Array.from({ length: count }, (_, i) => {
    const fromMiddle = i - (count - 1) / 2;
    const x = (width - cardWidth) / 2 + fromMiddle * step;
    return { x, y: lift + fromMiddle ** 2 * curve, turn: fromMiddle * (isLow ? 0.4 : 0.9) };
  });
  return { hasRows: false, cardWidth, height: cardWidth * (WHOLE + (isLow ? 0.1 : 0.24)) + lift, lift, spots };
}

export function handLayout(count: number, width: number, room: Room): HandLayout {
  if (room.width < NARROW) return rows(count, width, room);
  if (room.height < LOW) return fan(count, width, clamp(44, room.height * 0.15, 72), true);
  return fan(count, width, Math.min(126, width / 9, room.height * 0.14), false);
}
