import { beforeAll, describe, expect, test, vi } from 'vitest';
import { describeHint } from '../src/lib/hints';
import { setLanguage } from '../src/lib/i18n.svelte';
import { playerName, shortName, wishDuty } from '../src/lib/words';
import { catalog } from '../src/messages/hints';
import type { Combination, Hinted, SeatView } from '../src/wire';

const names = ['You', 'Ben', 'Cho', 'Dov'];

beforeAll(async () => {
  await setLanguage('en');
  $effect.root(() => catalog.load());
  await vi.waitFor(() => expect(catalog.ready).toBe(true));
});

const pair = (rank: string): Combination => ({
  cards: [`${rank}s`, `${rank}b`],
  type: 'PAIR',
  rank,
  length: 2,
  text: `${rank}s${rank}b`,
});
const hint = (more: Partial<Hinted>): Hinted => ({
  type: 'hinted',
  id: 'h',
  text: '0:KsKb',
  what: 'play',
  combination: pair('K'),
  code: 'learned',
  arguments: { percent: 81.4, points: '-12', first: 30, alternatives: '' },
  words: '',
  ...more,
});

describe('a hint', () => {
  test('says what the play beats and keeps, and has the numbers apart', () => {
    const { text, numbers } = describeHint(
      hint({
        facts: [
          { code: 'beats', seat: 1, combination: pair('9'), count: 7 },
          { code: 'points', count: 20 },
          { code: 'keeps', cards: ['Dr', 'As', 'Ag'] },
          { code: 'left', count: 3 },
        ],
      }),
      names,
    );
    expect(text).toBe(
      'A bot would play pair of kings. It beats Ben: pair of nines. There are 20 points in the trick. ' +
        'You keep Dragon and 2 aces.',
    );
    expect(text).not.toContain('%');
    expect(numbers).toBe(
      'It does so in 81\u00a0% of such cases, expects −12 points from the round, and goes out first with a ' +
        'chance of 30\u00a0%.',
    );
  });

  test('says whom passing helps', () => {
    const facts = [{ code: 'helps', seat: 2 } as const];
    const { text } = describeHint(hint({ what: 'pass', combination: null, facts }), names);
    expect(text).toBe('A bot would pass. Your partner Cho has called and holds the trick.');
  });

  test('has no numbers where the bot gives a reason in words', () => {
    const { text, numbers } = describeHint(hint({ code: 'forced', arguments: {} }), names);
    expect(text).toBe('A bot would play pair of kings. There is nothing else to do.');
    expect(numbers).toBe('');
  });

  test('leaves out what this page has no words for', () => {
    const facts = [{ code: 'unheard_of' as 'last' }, { code: 'last' as const }];
    expect(describeHint(hint({ facts }), names).text).toBe(
      'A bot would play pair of kings. Those are your last cards.',
    );
  });
});

describe('a wish that binds', () => {
  const view = (more: Partial<SeatView>) => ({ seat: 0, wish: '8', wishOwed: true, ...more }) as SeatView;

  test.each([
    [1, 'Ben wished for eights: you must play one'],
    [0, 'You wished for eights: you must play one'],
    [null, 'The wish is eights: you must play one'],
  ])('by seat %s says who wished and that you must', (wishedBy, text) => {
    expect(wishDuty(view({ wishedBy }), names)).toBe(text);
  });

  test('is nothing where it does not', () => {
    expect(wishDuty(view({ wishOwed: false, wishedBy: 1 }), names)).toBe('');
  });
});

test('nobody is a guest to themselves', () => {
  expect(playerName('Guest', true)).toBe('You');
  expect(playerName('Guest 2', true)).toBe('You');
  expect(playerName('Ada', true)).toBe('Ada');
  expect(['Ada', 'Wolfeschlegelsteinhausen'].map(shortName)).toEqual(['Ada', 'Wolfeschlege…']);
  expect(playerName('Guest 2', false)).toBe('Guest 2');
  expect(playerName('', false)).toBe('');
});

test('a guest is one in the reader’s language', async () => {
  await setLanguage('de');
  expect(playerName('Guest 2', false)).toBe('Gast 2');
  await setLanguage('en');
});
