/**
 * Requests to the service, problems as errors, and writes that act once: such a write has one key, and is sent again with
 * it until the service has answered. The browser keeps it, so it survives a lost connection and a closed page.
 */

import { change, el, enter, language, now, read, t, write } from "./page.js";

/** @typedef {import("schema").components["schemas"]} Schemas */
/** @typedef {Schemas["Game"] & {version?: number}} Game */
/** @typedef {{pointer: string, code: string, message: string}} Fault */

const PATIENCE_MS = 20_000;

/** The service rejected the request; it had no effect. */
/** A refusal as it stands alone: what the service says can be a part of a list. @param {string} text */
const sentence = (text) =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?。！？]$/.test(text) ? "" : language() === "ja" ? "。" : ".");

export class Problem extends Error {
  /** @param {number} status @param {{code?: string, detail?: string, errors?: Fault[], [more: string]: unknown}} body @param {number} after Seconds to wait before another try. */
  constructor(status, body, after) {
    super(sentence(body.detail ?? `${status}`));
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
export class Unreached extends Error {
  after = 0;
  passes = true;
}

/**
 * @typedef {object} Sent
 * @property {unknown} [body]
 * @property {string} [key] The idempotency key: the request can be repeated with it, and acts once.
 * @property {string | null} [match] The tag of what is written over, if it is still that.
 * @property {string} [accept]
 * @property {AbortSignal} [signal]
 * @property {string | null} [token] Instead of the token of this browser.
 * @property {number} [patience] Milliseconds until the whole response must be there.
 */

/** Send a request; raise `Problem` or `Unreached`, or an `AbortError` where the caller gave up. @param {string} method @param {string} path @param {Sent} [sent] @returns {Promise<Response>} */
export async function request(method, path, sent = {}) {
  const token = sent.token === undefined ? now().session?.token : sent.token;
  /** @type {Record<string, string>} */
  const headers = { Accept: sent.accept ?? "application/json", "Accept-Language": language() };
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (sent.key) headers["Idempotency-Key"] = sent.key;
  if (sent.match) headers["If-Match"] = sent.match;
  if (sent.body !== undefined) headers["Content-Type"] = "application/json";
  const body = sent.body === undefined ? null : JSON.stringify(sent.body);
  const late = new AbortController();
  setTimeout(() => late.abort(), sent.patience ?? PATIENCE_MS);
  const signal = sent.signal ? AbortSignal.any([sent.signal, late.signal]) : late.signal;
  let answer;
  try {
    answer = await fetch(path, { method, headers, body, signal, credentials: "omit" });
  } catch (error) {
    sent.signal?.throwIfAborted();
    throw lost(error);
  }
  if (now().link === "lost") change({ link: "" });
  if (answer.ok) return answer;
  const after = Number(answer.headers.get("Retry-After") ?? 1);
  // It can be a date.
  const problem = new Problem(answer.status, await answer.json().catch(() => ({})), after >= 0 ? after : 1);
  if (problem.status === 401 && sent.token === undefined && token === now().session?.token) {
    // Before the session goes.
    dispatchEvent(new Event("forgotten"));
    enter(null);
    change({ link: "forgotten" });
  }
  throw problem;
}

/** @param {unknown} error */
function lost(error) {
  if (!now().link) change({ link: "lost" });
  return new Unreached(String(error));
}

/** Send a request and read the JSON of the response. @param {string} method @param {string} path @param {Sent} [sent] @returns {Promise<any>} */
export async function call(method, path, sent) {
  const answer = await request(method, path, sent);
  if (answer.status === 204) return null;
  return answer.json().catch((error) => {
    sent?.signal?.throwIfAborted();
    throw lost(error);
  });
}

/** What was asked for before the module that needs it was there, by path; null if it could not be had. @type {Map<string, Promise<any>>} */
const earlyRequests = new Map();

/** Ask for something that is soon needed; the next `get` takes the response. @param {string} path */
export const ask = (path) =>
  earlyRequests
    .set(
      path,
      call("GET", path).catch(() => null),
    )
    .get(path);

/** @param {string} path @param {Sent} [sent] @returns {Promise<any>} */
export async function get(path, sent) {
  const early = earlyRequests.get(path);
  earlyRequests.delete(path);
  return (await early) ?? call("GET", path, sent);
}

/** Where a game is read, with its scene, in a language. @param {string} id @param {Record<string, any>} perspective for whom, and which version */
export const viewOf = (id, perspective) =>
  at(`/v1/games/${encodeURIComponent(id)}/view`, { with: "scene", ...perspective });

/** @type {Map<string, Promise<Schemas["Ruleset"]>>} */
const rulesets = new Map();

/** @param {string} id @param {string} [lang] @returns {Promise<Schemas["Ruleset"]>} */
export function rulesetOf(id, lang = language()) {
  const path = at(`/v1/rulesets/${id}`, { lang });
  const request = rulesets.get(path) ?? get(path);
  rulesets.set(path, request);
  request.catch(() => rulesets.delete(path));
  return request;
}

/** @param {string} path @param {unknown} body @param {Sent} [sent] */
export const post = (path, body, sent) => call("POST", path, { ...sent, body });

/** Write parameters behind a path; those that are null or empty are left out. @param {string} path @param {Record<string, string | number | boolean | null | undefined>} query */
export function at(path, query) {
  const given = Object.entries(query).filter(([, value]) => (value ?? "") !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

/** Say what went wrong, where it did. @param {unknown} problem @param {() => void} [again] */
export function trouble(problem, again) {
  if (!problem) return null;
  const text =
    problem instanceof Unreached ? t("unreached") : problem instanceof Problem ? problem.message : t("failed");
  return el(
    "p",
    { class: "trouble", role: "alert" },
    text,
    again && el("button", { type: "button", onClick: again }, t("again")),
  );
}

/** Make a key that nobody else has made. (`crypto.randomUUID` does not exist on plain http.) */
export function newKey() {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

/** @typedef {{path: string, body: unknown, key: string, owner: string}} Kept */
/** @typedef {{state: "saved", answer: any} | {state: "refused", problem: Problem}} Outcome */
/** @typedef {{state: "sending"} | {state: "unsent"} | Outcome} Progress */
/** @typedef {{owner: string, shown?: (progress: Progress) => void}} How */

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 10_000;
const RESTART_MS = 30_000;

/** Send a body to a path; `name` says what it is for, such as a seat of a game, and one is kept for it, the latest. @param {string} name @param {string} path @param {unknown} body @param {How} how @returns {Promise<Outcome>} */
export function send(name, path, body, how) {
  const pending = { path, body, key: newKey(), owner: how.owner };
  write(`sending.${name}`, pending);
  return deliver(name, pending, how);
}

/** Continue what a page did not finish, if there is something of this player's; null if there is nothing. @param {string} name @param {How} how @returns {Promise<Outcome> | null} */
export function resume(name, how) {
  const pending = read(`sending.${name}`, /** @type {Kept | null} */ (null));
  return pending && pending.owner === how.owner ? deliver(name, pending, how) : null;
}

/** What is being delivered, the latest of each name. @type {Map<string, Kept>} */
const latest = new Map();

/** Try until the service answers; the result of what another one has taken over, or of a player who has gone, never comes. @param {string} name @param {Kept} pending @param {How} how @returns {Promise<Outcome>} */
async function deliver(name, pending, { shown = () => {} }) {
  const { path, body, key, owner } = pending;
  latest.set(name, pending);
  shown({ state: "sending" });
  for (let tries = 0; latest.get(name) === pending && now().session?.id === owner; tries += 1) {
    const outcome = await attempt(path, body, key);
    if (outcome.state !== "unsent") {
      if (read(`sending.${name}`, /** @type {Kept | null} */ (null))?.key === key) write(`sending.${name}`, null);
      shown(outcome);
      return outcome;
    }
    shown({ state: "unsent" });
    await retreat(tries, outcome.after);
  }
  return new Promise(() => {});
}

/** @param {string} path @param {unknown} body @param {string} key @returns {Promise<Outcome | {state: "unsent", after: number}>} */
async function attempt(path, body, key) {
  try {
    return { state: "saved", answer: await post(path, body, { key, patience: 8000 }) };
  } catch (/** @type {any} */ error) {
    if (error.passes && error.status !== 500) return { state: "unsent", after: error.after };
    if (error instanceof Problem) return { state: "refused", problem: error };
    throw error;
  }
}

/** Wait before another try, each time longer; not all clients that a service has lost come back at one moment. @param {number} tries how many there were @param {number} [least] seconds @param {AbortSignal} [signal] */
export const retreat = (tries, least = 0, signal) =>
  pause(
    Math.max(least * 1000, Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2)),
    signal,
  );

/** Wait; the browser's message that it is online again ends the wait. @param {number} ms @param {AbortSignal} [signal] */
export async function pause(ms, signal) {
  signal?.throwIfAborted();
  const over = new AbortController();
  await new Promise((end) => {
    setTimeout(end, ms);
    addEventListener("online", end, over);
    signal?.addEventListener("abort", end, over);
  });
  over.abort();
  signal?.throwIfAborted();
}

/** A module could not be loaded, and browsers do not try again: the service is away, or has a new release. Begin again once it is there, now and then. */
export async function restart() {
  change({ link: "lost" });
  await pause(Math.min(read("restarted", 0) + RESTART_MS - Date.now(), RESTART_MS));
  for (let tries = 0; !(await request("GET", "/healthz").catch(() => null)); tries += 1) await retreat(tries);
  write("restarted", Date.now());
  location.reload();
}
