/** What players have just said, in bubbles at their seats. */
import type { Emoted, Said } from '../wire';
import { t } from './i18n.svelte';

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
