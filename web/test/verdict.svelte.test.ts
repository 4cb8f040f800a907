import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import Verdict from '../src/components/review/Verdict.svelte';
import { setLanguage } from '../src/lib/i18n.svelte';
import { catalog } from '../src/messages/review';
import type { ReviewedDecision } from '../src/wire';

let shown: Record<string, unknown> | null = null;

/** What is told about a decision. */
function told(more: Partial<ReviewedDecision>): string {
  const decision = {
    round: 0,
    action: 5,
    seat: 0,
    kind: 'lead',
    played: '0:7s',
    verdict: 'unclear',
    worlds: 64,
    ...more,
  };
  const replayer = { names: ['Ann', 'Ben', 'Cho', 'Dov'], position: { seat: null } };
  shown = mount(Verdict as never, { target: document.body, props: { decision, replayer, ontry: vi.fn() } as never });
  flushSync();
  return document.body.textContent.replace(/\s+/g, ' ');
}

beforeAll(async () => {
  await setLanguage('en');
  $effect.root(() => catalog.load());
  await vi.waitFor(() => expect(catalog.ready).toBe(true));
});
afterEach(() => {
  if (shown) void unmount(shown);
  shown = null;
  document.body.innerHTML = '';
});

test('what is not clear is told with its error', () => {
  expect(told({ best: '0:-', lost: 12.4, lostError: 8.2 })).toContain('Perhaps better, by 12 ± 9 points');
  expect(document.body.textContent).toContain('pass');
});

test('so is what was played and seems best', () => {
  expect(told({ lost: -6.6, lostError: 8 })).toContain('The next best is worth 7 ± 8 points less');
});

test('nothing is said of a decision that was not compared', () => {
  expect(told({ verdict: 'same', worlds: 0 })).not.toContain('±');
});

test('a bomb that stays is shown, and shares are told of all else', () => {
  const reasons = [
    { what: 'bomb_stays', played: 0, better: 1, cards: '7s7b7g7r' },
    { what: 'partner_dragon', played: 0.25, better: 0.5 },
  ] as const;
  const text = told({ verdict: 'blunder', best: '0:-', lost: 50, lostError: 5, reasons });
  expect(text).toContain('the bomb stays:');
  expect(document.querySelectorAll('p .cards .one')).toHaveLength(4);
  expect(text).toContain('the partner plays the Dragon in 50 % instead of 25 %');
});
