/** The browser's storage.  It may refuse (private windows, full disks): then a value lives as long as the page. */
const memory = new Map<string, string>();

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`tichu.${key}`) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

export function keep(key: string, value: string): void {
  memory.set(key, value);
  try {
    localStorage.setItem(`tichu.${key}`, value);
  } catch {
    // The memory has it.
  }
}

export function recallJson<T extends object>(key: string, fallback: T): T {
  try {
    const value: unknown = JSON.parse(recall(key) ?? 'null');
    return value && typeof value === 'object' ? { ...fallback, ...value } : fallback;
  } catch {
    return fallback;
  }
}
