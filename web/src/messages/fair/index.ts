import { Area } from '../../lib/area.svelte';

export const words = new Area({ en: () => import('./en'), de: () => import('./de'), ko: () => import('./ko') });
export const say = words.t;
