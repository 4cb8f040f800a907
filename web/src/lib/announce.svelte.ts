/** Announces events in words, sounds and notices. */
import type { SeatView, TableEvent } from '../wire';
import { t, type Key } from './i18n.svelte';
import { later } from './later.svelte';
import { notices } from './notices.svelte';
import { settings } from './settings.svelte';
import { playSound, vibrate } from './sound';
import type { Table } from './table.svelte';
import { comboName, playerName, rankName } from './words';

/** The event as a sentence; empty if there is nothing to say. */
export function describeEvent(
  event: TableEvent,
  names: readonly string[],
  me: number | null = null,
  /** The player's public id, for who has no seat. */
  you = '',
): string {
  switch (event.type) {
    case 'acted': {
      const name = names[event.seat] ?? '';
      /** What is said to the player who did it. */
      const own = event.seat === me ? 'event.me' : 'event';
      switch (event.what) {
        case 'grand':
        case 'tichu':
        case 'pass':
          return t(`${own}.${event.what}` as Key, { name });
        case 'play':
          return event.combination ? t('event.play', { name, what: comboName(event.combination) }) : '';
        case 'wish':
          return event.rank && event.rank !== 'NONE'
            ? t(`${own}.wish`, { name, rank: rankName(event.rank) })
            : t(`${own}.noWish`, { name });
        case 'take':
          return event.recipient !== null && event.recipient !== undefined
            ? t(`${own}.gift`, { name, to: names[event.recipient] ?? '' })
            : t(`${own}.take`, { name });
        default:
          return '';
      }
    }
    case 'dealt':
      return t('event.dealt', { n: event.round + 1 });
    case 'paused':
      return t('event.paused');
    case 'resumed':
      return t('event.resumed');
    case 'waited':
      return t(event.seat === me ? 'event.me.waited' : 'event.waited', { name: names[event.seat] ?? '' });
    case 'seated': {
      const name = names[event.seat ?? -1] ?? '';
      if (event.what === 'stand_in') return t('event.standIn', { name });
      return event.what === 'back' && event.seat !== me ? t('event.isBack', { name }) : '';
    }
    case 'said':
      return `${names[event.seat ?? -1] ?? playerName(event.name, event.player === you)}: ${event.text}`;
    case 'emoted':
      return `${names[event.seat ?? -1] ?? playerName(event.name, event.player === you)}: ${t(`emote.${event.emote}`)}`;
    default:
      return '';
  }
}

function playEventSound(event: TableEvent, team: number): void {
  if (event.type === 'said' || event.type === 'emoted') playSound('chat');
  if (event.type === 'round_over') {
    const [ours = 0, theirs = 0] = team ? event.result.score.toReversed() : event.result.score;
    playSound(ours >= theirs ? 'win' : 'lose');
  }
  if (event.type !== 'acted') return;
  if (event.what === 'grand' || event.what === 'tichu') playSound('call');
  else if (event.what === 'play') playSound(event.combination?.isBomb ? 'bomb' : 'card');
  else if (event.what === 'pass') playSound('pass');
  else if (event.what === 'take') playSound('take');
}

function announce(
  event: TableEvent,
  before: SeatView | null,
  after: SeatView | null,
  names: readonly string[],
  you: string | undefined,
  show: typeof notices.show,
): void {
  const me = after?.seat ?? null;
  const text = describeEvent(event, names, me, you);
  const isCall = event.type === 'acted' && (event.what === 'grand' || event.what === 'tichu');
  const isChat = event.type === 'said' || event.type === 'emoted';
  // What lies on the table, also a bomb, is written below it, and a pause in its middle.
  const isShown =
    isCall ||
    isChat ||
    event.type === 'waited' ||
    event.type === 'seated' ||
    (event.type === 'acted' && event.recipient != null);
  if (text && isShown) show(text, isCall ? 'call' : isChat ? 'said' : 'plain', isChat ? (event.seat ?? null) : null);
  else if (text) notices.say(text);
  for (const seat of after?.out.slice(before?.out.length ?? 0) ?? []) {
    // In the place of the player's own cards it is written anyway.
    if (seat === me) notices.say(t('event.me.out'));
    else show(t('event.out', { name: names[seat] ?? '' }));
  }
  playEventSound(event, (after?.seat ?? 0) % 2);
  if (after?.decision && before?.decision !== after.decision && after.decision !== 'ready') {
    playSound('turn');
    vibrate(60);
    notices.say(t('event.turn'));
  }
}

/** Announce what happens at a table, and when the connection is lost or back.  Called once, inside a component. */
export function announceTable(
  table: Table,
  names: () => readonly string[],
  /** Where a text is to be read: what happens is on the table, and not written beside it. */
  isQuiet = false,
): void {
  const show: typeof notices.show = (text, ...rest) => (isQuiet ? notices.say(text) : notices.show(text, ...rest));
  $effect(() =>
    table.listen((event, before, after) => {
      const isChat = event.type === 'said' || event.type === 'emoted';
      if (isChat && settings.muted.includes(event.player)) return;
      later(() => announce(event, before, after, names(), table.you?.player, show), 2);
    }),
  );

  const isLost = $derived(table.status === 'lost' || table.status === 'connecting');
  let wasLost = false;
  $effect(() => {
    if (isLost) {
      wasLost = true;
      return notices.last(t('event.lost'));
    }
    if (wasLost && table.status === 'open') {
      wasLost = false;
      notices.show(t('event.back'));
    }
  });
}
