/** Cards and combinations in words. */
import type { Combination, SeatView } from '../wire';
import { HIDDEN, isSpecial, rankOf, suitOf, type Card } from './cards';
import { t, tMaybe, type Key } from './i18n.svelte';
import { settings } from './settings.svelte';

export const rankName = (rank: string): string => tMaybe(`rank.${rank}`, {}, tMaybe(`card.${rank}`, {}, rank));
export const rankNames = (rank: string): string => tMaybe(`ranks.${rank}`, {}, rankName(rank));

export function cardName(card: Card, phoenixAs?: string | null): string {
  if (card === HIDDEN) return t('card.hidden');
  if (card === 'Ph' && phoenixAs) return t('card.phoenix', { rank: rankName(phoenixAs) });
  if (isSpecial(card)) return t(`card.${card}` as Key);
  const suits = settings.deck === 'french' ? 'french' : 'suit';
  return t('card.suited', { rank: rankName(rankOf(card)), suit: t(`${suits}.${suitOf(card)}` as Key) });
}

const WIDTH: Partial<Record<Combination['type'], number>> = { PAIR_STRAIGHT: 2, TRIPLE_STRAIGHT: 3, FOUR_STRAIGHT: 4 };

/** "full house, kings over nines" */
export function comboName(combination: Combination): string {
  const { type, rank, cards } = combination;
  if (type === 'SINGLE') {
    const [card] = cards;
    if (card === 'Ph' && combination.phoenixAs)
      return t('combo.SINGLE_PHOENIX', { rank: rankName(combination.phoenixAs) });
    return card && isSpecial(card) ? cardName(card) : t('combo.SINGLE', { rank: rankName(rank) });
  }
  return t(`combo.${type}`, {
    rank: rankName(rank),
    ranks: rankNames(rank),
    with: rankNames(combination.withRank ?? ''),
    length: cards.length,
    steps: cards.length / (WIDTH[type] ?? 1),
  });
}

export const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** The rank that the Phoenix shows on its card: the one it stands for, none if it was played alone. */
export const phoenixRank = (combination: Combination): string =>
  combination.type === 'SINGLE' ? '' : (combination.phoenixAs ?? '');

/** The name that the server gives to whoever has given none. */
const NAMELESS = /^Guest( \d)?$/;

/** A player's name as this page shows it: nobody is a guest to themselves. */
export function playerName(name: string, isMe: boolean): string {
  if (isMe && (!name || NAMELESS.test(name))) return t('place.me');
  return NAMELESS.test(name) ? name.replace('Guest', t('place.guest')) : name;
}

const MAX_SHORT = 14;
/** A name where there is room for a few letters only. */
export function shortName(name: string): string {
  const letters = [...name];
  return letters.length > MAX_SHORT
    ? `${letters
        .slice(0, MAX_SHORT - 2)
        .join('')
        .trimEnd()}…`
    : name;
}

/** Whose wish binds this player, and that it does; empty if none does. */
export function wishDuty(view: SeatView, names: readonly string[]): string {
  if (!view.wish || !view.wishOwed) return '';
  const rank = { rank: rankName(view.wish), ranks: rankNames(view.wish) };
  const by = view.wishedBy;
  if (by === null || by === undefined) return t('wish.owedUnknown', rank);
  return by === view.seat ? t('wish.owedOwn', rank) : t('wish.owed', { ...rank, name: names[by] ?? '' });
}

/** Why a play is refused: in our own words if there are any, else in the server's. */
export function reasonText(reason: string, wish: string | null, otherwise: string): string {
  return tMaybe(`reason.${reason}`, { rank: wish ? rankName(wish) : '' }, otherwise);
}
