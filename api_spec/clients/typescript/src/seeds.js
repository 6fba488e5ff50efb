// Seeds that players commit to when they join, and open once every seat is taken.

/**
 * A seed that nobody can guess from its commitment.
 * @returns {string}
 */
export const newSeed = () => hex(crypto.getRandomValues(new Uint8Array(16)));

/**
 * A player's commitment to a seed for a game: a SHA-256, in hex. In browsers, it needs a secure context (https).
 * @param {string} seed
 * @param {string} game its id
 * @param {string} player their id
 * @returns {Promise<string>}
 */
export async function commitmentTo(seed, game, player) {
  const text = new TextEncoder().encode(JSON.stringify(["seed", game, player, seed]));
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", text)));
}

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
