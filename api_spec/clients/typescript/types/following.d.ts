/**
 * Yield events as they happen, and views as `{view}` if the query asks for them.
 *
 * A stream can be cut or refused, or a proxy can hold it back. Each time a stream ends, a page follows: it catches up,
 * and throws whatever is wrong. While streams do not work, pages wait for what is new; if too many streams are open,
 * none can wait either, and pages come once a second.
 * @param {Feed} feed
 * @returns {AsyncGenerator<any, void, undefined>}
 */
export function follow(feed: Feed): AsyncGenerator<any, void, undefined>;
/**
 * What can be followed, in the name of whom.
 */
export type Feed = {
    client: Client;
    path: string;
    query: Readonly<Record<string, unknown>>;
    /**
     * the field of an event after which to go on
     */
    cursor: "version" | "id";
    /**
     * whether nothing more can come
     */
    isOver: () => Promise<boolean>;
    signal: AbortSignal | undefined;
};
import type { Client } from "./client.js";
