import { afterEach, beforeEach, expect, test, vi } from 'vitest';

type Listener = () => void;

/** A browser with a worker that has a new version. */
function browser(hasWorker: boolean) {
  const listeners: Record<string, Listener> = {};
  const waiting = { postMessage: vi.fn() };
  const registration = { waiting, installing: null, addEventListener: vi.fn(), update: vi.fn() };
  const workers = {
    controller: hasWorker ? {} : null,
    addEventListener: (name: string, listener: Listener) => (listeners[name] = listener),
    register: vi.fn(() => Promise.resolve(registration)),
    getRegistration: vi.fn(() => Promise.resolve(undefined)),
  };
  const locks = { request: vi.fn((_name: string, _options: object, held: () => Promise<void>) => held()) };
  vi.stubGlobal('navigator', { serviceWorker: workers, locks });
  return { workers, waiting, locks, changeController: () => listeners.controllerchange?.() };
}

async function started(wanted = true) {
  document.head.innerHTML = wanted ? '<meta name="tichu-worker" content="worker.js">' : '';
  const offline = await import('../src/lib/offline');
  offline.startWorker();
  await vi.advanceTimersByTimeAsync(5000);
  return offline;
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('without workers, as on an origin that is not secure, nothing happens', async () => {
  vi.stubGlobal('navigator', {});
  const { holdPage } = await started();
  holdPage()();
});

test('a worker is registered where the server wants one, and not where it does not', async () => {
  const one = browser(false);
  await started();
  expect(one.workers.register).toHaveBeenCalledOnce();
  vi.resetModules();
  const none = browser(false);
  await started(false);
  expect(none.workers.register).not.toHaveBeenCalled();
  expect(none.workers.getRegistration).toHaveBeenCalledOnce();
});

test('a new version waits for the end of the round', async () => {
  const { waiting, locks } = browser(true);
  document.head.innerHTML = '<meta name="tichu-worker" content="worker.js">';
  const offline = await import('../src/lib/offline');
  const release = offline.holdPage();
  offline.startWorker();
  await vi.advanceTimersByTimeAsync(5000);
  expect(locks.request).toHaveBeenCalledWith('tichu-round', { mode: 'shared' }, expect.anything());
  expect(waiting.postMessage).not.toHaveBeenCalled();
  release();
  release();
  await vi.advanceTimersByTimeAsync(100);
  expect(waiting.postMessage).toHaveBeenCalledExactlyOnceWith('take over');
});

test('a page whose worker has been replaced is loaded again between two rounds', async () => {
  const { changeController } = browser(true);
  const offline = await started();
  const release = offline.holdPage();
  const reload = vi.fn();
  changeController();
  offline.takeOver(reload);
  expect(reload).not.toHaveBeenCalled();
  release();
  offline.takeOver(reload);
  expect(reload).toHaveBeenCalledOnce();
});

test('the first worker of a page, and somebody who is typing, are no reason to load it again', async () => {
  const { changeController } = browser(false);
  const offline = await started();
  const reload = vi.fn();
  changeController();
  offline.takeOver(reload);
  expect(reload).not.toHaveBeenCalled();
  vi.resetModules();
  const again = browser(true);
  const other = await started();
  document.body.innerHTML = '<input>';
  document.querySelector('input')?.focus();
  again.changeController();
  other.takeOver(reload);
  expect(reload).not.toHaveBeenCalled();
});
