/* Served in place of worker.js by a server that wants no service worker: it removes the one there is. */
self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith('tichu-')) await caches.delete(name);
      await self.registration.unregister();
    })(),
  ),
);
