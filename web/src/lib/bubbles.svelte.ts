/** What players have just said, in bubbles at their seats. */
import type { Emoted, EmoteName, Said } from '../wire';
import { t } from './i18n.svelte';

/** What can be said with one tap, in the order of a game. */
export const EMOTES: readonly EmoteName[] = [
  'hello',
  'well_played',
  'thanks',
  'sorry',
  'wow',
  'laugh',
  'hurry',
  'goodbye',
];

const SHOWN_MS = 5000;

export class ChatBubbles {
  texts = $state.raw<readonly string[]>(['', '', '', '']);

  show(event: Said | Emoted): void {
    const { seat } = event;
    if (typeof seat !== 'number') return;
    const text = event.type === 'emoted' ? t(`emote.${event.emote}`) : event.text;
    this.texts = this.texts.with(seat, text);
    setTimeout(() => {
      if (this.texts[seat] === text) this.texts = this.texts.with(seat, '');
    }, SHOWN_MS);
  }
}
