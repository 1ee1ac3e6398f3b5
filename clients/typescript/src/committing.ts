/** The nonces that a player has committed to, in memory: by them nobody can choose the deal of a game. */

const BYTES = 32;

/** A new nonce, which nobody can guess. */
export function nonce(): string {
  return hex(crypto.getRandomValues(new Uint8Array(BYTES)));
}

/** What is sent of a nonce before it is revealed. */
export async function hashed(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/** Whether this platform can hash: a browser can on `https` and on its own machine only. */
export function canHash(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
