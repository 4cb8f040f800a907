/**
 * Cards fly from where they were to where they are ("first, last, invert, play"), by the compositor alone: only
 * transforms and opacity move.  What is there for its own sake ends with the next tap or key.
 */
import type { TransitionConfig } from 'svelte/transition';
import { dealing } from './dealing.svelte';
import { later } from './later.svelte';
import { speedFactor } from './settings.svelte';

const DURATION = 260;
/** How small a card is when it comes out of another player's hand. */
const SCALE_IN_HAND = 0.45;
const EASE = 'cubic-bezier(.2, .75, .25, 1)';
/** Between two cards of a deal. */
const DEAL_STEP = 32;
/** Card backs that every other player is seen to get. */
const BACKS = 3;
const SHAKE = ['0 0', '-7px 3px', '6px -4px', '-5px -2px', '4px 3px', '-2px 1px', '0 0'];
/** The name of animations that can be skipped. */
const SKIPPABLE = 'moment';

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
    if (!factor) return;
    beforeFrame(() => {
      const from = known ?? seatBox(seat);
      if (!from) return undefined;
      const { x, y, scale } = offset(node, from);
      const size = known ? scale : SCALE_IN_HAND;
      return () =>
        node.animate([{ transform: `translate(${x}px, ${y}px) scale(${size})` }, { transform: 'none' }], {
          duration: DURATION * factor,
          delay: delay * factor,
          easing: EASE,
          fill: 'backwards',
        });
    });
  };
}

/** The middle of the table, from where cards are dealt. */
const deckBox = (): DOMRect | undefined => document.querySelector('main.cloth')?.getBoundingClientRect();

/** What is to be measured before the next frame is drawn; each says what is then to be moved. */
let toMeasure: (() => (() => void) | undefined)[] = [];

/** First look, then move: the other way round every look would have the page laid out again. */
function beforeFrame(measure: () => (() => void) | undefined): void {
  if (!toMeasure.length)
    requestAnimationFrame(() => {
      const moves = toMeasure.map((each) => each());
      toMeasure = [];
      for (const move of moves) move?.();
    });
  toMeasure.push(measure);
}

/** Attach to a card of the hand that has just been dealt or given: it comes from the deck or from who gave it. */
export function dealIn(card: string, giver?: string): (node: HTMLElement) => void {
  return (node) => {
    const factor = speedFactor();
    if (!factor || !dealing.has(card)) return;
    beforeFrame(() => {
      const from = giver ? document.querySelector(`.spot.${giver}`)?.getBoundingClientRect() : deckBox();
      if (!from) return undefined;
      const { x, y } = offset(node, from);
      const frames = [{ translate: `${x}px ${y}px`, opacity: 0 }, { opacity: 1, offset: 0.4 }, { translate: '0 0' }];
      return () => node.animate(frames, { id: SKIPPABLE, duration: DURATION * factor, easing: EASE });
    });
  };
}

/** A round begins: card backs fly to the others while the hand fills. */
export function dealAround(seats: readonly number[]): void {
  const factor = speedFactor();
  if (!factor) return;
  // The frame of the deal has enough to do, and that of a seat enough with its own cards.
  seats.forEach((seat, turn) => later(() => flyBacks(seat, turn, factor), turn + 2));
}

function flyBacks(seat: number, turn: number, factor: number): void {
  const game = document.querySelector('.game');
  const deck = deckBox();
  const to = seatBox(seat);
  if (!game || !deck || !to) return;
  const origin = game.getBoundingClientRect();
  const [left, top] = [deck.left + deck.width / 2, deck.top + deck.height / 2];
  const frames = [
    { transform: 'none', opacity: 0 },
    { opacity: 1, offset: 0.2 },
    {
      transform: `translate(${to.left + to.width / 2 - left}px, ${to.top + to.height / 2 - top}px) scale(0.5)`,
      opacity: 0.4,
    },
  ];
  const layer = document.createElement('div');
  layer.className = 'dealing';
  layer.ariaHidden = 'true';
  const flights = Array.from({ length: BACKS }, (_, n) => {
    const back = document.createElement('i');
    back.style.left = `${left - origin.left}px`;
    back.style.top = `${top - origin.top}px`;
    layer.append(back);
    const delay = (n * 3 + turn) * DEAL_STEP * factor;
    const duration = DURATION * 1.3 * factor;
    return back.animate(frames, { id: SKIPPABLE, duration, delay, easing: EASE, fill: 'both' }).finished;
  });
  game.append(layer);
  void Promise.allSettled(flights).then(() => layer.remove());
}

/** A bomb: the cloth shakes, the hand and the buttons stay where a finger expects them. */
export function shakeTable(): void {
  const factor = speedFactor();
  if (!factor) return;
  const shake = () =>
    document.querySelector('main.cloth')?.animate(
      SHAKE.map((translate) => ({ translate })),
      { id: SKIPPABLE, duration: 420 * factor, delay: 160 * factor },
    );
  later(shake, 2);
}

/** Whatever is only there to be looked at is over. */
export function skipAnimations(): void {
  for (const animation of document.getAnimations?.() ?? []) {
    const { effect } = animation;
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    if (animation.id === SKIPPABLE || target?.closest('[data-moment]')) animation.finish();
  }
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
