/**
 * The second verifier of games: one file without dependencies, written from docs/verification.md, for Node.js and browsers.
 *
 *     node verify_bundle.mjs [--mine SEAT=SEED] [--seen VERSION:HASH] [--joined-after VERSION:HASH] [--opened-after VERSION:HASH] [--json] FILE…
 *
 * It knows no rules: it checks everything on that page but what is listed there as needing the rules. The exit codes are
 * 0 verified, 1 something is wrong, 2 a file cannot be read, 3 something could not be checked. It needs no crypto library
 * of the browser, which does not exist on plain http, nor in a file that is opened from a disk.
 */

/** @typedef {any} Plain */
/** @typedef {{game_id: string, version: number, type: string, at: string, seat: number | null, data: Plain, sealed: Record<string, string>, salts: Record<string, string>, hash: string, bot?: Plain}} Event */
/** @typedef {{below: number, to: string, plus: number, count: number, sorted: boolean}} Numbers */
/** @typedef {{label: string, number: number, of: number[], count: number, to: string}} Apart */
/** @typedef {{to: string, count: number, sorted: boolean}} Packet */
/** @typedef {{of: string[], apart: Apart | null, packets: Packet[]}} Order */
/** @typedef {{version: number, label: string, number: number, numbers: Numbers | null, order: Order | null}} Draw */
/** @typedef {{ruleset: string, game_id: string, version: number, head: string, events: Event[], draws: Draw[]}} Audit */
/** @typedef {{header: Plain, events: Event[], draws: Draw[], others: Record<string, number>}} Bundle */
/** @typedef {{seeds: [number, string][], seen: [number, string][], joinedAfter: [number, string][], openedAfter: [number, string][]}} Known */
/** @typedef {"missing" | "shape" | "seal" | "hash" | "head" | "commitment" | "salt" | "closed" | "open" | "hidden" | "order" | "draw"} Kind */
/**
 * @typedef {object} Report
 * @property {number} events
 * @property {string} head
 * @property {number} sealed How many parts are sealed.
 * @property {number} opened How many of them the reader can see; each matches its seal.
 * @property {string | null} commitment The commitment that the secret matches; null while the secret is not revealed.
 * @property {Draw[]} draws Every draw that was made again, and gave the same.
 * @property {string[]} unchecked A sentence for each thing that could not be checked.
 */

// -- hashes -----------------------------------------------------------------------------------------------------------

const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter(
  (n) => n > 1 && ![2, 3, 5, 7, 11, 13, 17].some((p) => p < n && n % p === 0),
);

/** The first 32 bits behind the point. @param {number} root */
const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const UTF8 = new TextEncoder();

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));
/** @param {Int32Array} words @param {number} at */
const word = (words, at) => /** @type {number} */ (words[at]);

/** @param {Uint8Array} message @returns {Uint8Array} */
export function sha256(message) {
  const padded = new Uint8Array((((message.length + 8) >> 6) + 1) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length << 3);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(at + 4 * i);
    mix(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((each, i) => digest.setInt32(4 * i, each));
  return new Uint8Array(digest.buffer);
}

/** Take one block into the state. @param {Int32Array} state @param {Int32Array} words */
function mix(state, words) {
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [word(words, i - 15), word(words, i - 2)];
    const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[i] = word(words, i - 16) + low + word(words, i - 7) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const choice = (e & f) ^ (~e & g);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (ROUNDS[i] ?? 0) + word(words, i)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((each, i) => (state[i] = word(state, i) + each));
}

/** @param {Uint8Array} key of at most 64 bytes @param {Uint8Array} message */
export function hmac(key, message) {
  /** @param {number} mask @param {Uint8Array} more */
  const padded = (mask, more) => {
    const bytes = new Uint8Array(64 + more.length).fill(mask, 0, 64);
    key.forEach((byte, i) => (bytes[i] = byte ^ mask));
    bytes.set(more, 64);
    return sha256(bytes);
  };
  return padded(0x5c, padded(0x36, message));
}

/** @param {string} text */
export const utf8 = (text) => UTF8.encode(text);

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} digits */
export const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {string} text */
const words = (text) => text.split(" ");

/** @param {number} count @param {number} [from] */
const range = (count, from = 0) => Array.from({ length: count }, (_, at) => from + at);

/** @param {string} text */
const digest = (text) => hex(sha256(utf8(text)));

// -- JSON -------------------------------------------------------------------------------------------------------------

const TOKEN =
  /[\t\n\r ]*(?:([{}[\],:])|("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(-?(?:0|[1-9][0-9]*))(?![.eE0-9])|(true|false|null))/y;

/** A file is not a bundle; the message names the first line that is wrong. */
export class Unreadable extends Error {}

/** Read JSON with integers only and no key twice, which `JSON.parse` does not tell. @param {string} text @returns {Plain} */
function fromJson(text) {
  let at = 0;
  const token = () => {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) throw new Unreadable("not JSON with integers only");
    at = TOKEN.lastIndex;
    return found;
  };
  const sign = (/** @type {string} */ signs) => {
    const found = token()[1];
    if (!found || !signs.includes(found)) throw new Unreadable(`not JSON: one of ${signs} is expected`);
    return found;
  };
  const value = (/** @type {(string | undefined)[]} */ [, opening, string, integer, name]) => {
    if (integer !== undefined) return Number.isSafeInteger(Number(integer)) ? Number(integer) || 0 : BigInt(integer);
    if (opening === undefined) return JSON.parse(/** @type {string} */ (string ?? name));
    if (opening === "[") return list();
    if (opening === "{") return object();
    throw new Unreadable("not JSON: a value is expected");
  };
  /** @type {() => Plain} */
  const list = () => {
    /** @type {Plain[]} */
    const found = [];
    for (let next = token(); found.length > 0 || next[1] !== "]"; next = token()) {
      found.push(value(next));
      if (sign(",]") === "]") break;
    }
    return found;
  };
  const object = () => {
    const found = Object.create(null);
    for (let next = token(); next[1] !== "}" || Object.keys(found).length > 0; next = token()) {
      if (next[2] === undefined) throw new Unreadable("not JSON: a key is expected");
      const key = JSON.parse(next[2]);
      if (key in found) throw new Unreadable(`the key ${next[2]} occurs twice`);
      sign(":");
      found[key] = value(token());
      if (sign(",}") === "}") break;
    }
    return found;
  };
  const read = value(token());
  if (/[^\t\n\r ]/.test(text.slice(at))) throw new Unreadable("not JSON: something follows the value");
  return read;
}

/** @param {Plain} value */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** Compare as UTF-8 does: by code point. @param {string} a @param {string} b */
function byCodePoint(a, b) {
  let at = 0;
  while (at < a.length && at < b.length && a.codePointAt(at) === b.codePointAt(at)) at += 1;
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
}

/** Write plain data in canonical form; raise `TypeError` for what has none. @param {Plain} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (isObject(value)) {
    const fields = Object.keys(value)
      .sort(byCodePoint)
      .map((key) => `${canonical(key)}:${canonical(value[key])}`)
      .join(",");
    return `{${fields}}`;
  }
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new TypeError("not an integer");
  if (value === undefined || (typeof value === "string" && /\p{Surrogate}/u.test(value)))
    throw new TypeError("no plain data");
  return JSON.stringify(value);
}

/** @param {Plain} value @returns {Plain} */
const copied = (value) =>
  Array.isArray(value)
    ? value.map(copied)
    : isObject(value)
      ? Object.fromEntries(Object.keys(value).map((key) => [key, copied(value[key])]))
      : value;

/** The object that a JSON pointer leads into, and the key of the value in it. @param {Plain} data @param {string} pointer */
export function place(data, pointer) {
  const path = pointer.split("/").slice(1);
  const key = path.pop();
  const step = (/** @type {Plain} */ inner, /** @type {string} */ name) => {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, name))
      throw new TypeError(`nothing is at ${pointer}`);
    return inner[name];
  };
  const holder = path.reduce(step, data);
  if (key === undefined || !isObject(holder)) throw new TypeError(`nothing is at ${pointer}`);
  return { holder, key };
}

