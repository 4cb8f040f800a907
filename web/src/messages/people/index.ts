import type { RatingPool } from '../../wire';
import { Catalog } from '../../lib/catalog.svelte';
import { tMaybe } from '../../lib/i18n.svelte';

export const catalog = new Catalog({ en: () => import('./en'), de: () => import('./de'), ko: () => import('./ko') });
export const say = catalog.t;

/** Who is compared with whom, in words. */
export const poolName = ({ league, rules, clock }: RatingPool): string =>
  `${tMaybe(`preset.${rules}`, {}, rules)} · ${say(clock)}${league === 'bots' ? ` · ${say('bots')}` : ''}`;
