import { describe, expect, test } from 'vitest';
import { judge, STEPS, tipOf, type StepName, type Verdict } from '../src/lib/lesson';
import en from '../src/messages/learn/en';
import type { Acted, SeatView } from '../src/wire';

function judged(
  name: StepName,
  seat: number,
  what: Acted['what'],
  more: Partial<Acted> & { cards?: string[]; isBomb?: boolean; view?: Partial<SeatView> } = {},
): Verdict {
  const { cards, isBomb, view, ...rest } = more;
  const combination = cards && { cards, type: 'SINGLE' as const, rank: '', length: cards.length, text: '', isBomb };
  return judge(name, {
    me: 0,
    event: { type: 'acted', seat, text: '', what, combination, ...rest },
    view: (view ?? {}) as SeatView,
  });
}

test('every step has its words', () => {
  for (const { name } of STEPS)
    for (const part of ['title', 'text', 'task', 'done', 'miss']) expect(en).toHaveProperty([`${name}.${part}`]);
});

describe('a step knows what it is about', () => {
  test.each<[StepName, Verdict, Verdict]>([
    ['beat', judged('beat', 0, 'take'), judged('beat', 0, 'pass')],
    ['combos', judged('combos', 0, 'play', { cards: ['4s', '4r'] }), judged('combos', 0, 'play', { cards: ['4s'] })],
    ['pass', judged('pass', 0, 'pass'), judged('pass', 0, 'play', { cards: ['Ab'] })],
    ['bomb', judged('bomb', 0, 'play', { cards: ['7s'], isBomb: true }), judged('bomb', 3, 'take')],
    ['wish', judged('wish', 3, 'play', { cards: ['As'] }), judged('wish', 0, 'wish', { rank: 'NONE' })],
    ['phoenix', judged('phoenix', 0, 'play', { cards: ['Qr', 'Ph'] }), judged('phoenix', 0, 'pass')],
    ['dragon', judged('dragon', 0, 'take', { recipient: 1 }), judged('dragon', 0, 'pass')],
    ['dog', judged('dog', 0, 'play', { cards: ['Do'] }), judged('dog', 0, 'play', { cards: ['Kr'] })],
    ['calls', judged('calls', 0, 'tichu'), judged('calls', 0, 'play', { cards: ['Ma'] })],
  ])('%s', (_, good, bad) => expect([good, bad]).toEqual(['done', 'missed']));

  test('the exchange is done when all have given', () => {
    expect(judged('exchange', 2, 'exchange', { view: { phase: 'TICHU.TRICK_PLAY' } })).toBe('done');
  });

  test('what others do does not end it', () => {
    for (const { name } of STEPS) expect(judged(name, 2, 'pass'), name).toBeNull();
    expect(judged('dragon', 0, 'play', { cards: ['Dr'] })).toBeNull();
    expect(judged('exchange', 0, 'exchange', { view: { phase: 'TICHU.EXCHANGE_SELECT' } })).toBeNull();
  });
});

test('a tip goes with what is asked', () => {
  const view = (more: Partial<SeatView>): SeatView =>
    ({ seat: 0, out: [], top: null, decision: null, ...more }) as SeatView;
  expect(tipOf(null)).toBe('wait');
  expect(tipOf(view({ decision: 'play' }))).toBe('lead');
  expect(tipOf(view({ decision: 'play', top: {} as SeatView['top'] }))).toBe('follow');
  expect(tipOf(view({ decision: 'gift' }))).toBe('gift');
  expect(tipOf(view({ out: [0] }))).toBe('out');
});
