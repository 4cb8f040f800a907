/** Whose turn it is, for somebody who looks elsewhere: in the title, on the icon, and if wanted from the system. */
import { t } from './i18n.svelte';
import { follow } from './later.svelte';
import { address } from './router.svelte';
import { settings } from './settings.svelte';
import type { Table } from './table.svelte';

/** Whether this player is to decide something about the game. */
export const isMyTurn = (table: Table | null): boolean =>
  !!table?.view?.decision && table.view.decision !== 'ready' && table.state?.stage === 'playing';

export const canNotify = (): boolean => 'Notification' in globalThis && globalThis.isSecureContext;

/** Ask whether notifications are allowed; only a click may lead here. */
export async function allowNotifications(): Promise<boolean> {
  if (!canNotify()) return false;
  return (await Notification.requestPermission()) === 'granted';
}

async function notify(table: Table): Promise<() => void> {
  const options = { body: table.state?.name ?? '', tag: `tichu-${table.id}`, icon: address('icon-192.png') };
  try {
    const shown = new Notification(t('event.turn'), options);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
    return () => shown.close();
  } catch {
    // Phones allow it to a worker only.
    const worker = await navigator.serviceWorker?.getRegistration();
    await worker?.showNotification(t('event.turn'), { ...options, data: location.href });
    return () =>
      void worker?.getNotifications({ tag: options.tag }).then((shown) => shown.forEach((each) => each.close()));
  }
}

function markIcon(isTurn: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = address(isTurn ? 'icon-turn.svg' : 'icon.svg');
}

/** Give the signals of a table.  Called once, inside a component. */
export function signalTurns(table: () => Table | null): void {
  const shown = follow(() => isMyTurn(table()), 3);
  const turn = $derived(shown.current);
  let hidden = $state(document.hidden);
  $effect(() => {
    const look = () => (hidden = document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  });
  $effect(() => {
    markIcon(turn);
    return () => markIcon(false);
  });
  $effect(() => {
    const opened = table();
    if (!opened || !turn || !hidden || !settings.notify || !canNotify()) return;
    if (Notification.permission !== 'granted') return;
    const shown = notify(opened);
    return () => void shown.then((close) => close()).catch(() => undefined);
  });
}
