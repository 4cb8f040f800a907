/** The picture that a player has chosen, told to the table where they sit. */
import type { AvatarChoice } from '../wire';
import { settings } from './settings.svelte';
import type { Table } from './table.svelte';

export const AVATARS: readonly AvatarChoice[] = [
  'cat',
  'crane',
  'fox',
  'frog',
  'hare',
  'koi',
  'monkey',
  'owl',
  'ox',
  'panda',
  'tiger',
  'turtle',
];

/** Tell the table once for every seat and every choice: a second device may have chosen otherwise. */
export function shareAvatar(table: () => Table | null): void {
  let told = '';
  $effect(() => {
    const opened = table();
    const seat = opened?.seat ?? null;
    const there = seat === null ? undefined : opened?.state?.seats[seat];
    const chosen = settings.avatar || null;
    if (!opened || !there || opened.status !== 'open') return;
    const choice = `${opened.id} ${seat} ${chosen}`;
    // Who has never chosen has nothing to tell.
    if (choice === told || (!told && !chosen)) return;
    told = choice;
    if ((there.avatar ?? null) !== chosen) void opened.command({ type: 'TABLE.AVATAR', avatar: chosen });
  });
}
