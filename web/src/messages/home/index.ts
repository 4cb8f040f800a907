import { Catalog } from '../../lib/catalog.svelte';

export const catalog = new Catalog({ en: () => import('./en'), de: () => import('./de'), ko: () => import('./ko') });
export const say = catalog.t;
