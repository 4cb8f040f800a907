/** Cards fly from where they were to where they are ("first, last, invert, play"), by the compositor alone. */
import type { TransitionConfig } from 'svelte/transition';
import { speedFactor } from './settings.svelte';

const DURATION = 260;
/** How small a card is when it comes out of another player's hand. */
const SCALE_IN_HAND = 0.45;
const EASE = 'cubic-bezier(.2, .75, .25, 1)';

let positions = new Map<string, DOMRect>();

/** Note where every card lies; called just before the picture changes. */
export function recordPositions(): void {
  positions = new Map();
  for (const node of document.querySelectorAll<HTMLElement>('[data-card]'))
    positions.set(node.dataset.card ?? '', node.getBoundingClientRect());
}

const seatBox = (seat: number): DOMRect | undefined =>
  document.querySelector(`[data-place="${seat}"]`)?.getBoundingClientRect();

/** What moves `node` back to `from`: middle to middle, width to width. */
function offset(node: Element, from: DOMRect): { x: number; y: number; scale: number } {
  const here = node.getBoundingClientRect();
  return {
    x: from.left + from.width / 2 - here.left - here.width / 2,
    y: from.top + from.height / 2 - here.top - here.height / 2,
    scale: here.width ? Math.max(0.3, Math.min(2.5, from.width / here.width)) : 1,
  };
}

/** Attach to a card that has just appeared: it flies in from where it was, or else from the seat. */
export function flyIn(card: string, seat: number, delay = 0): (node: HTMLElement) => void {
  return (node) => {
    const factor = speedFactor();
    const known = positions.get(card);
    const from = known ?? seatBox(seat);
    if (!factor || !from) return;
    const { x, y, scale } = offset(node, from);
    const size = known ? scale : SCALE_IN_HAND;
    node.animate([{ transform: `translate(${x}px, ${y}px) scale(${size})` }, { transform: 'none' }], {
      duration: DURATION * factor,
      delay: delay * factor,
      easing: EASE,
      fill: 'backwards',
    });
  };
}

/** A transition for a trick that leaves the table: it goes to whoever took it. */
export function flyTo(node: HTMLElement, seat: () => number | null): TransitionConfig {
  const factor = speedFactor();
  const target = seat();
  const to = target === null ? undefined : seatBox(target);
  if (!factor || !to) return { duration: 0 };
  const { x, y } = offset(node, to);
  return {
    duration: DURATION * 1.6 * factor,
    easing: (time) => time * time * (3 - 2 * time),
    css: (time, gone) =>
      `transform: translate(${x * gone}px, ${y * gone}px) scale(${0.3 + 0.7 * time});` +
      `opacity: ${Math.min(1, time * 2)}`,
  };
}
