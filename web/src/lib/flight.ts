/** Cards fly from where they were to where they are (first, last, invert, play), by the compositor alone. */
import type { TransitionConfig } from 'svelte/transition';
import { speedFactor } from './settings.svelte';

const LONG = 260;
/** How small a card is that comes out of somebody else's hand. */
const FROM_A_HAND = 0.45;
const EASE = 'cubic-bezier(.2, .75, .25, 1)';

let were = new Map<string, DOMRect>();

/** Note where every card lies; called before what is shown changes. */
export function lookAround(): void {
  were = new Map();
  for (const node of document.querySelectorAll<HTMLElement>('[data-card]'))
    were.set(node.dataset.card ?? '', node.getBoundingClientRect());
}

const placeOf = (seat: number): DOMRect | undefined =>
  document.querySelector(`[data-place="${seat}"]`)?.getBoundingClientRect();

/** What brings `node` back to `from`: middle to middle, width to width. */
function away(node: Element, from: DOMRect): { x: number; y: number; scale: number } {
  const here = node.getBoundingClientRect();
  return {
    x: from.left + from.width / 2 - here.left - here.width / 2,
    y: from.top + from.height / 2 - here.top - here.height / 2,
    scale: here.width ? Math.max(0.3, Math.min(2.5, from.width / here.width)) : 1,
  };
}

/** Attach to a card that has just come: it flies in from its last place, or else from the seat. */
export function fliesIn(card: string, seat: number, delay = 0): (node: HTMLElement) => void {
  return (node) => {
    const factor = speedFactor();
    const known = were.get(card);
    const from = known ?? placeOf(seat);
    if (!factor || !from) return;
    const { x, y, scale: grown } = away(node, from);
    const scale = known ? grown : FROM_A_HAND;
    node.animate([{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: 'none' }], {
      duration: LONG * factor,
      delay: delay * factor,
      easing: EASE,
      fill: 'backwards',
    });
  };
}

/** A trick that leaves the table goes to whoever got it. */
export function fliesTo(node: HTMLElement, seat: () => number | null): TransitionConfig {
  const factor = speedFactor();
  const target = seat();
  const to = target === null ? undefined : placeOf(target);
  if (!factor || !to) return { duration: 0 };
  const { x, y } = away(node, to);
  return {
    duration: LONG * 1.6 * factor,
    easing: (time) => time * time * (3 - 2 * time),
    css: (time, gone) =>
      `transform: translate(${x * gone}px, ${y * gone}px) scale(${0.3 + 0.7 * time});` +
      `opacity: ${Math.min(1, time * 2)}`,
  };
}
