/**
 * Send a request, and repeat it as long as that is safe and can help.
 * @template T
 * @param {Connection} connection
 * @param {string} method
 * @param {string} path
 * @param {RequestOptions} [options]
 * @returns {Promise<Answer<T>>}
 */
export function request<T>(connection: Connection, method: string, path: string, options?: RequestOptions): Promise<Answer<T>>;
/**
 * Whether repeating a failed request is safe and can help.
 * @param {PlateauError} error
 * @param {boolean} [repeatable]
 */
export function isPassing(error: PlateauError, repeatable?: boolean): boolean;
/**
 * Open a stream, once, and read its lines as they come; an empty line is a heartbeat.
 * @param {Connection} connection
 * @param {string} path
 * @param {RequestOptions} options
 * @returns {AsyncGenerator<string, void, undefined>}
 */
export function lines(connection: Connection, path: string, options: RequestOptions): AsyncGenerator<string, void, undefined>;
/** Return a key that no other request has; browsers have crypto.randomUUID only on pages that came over TLS. */
export function newKey(): string;
/**
 * Return the header that binds a request to a head of the game, if there is one.
 * @param {string | undefined} head
 * @returns {Record<string, string>}
 */
export function matching(head: string | undefined): Record<string, string>;
/**
 * @param {number} seconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function sleep(seconds: number, signal?: AbortSignal): Promise<void>;
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
export type Connection = {
    /**
     * the address of the service, without a path
     */
    url: string;
    token: string | null;
    fetch: Fetch;
    /**
     * how often a request is repeated at most
     */
    retries: number;
    /**
     * how many seconds a response can take
     */
    timeout: number;
    /**
     * how many seconds a stream can bring nothing
     */
    silence?: number | undefined;
};
export type RequestOptions = {
    /**
     * names and values; undefined values are left out
     */
    query?: Readonly<Record<string, unknown>> | undefined;
    /**
     * what to send as JSON
     */
    body?: unknown;
    headers?: Readonly<Record<string, string>> | undefined;
    /**
     * the Idempotency-Key, with which a POST is safe to repeat
     */
    key?: string | undefined;
    signal?: AbortSignal | undefined;
};
/**
 * How to send a request that takes effect once even if it is repeated.
 */
export type Once = {
    /**
     * your own Idempotency-Key; by default a new one for each call
     */
    key?: string | undefined;
    signal?: AbortSignal | undefined;
};
export type Answer<T> = {
    /**
     * 200 to 299, or 304
     */
    status: number;
    headers: Headers;
    /**
     * parsed if it is JSON, else its text; null if there is none
     */
    body: T;
};
import { PlateauError } from "./problems.js";
