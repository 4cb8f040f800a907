/**
 * The service worker (public/worker.js), where the server wants one and the browser has one: on secure origins.
 * Nothing depends on it.  A new version of the page waits until no tab is in a round.
 */
const LOCK = 'tichu-round';
const CHECK_MS = 60 * 60 * 1000;
/** The first table is more important than what may be needed later. */
const START_MS = 4000;
const RELEASE_MS = [50, 1500];

let registration: ServiceWorkerRegistration | undefined;
let rounds = 0;
let isOutdated = false;

const isTyping = (): boolean => !!document.activeElement?.closest('input, textarea, select');

/** Let a new version take over, if there is one and nobody is disturbed. */
export function takeOver(reload: () => void = () => location.reload()): void {
  if (rounds || isTyping()) return;
  if (isOutdated) reload();
  else registration?.waiting?.postMessage('take over');
}

/** Keep the page as it is until the returned function is called, in this tab and in all others of the browser. */
export function holdPage(): () => void {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  rounds++;
  // Only secure origins have locks, and only they have a worker.
  navigator.locks?.request(LOCK, { mode: 'shared' }, () => held).catch(() => undefined);
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    release();
    rounds--;
    // The lock is free a moment later, and on a busy machine later than that.
    for (const ms of RELEASE_MS) setTimeout(takeOver, ms);
  };
}

/** Look whether there is a new version, such as after the server was away. */
export function checkVersion(): void {
  registration?.update().catch(() => undefined);
}

async function register(script: string): Promise<void> {
  const workers = navigator.serviceWorker;
  // The first worker of a page changes nothing about it; a second one comes with a new page.
  const hadWorker = workers.controller !== null;
  workers.addEventListener('controllerchange', () => {
    isOutdated = hadWorker;
    takeOver();
  });
  registration = await workers.register(new URL(script, document.baseURI));
  registration.addEventListener('updatefound', () =>
    registration?.installing?.addEventListener('statechange', () => takeOver()),
  );
  takeOver();
  setInterval(checkVersion, CHECK_MS);
  document.addEventListener('visibilitychange', () => takeOver());
}

async function unregister(): Promise<void> {
  const found = await navigator.serviceWorker.getRegistration(document.baseURI);
  if (!found) return;
  await found.unregister();
  for (const name of await caches.keys()) if (name.startsWith('tichu-')) await caches.delete(name);
}

/** Have a worker or none, as the server wants it.  Called once. */
export function startWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const wanted = document.querySelector('meta[name="tichu-worker"]')?.getAttribute('content');
  const begin = () => void (wanted ? register(wanted) : unregister()).catch(() => undefined);
  setTimeout(begin, wanted ? START_MS : 0);
}
