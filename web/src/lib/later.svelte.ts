/** What may come a frame later: a play and all that goes with it would be too much for one frame of a slow phone. */
import { flushSync, untrack } from 'svelte';
import { speedFactor } from './settings.svelte';

/** What the parts of one frame may take together; the others wait for the next one. */
const BUDGET_MS = 6;
/** A page that nobody sees has no frames. */
const NO_FRAME_MS = 250;

interface Part {
  act: () => void;
  /** How many frames it still waits. */
  frames: number;
}

let parts: Part[] = [];
let isWaiting = false;

/** Wait until a frame has been drawn: what is done then is drawn with the next one. */
function awaitFrame(): void {
  if (isWaiting) return;
  isWaiting = true;
  const go = () => {
    cancelAnimationFrame(frame);
    clearTimeout(limit);
    isWaiting = false;
    work();
  };
  const frame = requestAnimationFrame(() => {
    clearTimeout(limit);
    setTimeout(go);
  });
  const limit = setTimeout(go, NO_FRAME_MS);
}

function work(): void {
  const begun = performance.now();
  for (const part of parts) part.frames--;
  while (performance.now() - begun < BUDGET_MS) {
    const next = parts.find(({ frames }) => frames <= 0);
    if (!next) break;
    parts = parts.filter((part) => part !== next);
    next.act();
    flushSync();
  }
  if (parts.length) awaitFrame();
}

/**
 * Call after this many frames, or as soon afterwards as others leave time for it; at once for who wants no motion, and
 * in a background tab.
 */
export function later(act: () => void, frames = 1): () => void {
  if (!speedFactor() || document.hidden) {
    act();
    return () => {};
  }
  const part = { act, frames };
  parts.push(part);
  awaitFrame();
  return () => {
    parts = parts.filter((other) => other !== part);
  };
}

/** A value that follows another one a frame later, however fast that changes.  Called inside a component. */
export function follow<T>(value: () => T, frames = 1): { readonly current: T } {
  let current = $state.raw(untrack(value));
  let stop: (() => void) | null = null;
  $effect(() => {
    value();
    if (stop) return;
    let isDone = false;
    const wait = later(() => {
      isDone = true;
      stop = null;
      current = untrack(value);
    }, frames);
    if (!isDone) stop = wait;
  });
  $effect(() => () => stop?.());
  return {
    get current() {
      return current;
    },
  };
}
