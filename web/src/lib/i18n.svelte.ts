/** Messages in the player's language.  The files in messages/ are loaded on demand; English lists what there is. */
import type en from '../messages/en';
import { settings } from './settings.svelte';

export type Key = keyof typeof en;
export type Messages = Record<Key, string>;
export type Language = 'en' | 'de' | 'ko';

export const LANGUAGES: Record<Language, string> = { en: 'English', de: 'Deutsch', ko: '한국어' };

const LOAD: Record<Language, () => Promise<{ default: Messages }>> = {
  en: () => import('../messages/en'),
  de: () => import('../messages/de'),
  ko: () => import('../messages/ko'),
};

let messages = $state.raw<Partial<Messages>>({});
let plural = new Intl.PluralRules('en');

export function preferredLanguage(): Language {
  if (settings.language) return settings.language;
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2));
  return (wanted.find((tag) => tag in LOAD) as Language | undefined) ?? 'en';
}

export async function setLanguage(language: Language): Promise<void> {
  messages = (await LOAD[language]()).default;
  plural = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

export type Arguments = Record<string, string | number>;

/** Fill a message: `{name}` by the argument, `one|more` by the argument `n`.  A number and its % stay in one line. */
export function fill(text: string, args: Arguments, rules: Intl.PluralRules): string {
  const forms = text.split('|');
  const form = forms.length > 1 && typeof args.n === 'number' && rules.select(args.n) !== 'one' ? forms[1] : forms[0];
  return (form ?? text)
    .replace(/ %/g, '\u00a0%')
    .replace(/\{(\w+)\}/g, (hole, name: string) => String(args[name] ?? hole));
}

export function t(key: Key, args: Arguments = {}): string {
  return fill(messages[key] ?? key, args, plural);
}

/** A message whose key comes from the server, or another text if there is none. */
export function tMaybe(key: string, args: Arguments, otherwise: string): string {
  const text = messages[key as Key];
  return text === undefined ? otherwise : fill(text, args, plural);
}
