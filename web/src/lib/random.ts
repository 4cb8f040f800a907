/** Random texts; `crypto.randomUUID` exists only where the origin is secure, `getRandomValues` everywhere. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}
