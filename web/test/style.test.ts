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
