/** Cards that come into the hand one after another: each is made when its turn comes, so no frame has much to do. */
import { speedFactor } from './settings.svelte';

const STEP_MS = 34;
const NONE: ReadonlySet<string> = new Set();

class Dealing {
  /** What has been dealt and does not lie in the hand yet. */
  waiting = $state.raw<ReadonlySet<string>>(NONE);
  #coming: ReadonlySet<string> = NONE;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Let these cards come one by one; at once for who wants no motion. */
  begin(cards: readonly string[]): void {
    this.finish();
    const factor = speedFactor();
    // Nobody sees them come in a tab in the background, where timers are slow.
    if (!factor || !cards.length || document.hidden) return;
    const order = [...cards];
    this.#coming = new Set(order);
    this.waiting = new Set(order);
    this.#timer = setInterval(() => {
      order.shift();
      this.waiting = new Set(order);
      if (!order.length) this.finish();
    }, STEP_MS * factor);
  }

  /** Whether a card is one of those that have just been dealt. */
  has(card: string): boolean {
    return this.#coming.has(card);
  }

  /** Let all of them lie there. */
  finish(): void {
    clearInterval(this.#timer);
    if (this.waiting.size) this.waiting = NONE;
  }
}

export const dealing = new Dealing();
