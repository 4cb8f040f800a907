/** The pages: a file in routes/ is one, routes/game.svelte answers /game/... */
import type { Component } from 'svelte';
import type { Route } from './router.svelte';

export type Page = Component<{ route: Route }>;

const pages = import.meta.glob<{ default: Page }>('../routes/*.svelte');

/** Loads a page's code, once; undefined if there is no page of this name. */
export const loadPage = (name: string): Promise<{ default: Page }> | undefined => pages[`../routes/${name}.svelte`]?.();

/** Load it beside something else; whoever opens it says what is wrong if it does not come. */
export const warmPage = (name: string): void => void loadPage(name)?.catch(() => undefined);
