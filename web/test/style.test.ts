import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

const styles = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(svelte|css)$/.test(file))
  .map((file) => [file, readFileSync(`src/${file}`, 'utf8')] as const);

/** What the compositor moves by itself; whatever else changes is drawn anew for every frame. */
const MOVING = ['transform', 'translate', 'rotate', 'scale', 'opacity', 'none'];

test('only transforms and opacity are animated', () => {
  const found: string[] = [];
  for (const [file, text] of styles) {
    for (const [, block] of text.matchAll(/@keyframes [\w-]+ \{(.*?\n\s*\})\s*\}/gs))
      for (const [, property] of block!.matchAll(/^\s*([a-z-]+):/gm)) found.push(`${file}: ${property}`);
    for (const [, value] of text.matchAll(/\btransition(?:-property)?:\s*([^;]+);/g))
      for (const each of value!.split(/,(?![^(]*\))/)) found.push(`${file}: ${each.trim().split(/\s/)[0]}`);
  }
  expect(found.length).toBeGreaterThan(15);
  expect(found.filter((each) => !MOVING.includes(each.split(': ')[1]!))).toEqual([]);
});

test('nothing moves for ever where somebody wants no motion', () => {
  const base = styles.find(([file]) => file === 'style/base.css')![1];
  const [, rules] = /prefers-reduced-motion: reduce\) \{(.*)/s.exec(base)!;
  expect(rules).toContain('animation-iteration-count: 1 !important');
});

test('whatever moves goes by the speed that the player has chosen', () => {
  const moving = styles.flatMap(([file, text]) =>
    [...text.matchAll(/\b(?:animation|transition):\s*([^;]+);/g)].map(([, value]) => `${file}: ${value}`),
  );
  expect(moving.length).toBeGreaterThan(9);
  // The picture of a moment has a length of its own, which is 0 without motion.
  const fixed = moving.filter((each) => !/--speed|--fade|--fly|none$|MomentPicture/.test(each));
  expect(fixed).toEqual([]);
});

test('no width or height lies between two bounds', () => {
  const found: string[] = [];
  for (const [file, text] of styles)
    for (const [, query] of text.matchAll(/@(?:container|media)([^{]*)\{/g))
      for (const [bound] of query!.matchAll(/\(max-(?:width|height): \d*9px\)/g)) found.push(`${file}: ${bound}`);
  expect(found).toEqual([]);
});

/** A colour by day, by night and in high contrast. */
function colours(name: string): string[] {
  const css = styles.find(([file]) => file === 'style/tokens.css')![1];
  const [, day, night] = new RegExp(`\\n  --${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css)!;
  const [, lines] = new RegExp(`data-theme='contrast'\\].*?--${name}: (#\\w+);`, 's').exec(css)!;
  return [day!, night!, lines!.length === 4 ? lines!.replace(/\w/g, '$&$&') : lines!];
}
function luminance(colour: string): number {
  const part = (at: number): number => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

test('what is wrong can be read on every ground, by day and by night', () => {
  for (const ground of ['ground', 'panel', 'panel-2'])
    colours(ground).forEach((behind, theme) => {
      const [low, high] = [luminance(behind), luminance(colours('bad')[theme]!)].sort((one, other) => one - other);
      expect((high! + 0.05) / (low! + 0.05), `${ground} ${theme}`).toBeGreaterThan(4.5);
    });
  // Lacquer is a ground for words; by night it is too dark to be their colour. What is left lies on paper or is large.
  const lacquer = styles.filter(([, text]) => /^\s*color: var\(--lacquer\)/m.test(text)).map(([file]) => file);
  expect(lacquer.sort()).toEqual(['components/cards/WishMark.svelte', 'routes/strategy.svelte']);
});

test('no button is disabled while its answer is on its way: the keyboard would lose its place', () => {
  const found = styles.flatMap(([file, text]) =>
    [...text.matchAll(/(?<!aria-)disabled=\{[^}]*\b(busy|asking|isSent)\b[^}]*\}/gi)].map(
      ([each]) => `${file}: ${each}`,
    ),
  );
  expect(found).toEqual([]);
});

test('what is as narrow as its words does not become as narrow as a letter in Korean', () => {
  const narrow = styles.filter(([, text]) => /[^-]width: min-content/.test(text));
  expect(narrow.length).toBeGreaterThan(0);
  expect(narrow.filter(([, text]) => !text.includes('overflow-wrap: break-word')).map(([file]) => file)).toEqual([]);
});

test('what is told when there is something to tell is heard before: it is never hidden', () => {
  const found = styles.flatMap(([file, text]) =>
    [...text.matchAll(/\.([\w-]+):empty \{\s*display: none/g)]
      .filter(([, name]) => new RegExp(`<p[^>]*class="[^"]*\\b${name}\\b[^"]*"[^>]*role="status"`).test(text))
      .map(([, name]) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('what stays at the top of the screen leaves the notch free', () => {
  const stuck = styles.filter(([file, text]) => file !== 'components/Dialog.svelte' && /sticky;\s*top: 0;/.test(text));
  expect(stuck.length).toBeGreaterThan(1);
  expect(stuck.filter(([, text]) => !/padding[^;]*safe-area-inset-top/.test(text)).map(([file]) => file)).toEqual([]);
});
