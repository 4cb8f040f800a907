/** Cards that come into the hand one after another: each is made when its turn comes, so no frame has much to do. */
import { later } from './later.svelte';
import { speedFactor } from './settings.svelte';

/** Between two cards, besides the frame that each of them waits for. */
const STEP_MS = 20;
const NONE: ReadonlySet<string> = new Set();

class Dealing {
  /** What has been dealt and does not lie in the hand yet. */
  waiting = $state.raw<ReadonlySet<string>>(NONE);
  /** Whether cards come, or the last of them has just come: what is asked about them is asked afterwards. */
  isOn = $state(false);
  #coming: ReadonlySet<string> = NONE;
  #stop = () => {};

  /** Let these cards come one by one; at once for who wants no motion. */
  begin(cards: readonly string[]): void {
    this.finish();
    const factor = speedFactor();
    // Nobody sees them come in a tab in the background, where timers are slow.
    if (!factor || !cards.length || document.hidden) return;
    const order = [...cards];
    this.#coming = new Set(order);
    this.waiting = new Set(order);
    this.isOn = true;
    const next = () => {
      const timer = setTimeout(() => (this.#stop = later(come)), STEP_MS * factor);
      this.#stop = () => clearTimeout(timer);
    };
    const come = () => {
      order.shift();
      this.waiting = new Set(order);
      if (order.length) next();
      else this.#stop = later(() => (this.isOn = false));
    };
    next();
  }

  /** Whether a card is one of those that have just been dealt. */
  has(card: string): boolean {
    return this.#coming.has(card);
  }

  /** Let all of them lie there. */
  finish(): void {
    this.#stop();
    if (this.waiting.size) this.waiting = NONE;
    this.isOn = false;
  }
}

export const dealing = new Dealing();
