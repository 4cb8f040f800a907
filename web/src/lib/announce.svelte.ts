/** Announces events in words, sounds and notices. */
import type { Emoted, Said, SeatView, TableEvent } from '../wire';
import { t, type Key } from './i18n.svelte';
import { notices } from './notices.svelte';
import { settings } from './settings.svelte';
import { playSound, vibrate } from './sound';
import type { Table } from './table.svelte';
import { comboName, rankName } from './words';

/** The event as a sentence; empty if there is nothing to say. */
export function describeEvent(event: TableEvent, names: readonly string[]): string {
  switch (event.type) {
    case 'acted': {
      const name = names[event.seat] ?? '';
      switch (event.what) {
        case 'grand':
        case 'tichu':
        case 'pass':
          return t(`event.${event.what}` as Key, { name });
        case 'play':
          return event.combination ? t('event.play', { name, what: comboName(event.combination) }) : '';
        case 'wish':
          return event.rank && event.rank !== 'NONE'
            ? t('event.wish', { name, rank: rankName(event.rank) })
            : t('event.noWish', { name });
        case 'take':
          return event.recipient !== null && event.recipient !== undefined
            ? t('event.gift', { name, to: names[event.recipient] ?? '' })
            : t('event.take', { name });
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
      return t('event.waited', { name: names[event.seat] ?? '' });
    case 'said':
      return `${event.name}: ${event.text}`;
    case 'emoted':
      return `${event.name}: ${t(`emote.${event.emote}`)}`;
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

function announce(event: TableEvent, before: SeatView | null, after: SeatView | null, names: readonly string[]): void {
  const text = describeEvent(event, names);
  const loud =
    event.type === 'acted' && (event.what === 'grand' || event.what === 'tichu' || event.combination?.isBomb === true);
  const shown =
    loud ||
    event.type === 'waited' ||
    event.type === 'paused' ||
    event.type === 'resumed' ||
    (event.type === 'acted' && event.recipient != null);
  if (text && shown) notices.show(text, loud ? 'call' : 'plain');
  else if (text) notices.say(text);
  for (const seat of after?.out.slice(before?.out.length ?? 0) ?? [])
    notices.show(t('event.out', { name: names[seat] ?? '' }));
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
  onchat: (event: Said | Emoted) => void,
): void {
  $effect(() =>
    table.listen((event, before, after) => {
      const isChat = event.type === 'said' || event.type === 'emoted';
      if (isChat && settings.muted.includes(event.player)) return;
      announce(event, before, after, names());
      if (isChat) onchat(event);
    }),
  );

  let wasLost = false;
  $effect(() => {
    if (table.status === 'lost' && !wasLost) {
      wasLost = true;
      notices.show(t('event.lost'), 'bad');
    } else if (table.status === 'open' && wasLost) {
      wasLost = false;
      notices.show(t('event.back'));
    }
  });
}
