/** Points as text, with a real minus sign. */
export const formatPoints = (points: number): string => String(points).replace('-', '−');

/** The same with a sign in any case, except for nothing at all. */
export const formatChange = (points: number): string => (points > 0 ? `+${points}` : formatPoints(points));
