/**
 * Yield events as they happen, and views as `{view}` if the query asks for them.
 *
 * A stream can be cut or refused, or a proxy can hold it back. Each time a stream ends, a page follows: it catches up,
 * and throws errors. While streams do not work, pages wait for new events; if too many streams are open, pages cannot
 * wait either, and come once a second.
 * @param {Feed} feed
 * @returns {AsyncGenerator<any, void, undefined>}
 */
export function follow(feed: Feed): AsyncGenerator<any, void, undefined>;
/**
 * What to follow, and as which player.
 */
export type Feed = {
    client: Client;
    path: string;
    query: Readonly<Record<string, unknown>>;
    /**
     * the field of an event after which to continue
     */
    cursor: "version" | "id";
    /**
     * whether nothing more can come
     */
    isOver: () => Promise<boolean>;
    signal: AbortSignal | undefined;
};
import type { Client } from "./client.js";
