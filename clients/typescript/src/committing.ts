/** Makes and hashes the nonces to which a player commits. With them nobody can choose the deal of a game. */

/** Returns so many random bytes in hex. Pages have `crypto.randomUUID` only on https. */
export function randomHex(bytes: number): string {
  return hex(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** Returns the hash by which a player commits to a nonce, SHA-256 in hex. */
export async function hashed(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/** Returns whether this platform can hash: browsers can only on `https` and on their own machine. */
export function canHash(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
