/** What may come a frame later: a play and all that goes with it would be too much for one frame of a slow phone. */
import { untrack } from 'svelte';
import { speedFactor } from './settings.svelte';

/** Longer than a frame, shorter than anybody notices. */
const FRAME_MS = 20;

/** Call after this many frames; at once for who wants no motion, and in a background tab, where timers are slow. */
export function later(act: () => void, frames = 1): () => void {
  if (!speedFactor() || document.hidden) {
    act();
    return () => {};
  }
  const timer = setTimeout(act, FRAME_MS * frames);
  return () => clearTimeout(timer);
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
