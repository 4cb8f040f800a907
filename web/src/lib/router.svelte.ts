/** Paths without hashes: the first segment names a file in routes/, the rest is up to the route. */
import { untrack } from 'svelte';

// The server writes <base>; without one the page is at the root.
const base = new URL(document.querySelector('base')?.href ?? '/', location.href);

export interface Route {
  name: string;
  rest: readonly string[];
  query: URLSearchParams;
}

function readRoute(): Route {
  const path = location.pathname.startsWith(base.pathname) ? location.pathname.slice(base.pathname.length) : '';
  const [name = '', ...rest] = path.split('/').filter(Boolean).map(decodeURIComponent);
  return { name: name || 'start', rest, query: new URLSearchParams(location.search) };
}

let current = $state.raw(readRoute());

export const route = (): Route => current;

/** The route of one page, which stays as it was while the next page is being loaded. */
export function ownRoute(name: string, route: () => Route): () => Route {
  let last = untrack(route);
  const own = $derived.by(() => {
    const now = route();
    if (now.name === name) last = now;
    return last;
  });
  return () => own;
}

/** The address of a path inside the page: `href('table/ABCD')`. */
export const href = (path: string): string => new URL(path, base).pathname + new URL(path, base).search;

/** The same with the host, to send to a friend. */
export const address = (path: string): string => new URL(path, base).href;

/** The address of the socket: same host, same prefix. */
export function socketAddress(path: string): string {
  const url = new URL(path, base);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/** A new page begins at its top; replacing the address keeps the place. */
export function go(path: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', href(path));
  current = readRoute();
  if (!replace) scrollTo(0, 0);
}

/** Let links inside the page change the route without a load; the browser follows all others. */
export function followLinks(): void {
  addEventListener('popstate', () => (current = readRoute()));
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (link.target || link.hasAttribute('download') || link.hasAttribute('data-reload')) return;
    const url = new URL(link.href);
    if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return;
    const path = url.pathname.slice(base.pathname.length);
    if (path.startsWith('api/')) return;
    event.preventDefault();
    go(path + url.search);
  });
}
