import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fill } from '../src/lib/i18n.svelte';
import de from '../src/messages/de';
import en from '../src/messages/en';
import hintsDe from '../src/messages/hints/de';
import hintsEn from '../src/messages/hints/en';
import hintsKo from '../src/messages/hints/ko';
import ko from '../src/messages/ko';

const languages: Record<string, Record<string, string>> = { en, de, ko };
const hints: Record<string, Record<string, string>> = { en: hintsEn, de: hintsDe, ko: hintsKo };
const holes = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((hole) => hole[1] ?? ''))].sort();
const source = (path: string): string => readFileSync(`${process.cwd()}/../src/tichu/${path}`, 'utf8');
const names = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((found) => found[1] ?? '');

describe.each(Object.keys(languages))('%s', (language) => {
  const messages = languages[language] ?? {};

  test('says everything and nothing else', () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort());
    expect(Object.entries(messages).filter(([, text]) => !text.trim())).toEqual([]);
  });

  test('fills only what is given, in every form', () => {
    for (const [key, text] of Object.entries(messages)) {
      const given = holes((en as Record<string, string>)[key] ?? '');
      for (const form of text.split('|'))
        for (const hole of holes(form)) expect(given, `${language} ${key}`).toContain(hole);
    }
  });

  test('has a text for every reason of the core and the table', () => {
    const core = names(source('core/errors.py'), /^ {4}([A-Z_]+) = "/gm);
    const table = names(source('server/table/refusals.py'), /^ {4}([A-Z_]+) = "/gm);
    expect(core).toContain('WISH_OWED');
    expect(table).toContain('STALE');
    expect([...core, ...table].filter((name) => !(`reason.${name}` in messages))).toEqual([]);
  });

  test('has a text for every reason of the bots', () => {
    const bots = names(source('agents/reasons.py'), /^ {4}"(\w+)": "/gm);
    expect(bots).toContain('partner_holds');
    expect(bots.filter((code) => !(`reason.${code}` in (hints[language] ?? {})))).toEqual([]);
  });

  test('has a word for every value of a rule and every level', () => {
    const values = [...source('core/rules.py').matchAll(/Literal\[([^\]]+)\]/g)].flatMap((found) =>
      names(found[1] ?? '', /"([\w-]+)"/g),
    );
    expect(values).toContain('in-turn');
    // The goal has a select of its own.
    expect(values.filter((value) => !['target', 'rounds'].includes(value) && !(`value.${value}` in messages))).toEqual(
      [],
    );
    const levels = names(/LEVELS: Final = \(([^)]+)\)/.exec(source('agents/registry.py'))?.[1] ?? '', /"(\w+)"/g);
    expect(levels.length).toBeGreaterThan(0);
    expect(levels.filter((level) => !(`bot.${level}` in messages))).toEqual([]);
  });
});

test('a message takes the form for one or for more', () => {
  const rules = new Intl.PluralRules('en');
  expect(fill('{n} card|{n} cards', { n: 1 }, rules)).toBe('1 card');
  expect(fill('{n} card|{n} cards', { n: 3 }, rules)).toBe('3 cards');
  expect(fill('카드 {n}장', { n: 1 }, new Intl.PluralRules('ko'))).toBe('카드 1장');
});
