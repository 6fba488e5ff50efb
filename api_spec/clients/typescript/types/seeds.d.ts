/**
 * A player's commitment to a seed for a game: a SHA-256, in hex. In browsers, it needs a secure context (https). The
 * service sees the seed only when it is opened: throws a `RangeError` for one that it might refuse then.
 * @param {string} seed
 * @param {string} game its id
 * @param {string} player their id
 * @returns {Promise<string>}
 */
export function commitmentTo(seed: string, game: string, player: string): Promise<string>;
/**
 * The commitments to the seeds that a player can open without giving anything away, by seat. Throws `NotFixed` unless
 * the log is whole up to the head, all seats are taken in it, and the commitments in seats of the player are known.
 * @param {GameAtVersion} game
 * @param {readonly Event[]} log the events up to the version of the game
 * @param {string} player
 * @param {ReadonlyMap<string, string>} known the seeds that the player has, by commitment
 * @returns {Promise<[seat: number, commitment: string][]>}
 */
export function toOpen(game: GameAtVersion, log: readonly Event[], player: string, known: ReadonlyMap<string, string>): Promise<[seat: number, commitment: string][]>;
export function newSeed(): string;
export type Taken = {
    player: string | null;
    commitment: string | undefined;
};
import type { GameAtVersion } from "./index.js";
import type { Event } from "./index.js";
