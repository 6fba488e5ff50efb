/** A log, checked by the browser itself: chain, seals, commitment and draws, as docs/verification.md describes them. */

import { below, canonical, hex, hmac, permutation, sha256, unhex, utf8 } from "./sha256.js";

/** @typedef {import("./sha256.js").Chance} Chance */
/** @typedef {any} Plain */
/** @typedef {{game_id: string, version: number, type: string, at: string, seat: number | null, data: Plain, sealed: Record<string, string>, salts: Record<string, string>, hash: string, bot?: Plain}} Event */
/** @typedef {{below: number, to: string, plus: number, count: number, sorted: boolean}} Numbers */
/** @typedef {{of: Plain[], apart: {label: string, number: number, of: Plain[], count: number, to: string} | null, packets: {to: string, count: number, sorted: boolean}[]}} Order */
/** @typedef {{version: number, label: string, number: number, numbers: Numbers | null, order: Order | null}} Draw */
/** @typedef {{game_id: string, version: number, head: string, events: Event[], draws: Draw[]}} Audit */
/**
 * @typedef {object} Verified
 * @property {number} events
 * @property {string} head
 * @property {number} sealed How many parts are sealed.
 * @property {number} opened How many of them the reader can see; each matches its seal.
 * @property {string | null} commitment The commitment that the secret matches; null while the secret is not revealed.
 * @property {Draw[]} draws Every draw; each was made again, and gave the same.
 */

const GENESIS = "0".repeat(64);
/** Pointers lead into the data of an event; this one leads into the event itself. */
const THOUGHT = "/bot/thought";
const PAUSE_MS = 12;

/** What does not verify: the first version that is wrong, and what is wrong with it. */
export class Broken extends Error {
  /**
   * @param {number} version @param {"missing" | "shape" | "seal" | "hash" | "head" | "salt" | "closed" | "commitment" | "draw" | "undrawn"} fault
   * @param {string} [where]
   */
  constructor(version, fault, where = "") {
    super(`${version}: ${fault} ${where}`);
    this.version = version;
    this.fault = fault;
    this.where = where;
  }
}

/** @param {string} text */
const digest = (text) => hex(sha256(utf8(text)));

/** The object that a JSON pointer leads into, and the key of the value in it. @param {Plain} data @param {string} pointer */
function place(data, pointer) {
  const path = pointer.split("/").slice(1);
  const key = path.pop() ?? "";
  return { holder: path.reduce((inner, step) => inner[step], data), key };
}

/** @param {Plain} data @param {string} pointer */
function valueAt(data, pointer) {
  const { holder, key } = place(data, pointer);
  return holder[key];
}

/** Check an event and what is opened of it; return its hash. @param {Event} event @param {string} previous */
function link(event, previous) {
  const { data, bot } = structuredClone({ data: event.data, bot: event.bot });
  for (const [pointer, salt] of Object.entries(event.salts)) {
    const { holder, key } = place(pointer === THOUGHT ? { bot } : data, pointer);
    if (digest(salt + canonical(holder[key])) !== event.sealed[pointer]) throw new Broken(event.version, "seal", pointer);
    delete holder[key];
  }
  const { game_id, version, type, at, seat, sealed } = event;
  return digest(previous + canonical({ game_id, version, type, at, seat, sealed, data, ...(bot && { bot }) }));
}

/** Check that an event follows the one before; return its hash. @param {Event} event @param {number} after @param {string} head */
function follows(event, after, head) {
  if (event.version !== after + 1) throw new Broken(after + 1, "missing");
  let hash;
  try {
    hash = link(event, head);
  } catch (error) {
    throw error instanceof Broken ? error : new Broken(after + 1, "shape");
  }
  if (hash !== event.hash) throw new Broken(after + 1, "hash");
  return hash;
}

