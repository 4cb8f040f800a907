import { expect, test } from 'vitest';
import { parseCards, sortCards } from '../src/lib/cards';
import { bestCards, fittingCards, sameRank } from '../src/lib/selection';
import type { Combination, SeatView } from '../src/wire';

const combo = (
  type: Combination['type'],
  text: string,
  rank: string,
  more: Partial<Combination> = {},
): Combination => ({
  type,
  rank,
  text,
  cards: parseCards(text),
  length: text.length / 2,
  ...more,
});
const view = (top: Combination | null, suggestions: Combination[]): SeatView =>
  ({ top: top && { combination: top, owner: 1 }, suggestions }) as unknown as SeatView;

const pair = combo('PAIR', '5s5b', '5');

test('a nine on a pair means the pair, with the touched card in it', () => {
  const nines = combo('PAIR', '9s9b', '9');
  expect(fittingCards(view(pair, [nines]), '9r')).toEqual(['9r', '9b']);
  expect(fittingCards(view(pair, [nines]), '9b')).toEqual(['9s', '9b']);
});

test('the Phoenix is spared where there is another way, and bombs are never meant', () => {
  const plain = combo('PAIR', '9s9b', '9');
  const wild = combo('PAIR', '9sPh', '9', { phoenixAs: '9' });
  const bomb = combo('BOMB4', '9s9b9g9r', '9', { isBomb: true });
  expect(fittingCards(view(pair, [bomb, wild, plain]), '9s')).toEqual(['9s', '9b']);
  expect(fittingCards(view(pair, [bomb]), '9s')).toBeNull();
});

test('on a single and on a lead a touch means one card', () => {
  expect(fittingCards(view(combo('SINGLE', '5s', '5'), [combo('SINGLE', '9s', '9')]), '9s')).toBeNull();
  expect(fittingCards(view(null, [pair]), '5s')).toBeNull();
});

test('a double touch on a lead takes the longest play around the card', () => {
  const straight = combo('STRAIGHT', '5s6b7g8r9s', '9');
  expect(bestCards(view(null, [pair, straight]), '5b')).toEqual(['5b', '6b', '7g', '8r', '9s']);
  expect(bestCards(view(null, []), '5b')).toEqual(['5b']);
});

test('a long touch takes the rank', () => {
  expect(sameRank(parseCards('9s9bTg9r'), '9b')).toEqual(['9s', '9b', '9r']);
});

test('hands are sorted the same way every time', () => {
  const hand = parseCards('KrMa2s9gPh9sDrDo2r');
  expect(sortCards(hand, 'rank').join('')).toBe('DoMa2s2r9s9gKrPhDr');
  expect(sortCards(hand, 'suit').slice(-3).join('')).toBe('9g2rKr');
  expect(sortCards(hand, 'combination').slice(-4).join('')).toBe('2s2r9s9g');
  expect(sortCards(hand.toReversed(), 'combination')).toEqual(sortCards(hand, 'combination'));
});

test('cards are read as they are written', () => {
  expect(parseCards('-')).toEqual([]);
  expect(parseCards('*3')).toEqual(['??', '??', '??']);
  expect(parseCards('MaTs')).toEqual(['Ma', 'Ts']);
});
