/** Where somebody is whose control has gone with what it did: on the next row, or at a heading. */

const ROW = 'li, tr, [role="group"]';
const HEADING = 'h1, h2, h3';
const CONTROL = 'a[href], button, input, select, textarea, summary';

/** A row or a heading takes the keyboard for this once; nothing happens there to whoever still holds Enter down. */
function enter(to: HTMLElement): void {
  if (!to.hasAttribute('tabindex')) {
    to.tabIndex = -1;
    to.addEventListener('blur', () => to.removeAttribute('tabindex'), { once: true });
  }
  to.focus({ preventScroll: true });
  // Only whoever sees where the focus is looks for it.
  if (to.matches(':focus-visible')) to.scrollIntoView({ block: 'nearest' });
}

const isElement = (node: Node): node is HTMLElement => node instanceof HTMLElement;

/** The nearest row on this side of what has gone. */
function rowFrom(node: Node | null, on: 'nextSibling' | 'previousSibling'): HTMLElement | null {
  for (let one = node; one; one = one[on]) if (isElement(one) && one.matches(ROW)) return one;
  return null;
}

/** The first heading of the nearest part that has one. */
function headingOf(page: Element, from: Element): HTMLElement | null {
  for (let part: Element | null = from; part && page.contains(part); part = part.parentElement) {
    const heading = part.querySelector<HTMLElement>(HEADING);
    if (heading) return heading;
  }
  return null;
}

/** Whether it says what it is about before there is something to be done. */
const isStep = (node: HTMLElement): boolean =>
  node.matches(HEADING) || !!node.querySelector(`${HEADING}, ${CONTROL}`)?.matches(HEADING);

function placeAfter(page: Element, lost: Element, records: readonly MutationRecord[]): HTMLElement | null {
  let gone: Node = lost;
  let record: MutationRecord | undefined;
  do {
    record = records.findLast(({ removedNodes }) => [...removedNodes].some((node) => node.contains(gone)));
    if (record) gone = record.target;
  } while (record && !gone.isConnected);
  if (!record || !isElement(record.target)) return headingOf(page, page);
  const from = record.target;
  const row = [...record.removedNodes].find((node) => node.contains(lost));
  if (row && isElement(row) && row.matches(ROW)) {
    const next = rowFrom(record.nextSibling, 'nextSibling') ?? rowFrom(record.previousSibling, 'previousSibling');
    if (next?.isConnected) return next;
  }
  const added = records.flatMap(({ addedNodes }) => [...addedNodes]).filter(isElement);
  // Whoever asked for more goes on where it begins; a row stays the row; a step gives way to the next one.
  const more = added.find((node) => node.matches(ROW) && from.contains(node));
  const step = added.find((node) => node.parentNode === from && isStep(node));
  const heading = step?.matches(HEADING) ? step : step?.querySelector<HTMLElement>(HEADING);
  return more ?? from.closest<HTMLElement>(ROW) ?? heading ?? headingOf(page, from);
}

/** Keep the keyboard in this part of a page: when what it was on has gone, it goes where a person would look next. */
export function keepPlace(page: HTMLElement): () => void {
  const now = document.activeElement;
  let last = now && page.contains(now) ? now : null;
  // What a dialog had goes back to what has opened it, which may have gone as well.
  const note = ({ target }: FocusEvent) => {
    if (target instanceof Element && !target.closest('dialog')) last = target;
  };
  const watch = new MutationObserver((records) => {
    if (!last || last.isConnected || !page.isConnected || document.activeElement !== document.body) return;
    const to = placeAfter(page, last, records);
    last = null;
    if (to) enter(to);
  });
  page.addEventListener('focusin', note);
  watch.observe(page, { childList: true, subtree: true });
  return () => {
    page.removeEventListener('focusin', note);
    watch.disconnect();
  };
}
