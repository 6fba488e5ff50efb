// Following events: in one streamed response, or if streams do not work, in pages that wait.

import { isPassing, sleep } from "./http.js";
import { PlateauError, RateLimited } from "./problems.js";

/** @import {Client} from "./client.js" */

/**
 * What to follow, and as which player.
 * @typedef {object} Feed
 * @property {Client} client
 * @property {string} path
 * @property {Readonly<Record<string, unknown>>} query
 * @property {"version" | "id"} cursor the field of an event after which to continue
 * @property {() => Promise<boolean>} isOver whether nothing more can come
 * @property {AbortSignal | undefined} signal
 */

/** How many seconds a page can wait. */
const WAIT = 25;

/** How many seconds there are between two empty pages, at least. */
const PACE = 1;

/** After how many seconds, at most, a stream that ended is opened again. */
const REOPEN = 2;

/** The seconds without a new stream after one that brought no item, not even a heartbeat. */
const WITHOUT_STREAMS = 600;

/** The seconds of retries after a service that has responded fails. */
const PATIENCE = 600;

const LONGEST_PAUSE = 15;

/**
 * Yield events as they happen, and views as `{view}` if the query asks for them.
 *
 * A stream can be cut or refused, or a proxy can hold it back. Each time a stream ends, a page follows: it catches up,
 * and throws errors. While streams do not work, pages wait for new events; if too many streams are open, pages cannot
 * wait either, and come once a second.
 * @param {Feed} feed
 * @returns {AsyncGenerator<any, void, undefined>}
 */
export async function* follow(feed) {
  const following = new Following(feed);
  while (!following.isOver) {
    if (now() >= following.streamAt) yield* following.streamed();
    if (!following.isOver) yield* following.paged();
  }
}

class Following {
  isOver = false;
  streamAt = 0;
  #canWait = true;

  /** @type {number | null} */
  #heardAt = null;

  /** @param {Feed} feed */
  constructor(feed) {
    this.feed = feed;
    /** @type {Record<string, unknown>} */
    this.query = { ...feed.query };
  }

  /** @returns {AsyncGenerator<any, void, undefined>} what a stream brings, until it ends in whatever way */
  async *streamed() {
    const { client, path, signal } = this.feed;
    this.streamAt = now() + WITHOUT_STREAMS;
    this.#canWait = true;
    try {
      for await (const line of client.lines(path, { query: this.query, signal })) {
        this.#heardAt = now();
        this.streamAt = this.#heardAt + REOPEN * spread();
        const item = line ? JSON.parse(line) : {};
        if (item.end) {
          this.isOver = item.end.code === "game-over";
          return;
        }
        if (this.#passes(item)) yield item;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof RateLimited) {
        this.streamAt = now() + Math.max(error.after, REOPEN);
        this.#canWait = false;
      }
      // the page that comes next shows whether more is wrong than the stream
    }
  }

  /** @returns {AsyncGenerator<any, void, undefined>} the next page; one that is empty comes after some seconds */
  async *paged() {
    const began = now();
    const wait = Math.ceil(Math.max(0, Math.min(WAIT, this.feed.client.longestWait, this.streamAt - began)));
    const page = await this.#page(this.#heardAt !== null && this.#canWait ? wait : 0);
    for (const event of page.events) if (this.#passes(event)) yield event;
    if (page.view) yield { view: page.view };
    if (page.next === null && !page.events.length) {
      this.isOver = await this.feed.isOver();
      if (!this.isOver) await sleep(Math.max(0, began + PACE - now()), this.feed.signal);
    }
  }

  /**
   * Read a page. After the first success, retry for some minutes if the service fails.
   * @param {number} wait
   */
  async #page(wait) {
    const { client, path, signal } = this.feed;
    for (let pause = PACE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        /** @type {any} */
        const page = await client.call("GET", path, { query: { ...this.query, wait }, signal });
        this.#heardAt = now();
        return page;
      } catch (error) {
        if (!(error instanceof PlateauError) || !isPassing(error)) throw error;
        if (this.#heardAt === null || now() > this.#heardAt + PATIENCE) throw error;
        await sleep(Math.max(error.after, pause * spread()), signal);
        if (error instanceof RateLimited) wait = 0;
      }
    }
  }

  /**
   * Whether an item is for the reader; the next request continues after an event.
   * @param {any} item
   */
  #passes(item) {
    if (item[this.feed.cursor] !== undefined) this.query.after = item[this.feed.cursor];
    return item[this.feed.cursor] !== undefined || item.view !== undefined;
  }
}

/** Seconds on a clock that is never set back. */
function now() {
  return performance.now() / 1000;
}

/** A random factor, so that clients which lost the service at the same moment do not return at the same moment. */
function spread() {
  return 0.5 + Math.random() / 2;
}
