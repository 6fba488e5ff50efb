/**
 * Seeds that a player commits to when they take a seat, and opens when every seat is taken, so that nobody can choose the
 * deal (docs/verification.md#seeds). The browser keeps them meanwhile. Where not all players need to be there, nobody
 * should have to wait for a seed, so none is brought.
 */

import { now, read, write } from "./page.js";
import { Problem, get, post } from "./sending.js";

/** @typedef {import("./sending.js").Schemas} Schemas */
/** @typedef {Schemas["Game"] & {opening?: unknown}} Game */
/** @typedef {{seed_commitment?: string}} Brought */

const TRIES = 5;
const [NOT_NOW, HEAD_CHANGED] = [409, 412];

/** @param {string} id */
const pathOf = (id) => `/v1/games/${encodeURIComponent(id)}`;
/** @param {string} id */
const placeOf = (id) => `seeds.${id}.${now().session?.id}`;
/** The seeds of all tries: a response can be lost, and the seat taken. @param {string} id @returns {string[]} */
const keptOf = (id) => read(placeOf(id), []);
/** @param {string} seed @param {string} id */
async function commitmentTo(seed, id) {
  const { canonical, hex, sha256, utf8 } = await import("./verify_bundle.mjs");
  return hex(sha256(utf8(canonical(["seed", id, now().session?.id, seed]))));
}

/** Take a seat of a game. @param {string} id @param {{seat?: number}} [wish] @returns {Promise<any>} */
export const take = (id, wish = {}) =>
  committed(
    async () => ({ game: await get(pathOf(id)) }),
    (brought, sent) => post(`${pathOf(id)}/seats`, { ...wish, ...brought }, sent),
  );

/** Take the seat that a link opens. @param {string} path that of the invitation @returns {Promise<any>} */
export const takeByLink = (path) => committed(() => get(path), (brought, sent) => post(`${path}/seat`, brought, sent));

/**
 * @param {() => Promise<{game: Game & {head?: string}, head?: string}>} look
 * @param {(brought: Brought, sent?: {match: string}) => Promise<any>} send
 */
async function committed(look, send) {
  const { hex } = await import("./verify_bundle.mjs");
  for (let tries = 1; ; tries += 1) {
    const { game, head = game.head } = await look();
    if (game.speed !== "live" && !game.opening) return send({});
    const seed = hex(crypto.getRandomValues(new Uint8Array(16)));
    write(placeOf(game.id), [...keptOf(game.id), seed]);
    try {
      return await send({ seed_commitment: await commitmentTo(seed, game.id) }, { match: `"${head}"` });
    } catch (problem) {
      if (!(problem instanceof Problem && problem.status === HEAD_CHANGED && tries < TRIES)) throw problem;
    }
  }
}

/** Open what a game waits for, and forget the seeds once it has begun or ended. @param {Game} game */
export async function open(game) {
  const { id, seeds_awaited, seats, status } = game;
  const kept = keptOf(id);
  if (status !== "open" && kept.length) write(placeOf(id), null);
  const mine = (seeds_awaited?.seats ?? []).filter((seat) => seats[seat]?.player === now().session?.id);
  if (!mine.length || !kept.length) return;
  const { seed_commitments } = await get(`${pathOf(id)}/audit`);
  const commitments = await Promise.all(kept.map((seed) => commitmentTo(seed, id)));
  for (const seat of mine) {
    const seed = kept[commitments.indexOf(seed_commitments[seat])];
    if (seed) await post(`${pathOf(id)}/seeds`, { seat, seed }).catch(tooLate);
  }
}

/** Ignore that a seed is open already, or that its time is over. @param {unknown} problem */
function tooLate(problem) {
  if (!(problem instanceof Problem && problem.status === NOT_NOW)) throw problem;
}
