// Seeds that players commit to when they join, and open once every seat is taken.

import { NotFixed } from "./problems.js";

/** @import {Event, GameAtVersion} from "./index.js" */
/** @typedef {{player: string | null, commitment: string | undefined}} Taken */

/**
 * A seed that cannot be guessed from its commitment.
 * @returns {string}
 */
export const newSeed = () => hex(crypto.getRandomValues(new Uint8Array(16)));

/**
 * A player's commitment to a seed for a game: a SHA-256, in hex. In browsers, it needs a secure context (https). The
 * service sees the seed only when it is opened: throws a `RangeError` for one that it might refuse then.
 * @param {string} seed
 * @param {string} game its id
 * @param {string} player their id
 * @returns {Promise<string>}
 */
export async function commitmentTo(seed, game, player) {
  if (!/^[ -~]{1,64}$/.test(seed))
    throw new RangeError("a seed to commit to has 1 to 64 characters of ASCII, from the space to ~");
  return sha256(JSON.stringify(["seed", game, player, seed]));
}

/**
 * The commitments to the seeds that a player can open without giving anything away, by seat. Throws `NotFixed` unless
 * the log is whole up to the head, all seats are taken in it, and the commitments in seats of the player are known.
 * @param {GameAtVersion} game
 * @param {readonly Event[]} log the events up to the version of the game
 * @param {string} player
 * @param {ReadonlyMap<string, string>} known the seeds that the player has, by commitment
 * @returns {Promise<[seat: number, commitment: string][]>}
 */
export async function toOpen(game, log, player, known) {
  await checkChain(game, log);
  const taken = takenIn(log);
  /** @type {[number, string][]} */
  const found = [];
  for (const seat of game.seeds_awaited?.seats ?? []) {
    const { player: holder, commitment } = taken.get(seat) ?? {};
    if (commitment !== undefined && known.has(commitment)) found.push([seat, commitment]);
    else if (holder === player)
      throw new NotFixed(`its log has another commitment than yours in seat ${seat}: ${commitment}`);
  }
  return found;
}

/**
 * @param {GameAtVersion} game
 * @param {readonly Event[]} log
 */
async function checkChain({ id, version, head }, log) {
  let last = "0".repeat(64);
  for (const [index, { hash, salts, ...chained }] of log.entries()) {
    last = await sha256(last + canonical(chained));
    if (chained.version !== index + 1 || chained.game_id !== id || hash !== last) {
      throw new NotFixed(`its log is broken at version ${index + 1}`);
    }
  }
  if (log.length !== version || last !== head) {
    throw new NotFixed(`its log does not lead to version ${version} with the head ${head}`);
  }
}

/**
 * Who took which seat, and their commitments, when a log began to wait for seeds.
 * @param {readonly Event[]} log
 * @returns {Map<number, Taken>}
 */
function takenIn(log) {
  /** @type {Map<number, Taken>} */
  const taken = new Map();
  const awaited = log.findIndex(({ type }) => type === "seeds_awaited");
  for (const event of log.slice(0, Math.max(0, awaited))) {
    if (event.type === "seat_taken") {
      taken.set(event.seat, { player: event.data.player, commitment: event.data.seed_commitment });
    } else if (event.type === "bot_seated") taken.set(event.seat, { player: null, commitment: undefined });
    else if (event.type === "seat_left") taken.delete(event.seat);
  }
  const [created] = log;
  const seats = created?.type === "game_created" ? created.data.seats : NaN;
  if (taken.size === seats && [...taken.keys()].every((seat) => seat < seats)) return taken;
  throw new NotFixed("its log does not say that seeds are awaited and all seats taken");
}

/**
 * JSON with sorted keys, without white space.
 * @param {unknown} value
 * @returns {string}
 */
function canonical(value) {
  return JSON.stringify(value, (_, part) =>
    part && typeof part === "object" && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
  );
}

/** @param {string} text */
async function sha256(text) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