/** Make a draw again, and compare it with what the event shows. @param {Chance} chance @param {Draw} draw @param {Event} event */
function redraw(chance, { label, number, numbers, order }, event) {
  const compare = (/** @type {string} */ to, /** @type {Plain[]} */ things, /** @type {boolean} */ sorted) => {
    if (!alike(things, valueAt(event.data, to), sorted)) throw new Broken(event.version, "draw", to);
  };
  if (numbers) {
    const one = (/** @type {unknown} */ _, /** @type {number} */ more) => numbers.plus + below(chance, label, number + more, numbers.below);
    compare(numbers.to, Array.from({ length: numbers.count }, one), numbers.sorted);
  }
  if (order) {
    const left = permutation(chance, label, number, order.of);
    for (const { to, things, sorted } of dealt(chance, order, left)) compare(to, things, sorted);
    if (left.length > 0) throw new Broken(event.version, "draw", label);
  }
}

/** Deal a shuffled pack, which is left empty: what goes where. @param {Chance} chance @param {Order} order @param {Plain[]} left */
function dealt(chance, { apart, packets }, left) {
  /** @type {{to: string, things: Plain[], sorted: boolean}[]} */
  const found = [];
  if (apart) {
    const places = permutation(chance, apart.label, apart.number, apart.of).slice(0, apart.count).sort((a, b) => b - a);
    found.push({ to: apart.to, things: places.flatMap((place) => left.splice(place, 1)), sorted: true });
  }
  for (const { to, count, sorted } of packets) {
    const before = found.find((each) => each.to === to);
    const things = left.splice(0, count);
    if (before) before.things.push(...things);
    else found.push({ to, things, sorted });
  }
  return found;
}

/** @param {Plain[]} things @param {Plain} shown @param {boolean} sorted whether they are shown sorted, not as they were dealt */
function alike(things, shown, sorted) {
  const both = [things, Array.isArray(shown) ? shown : [shown]].map((list) => list.map(canonical));
  return canonical(sorted ? both[0]?.sort() : both[0]) === canonical(sorted ? both[1]?.sort() : both[1]);
}

/** Where a draw shows. @param {Draw} draw */
const shownAt = ({ numbers, order }) => [numbers, order?.apart, ...(order?.packets ?? [])].flatMap((each) => (each ? [each.to] : []));

/** Check that the secret opens every seal, and that where something was drawn, nothing else is hidden. @param {Audit} audit @param {Uint8Array} secret */
function checkOpened({ events, draws }, secret) {
  const copied = copiedUpTo(events);
  const deals = dealSecrets(events, secret);
  let deal = 1;
  const dealing = new Set(draws.map(({ version }) => events[version - 1]?.type));
  for (const { game_id, version, type, sealed, salts } of events) {
    const drawn = draws.filter((draw) => draw.version === version).flatMap(shownAt);
    for (const pointer of Object.keys(sealed)) {
      if (!(pointer in salts)) throw new Broken(version, "closed", pointer);
      const key = pointer === THOUGHT || version === 1 ? secret : deals(deal);
      const salt = hex(hmac(key, utf8(canonical(["salt", game_id, version, pointer])))).slice(0, 32);
      if (salts[pointer] !== salt) throw new Broken(version, "salt", pointer);
      if (dealing.has(type) && version > copied && pointer !== THOUGHT && !drawn.includes(pointer)) {
        throw new Broken(version, "undrawn", pointer);
      }
    }
    if (type === "secret_revealed") deal += 1;
  }
}

/** How many deals of a game have a secret of their own; all later ones share the last. */
const DEALS = 256;

/** The secret of each deal, where each has its own; else that of the game. @param {Event[]} events @param {Uint8Array} secret */
function dealSecrets(events, secret) {
  const { data, game_id } = events[0] ?? { data: {}, game_id: "" };
  if (data.deal_anchor === undefined) return () => secret;
  const chain = [hmac(secret, utf8(canonical(["deals", game_id])))];
  while (chain.length <= DEALS) chain.push(sha256(/** @type {Uint8Array} */ (chain.at(-1))));
  chain.reverse();
  if (hex(/** @type {Uint8Array} */ (chain[0])) !== data.deal_anchor) throw new Broken(1, "commitment");
  for (const { type, version, data } of events) {
    const known = type !== "secret_revealed" || hex(chain[data.deal] ?? secret) === data.secret;
    if (!known) throw new Broken(version, "commitment");
  }
  return (/** @type {number} */ deal) => /** @type {Uint8Array} */ (chain[Math.min(deal, DEALS)]);
}

