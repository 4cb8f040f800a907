/** Hints in words of the game: what a bot would do, what that beats and keeps, and whom it helps. */
import type { Hinted, HintFact } from '../wire';
import { catalog, say } from '../messages/hints';
import { rankOf } from './cards';
import type { Arguments } from './i18n.svelte';
import { cardName, comboName, rankName } from './words';

export interface HintText {
  text: string;
  /** How sure the bot is, in figures; empty if it does not count. */
  numbers: string;
}

const RANKS = '  23456789TJQKA';
/** Reasons that are nothing but figures. */
const IN_NUMBERS = ['learned', 'call', 'no_call', 'control'];
/** More would not be read. */
const MOST_FACTS = 3;

/** A message whose key comes from the server, or the server's own words if there is none. */
const sayMaybe = (key: string, args: Arguments, otherwise: string): string =>
  catalog.has(key) ? say(key as 'text', args) : otherwise;

function listOf(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length > 1 ? say('and', { first: parts.slice(0, -1).join(', '), last }) : last;
}

/** "Dragon and 2 aces" */
function cardList(cards: readonly string[]): string {
  const aces = cards.filter((card) => rankOf(card) === 'A');
  const others = cards.filter((card) => !aces.includes(card)).map((card) => cardName(card));
  return listOf([
    ...others,
    ...(aces.length > 1 ? [say('aces', { n: aces.length })] : aces.map((ace) => cardName(ace))),
  ]);
}

const factText = (fact: HintFact, names: readonly string[]): string =>
  sayMaybe(
    `fact.${fact.code}`,
    {
      name: names[fact.seat ?? -1] ?? '',
      what: fact.combination ? comboName(fact.combination) : '',
      cards: cardList(fact.cards ?? []),
      n: fact.count ?? 0,
    },
    '',
  );

function actionText(hint: Hinted, names: readonly string[]): string {
  const action = hint.what === 'wish' && (!hint.rank || hint.rank === 'NONE') ? 'no_wish' : hint.what;
  return sayMaybe(
    `action.${action}`,
    {
      what: hint.combination ? comboName(hint.combination) : '',
      cards: (hint.cards ?? []).map((card) => cardName(card)).join(', '),
      rank: hint.rank ? rankName(hint.rank) : '',
      name: names[hint.recipient ?? -1] ?? '',
    },
    hint.text,
  );
}

function reasonText(hint: Hinted, names: readonly string[]): string {
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
  return sayMaybe(`reason.${hint.code}`, args, hint.words);
}

export function describeHint(hint: Hinted, names: readonly string[]): HintText {
  const isCounted = IN_NUMBERS.includes(hint.code);
  const facts = (hint.facts ?? []).map((fact) => factText(fact, names)).filter(Boolean);
  const why = reasonText(hint, names);
  const words = [say('text', { what: actionText(hint, names) }), isCounted ? '' : why, ...facts.slice(0, MOST_FACTS)];
  return { text: words.filter(Boolean).join(' '), numbers: isCounted ? why : '' };
}
