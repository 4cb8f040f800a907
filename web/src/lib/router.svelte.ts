/** Paths without hashes: the first segment names a file in routes/, the rest is the route's own business. */

// The server writes <base>; without one the page lies at the root.
const base = new URL(document.querySelector('base')?.href ?? '/', location.href);

export interface Route {
  name: string;
  rest: readonly string[];
  query: URLSearchParams;
}

function read(): Route {
  const inside = location.pathname.startsWith(base.pathname) ? location.pathname.slice(base.pathname.length) : '';
  const [name = '', ...rest] = inside.split('/').filter(Boolean).map(decodeURIComponent);
  return { name: name || 'start', rest, query: new URLSearchParams(location.search) };
}

let current = $state.raw(read());

export const route = (): Route => current;

/** The address of a path inside the page: `href('table/ABCD')`. */
export const href = (path: string): string => new URL(path, base).pathname + new URL(path, base).search;

/** The same with the host, to be sent to a friend. */
export const address = (path: string): string => new URL(path, base).href;

/** The address of the socket: same host, same prefix. */
export function socketAddress(path: string): string {
  const url = new URL(path, base);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/** A new page begins at its top; whoever only notes where they are in one stays there. */
export function go(path: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', href(path));
  current = read();
  if (!replace) scrollTo(0, 0);
}

/** Links inside the page change the route without a load; everything else is left to the browser. */
export function followLinks(): void {
  addEventListener('popstate', () => (current = read()));
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (link.target || link.hasAttribute('download') || link.hasAttribute('data-reload')) return;
    const url = new URL(link.href);
    if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return;
    const inside = url.pathname.slice(base.pathname.length);
    if (inside.startsWith('api/')) return;
    event.preventDefault();
    go(inside + url.search);
  });
}
