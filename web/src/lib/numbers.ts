/** Points as text, with a real minus sign. */
export const formatPoints = (points: number): string => String(points).replace('-', '−');

/** The same with a plus sign in front of gains. */
export const formatChange = (points: number): string => (points > 0 ? `+${points}` : formatPoints(points));
