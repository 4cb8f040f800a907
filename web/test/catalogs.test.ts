import { describe, expect, test } from 'vitest';

type Texts = Record<string, string>;
const files = import.meta.glob<{ default: Texts }>('../src/messages/*/{en,de,ko}.ts', { eager: true });
const areas = [...new Set(Object.keys(files).map((path) => path.split('/').at(-2) ?? ''))];
const holes = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((hole) => hole[1] ?? '');

test('every area is found', () => expect(areas).toContain('replay'));

describe.each(areas)('%s', (area) => {
  const texts = (language: string): Texts => files[`../src/messages/${area}/${language}.ts`]?.default ?? {};

  test.each(['en', 'de', 'ko'])('says everything in %s', (language) => {
    const [own, english] = [texts(language), texts('en')];
    expect(Object.keys(own)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(own)) {
      expect(text.trim(), key).not.toBe('');
      for (const form of text.split('|'))
        for (const hole of holes(form)) expect(holes(english[key] ?? ''), key).toContain(hole);
    }
  });
});
