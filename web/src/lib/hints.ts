/** Hints in words: what a bot would do, and why. */
import type { Hinted } from '../wire';
import { catalog, say } from '../messages/hints';
import type { Arguments } from './i18n.svelte';
import { cardName, comboName, rankName } from './words';

const RANKS = '  23456789TJQKA';

/** A message whose key comes from the server, or the server's own words if there is none. */
const sayMaybe = (key: string, args: Arguments, otherwise: string): string =>
  catalog.has(key) ? say(key as 'text', args) : otherwise;

export function hintText(hint: Hinted, names: readonly string[]): string {
  const { seat, rank } = hint.arguments ?? {};
  const values = Object.entries(hint.arguments ?? {}).map(([name, value]) => [
    name,
    typeof value === 'number' ? Math.round(value) : value.replace(/^-/, '−'),
  ]);
  const args = {
    ...(Object.fromEntries(values) as Arguments),
    seat: typeof seat === 'number' ? (names[seat] ?? '') : '',
    rank: rank === undefined ? '' : rankName(typeof rank === 'number' ? (RANKS[rank] ?? '') : rank),
  };
  const action = hint.what === 'wish' && (!hint.rank || hint.rank === 'NONE') ? 'no_wish' : hint.what;
  const what = sayMaybe(
    `action.${action}`,
    {
      what: hint.combination ? comboName(hint.combination) : '',
      cards: (hint.cards ?? []).map((card) => cardName(card)).join(', '),
      rank: hint.rank ? rankName(hint.rank) : '',
      name: names[hint.recipient ?? -1] ?? '',
    },
    hint.text,
  );
  return say('text', { what, why: sayMaybe(`reason.${hint.code}`, args, hint.words) });
}
