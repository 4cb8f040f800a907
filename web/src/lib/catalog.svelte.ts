/** The messages of one part of the page, loaded together with it and not with the first page. */
import { fill, preferredLanguage, type Arguments, type Language } from './i18n.svelte';

export class Catalog<K extends string> {
  #texts = $state.raw<Readonly<Record<K, string>> | null>(null);
  #plural = new Intl.PluralRules('en');
  readonly #files: Record<Language, () => Promise<{ default: Readonly<Record<K, string>> }>>;

  constructor(files: Record<Language, () => Promise<{ default: Readonly<Record<K, string>> }>>) {
    this.#files = files;
  }

  get ready(): boolean {
    return this.#texts !== null;
  }

  /** Load the player's language, and another one when they change it.  Called once, inside a component. */
  load(): void {
    $effect(() => {
      let stale = false;
      const language = preferredLanguage();
      void this.#files
        [language]()
        .catch(() => this.#files.en())
        .then(({ default: texts }) => {
          if (stale) return;
          this.#plural = new Intl.PluralRules(language);
          this.#texts = texts;
        });
      return () => (stale = true);
    });
  }

  /** Whether there is a message for a name that came from the server. */
  has(key: string): boolean {
    return this.#texts !== null && key in this.#texts;
  }

  t = (key: K, args: Arguments = {}): string => fill(this.#texts?.[key] ?? key, args, this.#plural);
}
