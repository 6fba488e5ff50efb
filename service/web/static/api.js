/** Requests to the service: the token, the language, and problems as errors. */

import { enter, change, now } from "./store.js";
import { language } from "./words.js";

/** @typedef {import("schema").components["schemas"]} Schemas */
/** @typedef {Schemas["Game"] & {version?: number}} Game */
/** @typedef {{pointer: string, code: string, message: string}} Fault */

const PATIENCE_MS = 20_000;

/** The service rejected the request; it had no effect. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {{code?: string, detail?: string, errors?: Fault[], [more: string]: unknown}} body
   * @param {number} after Seconds to wait before another try.
   */
  constructor(status, body, after) {
    super(body.detail ?? `${status}`);
    this.status = status;
    this.code = body.code ?? "";
    this.body = body;
    this.faults = body.errors ?? [];
    this.after = after;
  }

  /** Whether the same request can succeed a little later. */
  get passes() {
    return this.status === 429 || this.status >= 500;
  }
}

/** There was no response; the request may or may not have had an effect. */
export class Unreached extends Error {}

/**
 * @typedef {object} Sent
 * @property {unknown} [body]
 * @property {string} [key] The idempotency key: the request can be repeated with it, and acts once.
 * @property {string} [accept]
 * @property {AbortSignal} [signal]
 * @property {string | null} [token] Instead of the token of this browser.
 * @property {number} [patience] Milliseconds until the response must begin.
 */

/**
 * Send a request; raise `Problem` or `Unreached`, or an `AbortError` where the caller gave up.
 * @param {string} method
 * @param {string} path
 * @param {Sent} [sent]
 * @returns {Promise<Response>}
 */
export async function request(method, path, sent = {}) {
  const token = sent.token === undefined ? now().session?.token : sent.token;
  /** @type {Record<string, string>} */
  const headers = { Accept: sent.accept ?? "application/json", "Accept-Language": language() };
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (sent.key) headers["Idempotency-Key"] = sent.key;
  if (sent.body !== undefined) headers["Content-Type"] = "application/json";
  const body = sent.body === undefined ? null : JSON.stringify(sent.body);
  const gone = new AbortController();
  const late = setTimeout(() => gone.abort(), sent.patience ?? PATIENCE_MS);
  const signal = sent.signal ? AbortSignal.any([sent.signal, gone.signal]) : gone.signal;
  let answer;
  try {
    answer = await fetch(path, { method, headers, body, signal, credentials: "omit" });
  } catch (error) {
    sent.signal?.throwIfAborted();
    throw lost(error);
  } finally {
    clearTimeout(late);
  }
  if (now().link === "lost") change({ link: "here" });
  if (answer.ok) return answer;
  const after = Number(answer.headers.get("Retry-After") ?? 1);
  const problem = new Problem(answer.status, await answer.json().catch(() => ({})), after);
  if (problem.status === 401 && sent.token === undefined && token === now().session?.token) enter(null);
  throw problem;
}

/** @param {unknown} error */
function lost(error) {
  if (now().link === "here") change({ link: "lost" });
  return new Unreached(String(error));
}

/**
 * Send a request and read the JSON of the response.
 * @param {string} method
 * @param {string} path
 * @param {Sent} [sent]
 * @returns {Promise<any>}
 */
export async function call(method, path, sent) {
  const answer = await request(method, path, sent);
  if (answer.status === 204) return null;
  return answer.json().catch((error) => {
    sent?.signal?.throwIfAborted();
    throw lost(error);
  });
}

/**
 * @param {string} path
 * @param {Sent} [sent]
 */
export const get = (path, sent) => call("GET", path, sent);

/**
 * @param {string} path
 * @param {unknown} body
 * @param {Sent} [sent]
 */
export const post = (path, body, sent) => call("POST", path, { ...sent, body });

/**
 * Write parameters behind a path; those that are null or empty are left out.
 * @param {string} path
 * @param {Record<string, string | number | boolean | null | undefined>} query
 */
export function at(path, query) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

/** Make a key that nobody else has made. (`crypto.randomUUID` does not exist on plain http.) */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Have an account: the one of this browser, or else a new guest.
 * @param {string} name
 * @returns {Promise<import("./store.js").Session>}
 */
export async function guest(name) {
  const known = now().session;
  if (known) return known;
  /** @type {Schemas["NewPlayerAnswer"]} */
  const made = await post("/v1/players", { name });
  const session = { token: made.token, id: made.id, name: made.name };
  enter(session);
  return session;
}
