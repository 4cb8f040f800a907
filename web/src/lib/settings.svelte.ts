/** What a player has chosen for this device. */
import type { Order } from './cards';
import { keep, recallJson } from './keep';

export type Theme = 'system' | 'light' | 'dark' | 'contrast';
export type Speed = 'slow' | 'normal' | 'fast' | 'none';

const STANDARD = {
  name: '',
  language: '' as '' | 'en' | 'de' | 'ko',
  theme: 'system' as Theme,
  speed: 'normal' as Speed,
  sound: true,
  vibration: true,
  order: 'rank' as Order,
  smart: true,
  chips: true,
  /** Public ids of players whose words are not shown here. */
  muted: [] as string[],
};

export type Settings = typeof STANDARD;

export const settings = $state<Settings>(recallJson('settings', { ...STANDARD }));

const FACTOR: Record<Speed, number> = { slow: 1.8, normal: 1, fast: 0.5, none: 0 };

/** How long movements take, 0 where the player or the system wants none. */
export function speedFactor(): number {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return 0;
  return FACTOR[settings.speed] ?? 1;
}

/** The bars that the system draws around the page, most of all an installed one, have the colour of its ground. */
function paintBars(): void {
  const { backgroundColor } = getComputedStyle(document.body);
  for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
    meta.setAttribute('content', backgroundColor);
}

/** While a table fills the page its ground is cloth.  Called once, inside a component. */
export function layCloth(): void {
  $effect(() => {
    document.body.classList.add('cloth');
    paintBars();
    return () => {
      document.body.classList.remove('cloth');
      paintBars();
    };
  });
}

/** Keep every change and show it.  Called once, inside the root component. */
export function watchSettings(): void {
  $effect(() => {
    keep('settings', JSON.stringify(settings));
    const root = document.documentElement;
    if (settings.theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = settings.theme;
    root.style.setProperty('--speed', String(speedFactor()));
    paintBars();
  });
  $effect(() => {
    const night = matchMedia('(prefers-color-scheme: dark)');
    night.addEventListener('change', paintBars);
    return () => night.removeEventListener('change', paintBars);
  });
}