/**
 * Check a whole log; raise `Broken` at the first fault. `progress` is called with what is done, from 0 to 1.
 * @param {Audit} audit @param {(done: number) => void} [progress] @returns {Promise<Verified>}
 */
export async function verify(audit, progress = () => undefined) {
  const { events, draws } = audit;
  const all = events.length + draws.length;
  let head = GENESIS;
  let since = performance.now();
  const rest = async (/** @type {number} */ done) => {
    if (performance.now() - since < PAUSE_MS) return;
    progress(done / all);
    await new Promise((resume) => setTimeout(resume));
    since = performance.now();
  };
  for (const [at, event] of events.entries()) {
    head = follows(event, at, head);
    await rest(at);
  }
  if (head !== audit.head || events.length !== audit.version) throw new Broken(events.length, "head");
  const count = (/** @type {"sealed" | "salts"} */ kind) => events.reduce((sum, event) => sum + Object.keys(event[kind]).length, 0);
  const found = { events: events.length, head, sealed: count("sealed"), opened: count("salts") };
  const last = events.findLast(({ type }) => type === "game_finished" || type === "game_aborted");
  const digits = last?.data.secret;
  if (typeof digits !== "string") return { ...found, commitment: null, draws: [] };
  const { commitment } = events[0]?.data ?? {};
  const secret = unhex(digits);
  if (hex(sha256(secret)) !== commitment) throw new Broken(last?.version ?? 0, "commitment");
  checkOpened(audit, secret);
  const deals = dealSecrets(events, secret);
  const seeds = seedsOf(events);
  for (const [at, draw] of draws.entries()) {
    const event = events[draw.version - 1];
    if (!event) throw new Broken(draw.version, "missing");
    redraw({ secret: deals(draw.number), id: audit.game_id, seeds }, draw, event);
    await rest(events.length + at);
  }
  progress(1);
  return { ...found, commitment, draws };
}

/** The version up to which nothing is drawn: the start of the game, and behind it what a fork repeats. @param {Event[]} events */
function copiedUpTo(events) {
  const start = events.find(({ type }) => type === "game_started")?.version ?? events.length;
  return start + (events[0]?.data.forked_from?.events ?? 0);
}

/** The seeds by seat; a bot that takes over a seat keeps its seed. @param {Event[]} events */
function seedsOf(events) {
  /** @type {(string | null)[]} */
  const seeds = Array(events[0]?.data.seats).fill(null);
  for (const { type, seat, data } of events) {
    if (seat !== null && (type === "seat_taken" || type === "seat_left")) seeds[seat] = data.client_seed ?? null;
    if (seat !== null && type === "seed_opened") seeds[seat] = data.seed;
  }
  return seeds;
}

/**
 * Change one hidden thing of a log, to show that it is found; null if nothing was hidden.
 * @param {Audit} audit @returns {{audit: Audit, version: number, where: string, was: string, is: string} | null}
 */
export function forged(audit) {
  const changed = structuredClone(audit);
  const parts = changed.events.flatMap(({ version, data, salts }) =>
    Object.keys(salts).flatMap((where) => (where === THOUGHT ? [] : { version, data, where })),
  );
  const part = parts[Math.floor(parts.length / 2)];
  if (!part) return null;
  const { holder, key } = place(part.data, part.where);
  const list = Array.isArray(holder[key]) ? holder[key] : null;
  const was = list ? list[0] : holder[key];
  const others = parts.flatMap(({ data, where }) => valueAt(data, where)).filter((each) => typeof each === typeof was);
  const is = others.find((each) => canonical(each) !== canonical(was)) ?? null;
  if (list) list[0] = is;
  else holder[key] = is;
  return { audit: changed, version: part.version, where: part.where, was: String(was), is: String(is) };
}