/** @param {Plain} data @param {string} pointer @returns {Plain} */
function valueAt(data, pointer) {
  const { holder, key } = place(data, pointer);
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

// -- bundles ----------------------------------------------------------------------------------------------------------

const HEADER = "format game_id head rules_version ruleset version";

/** Read a bundle; raise `Unreadable`. @param {Uint8Array} bytes @returns {Bundle} */
export function read(bytes) {
  if (bytes[bytes.length - 1] !== 10) throw new Unreadable("the last line is torn: it does not end with a line feed");
  /** @type {Record<string, Plain[]>} */
  const parts = { bundle: [], event: [], draw: [] };
  /** @type {Record<string, number>} */
  const others = {};
  for (let start = 0, number = 1; start < bytes.length; number += 1) {
    const end = bytes.indexOf(10, start);
    const [kind, content] = line(bytes.subarray(start, end), number);
    if ((number === 1) !== (kind === "bundle"))
      throw new Unreadable(`line ${number}: the line of the kind bundle must be the first, and the only one`);
    if (Object.hasOwn(parts, kind)) parts[kind]?.push(content);
    else others[kind] = (Object.hasOwn(others, kind) ? (others[kind] ?? 0) : 0) + 1;
    start = end + 1;
  }
  const [header] = parts["bundle"] ?? [];
  if (header.format !== 1) throw new Unreadable("line 1: a bundle of another format; only 1 is known here");
  if (Object.keys(header).sort().join(" ") !== HEADER)
    throw new Unreadable(`line 1: the header has other keys than ${HEADER}`);
  for (const name of ["ruleset", "game_id", "head"])
    if (typeof header[name] !== "string") throw new Unreadable(`line 1: ${name} is not a text`);
  return { header, events: parts["event"] ?? [], draws: parts["draw"] ?? [], others };
}

/** @param {Uint8Array} bytes @param {number} number @returns {[string, Plain]} */
function line(bytes, number) {
  try {
    const told = fromJson(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    const [kind, ...more] = isObject(told) ? Object.keys(told) : [];
    if (kind === undefined || more.length > 0 || !isObject(told[kind]))
      throw new Unreadable("not an object with one key that holds an object");
    return [kind, told[kind]];
  } catch (error) {
    throw new Unreadable(
      `line ${number}: ${error instanceof RangeError ? "too deep" : /** @type {Error} */ (error).message}`,
    );
  }
}

/** What `format=audit` has, as a bundle. @param {Audit} audit @returns {Bundle} */
export function fromAudit({ events, draws, ...header }) {
  return { header: { ...header, rules_version: events[0]?.data.rules_version }, events, draws, others: {} };
}

// -- faults -----------------------------------------------------------------------------------------------------------

/** What is wrong in a log: the first version that is wrong (null: the header), the field, and both values. */
export class Wrong extends Error {
  /** @param {Kind} kind @param {number | null} version @param {string} field @param {string} expected @param {string} found */
  constructor(kind, version, field, expected, found) {
    super(`${version === null ? "header" : `version ${version}`}, ${field}: expected ${expected}, found ${found}`);
    this.kind = kind;
    this.version = version;
    this.field = field;
    this.expected = expected;
    this.found = found;
  }
}

/** @param {Plain} plain */
function shown(plain) {
  let text;
  try {
    text = plain === undefined ? "nothing" : canonical(plain);
  } catch {
    text = "what has no canonical form";
  }
  return text.length <= 120 ? text : `${text.slice(0, 120)}…`;
}

/** Raise `Wrong` unless something is so. @param {unknown} holds @param {Kind} kind @param {number | null} version @param {string} field @param {string} expected @param {Plain} found */
function must(holds, kind, version, field, expected, found) {
  if (!holds) throw new Wrong(kind, version, field, expected, shown(found));
}

/** Raise `Wrong` at the first place where plain data differ. @param {Kind} kind @param {number | null} version @param {string} field @param {Plain} expected @param {Plain} found @returns {void} */
function compare(kind, version, field, expected, found) {
  if (isObject(expected) && isObject(found)) {
    for (const key of [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort(byCodePoint)) {
      compare(
        kind,
        version,
        `${field}/${key}`,
        Object.hasOwn(expected, key) ? expected[key] : undefined,
        Object.hasOwn(found, key) ? found[key] : undefined,
      );
    }
  } else if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    expected.forEach((each, at) => compare(kind, version, `${field}/${at}`, each, found[at]));
  } else if (expected !== found) {
    throw new Wrong(kind, version, field, shown(expected), shown(found));
  }
}

// -- the chain --------------------------------------------------------------------------------------------------------

const GENESIS = "0".repeat(64);
/** Pointers lead into the data of an event; this one leads into the event itself. */
export const THOUGHT = "/bot/thought";
const ENDS = ["game_finished", "game_aborted"];
const PARTS = ["at", "data", "game_id", "hash", "salts", "sealed", "seat", "type", "version"];
const TIME = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SECRET = /^[0-9a-f]{64}$/;

/** Check an event and what is opened of it; return its hash. @param {Event} event @param {string} previous */
function link(event, previous) {
  const { game_id, version, type, at, seat, sealed } = event;
  const data = copied(event.data);
  const bot = "bot" in event ? { bot: copied(event.bot) } : {};
  for (const [pointer, salt] of Object.entries(event.salts)) {
    const { holder, key } = place(pointer === THOUGHT ? bot : data, pointer);
    if (typeof salt !== "string") throw new TypeError("a salt is not a text");
    const seal = digest(salt + canonical(Object.hasOwn(holder, key) ? holder[key] : null));
    must(
      Object.hasOwn(sealed, pointer) && seal === sealed[pointer],
      "seal",
      version,
      `/sealed${pointer}`,
      seal,
      sealed[pointer],
    );
    delete holder[key];
  }
  return digest(previous + canonical({ game_id, version, type, at, seat, sealed, data, ...bot }));
}

/** Check that an event follows the one before; return its hash. @param {Event} event @param {number} version @param {string} head @param {string} gameId */
function follows(event, version, head, gameId) {
  const keys = Object.keys(event)
    .filter((key) => key !== "bot")
    .sort();
  must(keys.join(" ") === PARTS.join(" "), "shape", version, "", `the keys ${shown(PARTS)}`, keys);
  must(typeof event.type === "string", "shape", version, "/type", "a text", event.type);
  for (const part of /** @type {const} */ (["data", "sealed", "salts"]))
    must(isObject(event[part]), "shape", version, `/${part}`, "an object", event[part]);
  compare("shape", version, "/game_id", gameId, event.game_id);
  must(event.version === version, "missing", version, "/version", String(version), event.version);
  let hash = "";
  try {
    hash = link(event, head);
  } catch (error) {
    throw error instanceof Wrong ? error : new Wrong("shape", version, "", "an event", "one that lacks a part");
  }
  must(hash === event.hash, "hash", version, "/hash", hash, event.hash);
  return hash;
}

/** @param {Event} event @param {number} version @param {number} last @returns {number} */
function timeOf({ at }, version, last) {
  const time = typeof at === "string" && TIME.test(at) ? Date.parse(at) : NaN;
  must(
    !Number.isNaN(time) && new Date(time).toISOString() === at,
    "shape",
    version,
    "/at",
    "a time in UTC with milliseconds",
    at,
  );
  must(time >= last, "order", version, "/at", "no earlier time than that of the event before", at);
  return time;
}

/** Check form, chain and times, and that the header agrees. @param {Bundle} bundle @returns {Generator<number, void>} */
function* checkChain({ header, events }) {
  let head = GENESIS;
  let last = -Infinity;
  for (const [place, event] of events.entries()) {
    head = follows(event, place + 1, head, header.game_id);
    last = timeOf(event, place + 1, last);
    must(
      !ENDS.includes(event.type) || place + 1 === events.length,
      "order",
      place + 2,
      "/type",
      `no event after ${event.type}`,
      events[place + 1]?.type,
    );
    yield place;
  }
  compare("head", null, "/version", events.length, header.version);
  compare("head", null, "/head", head, header.head);
  compare("shape", 1, "/type", "game_created", events[0]?.type);
  for (const name of ["ruleset", "rules_version"])
    compare("shape", 1, `/data/${name}`, header[name], events[0]?.data[name]);
}

// -- what somebody knows ----------------------------------------------------------------------------------------------

/** @param {Event[]} events @param {number} seat */
function lastJoin(events, seat) {
  const last = events.findLast(
    (event) => event.seat === seat && (event.type === "seat_taken" || event.type === "seat_left"),
  );
  return last?.type === "seat_taken" ? last : undefined;
}

/** @param {Event[]} events @param {number} seat @param {string} seed */
function checkOwnSeed(events, seat, seed) {
  const join = lastJoin(events, seat);
  if (!join) throw new Wrong("order", null, `seat ${seat}`, "a seat that was taken", "nobody");
  const { game_id, version, data } = join;
  if (!data.seed_commitment) return compare("order", version, "/data/client_seed", seed, data.client_seed);
  compare(
    "order",
    version,
    "/data/seed_commitment",
    digest(canonical(["seed", game_id, data.player, seed])),
    data.seed_commitment,
  );
}

/** @param {Event[]} events @param {[number, string][]} heads */
function checkHeads(events, heads) {
  for (const [version, head] of heads) compare("head", version, "/hash", head, events[version - 1]?.hash);
}

/** Name what came between a head that somebody saw and their join, unless nobody can have known their seed. @param {Event[]} events @param {Known} known */
function between(events, { seeds, joinedAfter }) {
  checkHeads(events, joinedAfter);
  const joins = seeds.flatMap(([seat]) => lastJoin(events, seat) ?? []);
  const unseen = joinedAfter.length
    ? []
    : joins.filter(({ data }) => (data.joined_after ?? null) === null && data.seed_commitment === undefined);
  const joined = Math.max(0, ...joins.map(({ version }) => version));
  const isSecret = joins.some(({ version, data }) => version === joined && data.seed_commitment !== undefined);
  const open = unseen.map(
    ({ version, type }) =>
      `version ${version} (${type}) does not say what was seen before the join: whether it was held back was not checked`,
  );
  return [
    ...open,
    ...joinedAfter.flatMap(([version]) => {
      must(version < joined, "head", joined, "/version", `a join after version ${version}`, joined);
      return (isSecret ? [] : events.slice(version, joined - 1)).map(
        (event) =>
          `version ${event.version} (${event.type}) came between the head seen and the join: its author can have known the seed; it can also be lawful, so the log alone does not show whether the join was held back`,
      );
    }),
  ];
}

/** Check that every seed was fixed in what somebody saw before they opened theirs. @param {Event[]} events @param {[number, string][]} heads */
function checkOpenedAfter(events, heads) {
  checkHeads(events, heads);
  const awaited = events.find(({ type }) => type === "seeds_awaited")?.version;
  for (const [version] of heads)
    must(
      awaited !== undefined && version >= awaited,
      "order",
      version,
      "/version",
      "seeds_awaited at this version or before it",
      awaited,
    );
}

// -- secrets ----------------------------------------------------------------------------------------------------------

/** Where the first event has the secret of a deal of a set, and the mask under which a table plays it. */
const DEAL_SECRET = "/deal_secret";
const OF_THE_SET = [DEAL_SECRET, "/mask"];

/** From so many deals on, the last secret of the chain serves all. */
const DEALS = 256;

/** The key of each hidden part and of each draw, as far as it is known. */
class Secrets {
  /** @param {Event[]} events */
  constructor(events) {
    const { commitment, secret, deal_anchor: anchor, deal, deal_secret: ofSet } = events[0]?.data ?? {};
    const last = events[events.length - 1];
    this.id = events[0]?.game_id ?? "";
    /** The deal set from which the draws are; its secret is out once the set has closed. @type {string | undefined} */
    this.set = deal?.set;
    this.awaitsSet = Boolean(deal) && ofSet === undefined && Object.hasOwn(events[0]?.sealed ?? {}, DEAL_SECRET);
    this.byDeal = anchor !== undefined;
    /** @type {Uint8Array | null} */
    this.game = null;
    /** @type {Map<number, Uint8Array>} */
    this.deals = new Map();
    /** The versions at which the secrets of deals were revealed. @type {number[]} */
    this.versions = [];
    if (this.byDeal)
      must(
        typeof anchor === "string" && SECRET.test(anchor),
        "commitment",
        1,
        "/data/deal_anchor",
        "64 hex digits",
        anchor,
      );
    events
      .filter(({ type }) => type === "secret_revealed")
      .reduce((before, event) => this.reveal(event, before), anchor);
    if (last && ENDS.includes(last.type)) {
      const digits = last.data.secret;
      must(
        typeof digits === "string" && SECRET.test(digits),
        "commitment",
        last.version,
        "/data/secret",
        "64 hex digits",
        digits,
      );
      this.game = unhex(digits);
      compare("commitment", 1, "/data/commitment", hex(sha256(this.game)), commitment);
      compare("commitment", 1, "/data/secret", digits, secret);
      if (deal && !this.awaitsSet) this.ofSet(ofSet, anchor);
      else if (this.byDeal && !deal) this.follow(this.game, anchor);
    }
  }

  /** Take the secret of the only deal from its set. @param {Plain} digits @param {Plain} anchor */
  ofSet(digits, anchor) {
    must(
      typeof digits === "string" && SECRET.test(digits),
      "commitment",
      1,
      "/data/deal_secret",
      "64 hex digits",
      digits,
    );
    this.deals.set(1, unhex(digits));
    compare("commitment", 1, "/data/deal_anchor", hex(sha256(unhex(digits))), anchor);
  }

  /** Check the secret of a deal against the one revealed before, or the anchor; return it. @param {Event} event @param {string | undefined} before @returns {string} */
  reveal({ version, data }, before) {
    const number = this.versions.length + 1;
    compare("order", version, "/data/deal", number, data.deal);
    must(
      typeof data.secret === "string" && SECRET.test(data.secret),
      "commitment",
      version,
      "/data/secret",
      "64 hex digits",
      data.secret,
    );
    must(
      hex(sha256(unhex(data.secret))) === before,
      "commitment",
      version,
      "/data/secret",
      before ? `a secret with the SHA-256 ${before}` : "no secret of a deal",
      data.secret,
    );
    this.versions.push(version);
    this.deals.set(number, unhex(data.secret));
    return data.secret;
  }

  /** Make the secrets of all deals from that of the game. @param {Uint8Array} game @param {Plain} anchor */
  follow(game, anchor) {
    let secret = hmac(game, utf8(canonical(["deals", this.id])));
    for (let number = DEALS; number > 0; number -= 1) {
      this.deals.set(number, secret);
      secret = sha256(secret);
    }
    compare("commitment", 1, "/data/deal_anchor", hex(secret), anchor);
  }

  /** The key of what is drawn in an event: that of its deal. @param {number} version */
  ofDraw(version) {
    return this.byDeal
      ? (this.deals.get(1 + this.versions.filter((revealed) => revealed < version).length) ?? null)
      : this.game;
  }

  /** The key of the salt of a hidden part. @param {Event} event @param {string} pointer */
  ofPart({ version }, pointer) {
    return [THOUGHT, "/secret", DEAL_SECRET].includes(pointer) ? this.game : this.ofDraw(version);
  }
}

/** Check that every seal whose key is known is opened, by the salt that follows from the key. @param {Event[]} events @param {Secrets} secrets */
function checkOpenings(events, secrets) {
  for (const event of events) {
    for (const pointer of Object.keys(event.sealed).sort(byCodePoint)) {
      const key = secrets.ofPart(event, pointer);
      if (!key || (OF_THE_SET.includes(pointer) && secrets.awaitsSet)) continue;
      const salt = hex(hmac(key, utf8(canonical(["salt", event.game_id, event.version, pointer])))).slice(0, 32);
      const told = Object.hasOwn(event.salts, pointer) ? event.salts[pointer] : undefined;
      must(told === salt, told === undefined ? "closed" : "salt", event.version, `/salts${pointer}`, salt, told);
    }
  }
}

// -- the types of events ----------------------------------------------------------------------------------------------

/** Which events a seat brings about, and which follow without one; in every game, and in each. @type {Record<string, {bySeat: string[], forced: string[]}>} */
export const TYPES = {
  all: {
    bySeat: words("seat_taken seat_left seed_opened bot_seated proposal_made vote_cast turn_timed_out timeout_claimed"),
    forced: words(
      "game_created seeds_awaited seeds_closed game_started proposal_closed taken_back time_credited game_paused game_resumed operator_acted secret_revealed game_finished game_aborted",
    ),
  },
  "le-plateau": {
    bySeat: words(
      "bid_made passed talon_group_chosen talon_taken cards_discarded card_given card_announced objective_raised objective_kept declarer_abdicated card_played",
    ),
    forced: words(
      "hand_dealt phase_began contract_won hand_passed_out talon_turned talon_card_dealt announcement_answered partner_found trick_won counters_placed pile_card_turned discard_revealed talon_revealed hand_won hand_revealed hand_scored stop_agreed",
    ),
  },
  plateau: {
    bySeat: words(
      "unit_opened piece_onboarded unit_moved unit_stomped prisoners_tendered prisoners_exchanged tender_refused turn_forfeited resigned time_lost",
    ),
    forced: words("faces_shown pieces_captured turn_began turn_resumed game_won game_drawn everything_revealed"),
  },
  "french-tarot": {
    bySeat: words(
      "bid_made passed card_called cards_discarded slam_announced petit_chelem_announced slam_declined poignee_shown poignee_declined misere_announced card_played",
    ),
    forced: words(
      "cards_dealt phase_began petit_sec_shown petit_imprenable_declared deal_thrown_in contract_won partner_revealed chien_turned trumps_shown trick_won excuse_kept excuse_settled deal_revealed deal_scored",
    ),
  },
  plute: {
    bySeat: words("bid_made passed card_played trump_named joker_named hand_claimed"),
    forced: words(
      "hand_dealt phase_began contract_won trick_won hand_stopped points_counted plute_made bid_made_good team_set",
    ),
  },
};

/**
 * The fields of each event, and the types that have these: `hands(seat cards?)` is an object, or a list of objects, with
 * a seat and perhaps cards; a field with ? can be missing. @type {Record<string, Record<string, string>>}
 */
// generated: the fields of events
// prettier-ignore
const FIELDS = {
  "all": {
    "ruleset rules_version options seats visibility sandbox creator commitment secret? clock?(per_move bank increment on_timeout bot) rematch_of? forked_from?(game_id version seat knowledge events) bot_pace? opening?(within unopened) deal_anchor? deal?(set number closes ranked auction?) deal_secret? mask?": "game_created",
    "player client_seed joined_after? seed_commitment?": "seat_taken",
    "player": "seat_left",
    "bot": "bot_seated",
    "seats until": "seeds_awaited",
    "client_seed": "seed_opened",
    "missing": "seeds_closed",
    "players": "game_started",
    "proposal kind duration? to_version?": "proposal_made",
    "proposal accept": "vote_cast",
    "proposal result reason?": "proposal_closed",
    "to_version": "taken_back",
    "by bot": "turn_timed_out",
    "late": "timeout_claimed",
    "from until": "time_credited",
    "duration": "game_paused",
    "reason": "game_resumed",
    "act reason": "operator_acted",
    "deal secret": "secret_revealed",
    "outcome(reason winners scores) secret": "game_finished",
    "reason secret": "game_aborted",
  },
  "le-plateau": {
    "hand_number deal_number dealer board hands(seat count cards?) piles(seat piles(top under?)) talon(count cards?)": "hand_dealt",
    "phase": "phase_began",
    "exchange? objective team value": "bid_made",
    "": "passed hand_passed_out objective_kept stop_agreed",
    "declarer exchange objective team value": "contract_won",
    "groups": "talon_turned",
    "group": "talon_group_chosen",
    "count cards?": "talon_taken cards_discarded",
    "to card?": "card_given talon_card_dealt",
    "card": "card_announced",
    "card holder": "announcement_answered",
    "partner": "partner_found",
    "objective value": "objective_raised",
    "declarer partner": "declarer_abdicated",
    "card pile": "card_played",
    "number winner cards(seat card)": "trick_won",
    "team spaces": "counters_placed",
    "owner pile card": "pile_card_turned",
    "cards": "discard_revealed talon_revealed",
    "by objective path": "hand_won",
    "dealt(seat cards) piles(seat piles(top under)) talon taken discard gifts(from to card) talon_dealt(to card) unplayed(seat cards) unturned(seat cards)": "hand_revealed",
    "value scores": "hand_scored",
  },
  "plateau": {
    "square lower_token upper_token top lower?(piece up) upper?": "unit_opened",
    "square height token top uncovered piece?": "piece_onboarded",
    "from flipped unit lift stops(square carry) to landed uncovered": "unit_moved",
    "square flipped unit uncovered": "unit_stomped",
    "faces(square token face)": "faces_shown",
    "by square pieces(token piece top bottom turned) shown(square token face)": "pieces_captured",
    "to pieces total": "prisoners_tendered",
    "initiator tendered given": "prisoners_exchanged",
    "initiator total": "tender_refused",
    "": "turn_forfeited resigned time_lost",
    "player phase ply quiet_plies forfeits min_tender position occurrence": "turn_began",
    "player min_tender": "turn_resumed",
    "winner reason ply quiet_plies min_tender": "game_won",
    "reason": "game_drawn",
    "stacks(square pieces(owner token piece top bottom turned)) reserves(seat pieces)": "everything_revealed",
  },
  "french-tarot": {
    "deal_number dealer players hands(seat count cards?) chien(count cards?)": "cards_dealt",
    "phase": "phase_began",
    "holder cards": "petit_sec_shown",
    "holder": "petit_imprenable_declared",
    "reason": "deal_thrown_in",
    "contract": "bid_made",
    "": "passed slam_announced petit_chelem_announced slam_declined poignee_declined",
    "taker contract multiplier": "contract_won",
    "card": "card_called card_played",
    "card partner": "partner_revealed",
    "taker cards": "chien_turned trumps_shown",
    "count cards?": "cards_discarded",
    "level cards": "poignee_shown",
    "kind": "misere_announced",
    "number winner cards(seat card)": "trick_won",
    "card player": "excuse_kept",
    "card player owner": "excuse_settled",
    "partner dealt(seat cards) chien ecart": "deal_revealed",
    "calculation(count(tricks_half_points laid_aside laid_aside_half_points excuses(card player owner trick_winner half_points) half_points card_points oudlers) contract(target rounded_points difference paid_difference won_by multiplier points) petit_au_bout(side points) poignees(seat level points) slam(announced made_by points) unit shares(seat role times points misere_points score) steps) scores": "deal_scored",
  },
  "plute": {
    "hand_number dealer hands(seat count cards?)": "hand_dealt",
    "phase": "phase_began",
    "points": "bid_made",
    "": "passed hand_claimed",
    "bidder team points": "contract_won",
    "card": "card_played",
    "trump": "trump_named",
    "card name": "joker_named",
    "number winner team cards(seat card)": "trick_won",
    "tricks": "hand_stopped",
    "team points game_value": "points_counted",
    "team": "plute_made",
    "team bid points made": "bid_made_good",
    "team bid points set": "team_set",
  },
};
// end of what is generated

/** @typedef {Map<string, {canLack: boolean, inner: Fields | null}>} Fields */

/** @param {string} text @returns {Fields} */
function fieldsOf(text) {
  /** @type {Fields} */
  const all = new Map();
  const open = [all];
  for (const [, name, can, sign] of text.matchAll(/(\w+)(\??)(\(?)|\)/g)) {
    /** @type {Fields | null} */
    const inner = sign ? new Map() : null;
    if (name) open[open.length - 1]?.set(name, { canLack: can === "?", inner });
    if (inner) open.push(inner);
    if (!name) open.pop();
  }
  return all;
}

const FORMS = Object.fromEntries(
  Object.entries(FIELDS).map(([kind, groups]) => [
    kind,
    new Map(Object.entries(groups).flatMap(([fields, types]) => words(types).map((type) => [type, fieldsOf(fields)]))),
  ]),
);

/** Check that an object, or each in a list, has the fields that it must have and no others. @param {number} version @param {string} at @param {Fields} fields @param {Plain} value */
function checkFields(version, at, fields, value) {
  if (Array.isArray(value)) value.forEach((each, index) => checkFields(version, `${at}/${index}`, fields, each));
  if (Array.isArray(value) || value === null) return;
  must(isObject(value), "shape", version, at, `an object with ${[...fields.keys()].join(", ")}`, value);
  for (const name of [...new Set([...fields.keys(), ...Object.keys(value)])].sort(byCodePoint)) {
    const field = fields.get(name);
    const isThere = Object.hasOwn(value, name);
    must(field, "shape", version, `${at}/${name}`, "nothing", value[name]);
    must(isThere || field?.canLack, "shape", version, `${at}/${name}`, "a value", undefined);
    if (isThere && field?.inner) checkFields(version, `${at}/${name}`, field.inner, value[name]);
  }
}

/** What is sealed in each type of event; `*` stands for each index of a list. @type {Record<string, Record<string, string[]>>} */
export const SEALED = {
  all: { game_created: ["/secret", "/deal_secret", "/mask"] },
  "le-plateau": {
    hand_dealt: ["/hands/*/cards", "/piles/*/piles/*/under", "/talon/cards"],
    talon_taken: ["/cards"],
    cards_discarded: ["/cards"],
    card_given: ["/card"],
    talon_card_dealt: ["/card"],
  },
  plateau: { unit_opened: ["/lower", "/upper"], piece_onboarded: ["/piece"] },
  "french-tarot": { cards_dealt: ["/hands/*/cards", "/chien/cards"], cards_discarded: ["/cards"] },
  plute: { hand_dealt: ["/hands/*/cards"] },
};

const EACH = "/*";

/** The pointers that a pattern stands for in the data of an event. @param {Plain} data @param {string} pattern @returns {string[]} */
function expanded(data, pattern) {
  const [start = "", ...rest] = pattern.split(EACH);
  if (rest.length === 0) return [pattern];
  const list = valueAt(data, start);
  if (!Array.isArray(list)) throw new TypeError(`no list is at ${start}`);
  return list.flatMap((each, at) => expanded(each, rest.join(EACH)).map((pointer) => `${start}/${at}${pointer}`));
}

/** Check that each event is of a type of its game and has its fields, that a seat brought it about where one must, and that what must be sealed is sealed, and nothing else. @param {Event[]} events @param {string} ruleset */
function checkTypes(events, ruleset) {
  const seats = events[0]?.data.seats;
  for (const { version, type, seat, data, sealed, bot } of events) {
    const kind = [ruleset, "all"].find(
      (each) => TYPES[each]?.bySeat.includes(type) || TYPES[each]?.forced.includes(type),
    );
    must(kind, "shape", version, "/type", `an event of ${ruleset}`, type);
    if (!TYPES[kind ?? ""]?.bySeat.includes(type)) compare("order", version, "/seat", null, seat);
    else
      must(
        Number.isInteger(seat) && seat !== null && seat >= 0 && seat < seats,
        "order",
        version,
        "/seat",
        `a seat of 0 … ${seats - 1}`,
        seat,
      );
    checkFields(version, "/data", FORMS[kind ?? ""]?.get(type) ?? new Map(), data);
    let secret;
    try {
      secret = (SEALED[kind ?? ""]?.[type] ?? []).flatMap((pattern) => expanded(data, pattern));
    } catch {
      throw new Wrong("shape", version, "/data", `the parts of ${type}`, shown(data));
    }
    if (bot !== undefined) secret.push(THOUGHT);
    if (!data.deal) secret = secret.filter((pointer) => !OF_THE_SET.includes(pointer));
    for (const pointer of secret.sort(byCodePoint))
      must(Object.hasOwn(sealed, pointer), "open", version, `/sealed${pointer}`, "a seal", undefined);
    for (const pointer of Object.keys(sealed).sort(byCodePoint))
      must(
        secret.includes(pointer),
        "hidden",
        version,
        `/sealed${pointer}`,
        "no seal, since the part is public",
        "one",
      );
  }
}

// -- draws ------------------------------------------------------------------------------------------------------------

/** @typedef {{secret: Uint8Array, id: string, seeds: (string | null)[]}} Chance  what is drawn in one deal, or game */

/** The 32-bit words of a draw. @param {Chance} chance @param {string} label @param {number} number */
function* wordsOf({ secret, id, seeds }, label, number) {
  for (let counter = 0; ; counter += 1) {
    const block = new DataView(hmac(secret, utf8(canonical([label, id, seeds, number, counter]))).buffer);
    for (let at = 0; at < 32; at += 4) yield block.getUint32(at);
  }
}

/** @param {Iterator<number>} source @param {number} limit @returns {number} */
function fairly(source, limit) {
  if (!(Number.isInteger(limit) && limit > 0 && limit <= 2 ** 32)) throw new TypeError("nothing is below that");
  const fair = 2 ** 32 - (2 ** 32 % limit);
  for (;;) {
    const drawn = source.next().value;
    if (drawn < fair) return drawn % limit;
  }
}

/** Draw a whole number below a limit. @param {Chance} chance @param {string} label @param {number} number @param {number} limit */
export const below = (chance, label, number, limit) => fairly(wordsOf(chance, label, number), limit);

/** Draw one order of things. @param {Chance} chance @param {string} label @param {number} number @param {Plain[]} things */
export function permutation(chance, label, number, things) {
  const source = wordsOf(chance, label, number);
  const order = [...things];
  for (let i = order.length - 1; i > 0; i -= 1) {
    const j = fairly(source, i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Make a draw: what goes where, as it was drawn. @param {Chance} chance @param {Draw} draw @returns {{to: string, things: Plain[], sorted: boolean}[]} */
function made(chance, { label, number, numbers, order }) {
  if (numbers) {
    const { to, plus, count, sorted } = numbers;
    if (!(count <= MOST)) throw new TypeError("too many numbers");
    return [
      { to, things: range(count).map((more) => plus + below(chance, label, number + more, numbers.below)), sorted },
    ];
  }
  const { of, apart, packets } = /** @type {Order} */ (order);
  /** @type {Map<string, {to: string, things: Plain[], sorted: boolean}>} */
  const found = new Map();
  let left = permutation(chance, label, number, of);
  if (apart) {
    const places = permutation(chance, apart.label, apart.number, apart.of).slice(0, apart.count);
    found.set(apart.to, { to: apart.to, things: left.filter((_, at) => places.includes(at)), sorted: true });
    left = left.filter((_, at) => !places.includes(at));
  }
  for (const { to, count, sorted } of packets) {
    const before = found.get(to)?.things ?? [];
    found.set(to, { to, things: [...before, ...left.splice(0, count)], sorted });
  }
  return [...found.values(), ...(left.length ? [{ to: "", things: left, sorted: true }] : [])];
}

/** Make a draw again that a bundle states for rules that are not known here. @param {Chance} chance @param {Draw} draw @param {Plain} data */
function redraw(chance, draw, data) {
  for (const { to, things, sorted } of made(chance, draw)) {
    const shownThere = to ? [valueAt(data, to)].flat() : [];
    const [one, other] = [things, shownThere].map((list) => list.map(canonical));
    if (sorted) (one?.sort(), other?.sort());
    must(canonical(one) === canonical(other), "draw", draw.version, `/data${to}`, shown(things), shownThere);
  }
}

// -- how each game is dealt -------------------------------------------------------------------------------------------

const TAROT = [..."SHDC"]
  .flatMap((suit) => words("1 2 3 4 5 6 7 8 9 10 V C D R").map((rank) => rank + suit))
  .concat(
    range(21, 1).map((trump) => `T${trump}`),
    "EX",
  );
const PLUTE = [..."SHDC"]
  .flatMap((suit) => words("2 3 4 5 6 7 8 9 10 J Q K A").map((rank) => rank + suit))
  .concat("X1", "X2");

/** Le Plateau, by players and deck: what is left out, the cards of a hand, the piles of a seat, the cards of the talon, and the places of T1, T2, … on the rim. */
const DECKS = {
  "2 standard": { out: /^[1-9][SHDC]|^T([89]|1[0-5])$/, hand: 6, piles: 5, talon: 2, rim: [0, 6, 12] },
  "3 standard": { out: /^[1-9][SHDC]/, hand: 13, piles: 0, talon: 3, rim: [0, 3, 6, 9, 12, 15] },
  "4 standard": { out: /^[1-6][HDC]|^[1-5]S/, hand: 13, piles: 0, talon: 3, rim: [0, 3, 6, 9, 12, 15] },
  "5 standard": { out: /^[1-3][HD]|^[12][SC]/, hand: 13, piles: 0, talon: 3, rim: [0, 3, 6, 9, 12, 15] },
  "6 standard": { out: /^$/, hand: 12, piles: 0, talon: 6, rim: [0, 3, 6, 9, 12, 15] },
  "3 full": { out: /^[1-6][SHDC]/, hand: 17, piles: 0, talon: 3, rim: [0, 9] },
  "4 full": { out: /^$/, hand: 18, piles: 0, talon: 6, rim: [0] },
  "5 full": { out: /^$/, hand: 15, piles: 0, talon: 3, rim: [0, 3, 9, 12] },
};

/** The standard board in ring order. @param {number[]} trumps */
function boardOf(trumps) {
  const tricks = range(18).filter((at) => !trumps.includes(at));
  const rim = range(18).map((at) =>
    trumps.includes(at) ? `T${trumps.indexOf(at) + 1}` : `#${tricks.indexOf(at) + 1}`,
  );
  return [...rim, ...words("CH VS DC CS DD VH CD VC DS CC DH VD EX RD RC T21 RH RS"), `#${tricks.length + 1}`];
}

/** @typedef {{options: Plain, seats: number, number: number, dealer: number, won: number, first: Plain}} Deal  won: how many deals had a winner before; first: the data of the first deal */
/** @typedef {{type: string, next: (options: Plain, taken: boolean) => number, numbers: string, data: (deal: Deal) => Plain, draws: (deal: Deal) => Omit<Draw, "version">[]}} Dealing */

/** @param {string} label @param {number} number @param {string[]} of @param {Packet[]} packets @param {Apart | null} apart */
const order = (label, number, of, packets, apart = null) => ({
  label,
  number,
  numbers: null,
  order: { of, apart, packets },
});
/** The draw of the first dealer, unless an option fixes the seat. @param {Deal} deal */
const firstDealer = ({ number, options, seats }) =>
  number > 1 || typeof options.first_dealer === "number"
    ? []
    : [
        {
          label: "first_dealer",
          number: 1,
          numbers: { below: seats, to: "/dealer", plus: 0, count: 1, sorted: false },
          order: null,
        },
      ];
/** @param {number} seat */
const hand = (seat) => `/hands/${seat}/cards`;

/** @type {Dealing} */
const LE_PLATEAU = {
  type: "hand_dealt",
  numbers: "deal_number",
  next: () => 1,
  data: (deal) => {
    const { options, number, won, seats } = deal;
    const { hand: count, piles, talon, board } = shapeOf(deal);
    const { board: layout = "standard", board_tokens: custom = null, void_hands: voids = "count" } = options;
    return {
      deal_number: number,
      hand_number: voids === "count" ? number : won + 1,
      dealer: deal.dealer,
      board: layout === "random_game" ? deal.first.board : layout === "custom" && custom ? custom : board,
      hands: range(seats).map((seat) => ({ seat, count })),
      piles: piles
        ? range(seats).map((seat) => ({ seat, piles: range(piles).map(() => ({ top: "", under: "" })) }))
        : [],
      talon: { count: talon },
    };
  },
  draws: (deal) => {
    const { options, number, dealer, seats } = deal;
    const { of, hand: count, piles, talon, board } = shapeOf(deal);
    const inTurn = range(seats, dealer + 1).map((seat) => seat % seats);
    const pile = (/** @type {string} */ at) =>
      ["under", "top"].map((part) => ({ to: `${at}/${part}`, count: 1, sorted: true }));
    const packets = [
      ...inTurn.flatMap((seat) => range(piles).flatMap((at) => pile(`/piles/${seat}/piles/${at}`))),
      ...inTurn.map((seat) => ({ to: hand(seat), count, sorted: true })),
      { to: "/talon/cards", count: talon, sorted: false },
    ];
    const isDrawn = options.board === "random_deal" || (options.board === "random_game" && number === 1);
    const boards = isDrawn
      ? [order("board", number, board, [{ to: "/board", count: board.length, sorted: false }])]
      : [];
    return [...firstDealer(deal), order("deal", number, of, packets), ...boards];
  },
};

/** @param {Deal} deal */
function shapeOf({ seats, options }) {
  const { deck = "standard", edition = "2023" } = options;
  const { out, rim, ...shape } =
    /** @type {Record<string, typeof DECKS["2 standard"]>} */ (DECKS)[`${seats} ${deck}`] ?? DECKS["6 standard"];
  const dealt = seats === 6 && edition === "2022" ? { hand: 13, talon: 0 } : {};
  return { ...shape, ...dealt, of: TAROT.filter((card) => !out.test(card)), board: boardOf(rim) };
}

/** @param {Deal} deal */
function tarotPlayers({ options, dealer, seats }) {
  const step = FRENCH_TAROT.next(options, true);
  const inTurn = range(seats, 1).map((turn) => (dealer + step * turn + seats * seats) % seats);
  return options.five_player_mode === "dead_dealer" ? inTurn.slice(0, -1) : inTurn;
}

/** @type {Dealing} */
const FRENCH_TAROT = {
  type: "cards_dealt",
  numbers: "deal_number",
  next: ({ direction, five_player_mode: mode }, taken) =>
    mode === "dead_dealer" && !taken ? 0 : direction === "clockwise" ? -1 : 1,
  data: (deal) => {
    const { number, dealer, seats } = deal;
    const players = tarotPlayers(deal);
    const chien = players.length === 5 ? 3 : 6;
    const count = (TAROT.length - chien) / players.length;
    const hands = range(seats).map((seat) => ({ seat, count: players.includes(seat) ? count : 0 }));
    return { deal_number: number, dealer, players, hands, chien: { count: chien } };
  },
  draws: (deal) => {
    const { options, number, seats } = deal;
    const players = tarotPlayers(deal);
    const chien = players.length === 5 ? 3 : 6;
    const edge = options.chien_excluded === "first3_last3" ? 3 : 1;
    const size = options.deal_packet_3p ?? 3;
    const others = TAROT.length - chien;
    const packets = range(Math.ceil(others / size)).map((turn) => ({
      to: hand(players[turn % players.length] ?? 0),
      count: Math.min(size, others - turn * size),
      sorted: true,
    }));
    const resting = range(seats)
      .filter((seat) => !players.includes(seat))
      .map((seat) => ({ to: hand(seat), count: 0, sorted: true }));
    const apart = {
      label: "chien",
      number,
      of: range(TAROT.length - 2 * edge, edge),
      count: chien,
      to: "/chien/cards",
    };
    return [...firstDealer(deal), order("deal", number, TAROT, [...packets, ...resting], apart)];
  },
};

// -- the masks under which tables play a deal of a set ------------------------------------------------------------------

const SUITS = "SHDC";

/** The orders of some things, in the order of their places. @param {string} things @returns {string[]} */
const orders = (things) =>
  things ? [...things].flatMap((each) => orders(things.replace(each, "")).map((rest) => each + rest)) : [""];

/** What a card becomes; anything else stays. @param {string} mask @param {Plain} code */
function maskedCode(mask, code) {
  const suit = typeof code === "string" ? SUITS.indexOf(code.slice(-1)) : -1;
  return suit < 0 ? code : code.slice(0, -1) + mask[suit];
}

/** The masks of a game, first that which masks nothing. @param {string} ruleset @param {{seats: number, options: Plain}} table @returns {string[]} */
function masksOf(ruleset, table) {
  if (ruleset === "french-tarot") return orders(SUITS);
  if (ruleset === "plute")
    return orders(SUITS).filter((mask) => ["SC", "CS", "HD", "DH"].includes(mask.charAt(0) + mask.charAt(3)));
  const { of } = shapeOf(/** @type {Deal} */ (table));
  const keeping = orders(SUITS).filter((mask) => of.every((card) => of.includes(maskedCode(mask, card))));
  return keeping.flatMap((mask) => [..."rm"].flatMap((kind) => range(6).map((sides) => `${mask} ${kind}${sides}`)));
}

/** Lay out a board, three rings and the centre, turned and perhaps mirrored. @param {string} turn @param {Plain[]} board */
function laidOut([kind, sides], board) {
  const lying = [...board];
  for (const [start, radius] of /** @type {[number, number][]} */ ([
    [0, 3],
    [18, 2],
    [30, 1],
  ]))
    for (const at of range(6 * radius)) {
      const place = (kind === "m" ? 5 * radius - at : at) + radius * Number(sides) + 6 * radius;
      lying[start + (place % (6 * radius))] = board[start + at];
    }
  return lying;
}

/** Mask what was drawn, and a board. @param {string} mask @param {Plain[]} things @param {boolean} isBoard */
function maskedThings(mask, things, isBoard) {
  const [order = "", turn = ""] = mask.split(" ");
  const codes = things.map((each) => maskedCode(order, each));
  return isBoard && turn ? laidOut(turn, codes) : codes;
}

/** @type {Record<string, Dealing>} */
const DEALINGS = {
  "le-plateau": LE_PLATEAU,
  "french-tarot": FRENCH_TAROT,
  plute: {
    type: "hand_dealt",
    numbers: "hand_number",
    next: () => 1,
    data: ({ number, dealer, seats }) => ({
      hand_number: number,
      dealer,
      hands: range(seats).map((seat) => ({ seat, count: 9 })),
    }),
    draws: (deal) => [
      ...firstDealer(deal),
      order(
        "deal",
        deal.number,
        PLUTE,
        range(18).map((turn) => ({ to: hand((deal.dealer + 1 + turn) % 6), count: 3, sorted: true })),
      ),
    ],
  },
};

// -- what follows from what, in every game ----------------------------------------------------------------------------

/** What the players can agree on, in every game and in each. @type {Record<string, string[]>} */
const PROPOSALS = { all: words("pause resume abort take_back"), "le-plateau": ["stop_after_hand"], plateau: ["draw"] };
/** The kinds of lines about what the server has signed, which this verifier does not check. */
const SIGNED = words("receipt root cosignature inclusion keys");
const MOST_EVENTS = 20000;
/** Events of a seat that never begin what it does. */
const FOLLOWING = words("talon_taken trump_named joker_named");
/** Whether an event never begins what its seat does: of two gifts, which are one action, the second does not. @param {Event} event @param {Event | undefined} before */
const goesOn = ({ type }, before) => FOLLOWING.includes(type) || (type === "card_given" && before?.type === type);
/** The events of an auction that a deal set can give. */
const BIDS = new Set(["bid_made", "passed"]);

/** Who chose an action in the seat of a bot: its policy, or its seed alone. */
const CHOSEN = words("policy any_legal");
const BEFORE_THE_START = ["cancelled", "expired", "abandoned", "declined"];

/** A log walked through event by event: who sits where, what is proposed, what is dealt. */
class Walk {
  /** @param {Event[]} events @param {string} ruleset "" if its rules are not known @param {Secrets} secrets */
  constructor(events, ruleset, secrets) {
    const { seats, options, sandbox, clock, forked_from: origin, opening } = events[0]?.data ?? {};
    const start = events.findIndex(({ type }) => type === "game_started");
    this.events = events;
    this.ruleset = ruleset;
    this.secrets = secrets;
    /** The draws behind the events. @type {Draw[]} */
    this.stated = [];
    must(isObject(options), "shape", 1, "/data/options", "an object", options);
    must(
      !secrets.byDeal || !ruleset || (DEALINGS[ruleset] && !origin),
      "shape",
      1,
      "/data/deal_anchor",
      "nothing, since no deal is drawn from the start",
      events[0]?.data.deal_anchor,
    );
    this.options = options;
    this.sandbox = sandbox;
    this.clock = clock;
    /** The bot that bids for every seat, where the deal set gives the auction. @type {string | undefined} */
    this.bidder = events[0]?.data.deal?.auction;
    this.forks = Boolean(origin);
    /** @type {({player: string | null, bot?: string, seed: string | null, commitment?: string, opened?: boolean} | null)[]} */
    this.sitters = Array(seats).fill(null);
    /** The version up to which nothing is drawn: the start, and behind it what a fork repeats. */
    this.copied = start < 0 ? events.length : start + 1 + (origin?.events ?? 0);
    this.status = "open";
    /** The first event that says which bot did it, and what a bot did before: in a log from before that was noted. */
    this.firstMark = this.bidder ? 0 : (events.find(({ bot }) => bot !== undefined)?.version ?? Infinity);
    /** @type {number | null} */
    this.unmarked = null;
    /** Whether seeds are awaited, or were. @type {"" | "awaited" | "closed"} */
    this.seeds = "";
    this.opening = opening ?? { within: "PT2M", unopened: "start" };
    /** @type {number[]} */
    this.awaited = [];
    this.until = "";
    /** The seats whose seeds were left out. @type {number[]} */
    this.leftOut = [];
    /** @type {Map<string, {kind: string, accepted: Set<number>, declined: boolean, duration: string | null, to_version?: number}>} */
    this.proposals = new Map();
    /** What the operator has just done. */
    this.act = "";
    /** What was just agreed on. @type {{kind: string, duration: string | null, to_version?: number} | null} */
    this.agreed = null;
    this.deals = 0;
    /** The version in which somebody took in the last deal; 0 if nobody has, or it was taken back. */
    this.taken = 0;
    this.won = 0;
    this.dealer = -1;
    /** The data of the first deal. @type {Plain} */
    this.first = null;
  }

  /** Check an event, and go behind it. @param {Event} event */
  step(event) {
    const { type, version } = event;
    const before = this.events[version - 2];
    const isOfRules = !TYPES["all"]?.bySeat.includes(type) && !TYPES["all"]?.forced.includes(type);
    const isForced = isOfRules && event.seat === null;
    const next = this.next;
    must(next.length === 0 || next.includes(type), "order", version, "/type", next.join(" or "), type);
    if (isOfRules)
      must(this.status === "active", "order", version, "/type", "an action between the start and the end", type);
    if (isForced || this.agreed || this.act || type === "game_started" || type === "game_finished")
      compare("order", version, "/at", before?.at, event.at);
    if (!isOfRules)
      /** @type {Record<string, (event: Event) => void>} */ (/** @type {unknown} */ (this))[type]?.(event);
    this.marked(event, isOfRules, before);
    if (type === DEALINGS[this.ruleset]?.type) this.dealt(event, before);
    if (type === "hand_won") this.won += 1;
    if (type === "contract_won") this.taken = version;
    if (type !== "proposal_closed") this.agreed = null;
    if (type !== "operator_acted") this.act = "";
  }

  get isFull() {
    return this.sitters.every((sitter) => sitter !== null);
  }

  /** The seats whose players have not accepted a proposal. @param {Set<number>} accepted */
  missing(accepted) {
    return this.sitters.flatMap((sitter, seat) => (sitter?.player != null && !accepted.has(seat) ? [seat] : []));
  }

  /** What alone can follow now; nothing if there is a choice. */
  get next() {
    if (this.status === "over") return [];
    if (this.act) return [this.act === "abort" ? "game_aborted" : "bot_seated"];
    const follows = { pause: "game_paused", resume: "game_resumed", abort: "game_aborted", take_back: "taken_back" }[
      this.agreed?.kind ?? ""
    ];
    if (follows) return [follows, "proposal_closed"];
    if ([...this.proposals.values()].some(({ declined, accepted }) => declined || this.missing(accepted).length === 0))
      return ["proposal_closed"];
    if (this.status !== "open" || !this.isFull) return [];
    if (this.seeds === "closed")
      return [this.leftOut.length && this.opening.unopened === "abort" ? "game_aborted" : "game_started"];
    if (this.awaiting.length > 0) return this.seeds ? [] : ["seeds_awaited"];
    return this.seeds ? ["seeds_closed"] : ["game_started"];
  }

  /** The source of what is drawn in an event, if its secret is known. @param {number} version @returns {Chance | null} */
  chance(version) {
    const secret = this.secrets.ofDraw(version);
    const { id, set } = this.secrets;
    return (
      secret && { secret, id: set ?? id, seeds: this.sitters.map((sitter) => (set ? null : (sitter?.seed ?? null))) }
    );
  }

  /** The seats whose players have committed to seeds that are not opened. */
  get awaiting() {
    return this.sitters.flatMap((sitter, seat) =>
      sitter?.player != null && sitter.commitment && !sitter.opened ? [seat] : [],
    );
  }

  /** @param {unknown} holds @param {Event} event @param {string} expected */
  possible(holds, { version, type }, expected) {
    must(holds, "order", version, "/type", `what is possible (${expected})`, type);
  }

  /** Check where it stands which bot did what begins with an event, and what of that can be known without the bot. @param {Event} event @param {boolean} isOfRules @param {Event | undefined} before */
  marked(event, isOfRules, before) {
    const { version, type, seat, at, data, bot } = event;
    const name =
      type === "turn_timed_out"
        ? data.bot
        : isOfRules && version > this.copied && seat !== null && !goesOn(event, before)
          ? (BIDS.has(type) && this.bidder) || this.sitters[seat]?.bot
          : null;
    const canFollow = !this.ruleset && isOfRules && at === before?.at;
    if (bot === undefined && version < this.firstMark) {
      if (name != null) this.unmarked ??= version;
      return;
    }
    if (bot === undefined)
      return must(name == null || canFollow, "order", version, "/bot", `what ${shown(name)} did it with`, undefined);
    must(
      name != null && isObject(bot),
      "order",
      version,
      "/bot",
      name == null ? "nothing, since no bot did this" : `what ${shown(name)} did it with`,
      bot,
    );
    compare("order", version, "/bot/name", name, bot.name);
    for (const part of ["version", "playouts"])
      must(
        Number.isInteger(bot[part]) && bot[part] >= 0,
        "shape",
        version,
        `/bot/${part}`,
        "a whole number from 0 on",
        bot[part],
      );
    const { thought } = bot;
    if (thought !== undefined) this.thought(version, Number(seat), bot);
    compare(
      "shape",
      version,
      "/bot",
      { name, version: bot.version, playouts: bot.playouts, ...(thought !== undefined && { thought }) },
      bot,
    );
  }

  /** The seed is that of the version at which the bot was asked; others can have done something since its last move. @param {number} version @param {number} seat @param {Plain} bot */
  thought(version, seat, { name, version: ofBot, playouts, thought }) {
    const { seed, done, chosen } = isObject(thought) ? thought : {};
    must(
      Number.isInteger(seed) && Number.isInteger(done) && CHOSEN.includes(chosen),
      "shape",
      version,
      "/bot/thought",
      "an object with seed, done, chosen, in their forms",
      thought,
    );
    const most = chosen === "policy" ? playouts : 0;
    must(
      done >= 0 && done <= most,
      "order",
      version,
      "/bot/thought/done",
      `a number of playouts from 0 to ${most}`,
      done,
    );
    compare("shape", version, "/bot/thought", { seed, done, chosen }, thought);
    const key = this.secrets.game;
    if (!key || this.secrets.set) return;
    const of = (/** @type {number} */ asked) =>
      new DataView(hmac(key, utf8(canonical(["bot", this.secrets.id, seat, asked, name, ofBot]))).buffer).getUint32(0);
    let asked = version - 1;
    while (asked > 1 && this.events[asked - 1]?.seat !== seat && of(asked) !== seed) asked -= 1;
    if (of(asked) !== seed) compare("draw", version, "/bot/thought/seed", of(version - 1), seed);
  }

  /** @param {Event} event */
  game_created(event) {
    this.possible(event.version === 1, event, "a game is created once");
  }

  /** @param {Event} event */
  seat_taken(event) {
    const { version, data } = event;
    const seat = Number(event.seat);
    if (data.joined_after !== undefined)
      compare("order", version, "/data/joined_after", this.events[version - 2]?.hash, data.joined_after);
    this.possible(this.status === "open" && !this.seeds && this.sitters[seat] === null, event, "an open seat is taken");
    this.possible(
      this.sandbox === true || !this.sitters.some((sitter) => sitter && sitter.player === data.player),
      event,
      "nobody has two seats",
    );
    if (this.forks) {
      const later = this.events.slice(version, this.copied).filter(({ type }) => type === "seat_taken");
      must(
        later.every((other) => Number(other.seat) > seat),
        "order",
        version,
        "/seat",
        "the seats of a fork in order",
        seat,
      );
      this.possible(
        this.sitters.every((sitter) => sitter?.player !== null),
        event,
        "players sit down in a fork before bots",
      );
    }
    const { player, client_seed: seed, seed_commitment: commitment } = data;
    must(seed === null || isSeed(seed), "shape", version, "/data/client_seed", SEED, seed);
    must(
      commitment === undefined || (typeof commitment === "string" && SECRET.test(commitment)),
      "shape",
      version,
      "/data/seed_commitment",
      "64 hex digits",
      commitment,
    );
    if (commitment) compare("order", version, "/data/client_seed", null, seed);
    this.sitters[seat] = { player, seed, ...(commitment && { commitment }) };
  }

  /** @param {Event} event */
  seat_left(event) {
    const seat = Number(event.seat);
    this.possible(
      this.status === "open" && !this.seeds && this.sitters[seat]?.player === event.data.player,
      event,
      "a player leaves their seat before the start",
    );
    this.sitters[seat] = null;
  }

  /** @param {Event} event */
  bot_seated(event) {
    const seat = Number(event.seat);
    const sitter = this.sitters[seat];
    const isPossible = sitter === null ? this.status === "open" : sitter?.player != null;
    this.possible(
      isPossible && (this.act !== "replace" || sitter),
      event,
      "a bot takes an open seat, or that of a player",
    );
    this.sitters[seat] = { seed: null, ...this.sitters[seat], player: null, bot: event.data.bot };
  }

  /** @param {Event} event */
  seeds_awaited(event) {
    this.possible(
      this.status === "open" && this.isFull && !this.seeds && this.awaiting.length > 0,
      event,
      "seeds are awaited when all seats are taken",
    );
    compare("order", event.version, "/data/seats", this.awaiting, event.data.seats);
    const { until } = event.data;
    const ends = new Date(Date.parse(event.at) + milliseconds(this.opening.within)).toISOString();
    compare("order", event.version, "/data/until", ends, until);
    [this.awaited, this.until, this.seeds] = [this.awaiting, until, "awaited"];
  }

  /** @param {Event} event */
  seed_opened(event) {
    const sitter = this.sitters[Number(event.seat)];
    this.possible(
      this.seeds === "awaited" && this.status === "open" && this.awaiting.includes(Number(event.seat)),
      event,
      "a seed that is awaited is opened",
    );
    const { client_seed: seed } = event.data;
    const made = isSeed(seed) ? digest(canonical(["seed", event.game_id, sitter?.player, seed])) : "";
    must(
      made === sitter?.commitment,
      "commitment",
      event.version,
      "/data/client_seed",
      "the seed that was committed to",
      seed,
    );
    this.sitters[Number(event.seat)] = { player: null, ...sitter, seed, opened: true };
  }

  /** @param {Event} event */
  seeds_closed(event) {
    const isOver = this.awaiting.length === 0 || Date.parse(event.at) >= Date.parse(this.until);
    this.possible(
      this.seeds === "awaited" && this.status === "open" && isOver,
      event,
      "the time to open seeds ends once, when all are opened or it is over",
    );
    this.leftOut = this.awaited.filter((seat) => !this.sitters[seat]?.opened);
    compare("order", event.version, "/data/missing", this.leftOut, event.data.missing);
    this.seeds = "closed";
  }

  /** @param {Event} event */
  game_started(event) {
    this.possible(
      this.status === "open" && this.isFull && (this.seeds === "closed" || this.awaiting.length === 0),
      event,
      "a game starts when no seat is open and no seed is awaited",
    );
    compare(
      "order",
      event.version,
      "/data/players",
      this.sitters.map((sitter) => sitter?.player ?? null),
      event.data.players,
    );
    this.status = "active";
  }

  /** @param {Event} event */
  proposal_made(event) {
    const { proposal, kind, duration = null, to_version } = event.data;
    const isKnown = !this.ruleset || PROPOSALS["all"]?.includes(kind) || PROPOSALS[this.ruleset]?.includes(kind);
    this.possible(
      isKnown && this.status === (kind === "resume" ? "paused" : "active"),
      event,
      "what can be proposed now",
    );
    compare("order", event.version, "/data/proposal", `p${event.version}`, proposal);
    this.possible(![...this.proposals.values()].some((made) => made.kind === kind), event, "nothing is proposed twice");
    if (kind === "pause")
      must(milliseconds(duration) > 0, "order", event.version, "/data/duration", "how long the pause is", duration);
    else compare("order", event.version, "/data/duration", null, duration);
    if (kind !== "take_back") compare("order", event.version, "/data/to_version", undefined, to_version);
    this.proposals.set(proposal, {
      kind,
      duration,
      ...(to_version !== undefined && { to_version }),
      declined: false,
      accepted: new Set([Number(event.seat)]),
    });
  }

  /** @param {Event} event */
  vote_cast(event) {
    const made = this.proposals.get(event.data.proposal);
    this.possible(
      made !== undefined && !made.accepted.has(Number(event.seat)),
      event,
      "a seat votes once on what is proposed",
    );
    if (event.data.accept === true) made?.accepted.add(Number(event.seat));
    else if (made) made.declined = true;
  }

  /** @param {Event} event */
  proposal_closed(event) {
    const made = this.proposals.get(event.data.proposal);
    this.possible(made !== undefined, event, "what is proposed is closed");
    this.proposals.delete(event.data.proposal);
    if (event.data.result !== "agreed" || !made) return;
    const [waits] = made.declined ? [event.seat] : this.missing(made.accepted);
    must(
      waits === undefined,
      "order",
      event.version,
      "/data/result",
      "what every player has accepted",
      event.data.result,
    );
    this.agreed = made;
  }

  /** @param {Event} event */
  taken_back(event) {
    this.possible(this.agreed?.kind === "take_back", event, "the players agree to take back");
    compare("order", event.version, "/data/to_version", this.agreed?.to_version, event.data.to_version);
    if (this.taken > event.data.to_version) this.taken = 0;
  }

  /** @param {Event} event */
  turn_timed_out(event) {
    const isPlayer = this.sitters[Number(event.seat)]?.player != null;
    must(
      this.clock && this.status === "active" && isPlayer,
      "order",
      event.version,
      "/seat",
      "a seat whose time is up",
      event.seat,
    );
  }

  /** @param {Event} event */
  timeout_claimed(event) {
    this.possible(
      this.clock?.on_timeout === "wait" && this.status === "active",
      event,
      "a timeout is claimed by a clock that waits for it",
    );
    const { late } = event.data;
    const canBeLate = Number.isInteger(late) && late !== event.seat && this.sitters[late]?.player != null;
    must(canBeLate, "order", event.version, "/data/late", "the seat of another player", late);
  }

  /** @param {Event} event */
  operator_acted({ version, data: { act } }) {
    const [result] = this.events.slice(version, version + 1);
    const isKnown = act === "abort" || (act === "replace" && (!result || result.type === "bot_seated"));
    must(isKnown, "order", version, "/data/act", "what an operator can do", act);
    this.act = act;
  }

  /** @param {Event} event */
  game_paused(event) {
    this.possible(this.agreed?.kind === "pause", event, "the players agree to pause");
    compare("order", event.version, "/data/duration", this.agreed?.duration, event.data.duration);
    this.status = "paused";
  }

  /** @param {Event} event */
  game_resumed(event) {
    this.possible(this.status === "paused", event, "a pause ends");
    const isAgreed = this.agreed?.kind === "resume" || this.sitters.every((sitter) => sitter?.player === null);
    compare("order", event.version, "/data/reason", isAgreed ? "agreed" : "over", event.data.reason);
    this.status = "active";
  }

  /** @param {Event} event */
  secret_revealed(event) {
    const [next] = this.events.slice(event.version);
    const begins = DEALINGS[this.ruleset]?.type;
    if (!begins) return;
    this.possible(
      this.status === "active" && this.deals === event.data.deal && this.deals < DEALS,
      event,
      "the secret of the last deal is revealed",
    );
    this.possible(!next || next.type === begins, event, "the secret of a deal is revealed right before the next one");
  }

  /** @param {Event} event */
  game_finished(event) {
    this.possible(this.status === "active", event, "a game ends that has begun");
    this.status = "over";
  }

  /** @param {Event} event */
  game_aborted(event) {
    const { reason } = event.data;
    const holds =
      reason === "operator"
        ? this.act === "abort"
        : reason === "agreed"
          ? this.agreed?.kind === "abort"
          : this.status === "open" && BEFORE_THE_START.includes(reason);
    if (reason === "unopened")
      this.possible(
        this.seeds === "closed" && this.status === "open",
        event,
        "a game ends without a seed that was awaited",
      );
    else if (reason === "idle")
      this.possible(
        this.status === "active" &&
          !this.secrets.set &&
          this.clock?.on_timeout !== "bot" &&
          this.clock?.on_timeout !== "resign",
        event,
        "a game ends in which nothing was due",
      );
    else if (reason === "closed")
      this.possible(
        this.status === "active" && event.at >= this.events[0]?.data.deal?.closes,
        event,
        "a game ends whose deal set has closed",
      );
    else if (reason === "endless") this.possible(event.version > MOST_EVENTS, event, "a game ends whose log is full");
    else must(holds, "order", event.version, "/data/reason", "why the game ends now", reason);
    this.status = "over";
  }

  /** Check who deals and who gets which cards, from our own statement of the draws. @param {Event} event @param {Event | undefined} before */
  dealt(event, before) {
    const { version, data } = event;
    const dealing = DEALINGS[this.ruleset];
    if (!dealing) return;
    const seats = this.sitters.length;
    this.deals += 1;
    const number = this.deals;
    if (this.secrets.byDeal && number > 1 && number <= DEALS)
      must(before?.type === "secret_revealed", "order", version, "/type", "secret_revealed", event.type);
    if (this.dealer >= 0) this.dealer = (this.dealer + dealing.next(this.options, this.taken > 0) + seats) % seats;
    else if (typeof this.options.first_dealer === "number" && version > this.copied)
      this.dealer = this.options.first_dealer;
    else this.dealer = this.firstDealer(event);
    this.first ??= data;
    this.taken = 0;
    if (version <= this.copied) {
      compare("order", version, `/data/${dealing.numbers}`, number, data[dealing.numbers]);
      return compare("order", version, "/data/dealer", this.dealer, data.dealer);
    }
    const deal = { options: this.options, seats, number, dealer: this.dealer, won: this.won, first: this.first };
    const expected = dealing.data(deal);
    const chance = this.chance(version);
    const mask = this.mask(chance);
    if (this.secrets.set && !chance && expected.board) expected.board = data.board;
    if (mask && expected.board) expected.board = maskedThings(mask, expected.board, true);
    for (const draw of dealing.draws(deal)) {
      this.stated.push({ version, ...draw });
      if (chance) {
        const drawn = made(chance, { version, ...draw });
        for (const each of mask ? drawn : []) each.things = maskedThings(mask, each.things, each.to === "/board");
        fill(expected, inOrder(drawn, draw));
      } else fillAsTold(expected, data, draw);
    }
    compare("draw", version, "/data", expected, data);
  }

  /** Draw the mask under which the table plays, once its set has closed. @param {Chance | null} chance @returns {string} */
  mask(chance) {
    const { mask } = this.events[0]?.data ?? {};
    if (!this.secrets.set || !chance) return "";
    const masks = masksOf(this.ruleset, { seats: this.sitters.length, options: this.options });
    compare("draw", 1, "/data/mask", masks[below({ ...chance, id: this.secrets.id }, "mask", 1, masks.length)], mask);
    return mask;
  }

  /** @param {Event} event */
  firstDealer({ version, data }) {
    const chance = version > this.copied && this.chance(version);
    if (chance) return below(chance, "first_dealer", 1, this.sitters.length);
    must(
      Number.isInteger(data.dealer) && data.dealer in this.sitters,
      "order",
      version,
      "/data/dealer",
      "a seat",
      data.dealer,
    );
    return data.dealer;
  }
}

const SEED = "a text of 1 to 64 characters";

/** @param {Plain} seed */
const isSeed = (seed) => typeof seed === "string" && seed.length > 0 && [...seed].length <= 64;

/** How long a duration is, such as P1W2DT3H4M5.5S; `NaN` if it is none. @param {Plain} duration */
function milliseconds(duration) {
  const found = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(duration);
  const [weeks, days, hours, minutes, seconds] = range(5, 1).map((at) => Number(found ? (found[at] ?? 0) : NaN));
  const whole = (((weeks ?? 0) * 7 + (days ?? 0)) * 24 + (hours ?? 0)) * 3600 + (minutes ?? 0) * 60;
  return 1000 * whole + Math.round(1000 * (seconds ?? 0));
}

/** Put things where they show: in a list, unless a single one stands there. @param {Plain} data @param {{to: string, things: Plain[]}[]} dealt */
function fill(data, dealt) {
  for (const { to, things } of dealt) {
    const { holder, key } = place(data, to);
    holder[key] = ["string", "number"].includes(typeof holder[key]) ? things[0] : things;
  }
}

/** Sort what an event lists sorted as the unshuffled pack has it. @param {{to: string, things: Plain[], sorted: boolean}[]} dealt @param {Omit<Draw, "version">} draw */
const inOrder = (dealt, { order: pack }) =>
  dealt.map(({ to, things, sorted }) => ({
    to,
    things: sorted && pack ? things.sort((one, other) => pack.of.indexOf(one) - pack.of.indexOf(other)) : things,
  }));

/** Take what an event shows of a draw whose secret is not known. @param {Plain} expected @param {Plain} data @param {Omit<Draw, "version">} draw */
function fillAsTold(expected, data, { numbers, order: pack }) {
  for (const to of [numbers, pack?.apart, ...(pack?.packets ?? [])].flatMap((each) => (each ? [each.to] : []))) {
    const [one, { holder, key }] = [place(expected, to), place(data, to)];
    if (Object.hasOwn(holder, key)) one.holder[key] = holder[key];
    else delete one.holder[key];
  }
}

// -- the whole --------------------------------------------------------------------------------------------------------

/** The versions of the rules that are known here. @type {Record<string, number>} */
const RULES = { "le-plateau": 1, plateau: 2, "french-tarot": 2, plute: 1 };
/** So many seats, and numbers of one draw, are believed. */
const MOST = 1000;
/** @type {Known} */
const NOTHING = { seeds: [], seen: [], joinedAfter: [], openedAfter: [] };

/** Compare the draws that a bundle states with those behind its events. @param {Draw[]} draws @param {Draw[]} stated */
function checkStated(draws, stated) {
  for (const [at, draw] of stated.entries()) compare("draw", draw.version, `draw ${at + 1}`, draw, draws[at]);
  must(draws.length <= stated.length, "draw", null, `draw ${stated.length + 1}`, "nothing", draws[stated.length]);
}

/** Make the stated draws again of rules that are not known here; where something was drawn, nothing else can be hidden. @param {Bundle} bundle @param {Walk} walk */
function checkUnknown({ events, draws }, walk) {
  const dealing = new Set(draws.map(({ version }) => events[version - 1]?.type));
  for (const [at, draw] of draws.entries()) {
    const event = events[draw.version - 1];
    if (!event) throw new Wrong("draw", null, `draw ${at + 1}/version`, "the version of an event", shown(draw.version));
    try {
      const chance = walk.chance(event.version);
      if (chance) redraw(chance, draw, event.data);
    } catch (error) {
      throw error instanceof Wrong ? error : new Wrong("draw", event.version, `draw ${at + 1}`, "a draw", shown(draw));
    }
  }
  for (const { version, type, sealed } of events.slice(walk.copied).filter(({ type }) => dealing.has(type))) {
    const shownAt = draws
      .filter((draw) => draw.version === version)
      .flatMap(({ numbers, order: pack }) => [numbers, pack?.apart, ...(pack?.packets ?? [])].map((each) => each?.to));
    for (const pointer of Object.keys(sealed))
      must(
        pointer === THOUGHT || shownAt.includes(pointer),
        "draw",
        version,
        `/sealed${pointer}`,
        `a draw of ${type}`,
        "none",
      );
  }
}

/** Check everything in a bundle; yield what is done, from 0 to 1, and raise `Wrong` at the first fault. @param {Bundle} bundle @param {Known} known @returns {Generator<number, Report>} */
function* checked(bundle, known) {
  const { header, events, draws, others } = bundle;
  for (const done of checkChain(bundle)) yield done / (2 * events.length);
  for (const [seat, seed] of known.seeds) checkOwnSeed(events, seat, seed);
  checkHeads(events, known.seen);
  checkOpenedAfter(events, known.openedAfter);
  const unchecked = between(events, known);
  if (SIGNED.some((kind) => Object.hasOwn(others, kind))) unchecked.push("its signatures were not checked");
  for (const [kind, count] of Object.entries(others))
    if (!SIGNED.includes(kind)) unchecked.push(`${count} lines of the unknown kind ${shown(kind)} were not checked`);
  const secrets = new Secrets(events);
  checkOpenings(events, secrets);
  const [after = 0] = secrets.versions.slice(-1);
  if (!secrets.game)
    unchecked.push(
      `the game is not over: its secret, and the draws${after ? ` after version ${after}` : ""}, were not checked`,
    );
  if (secrets.awaitsSet) unchecked.push("the set of its deal has not closed: its draws were not checked");
  const count = (/** @type {"sealed" | "salts"} */ kind) =>
    events.reduce((sum, event) => sum + Object.keys(event[kind]).length, 0);
  const { commitment, seats } = events[0]?.data ?? {};
  const report = {
    events: events.length,
    head: header.head,
    sealed: count("sealed"),
    opened: count("salts"),
    commitment: secrets.game ? commitment : null,
    draws: /** @type {Draw[]} */ ([]),
    unchecked,
  };
  const isKnown = RULES[header.ruleset] === header.rules_version;
  must(Number.isInteger(seats) && seats > 0 && seats <= MOST, "shape", 1, "/data/seats", "a number of seats", seats);
  if (isKnown) checkTypes(events, header.ruleset);
  else
    unchecked.push(
      `version ${shown(header.rules_version)} of the rules of ${shown(header.ruleset)} is not known here: what is sealed was not checked, and the draws only as they are stated`,
    );
  const walk = new Walk(events, isKnown ? header.ruleset : "", secrets);
  for (const event of events) {
    try {
      walk.step(event);
    } catch (error) {
      throw error instanceof Wrong
        ? error
        : new Wrong("shape", event.version, "/data", `the form of ${event.type}`, shown(event.data));
    }
    yield 0.5 + event.version / (2 * events.length);
  }
  unchecked.push(
    ...walk.leftOut.map(
      (seat) => `the seed of seat ${seat} was left out: its player did not open it, or the server did not take it`,
    ),
  );
  if (walk.unmarked)
    unchecked.push(
      `version ${walk.unmarked}: a bot did this, and the log does not say what with, as in logs from before that was noted: the moves of bots up to the first that is noted were not checked`,
    );
  if (isKnown) checkStated(draws, walk.stated);
  else checkUnknown(bundle, walk);
  report.draws = draws.filter(({ version }) => secrets.ofDraw(version));
  const origin = events[0]?.data.forked_from;
  if (origin)
    unchecked.push(
      `the game is a fork of ${origin.game_id}: the ${origin.events} events that it repeats were not compared with that game`,
    );
  return report;
}

/** Check a bundle; raise `Wrong` at the first fault. @param {Bundle} bundle @param {Known} [known] @returns {Report} */
export function verify(bundle, known = NOTHING) {
  const steps = checked(bundle, known);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const PAUSE_MS = 12;

/** Check a bundle without blocking the page; `progress` is called with what is done, from 0 to 1. @param {Bundle} bundle @param {(done: number) => void} progress @param {Known} [known] @returns {Promise<Report>} */
export async function verifyInSteps(bundle, progress, known = NOTHING) {
  const steps = checked(bundle, known);
  for (let since = performance.now(); ; ) {
    const { done, value } = steps.next();
    if (done) {
      progress(1);
      return value;
    }
    if (performance.now() - since < PAUSE_MS) continue;
    progress(value);
    await new Promise((resume) => setTimeout(resume));
    since = performance.now();
  }
}

/**
 * Change one hidden thing of a log, to show that it is found; null if nothing was hidden.
 * @param {Audit} audit @returns {{audit: Audit, version: number, was: string, is: string} | null}
 */
export function forged(audit) {
  const changed = structuredClone(audit);
  const parts = changed.events.flatMap(({ version, data, salts }) =>
    Object.keys(salts).flatMap((where) => (where === THOUGHT ? [] : { version, ...place(data, where) })),
  );
  const part = parts[Math.floor(parts.length / 2)];
  if (!part) return null;
  const { holder, key } = part;
  const list = Array.isArray(holder[key]) ? holder[key] : null;
  const was = list ? list[0] : holder[key];
  const others = parts.flatMap((each) => each.holder[each.key]).filter((each) => typeof each === typeof was);
  const is = others.find((each) => canonical(each) !== canonical(was)) ?? null;
  if (list) list[0] = is;
  else holder[key] = is;
  return { audit: changed, version: part.version, was: String(was), is: String(is) };
}

// -- the command ------------------------------------------------------------------------------------------------------

const [VERIFIED, WRONG, UNREADABLE, INCOMPLETE] = [0, 1, 2, 3];
const USAGE =
  "usage: node verify_bundle.mjs [--mine SEAT=SEED] [--seen VERSION:HASH] [--joined-after VERSION:HASH] [--opened-after VERSION:HASH] [--json] FILE…";

/** @param {Bundle} bundle @param {Known} known */
function judged(bundle, known) {
  try {
    const { events, unchecked } = verify(bundle, known);
    return { code: unchecked.length ? INCOMPLETE : VERIFIED, events, fault: null, unchecked };
  } catch (error) {
    const fault = error instanceof Wrong ? error : new Wrong("shape", null, "", "the form of a log", String(error));
    const { version, field, expected, found, message } = fault;
    return {
      code: WRONG,
      events: bundle.events.length,
      fault: { version, field, expected, found, message },
      unchecked: [],
    };
  }
}

/** @param {string[]} given */
function understood(given) {
  /** @type {{files: string[], asJson: boolean, known: Known}} */
  const found = { files: [], asJson: false, known: { seeds: [], seen: [], joinedAfter: [], openedAfter: [] } };
  for (let left = [...given]; left.length > 0; ) {
    const [first = "", second = ""] = left;
    const into = {
      "--mine": found.known.seeds,
      "--seen": found.known.seen,
      "--joined-after": found.known.joinedAfter,
      "--opened-after": found.known.openedAfter,
    }[first];
    const pair = into && new RegExp(first === "--mine" ? "^(\\d+)=(.+)$" : "^(\\d+):(.+)$", "s").exec(second);
    if (into ? !pair : first.startsWith("--") && first !== "--json") return null;
    if (into && pair) into.push([Number(pair[1]), pair[2] ?? ""]);
    else if (first === "--json") found.asJson = true;
    else found.files.push(first);
    left = left.slice(into ? 2 : 1);
  }
  const { seeds, joinedAfter } = found.known;
  return found.files.length && (seeds.length || !joinedAfter.length) ? found : null;
}

/** @param {string} text */
const clean = (text) => text.replace(/\p{C}/gu, "\ufffd");

/** @param {Plain} process @param {Plain} fs */
function run(process, fs) {
  const asked = understood(process.argv.slice(2));
  if (!asked) {
    process.stderr.write(`${USAGE}\n`);
    return UNREADABLE;
  }
  const codes = asked.files.map((file) => {
    /** @type {Plain} */
    let told;
    try {
      const bundle = read(fs.readFileSync(file));
      told = { file, game_id: bundle.header.game_id, ...judged(bundle, asked.known) };
    } catch (error) {
      told = { file, code: UNREADABLE, unreadable: /** @type {Error} */ (error).message };
    }
    const { code, fault, events, unchecked = [], unreadable, game_id: id } = told;
    const first = unreadable
      ? `${file}: unreadable: ${unreadable}`
      : `${file}: ${id}: ${fault ? `WRONG: ${fault.message}` : `verified, ${events} events`}`;
    const lines = [first, ...unchecked.map((/** @type {string} */ each) => `${file}: ${id}: warning: ${each}`)];
    if (asked.asJson) process.stdout.write(`${JSON.stringify(told)}\n`);
    else
      for (const each of lines)
        (code === WRONG || code === UNREADABLE ? process.stderr : process.stdout).write(`${clean(each)}\n`);
    return code;
  });
  return [WRONG, UNREADABLE, INCOMPLETE].find((code) => codes.includes(code)) ?? VERIFIED;
}

/** @type {Plain} */
const { process } = globalThis;
if (process?.versions?.node && process.argv[1]) {
  const load = (/** @type {string} */ name) => import(`node:${name}`);
  const [fs, url] = await Promise.all(["fs", "url"].map(load));
  if (url.fileURLToPath(import.meta.url) === fs.realpathSync(process.argv[1])) process.exitCode = run(process, fs);
}
