/** The clocks of a table while they run, and a word to the player when their own is about to stop. */
import { untrack } from 'svelte';
import { timeLeft, type TimeLeft } from './clocks';
import { t } from './i18n.svelte';
import { notices } from './notices.svelte';
import type { Table } from './table.svelte';

const REFRESH_MS = 250;
const HURRY_SECONDS = 10;

/** The time that each seat has left, redrawn a few times a second.  Called once, inside a component. */
export function startCountdown(table: Table): (seat: number) => TimeLeft | null {
  let tick = $state(0);
  $effect(() => {
    if (!table.clocks.length) return;
    const timer = setInterval(() => tick++, REFRESH_MS);
    return () => clearInterval(timer);
  });

  function clockOf(seat: number): TimeLeft | null {
    void tick;
    const running = table.clocks.find((clock) => clock.seat === seat);
    const clock = table.state?.clock;
    return running && clock ? timeLeft(running, clock, table.now()) : null;
  }

  // Players who cannot see the ring hear of the two moments that matter.
  const own = $derived(table.seat === null ? null : clockOf(table.seat));
  const onReserve = $derived(own?.reserve === true);
  const hurry = $derived(own !== null && own.seconds <= HURRY_SECONDS && (own.reserve || !table.state?.clock?.reserve));
  const seconds = () => untrack(() => own?.seconds ?? 0);
  $effect(() => {
    if (onReserve) notices.show(t('clock.begins', { n: seconds() }));
  });
  $effect(() => {
    if (hurry) notices.say(t('clock.hurry', { n: seconds() }));
  });
  return clockOf;
}
