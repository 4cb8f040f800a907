/*
 * The service worker.  The page comes from the network, its hashed files from here, everything else (the API, sockets)
 * does not pass through.  A new page is a new worker: the server writes its version below.  It waits until no tab of
 * this browser is in a round (src/lib/offline.ts holds a lock as long as one is).
 */
const VERSION = '__VERSION__';
const CACHE = `tichu-${VERSION}`;
const OFFLINE = ['offline.html', 'offline.css', 'icon.svg'];
const NOT_PAGES = /^(api|ws)\/|^(metrics|healthz)$|\.\w+$/;
/** Between two files that are fetched to be kept: the game comes first. */
const PAUSE_MS = 60;

const scope = new URL(self.registration.scope).pathname;

async function keepFiles() {
  const cache = await caches.open(CACHE);
  const chunks = Object.values(await (await fetch('files.json')).json());
  const files = new Set(OFFLINE);
  for (const { file, css = [], assets = [] } of chunks) for (const name of [file, ...css, ...assets]) files.add(name);
  for (const name of files) {
    await cache.add(name);
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}

async function dropCaches(kept) {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith('tichu-') && name !== kept).map((name) => caches.delete(name)),
  );
}

async function answerPage(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(OFFLINE[0], { cacheName: CACHE })) ?? Response.error();
  }
}

const answerFile = async (request, name) =>
  (await caches.match(scope + name, { cacheName: CACHE, ignoreVary: true })) ?? fetch(request);

self.addEventListener('install', (event) => event.waitUntil(keepFiles()));

self.addEventListener('activate', (event) => event.waitUntil(dropCaches(CACHE).then(() => self.clients.claim())));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin || !url.pathname.startsWith(scope)) return;
  const path = url.pathname.slice(scope.length);
  // The offline page stands at the address that was asked for, and so do the names of its parts.
  const part = OFFLINE.find((name) => path === name || path.endsWith(`/${name}`));
  if (part || path.startsWith('assets/')) event.respondWith(answerFile(request, part ?? path));
  else if (request.mode === 'navigate' && !NOT_PAGES.test(path)) event.respondWith(answerPage(request));
});

self.addEventListener('message', (event) => {
  if (event.data !== 'take over') return;
  if (!navigator.locks) return void self.skipWaiting();
  // A tab in a round holds the lock; it asks again when it lets go.
  event.waitUntil(
    navigator.locks.request('tichu-round', { ifAvailable: true }, (lock) => void (lock && self.skipWaiting())),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const wanted = event.notification.data;
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then((pages) => pages.find((page) => page.url === wanted)?.focus()),
  );
});
