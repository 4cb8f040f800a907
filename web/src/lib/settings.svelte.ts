/** What a player has chosen for this device. */
import type { AvatarChoice } from '../wire';
import type { Order } from './cards';
import { loadJson, save } from './storage';

export type Theme = 'system' | 'light' | 'dark' | 'contrast';
export type Cloth = 'pine' | 'indigo' | 'plum';
export type Deck = 'tichu' | 'french';
export type Speed = 'slow' | 'normal' | 'fast' | 'none';

const DEFAULTS = {
  name: '',
  language: '' as '' | 'en' | 'de' | 'ko',
  theme: 'system' as Theme,
  /** The colour of the table. */
  cloth: 'pine' as Cloth,
  /** The pictures of the suits. */
  deck: 'tichu' as Deck,
  /** The picture at this player's seat; none is the first letter of the name. */
  avatar: '' as '' | AvatarChoice,
  speed: 'normal' as Speed,
  sound: true,
  vibration: true,
  /** Tell the system when it is this player's turn and the page is not in sight. */
  notify: false,
  order: 'rank' as Order,
  smart: true,
  chips: true,
  /** Whether the player has been shown what a long press, a second tap and a drag do. */
  gestures: false,
  /** Public ids of players whose chat is not shown here. */
  muted: [] as string[],
};

export type Settings = typeof DEFAULTS;

export const settings = $state<Settings>(loadJson('settings', { ...DEFAULTS }));

const FACTOR: Record<Speed, number> = { slow: 1.8, normal: 1, fast: 0.5, none: 0 };

/** How long movements take; 0 if the player or the system wants none. */
export function speedFactor(): number {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return 0;
  return FACTOR[settings.speed] ?? 1;
}

/** The bars that the system draws around the page, above all an installed one, take the colour of its background. */
function updateThemeColor(): void {
  const { backgroundColor } = getComputedStyle(document.body);
  for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
    meta.setAttribute('content', backgroundColor);
}

/** While a table fills the page, its background is cloth.  Called once, inside a component. */
export function useTableBackground(): void {
  $effect(() => {
    document.body.classList.add('cloth');
    updateThemeColor();
    return () => {
      document.body.classList.remove('cloth');
      updateThemeColor();
    };
  });
}

/** Save every change and apply it.  Called once, inside the root component. */
export function applySettings(): void {
  $effect(() => {
    save('settings', JSON.stringify(settings));
    const root = document.documentElement;
    if (settings.theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = settings.theme;
    root.dataset.cloth = settings.cloth;
    root.style.setProperty('--speed', String(speedFactor()));
    updateThemeColor();
  });
  $effect(() => {
    const night = matchMedia('(prefers-color-scheme: dark)');
    night.addEventListener('change', updateThemeColor);
    return () => night.removeEventListener('change', updateThemeColor);
  });
}
