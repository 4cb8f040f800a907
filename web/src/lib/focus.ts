/** Where the keyboard is when what it was on has gone. */

const openers = new WeakMap<Element, Element | null>();

/** Send the keyboard to the hand, if there is one. */
export function focusHand(): void {
  const card = document.querySelector<HTMLElement>('.hand [tabindex="0"]') ?? document.querySelector('.hand button');
  card?.focus({ preventScroll: true });
}

/** Keep the keyboard in this part of the page: when what it was on has gone, it goes to the hand. */
export function keepFocus(node: HTMLElement): () => void {
  let last: Element | null = null;
  // What a dialog had goes back to where it was.
  const note = ({ target }: FocusEvent) =>
    (last = target instanceof Element && !target.closest('dialog') ? target : null);
  const forget = () => (last = null);
  const watch = new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    last = null;
    focusHand();
  });
  node.addEventListener('focusin', note);
  addEventListener('pointerdown', forget, true);
  watch.observe(node, { childList: true, subtree: true });
  return () => {
    removeEventListener('pointerdown', forget, true);
    watch.disconnect();
  };
}

/**
 * Remember where the focus is before a dialog takes it.  The returned function is for when the dialog has gone: unless
 * something else has the focus by then, it goes back to where it was, or to the hand.
 */
export function holdFocus(dialog: Element): () => void {
  openers.set(dialog, document.activeElement);
  return () =>
    // With the dialog other things may have gone.
    queueMicrotask(() => {
      const now = document.activeElement;
      if (now?.isConnected && now !== document.body) return;
      let to = openers.get(dialog) ?? null;
      // It was opened from another dialog, which has gone with it.
      while (to && !to.isConnected) to = openers.get(to.closest('dialog') ?? to) ?? null;
      if (to && to !== document.body && !to.matches(':disabled')) (to as HTMLElement).focus({ preventScroll: true });
      if (document.activeElement === document.body) focusHand();
    });
}
