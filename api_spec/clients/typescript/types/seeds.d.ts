/**
 * A player's commitment to a seed for a game: a SHA-256, in hex. In browsers, it needs a secure context (https).
 * @param {string} seed
 * @param {string} game its id
 * @param {string} player their id
 * @returns {Promise<string>}
 */
export function commitmentTo(seed: string, game: string, player: string): Promise<string>;
export function newSeed(): string;
