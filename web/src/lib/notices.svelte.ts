/** Short notices for the eye, one at a time, and sentences for a screen reader. */
import { untrack } from 'svelte';

interface Notice {
  id: number;
  text: string;
  kind: 'plain' | 'call' | 'bad' | 'said';
  /** Whose it is. */
  seat: number | null;
}

const NOTICE_MS = 2600;
const SAID_MS = 5000;
/** What somebody takes to read a sign. */
const SIGN_MS = 65;
/** How long a notice stays when another one waits. */
const BRIEF_MS = 1400;
const MAX_WAITING = 3;
const MAX_SPOKEN = 30;
const MAX_WIDTH = 80;

let next = 0;

/** As much of a text as a notice has room for; the chat has all of it. */
export function shorten(text: string): string {
  let [width, length] = [0, 0];
  for (const sign of text) {
    width += sign > '\u1100' ? 2 : 1;
    if (width > MAX_WIDTH) {
      const start = text.slice(0, length);
      return `${/^.{20,}\s/s.exec(start)?.[0] ?? start}…`;
    }
    length += sign.length;
  }
  return text;
}

class Notices {
  shown = $state.raw<Notice | null>(null);
  /** What is shown as long as there is nothing else. */
  lasting = $state.raw<Notice | null>(null);
  spoken = $state.raw<readonly { id: number; text: string }[]>([]);
  urgent = $state('');
  #waiting: Notice[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Show a notice and have it read aloud. */
  show(text: string, kind: Notice['kind'] = 'plain', seat: number | null = null): void {
    const notice = { id: next++, text: shorten(text), kind, seat };
    if (kind === 'bad') this.urgent = text;
    else this.say(text);
    // An effect that shows a notice must not depend on the others.
    const now = untrack(() => this.shown);
    // A refusal answers a tap.
    if (!now || kind === 'bad' || now.text === notice.text) return this.#put(notice);
    if (!this.#waiting.length) this.#wait(BRIEF_MS);
    this.#waiting = [...this.#waiting.filter((other) => other.text !== notice.text), notice].slice(-MAX_WAITING);
  }

  /** Show something until it is no longer so, and have it read aloud. */
  last(text: string): () => void {
    this.urgent = text;
    this.lasting = { id: next++, text, kind: 'bad', seat: null };
    return () => {
      this.urgent = '';
      this.lasting = null;
    };
  }

  /** Only for a screen reader: what everybody else sees on the table anyway. */
  say(text: string): void {
    this.spoken = untrack(() => [...this.spoken, { id: next++, text }].slice(-MAX_SPOKEN));
  }

  #put(notice: Notice | null): void {
    this.shown = notice;
    if (!notice) return;
    const whole = Math.max(notice.kind === 'said' ? SAID_MS : NOTICE_MS, notice.text.length * SIGN_MS);
    this.#wait(this.#waiting.length ? BRIEF_MS : whole);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#put(this.#waiting.shift() ?? null), ms);
  }
}

export const notices = new Notices();
