/** The browser's storage.  It may refuse (private windows, full disks): then a value lives as long as the page. */
const memory = new Map<string, string>();

export function load(key: string): string | null {
  try {
    return localStorage.getItem(`tichu.${key}`) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

export function save(key: string, value: string): void {
  memory.set(key, value);
  try {
    localStorage.setItem(`tichu.${key}`, value);
  } catch {
    // Refused: the copy in memory will do.
  }
}

export function forget(key: string): void {
  memory.delete(key);
  try {
    localStorage.removeItem(`tichu.${key}`);
  } catch {
    // Refused: nothing was kept there.
  }
}

export function loadJson<T extends object>(key: string, fallback: T): T {
  try {
    const value: unknown = JSON.parse(load(key) ?? 'null');
    return value && typeof value === 'object' ? { ...fallback, ...value } : fallback;
  } catch {
    return fallback;
  }
}
