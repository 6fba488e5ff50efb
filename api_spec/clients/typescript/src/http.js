// Requests over fetch, repeated where that is safe. Nothing here knows of games.

import { PlateauError, RateLimited, Unavailable, errorOf, noResponse } from "./problems.js";

/** @typedef {(url: string, init: RequestInit) => Promise<Response>} Fetch */

/**
 * @typedef {object} Connection
 * @property {string} url the address of the service, without a path
 * @property {string | null} token
 * @property {Fetch} fetch
 * @property {number} retries how often a request is repeated at most
 * @property {number} timeout how many seconds a response can take
 * @property {number | undefined} [silence] how many seconds a stream can bring nothing
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
 * How to send a request that takes effect once even if it is repeated.
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

/** After how many seconds a call gives up on repeating its request. */
const PATIENCE = 30;

/** The maximum silence of a stream in seconds: the service sends a heartbeat every 15 seconds. */
const SILENCE = 25;

const LINES = "application/x-ndjson";

/** How many seconds it waits, about, before it repeats a request for the first time. */
const FIRST_PAUSE = 0.1;

/** The statuses of a service or a proxy, or of no response (0), after which another attempt can succeed. */
const PASSING = new Set([0, 502, 503, 504]);

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
  const repeatable = method === "GET" || options.key !== undefined;
  const end = performance.now() + PATIENCE * 1000;
  for (let attempt = 0; ; attempt += 1) {
    /** @type {Answer<T> | PlateauError} */
    const result = await once(connection, method, path, options);
    if (!(result instanceof PlateauError)) return result;
    const wait = Math.max(result.after, FIRST_PAUSE * 2 ** attempt * (0.5 + Math.random() / 2));
    const late = attempt >= connection.retries || performance.now() + wait * 1000 > end;
    if (late || !isPassing(result, repeatable)) throw result;
    await sleep(wait, options.signal);
  }
}

/**
 * Whether repeating a failed request is safe and can help.
 * @param {PlateauError} error
 * @param {boolean} [repeatable]
 */
export function isPassing(error, repeatable = true) {
  if (error instanceof Unavailable) return repeatable && PASSING.has(error.status);
  return error instanceof RateLimited;
}

/**
 * @template T
 * @param {Connection} connection
 * @param {string} method
 * @param {string} path
 * @param {RequestOptions} options
 * @returns {Promise<Answer<T> | PlateauError>}
 */
async function once(connection, method, path, options) {
  const send = connection.fetch; // called without a receiver, as browsers ask for
  const url = connection.url + path + search(options.query);
  const limit = AbortSignal.timeout(connection.timeout * 1000);
  try {
    const response = await send(url, {
      method,
      headers: headers(connection.token, options),
      signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    const text = await response.text();
    if (!response.ok && response.status !== 304) return errorOf(response, text);
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text || null };
  } catch (error) {
    options.signal?.throwIfAborted();
    return noResponse(url, error);
  }
}

/**
 * Open a stream, once, and read its lines as they come; an empty line is a heartbeat.
 * @param {Connection} connection
 * @param {string} path
 * @param {RequestOptions} options
 * @returns {AsyncGenerator<string, void, undefined>}
 */
export async function* lines(connection, path, options) {
  const { fetch: send, silence = SILENCE } = connection;
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const watched = async (/** @type {() => Promise<any>} */ act) => {
    const timer = setTimeout(() => stop.abort(new Error("the stream is silent")), silence * 1000);
    return act().finally(() => clearTimeout(timer));
  };
  try {
    const asked = headers(connection.token, { ...options, headers: { Accept: LINES } });
    const url = connection.url + path + search(options.query);
    /** @type {Response} */
    const response = await watched(() => send(url, { headers: asked, signal }));
    const isStream = response.ok && response.headers.get("Content-Type")?.startsWith(LINES);
    if (!isStream || !response.body) throw errorOf(response, await watched(() => response.text()));
    const [reader, decoder] = [response.body.getReader(), new TextDecoder()];
    for (let rest = ""; ; ) {
      const { done, value } = await watched(() => reader.read());
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      yield* parts;
    }
  } finally {
    stop.abort();
  }
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

/** Return a key that no other request has; browsers have crypto.randomUUID only on pages that came over TLS. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join("");
}

/**
 * Return the header that binds a request to a head of the game, if there is one.
 * @param {string | undefined} head
 * @returns {Record<string, string>}
 */
export function matching(head) {
  return head === undefined ? {} : { "If-Match": `"${head}"` };
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
