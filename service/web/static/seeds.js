/**
 * Seeds that a player commits to when they take a seat, and opens when every seat is taken, so that nobody can choose the
 * deal (docs/verification.md#seeds). The browser keeps them, and the head that it saw before it opened one, so that the
 * game can be verified with them. Where not all players need to be there, nobody should have to wait for a seed, so none
 * is brought.
 */

import { now, read, write } from "./page.js";
import { Problem, get, post } from "./sending.js";

/** @typedef {import("./sending.js").Schemas} Schemas */
/** @typedef {Schemas["Game"] & {opening?: unknown}} Game */
/** @typedef {{seed_commitment?: string}} Brought */
/** @typedef {import("./verify_bundle.mjs").Audit} Audit */
/** @typedef {import("./verify_bundle.mjs").Known} Known */
/** What is kept of a game: the seeds of all tries, for a response can be lost and the seat taken. @typedef {{id: string, seeds: string[], openedAfter: [number, string][]}} Kept */

const TRIES = 5;
/** So many games are kept, the latest. */
const MOST = 200;
const [NOT_NOW, HEAD_CHANGED] = [409, 412];

/** @param {string} id */
const pathOf = (id) => `/v1/games/${encodeURIComponent(id)}`;
const place = () => `seeds.${now().session?.id}`;
/** @returns {Kept[]} */
const all = () => read(place(), []);
/** @param {string} id @returns {Kept} */
const keptOf = (id) => all().find((each) => each.id === id) ?? { id, seeds: [], openedAfter: [] };
/** @param {Kept} kept */
const keep = (kept) => write(place(), [...all().filter(({ id }) => id !== kept.id), kept].slice(-MOST));

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
export const takeByLink = (path) =>
  committed(
    () => get(path),
    (brought, sent) => post(`${path}/seat`, brought, sent),
  );

/** @param {() => Promise<{game: Game & {head?: string}, head?: string}>} look @param {(brought: Brought, sent?: {match: string}) => Promise<any>} send */
async function committed(look, send) {
  const { hex } = await import("./verify_bundle.mjs");
  for (let tries = 1; ; tries += 1) {
    const { game, head = game.head } = await look();
    if (game.speed !== "live" && !game.opening) return send({});
    const seed = hex(crypto.getRandomValues(new Uint8Array(16)));
    const kept = keptOf(game.id);
    keep({ ...kept, seeds: [...kept.seeds, seed] });
    try {
      return await send({ seed_commitment: await commitmentTo(seed, game.id) }, { match: `"${head}"` });
    } catch (problem) {
      if (!(problem instanceof Problem && problem.status === HEAD_CHANGED && tries < TRIES)) throw problem;
    }
  }
}

/** Open what a game waits for, once its log shows that all seeds are fixed; throw `Wrong` if it does not. @param {Game} game */
export async function open({ id, seeds_awaited, seats }) {
  const mine = (seeds_awaited?.seats ?? []).filter((seat) => seats[seat]?.player === now().session?.id);
  if (!mine.length || !keptOf(id).seeds.length) return;
  /** @type {Audit} */
  const audit = await get(`${pathOf(id)}/export?format=audit`);
  const seen = /** @type {[number, string]} */ ([audit.version, audit.head]);
  const { Wrong, fromAudit, verify } = await import("./verify_bundle.mjs");
  if (audit.game_id !== id) throw new Wrong("shape", null, "/game_id", id, audit.game_id);
  const { seeds } = await known(id, audit);
  verify(fromAudit(audit), { seeds, seen: [], joinedAfter: [], openedAfter: [seen] });
  const kept = keptOf(id);
  if (!kept.openedAfter.length) keep({ ...kept, openedAfter: [seen] });
  for (const [seat, seed] of seeds) {
    if (mine.includes(seat)) await post(`${pathOf(id)}/seeds`, { seat, client_seed: seed }).catch(tooLate);
  }
}

/** What is known here of a game, to verify it with: a seed for each seat that the player took last. @param {string} id @param {Audit} audit @returns {Promise<Known>} */
export async function known(id, { events }) {
  const kept = keptOf(id);
  const commitments = await Promise.all(kept.seeds.map((seed) => commitmentTo(seed, id)));
  /** @type {Map<number, string>} */
  const seeds = new Map();
  for (const { type, seat, data } of events) {
    if (type === "seat_left") seeds.delete(Number(seat));
    if (type !== "seat_taken" || data.player !== now().session?.id) continue;
    const seed = kept.seeds[commitments.indexOf(data.seed_commitment)] ?? kept.seeds.at(-1);
    if (seed !== undefined) seeds.set(Number(seat), seed);
  }
  return { seeds: [...seeds], seen: [], joinedAfter: [], openedAfter: kept.openedAfter };
}

/** Ignore that a seed is open already, or that its time is over. @param {unknown} problem */
function tooLate(problem) {
  if (!(problem instanceof Problem && problem.status === NOT_NOW)) throw problem;
}
