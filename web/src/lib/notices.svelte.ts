/** Short notices for the eye, and sentences for a screen reader. */
import { untrack } from 'svelte';

interface Notice {
  id: number;
  text: string;
  kind: 'plain' | 'call' | 'bad' | 'hint';
}

const SHOWN_FOR = 2600;
const HINT_FOR = 7000;
const SPOKEN_KEPT = 30;

let next = 0;

class Notices {
  shown = $state.raw<readonly Notice[]>([]);
  spoken = $state.raw<readonly { id: number; text: string }[]>([]);
  urgent = $state('');

  /** A notice that everybody sees and hears of. */
  show(text: string, kind: Notice['kind'] = 'plain'): void {
    const notice = { id: next++, text, kind };
    // Whoever shows something does not depend on what is shown.
    this.shown = untrack(() => [...this.shown.filter((other) => other.text !== text), notice].slice(-3));
    if (kind === 'bad') this.urgent = text;
    else this.say(text);
    setTimeout(
      () => (this.shown = this.shown.filter((other) => other !== notice)),
      kind === 'hint' ? HINT_FOR : SHOWN_FOR,
    );
  }

  /** What the eye sees on the table anyway. */
  say(text: string): void {
    this.spoken = untrack(() => [...this.spoken, { id: next++, text }].slice(-SPOKEN_KEPT));
  }
}

export const notices = new Notices();
