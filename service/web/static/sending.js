/**
 * A write that acts once: it has one key, and is sent again with it until the service has answered.
 * The browser keeps it meanwhile, so it survives a lost connection, a restart of the service and a closed page.
 */

import { newKey, post, Problem, Unreached } from "./api.js";
import { read, write } from "./store.js";

/** @typedef {{path: string, body: unknown, key: string, owner: string}} Kept */
/** @typedef {{state: "saved", answer: any} | {state: "refused", problem: Problem}} Outcome */
/** @typedef {{state: "sending"} | {state: "unsent", tries: number} | Outcome} Progress */

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Send a body to a path; `name` says what it is for, such as the id of a game, and there is one at a time for it.
 * @param {string} name
 * @param {string} path
 * @param {unknown} body
 * @param {{owner: string, signal?: AbortSignal, shown?: (progress: Progress) => void}} how
 * @returns {Promise<Outcome>}
 */
export function send(name, path, body, how) {
  const kept = { path, body, key: newKey(), owner: how.owner };
  write(`sending.${name}`, kept);
  return deliver(name, kept, how);
}

/**
 * Go on with what a page did not finish, if there is something of this player's; null if there is nothing.
 * @param {string} name
 * @param {{owner: string, signal?: AbortSignal, shown?: (progress: Progress) => void}} how
 * @returns {Promise<Outcome> | null}
 */
export function resume(name, how) {
  const kept = read(`sending.${name}`, /** @type {Kept | null} */ (null));
  return kept && kept.owner === how.owner ? deliver(name, kept, how) : null;
}

/**
 * @param {string} name
 * @param {Kept} kept
 * @param {{signal?: AbortSignal, shown?: (progress: Progress) => void}} how
 * @returns {Promise<Outcome>}
 */
async function deliver(name, { path, body, key }, { signal, shown = () => {} }) {
  shown({ state: "sending" });
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt(path, body, key, signal);
    if (outcome.state !== "unsent") {
      write(`sending.${name}`, null);
      shown(outcome);
      return outcome;
    }
    shown({ state: "unsent", tries });
    await pause(Math.max(outcome.after * 1000, spread(FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 6))), signal);
  }
}

/**
 * @param {string} path
 * @param {unknown} body
 * @param {string} key
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Outcome | {state: "unsent", after: number}>}
 */
async function attempt(path, body, key, signal) {
  try {
    return { state: "saved", answer: await post(path, body, { key, patience: 8000, ...(signal && { signal }) }) };
  } catch (error) {
    if (error instanceof Unreached) return { state: "unsent", after: 0 };
    if (!(error instanceof Problem)) throw error;
    return error.passes && error.status !== 500 ? { state: "unsent", after: error.after } : { state: "refused", problem: error };
  }
}

/**
 * Vary a pause, so that the clients that a service has lost do not come back at one moment.
 * @param {number} ms
 */
export const spread = (ms) => Math.min(ms, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);

/**
 * Wait; the browser's message that it is online again, and the reader's return to the page, end the wait.
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const gaveUp = () => end(() => reject(signal?.reason));
    const timer = setTimeout(() => end(resolve), ms);
    const early = () => end(resolve);
    /** @param {() => void} then */
    function end(then) {
      clearTimeout(timer);
      removeEventListener("online", early);
      signal?.removeEventListener("abort", gaveUp);
      then();
    }
    if (signal?.aborted) return end(() => reject(signal.reason));
    addEventListener("online", early);
    signal?.addEventListener("abort", gaveUp);
    return undefined;
  });
}
