import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import Proof from '../src/components/practice/Proof.svelte';
import Worth from '../src/components/practice/Worth.svelte';
import { createRawSnippet } from 'svelte';
import { setLanguage } from '../src/lib/i18n.svelte';
import { catalog } from '../src/messages/practice';
import { catalog as reviews } from '../src/messages/review';
import type { PuzzleProof } from '../src/wire';

let shown: Record<string, unknown> | null = null;
function told(component: unknown, props: Record<string, unknown>): string {
  shown = mount(component as never, { target: document.body, props: props as never });
  flushSync();
  return document.body.textContent.replace(/\s+/g, ' ');
}

beforeAll(async () => {
  await setLanguage('en');
  $effect.root(() => {
    catalog.load();
    reviews.load();
  });
  await vi.waitFor(() => expect(catalog.ready && reviews.ready).toBe(true));
});
afterEach(() => {
  if (shown) void unmount(shown);
  shown = null;
  document.body.innerHTML = '';
});

const names = ['You', 'Ben', 'Cho', 'Dov'];
const proof: PuzzleProof = {
  least: 0,
  most: 250,
  better: 38,
  bestLine: { actions: ['0-B', '0:Js', '1:-', '1!', '1:Qs'], points: -100, nextOut: 1 },
  missedLine: { actions: ['0:JsJbJgJr'], points: -120, nextOut: null },
};

test('a proof says in how many deals, by how much, and how the round goes on', () => {
  const text = told(Proof, { proof, worlds: 84, names });
  expect(text).toContain('in 38 of the 84 possible deals, and nowhere less: by 0 to 250 points');
  expect(text).toContain('Ben goes out next.');
  // Two plays; passes and tricks that are taken go without saying.
  expect(document.querySelectorAll('ol')[0]?.children).toHaveLength(2);
});

test('where one deal is possible it is told so', () => {
  expect(told(Proof, { proof, worlds: 1, names })).toContain('Only one deal is possible');
});

test('what was sampled has an error, if a small one', () => {
  const label = createRawSnippet(() => ({ render: () => '<span></span>' }));
  const answers = [
    { name: 'a', points: 10, pointsError: 0.3, win: null },
    { name: 'b', points: 5, pointsError: 0, win: null },
  ];
  expect(told(Worth, { answers, best: 'a', mine: 'b', label })).toContain('10 ± < 1');
  expect(document.body.textContent).not.toContain('± 0');
});
