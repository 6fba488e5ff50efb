// Requests over fetch: time limits, repetitions and problems. Nothing here knows of games.

/** @import {Problem} from "./index.js" */

/** @typedef {(url: string, init: RequestInit) => Promise<Response>} Fetch */

/**
 * @typedef {object} Connection
 * @property {string} url the address of the service, without a path
 * @property {string | null} token
 * @property {Fetch} fetch
 * @property {number} retries how often a request is repeated at most
 * @property {number} timeout how many seconds a response can take
 */

/**
 * @typedef {object} RequestOptions
 * @property {Readonly<Record<string, unknown>> | undefined} [query] names and values; undefined values are left out
 * @property {unknown} [body] what to send as JSON
 * @property {Readonly<Record<string, string>> | undefined} [headers]
 * @property {string | undefined} [key] the Idempotency-Key, with which a POST is safe to repeat
 * @property {AbortSignal | undefined} [signal]
 */

/**
 * How to send what happens once even if it is sent again.
 * @typedef {object} Once
 * @property {string | undefined} [key] your own Idempotency-Key; by default a new one for each call
 * @property {AbortSignal | undefined} [signal]
 */

/**
 * @template T
 * @typedef {object} Answer
 * @property {number} status 200 to 299, or 304
 * @property {Headers} headers
 * @property {T} body parsed if it is JSON, else its text; null if there is none
 */

/** How many seconds one call waits in all before it gives up on repeating a request. */
const PATIENCE = 30;

/** What a service or a proxy before it responds when another attempt can succeed. */
const UNAVAILABLE = new Set([502, 503, 504]);

/** The service rejected a request; `problem` explains why. */
export class PlateauError extends Error {
  /**
   * @param {number} status
   * @param {Problem} problem
   * @param {number | null} retryAfter
   */
  constructor(status, problem, retryAfter = null) {
    super(problem.detail ?? problem.title ?? `HTTP status ${status}`);
    this.name = "PlateauError";
    /** The HTTP status. */
    this.status = status;
    /** The stable code of the problem, such as "not-your-turn". */
    this.code = problem.code ?? `http-${status}`;
    /** Where the first fault of the request is, as a JSON pointer. */
    this.pointer = problem.errors?.[0]?.pointer ?? null;
    /** The whole problem, as the service described it. */
    this.problem = problem;
    /** After how many seconds another attempt makes sense, if the service says so. */
    this.retryAfter = retryAfter;
  }
}

/**
 * Send a request, and repeat it as long as that is safe and can help.
 * @template T
 * @param {Connection} connection
 * @param {string} method
 * @param {string} path
 * @param {RequestOptions} [options]
 * @returns {Promise<Answer<T>>}
 */
export async function request(connection, method, path, options = {}) {
  const repeatable = method !== "POST" || options.key !== undefined;
  let waited = 0;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await once(connection, method, path, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      const wait = pause(error, attempt, repeatable);
      waited += wait ?? 0;
      if (wait === null || attempt >= connection.retries || waited > PATIENCE) throw error;
      await sleep(wait, options.signal);
    }
  }
}

/**
 * Return after how many seconds to repeat a request that failed, null if not at all.
 * @param {unknown} error
 * @param {number} attempt
 * @param {boolean} repeatable
 */
function pause(error, attempt, repeatable) {
  const backoff = 0.2 * 2 ** attempt * (0.5 + Math.random());
  if (!(error instanceof PlateauError)) return repeatable ? backoff : null;
  if (error.status === 429) return error.retryAfter ?? backoff;
  return repeatable && UNAVAILABLE.has(error.status) ? Math.max(error.retryAfter ?? 0, backoff) : null;
}

/**
 * @template T
 * @param {Connection} connection
 * @param {string} method
 * @param {string} path
 * @param {RequestOptions} options
 * @returns {Promise<Answer<T>>}
 */
async function once(connection, method, path, options) {
  const send = connection.fetch; // called without a receiver, as browsers ask for
  const limit = AbortSignal.timeout(connection.timeout * 1000);
  const response = await send(connection.url + path + search(options.query), {
    method,
    headers: headers(connection.token, options),
    signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.includes("json") ?? false;
  if (response.ok || response.status === 304) {
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text || null };
  }
  throw new PlateauError(response.status, isJson ? JSON.parse(text) : {}, retryAfter(response));
}

/**
 * @param {string | null} token
 * @param {RequestOptions} options
 * @returns {Record<string, string>}
 */
function headers(token, options) {
  return {
    Accept: "application/json, */*;q=0.5",
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...(options.body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(options.key === undefined ? {} : { "Idempotency-Key": options.key }),
    ...options.headers,
  };
}

/** @param {RequestOptions["query"]} query */
function search(query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/** @param {Response} response */
function retryAfter(response) {
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** Return a key that no other request has; browsers have crypto.randomUUID only on pages that came over TLS. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join("");
}

/**
 * @param {number} seconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function sleep(seconds, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
