import { flushSync, mount, unmount } from 'svelte';
import { beforeAll, expect, test, vi } from 'vitest';
import LobbySettings from '../src/components/lobby/LobbySettings.svelte';
import { setLanguage } from '../src/lib/i18n.svelte';
import { catalog } from '../src/messages/lobby';

const ROOM = { preset: 'standard', rules: 'standard', clock: { decision: 30 }, pace: 1, private: true, spectators: 0 };

beforeAll(async () => {
  await setLanguage('en');
  $effect.root(() => catalog.load());
  await vi.waitFor(() => expect(catalog.ready).toBe(true));
});

/** What the lobby says about a table. */
function linesOf(room: object): string[] {
  const props = { input: { table: { actsAsHost: false } }, room: { ...ROOM, ...room } } as never;
  const shown = mount(LobbySettings, { target: document.body, props });
  flushSync();
  const lines = [...document.querySelectorAll('li')].map((line) => line.textContent ?? '');
  void unmount(shown);
  return lines;
}

test('all settings are shown to whoever comes to the table, also that leaving a rated one loses it', () => {
  const shared = ['Standard, 1000 points', '30 s per decision, 0 s in reserve', 'bots: normal', 'Only by link or code'];
  expect(linesOf({ casual: true, rated: false })).toEqual([...shared, 'casual: hints, nothing counts']);
  expect(linesOf({ casual: false, rated: false })).toEqual([...shared, 'counts in your results']);
  expect(linesOf({ casual: false, rated: true })).toEqual([
    ...shared,
    'rated: seats are locked, whoever leaves has lost',
  ]);
});
