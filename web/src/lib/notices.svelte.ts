/** Short notices for the eye, and sentences for a screen reader. */
import { untrack } from 'svelte';

interface Notice {
  id: number;
  text: string;
  kind: 'plain' | 'call' | 'bad' | 'hint';
}

const NOTICE_MS = 2600;
const HINT_MS = 7000;
const MAX_SPOKEN = 30;

let next = 0;

class Notices {
  shown = $state.raw<readonly Notice[]>([]);
  spoken = $state.raw<readonly { id: number; text: string }[]>([]);
  urgent = $state('');

  /** Show a notice and have it read aloud. */
  show(text: string, kind: Notice['kind'] = 'plain'): void {
    const notice = { id: next++, text, kind };
    // An effect that shows a notice must not depend on the others.
    this.shown = untrack(() => [...this.shown.filter((other) => other.text !== text), notice].slice(-3));
    if (kind === 'bad') this.urgent = text;
    else this.say(text);
    setTimeout(
      () => (this.shown = this.shown.filter((other) => other !== notice)),
      kind === 'hint' ? HINT_MS : NOTICE_MS,
    );
  }

  /** Only for a screen reader: what everybody else sees on the table anyway. */
  say(text: string): void {
    this.spoken = untrack(() => [...this.spoken, { id: next++, text }].slice(-MAX_SPOKEN));
  }
}

export const notices = new Notices();
