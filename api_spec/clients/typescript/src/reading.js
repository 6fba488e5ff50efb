// One game, as its players and spectators see it.

import { follow } from "./following.js";

/** @import {Action, Answer, Client, Event, EventPage, GameAtVersion, LegalActions, RequestOptions} from "./index.js" */
/** @import {View} from "./index.js" */

/**
 * The viewer: by default your own seat, of several in a sandbox the one to act.
 * @typedef {object} AsSeat
 * @property {number | "spectator" | undefined} [seat]
 * @property {AbortSignal | undefined} [signal]
 */

export const OVER = new Set(["finished", "aborted"]);

export class WatchedGame {
  /** @type {Map<string, {tag: string, view: View}>} */
  #seen = new Map();

  /**
   * @param {Client} client
   * @param {string} id
   */
  constructor(client, id) {
    /** Whose requests these are: the player, or a spectator. */
    this.client = client;
    /** The id of the game. */
    this.id = id;
  }

  /** @returns {Promise<GameAtVersion>} the game's public data */
  game() {
    return this.client.call("GET", this.path());
  }

  /**
   * What one viewer is allowed to know, now or at an earlier version. An unchanged view is not sent again.
   * @param {AsSeat & {at?: number | undefined}} [options]
   * @returns {Promise<View>}
   */
  async view({ seat, at, signal } = {}) {
    const name = String(seat);
    const seen = at === undefined ? this.#seen.get(name) : undefined;
    /** @type {Answer<View | null>} */
    const answer = await this.client.request("GET", this.path("/view"), {
      query: { as: seat, at },
      headers: seen ? { "If-None-Match": seen.tag } : {},
      signal,
    });
    const view = answer.body ?? seen?.view;
    if (!view) throw new TypeError("the service sent no view");
    const tag = answer.headers.get("ETag");
    if (tag !== null && at === undefined) this.#seen.set(name, { tag, view });
    return view;
  }

  /**
   * Draw what a viewer is allowed to see, as SVG.
   * @param {AsSeat & {at?: number | undefined}} [options]
   * @returns {Promise<string>}
   */
  picture({ seat, at, signal } = {}) {
    return this.client.call("GET", this.path("/board.svg"), { query: { as: seat, at }, signal });
  }

  /**
   * Write the whole game, as far as a viewer is allowed to see it, as text.
   * @param {AsSeat} [options]
   * @returns {Promise<string>}
   */
  text({ seat, signal } = {}) {
    return this.client.call("GET", this.path("/export"), { query: { format: "text", as: seat }, signal });
  }

  /**
   * The legal actions of a view; if there are too many for a view to list, the first 2,000 of them. Those are
   * requested: if the decision of the view has passed, there are none.
   * @param {View} view
   * @param {{signal?: AbortSignal | undefined}} [options]
   * @returns {Promise<Action[]>}
   */
  async choices(view, { signal } = {}) {
    if (view.legal_actions?.actions) return view.legal_actions.actions;
    const { decision, actions } = await this.#legal({ as: view.viewer.seat ?? undefined }, signal);
    return decision?.id === view.decision?.id ? actions : [];
  }

  /**
   * Every legal action of your seat, in a fixed order: the whole list even where a view only counts it.
   * @param {AsSeat & {limit?: number | undefined}} [options] `limit`: the size of a page
   * @returns {AsyncGenerator<Action, void, undefined>}
   */
  async *legalActions({ seat, limit, signal } = {}) {
    /** @type {string | null | undefined} */
    let cursor;
    do {
      /** @type {LegalActions} */
      const page = await this.#legal({ as: seat, limit, cursor }, signal);
      yield* page.actions;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /**
   * The events so far after a version, as the viewer can see them. Skip the types that you do not know.
   * @param {AsSeat & {after?: number | undefined}} [options]
   * @returns {AsyncGenerator<Event, void, undefined>}
   */
  async *events({ after = 0, seat, signal } = {}) {
    /** @type {number | null} */
    let from = after;
    do {
      /** @type {RequestOptions} */
      const options = { query: { after: from, as: seat, limit: 1000 }, signal };
      /** @type {EventPage} */
      const page = await this.client.call("GET", this.path("/events"), options);
      yield* page.events;
      from = page.next;
    } while (from !== null);
  }

  /**
   * The events after a version, and then each event as it happens, until the game is over. A cut loses nothing.
   * @param {AsSeat & {after?: number | undefined, lang?: string | undefined}} [options] with a `lang`, such as "en",
   *   each event has a `sentence`
   * @returns {AsyncGenerator<Event, void, undefined>}
   */
  follow({ after = 0, seat, lang, signal } = {}) {
    return this.#follow({ after, as: seat, lang }, signal);
  }

  /**
   * What one viewer is allowed to know, now and each time that something has happened, until the game is over. If you
   * hold several seats, the viewer is by default the lowest of them.
   * @param {AsSeat} [options]
   * @returns {AsyncGenerator<View, void, undefined>}
   */
  async *views({ seat, signal } = {}) {
    let shown = 0;
    const { version } = await this.game();
    for await (const { view } of this.#follow({ after: version, as: seat, with: "view" }, signal)) {
      if (!view || view.version <= shown) continue;
      shown = view.version;
      yield view;
    }
  }

  /**
   * The path of this game, or of something below it.
   * @param {string} rest
   */
  path(rest = "") {
    return `/v1/games/${encodeURIComponent(this.id)}${rest}`;
  }

  /**
   * @param {Readonly<Record<string, unknown>>} query
   * @param {AbortSignal | undefined} signal
   */
  #follow(query, signal) {
    const isOver = async () => OVER.has((await this.game()).status);
    return follow({ client: this.client, path: this.path("/events"), query, cursor: "version", isOver, signal });
  }

  /**
   * @param {Readonly<Record<string, unknown>>} query
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<LegalActions>}
   */
  #legal(query, signal) {
    return this.client.call("GET", this.path("/legal-actions"), { query, signal });
  }
}
