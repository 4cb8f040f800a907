/** What one part of the page says.  Its messages come with it and not with the first load. */
import { fill, preferred, type Arguments, type Language } from './i18n.svelte';

export class Area<K extends string> {
  #texts = $state.raw<Readonly<Record<K, string>> | null>(null);
  #plural = new Intl.PluralRules('en');
  readonly #load: Record<Language, () => Promise<{ default: Readonly<Record<K, string>> }>>;

  constructor(load: Record<Language, () => Promise<{ default: Readonly<Record<K, string>> }>>) {
    this.#load = load;
  }

  get ready(): boolean {
    return this.#texts !== null;
  }

  /** Speak the player's language, and the next one when it is changed.  Called once, inside a component. */
  follow(): void {
    $effect(() => {
      let stale = false;
      const language = preferred();
      void this.#load
        [language]()
        .catch(() => this.#load.en())
        .then(({ default: texts }) => {
          if (stale) return;
          this.#plural = new Intl.PluralRules(language);
          this.#texts = texts;
        });
      return () => (stale = true);
    });
  }

  /** Whether there is something to say about a name that came from the server. */
  has(key: string): boolean {
    return this.#texts !== null && key in this.#texts;
  }

  t = (key: K, args: Arguments = {}): string => fill(this.#texts?.[key] ?? key, args, this.#plural);
}
