// One game, as its players and spectators use it.

import { PlateauError, newKey, sleep } from "./http.js";

/** @import {Action, ActionAnswer, Event, EventPage, GameAtVersion, LegalActions} from "./index.js" */
/** @import {NewProposal, Outcome, TakeSeat, View} from "./index.js" */
/** @import {Answer, Client} from "./index.js" */
/** @import {Once} from "./http.js" */

/**
 * Which viewer asks, or which seat acts: by default your own seat, and of several in a sandbox the one to act.
 * @typedef {object} AsSeat
 * @property {number | "spectator" | undefined} [seat]
 * @property {AbortSignal | undefined} [signal]
 */

/**
 * @typedef {object} Position
 * @property {number | undefined} [seat] the seat that acts, if you hold several
 * @property {number | undefined} [version] reject the request with 412 unless the game is still at this version
 */

/** @typedef {Once & Position} Writing */

/** @typedef {AsSeat & {every?: number | undefined}} Waiting `every`: seconds between two looks at the game */

/**
 * @callback Choose
 * @param {View} view
 * @param {Action[]} actions
 * @returns {Action | null | undefined | Promise<Action | null | undefined>}
 */

/** How many actions a player can choose from, who does not read the whole list. */
const LISTED = 200;

const OVER = new Set(["finished", "aborted"]);

/** What a request for an outdated position gets: another seat was faster, or the time was up. */
const MOVED_ON = new Set([409, 412]);

export class Table {
  /** @type {Client} */
  #client;
  /** @type {Map<string, {tag: string, view: View}>} */
  #seen = new Map();

  /**
   * @param {Client} client
   * @param {string} id
   */
  constructor(client, id) {
    this.#client = client;
    /** The id of the game. */
    this.id = id;
  }

  /**
   * The game's public data.
   * @returns {Promise<GameAtVersion>}
   */
  game() {
    return this.#client.call("GET", this.#path());
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
    const answer = await this.#client.request("GET", this.#path("/view"), {
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
   * Act. A listed action always succeeds while its decision stands.
   * @param {Action} action
   * @param {Writing} [options]
   * @returns {Promise<ActionAnswer>}
   */
  act(action, options) {
    return this.#post("/actions", action, options);
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
      const page = await this.#client.call("GET", this.#path("/legal-actions"), {
        query: { as: seat, limit, cursor },
        signal,
      });
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
      /** @type {EventPage} */
      const page = await this.#client.call("GET", this.#path("/events"), { query: { after: from, as: seat }, signal });
      yield* page.events;
      from = page.next;
    } while (from !== null);
  }

  /**
   * Take a seat.
   * @param {TakeSeat} [wish]
   * @param {Once} [options]
   * @returns {Promise<ActionAnswer>}
   */
  join(wish = {}, options = {}) {
    return this.#post("/seats", wish, options);
  }

  /**
   * Give up a seat before the game starts.
   * @param {number} seat
   * @returns {Promise<void>}
   */
  async leave(seat) {
    await this.#client.request("DELETE", this.#path(`/seats/${seat}`));
  }

  /**
   * Give up the game, where the ruleset supports it.
   * @param {Writing} [options]
   * @returns {Promise<ActionAnswer>}
   */
  resign(options) {
    return this.#post("/resign", { confirm: true }, options);
  }

  /**
   * Propose something that takes effect once every player accepts it.
   * @param {NewProposal} proposal
   * @param {Writing} [options]
   * @returns {Promise<ActionAnswer>}
   */
  propose(proposal, options) {
    return this.#post("/proposals", proposal, options);
  }

  /**
   * Accept or decline a proposal.
   * @param {string} proposal its id, from the view
   * @param {boolean} accept
   * @param {Writing} [options]
   * @returns {Promise<ActionAnswer>}
   */
  vote(proposal, accept, options) {
    return this.#post(`/proposals/${encodeURIComponent(proposal)}/votes`, { accept }, options);
  }

  /**
   * Wait for your turns: a view each time that you can act in a position that you have not had yet, until the game is
   * over. Leave at least the service's `polling_seconds` (one second) between two looks.
   * @param {Waiting} [options]
   * @returns {AsyncGenerator<View, void, undefined>}
   */
  async *turns({ every = 1, ...viewer } = {}) {
    let last = 0;
    for (;;) {
      const view = await this.view(viewer);
      if (OVER.has(view.game.status)) return;
      if (view.legal_actions && view.version > last) {
        last = view.version;
        yield view;
      } else {
        await sleep(every, viewer.signal);
      }
    }
  }

  /**
   * Play to the end of the game. `choose` gets the view and its legal actions, of a very long list only the first
   * 200. It can return null where the game does not wait for you, and so leave the position to the others.
   * @param {Choose} choose
   * @param {Waiting} [options]
   * @returns {Promise<Outcome | null>}
   */
  async play(choose, options = {}) {
    for await (const view of this.turns(options)) {
      try {
        await this.#actIn(view, choose, options.signal);
      } catch (error) {
        if (!(error instanceof PlateauError && MOVED_ON.has(error.status))) throw error;
      }
    }
    return (await this.view(options)).game.outcome;
  }

  /**
   * @param {View} view
   * @param {Choose} choose
   * @param {AbortSignal | undefined} signal
   */
  async #actIn(view, choose, signal) {
    const seat = view.viewer.seat ?? undefined;
    const action = await choose(view, await this.#listed(view, { seat, limit: LISTED, signal }));
    if (action) {
      await this.act(view.decision ? { ...action, decision_id: view.decision.id } : action, { seat, signal });
    } else if (seat !== undefined && view.waiting_for.includes(seat)) {
      throw new TypeError(`nothing was chosen, but the game waits for seat ${seat}`);
    }
  }

  /**
   * @param {View} view
   * @param {AsSeat & {limit: number}} options
   * @returns {Promise<Action[]>}
   */
  async #listed({ legal_actions }, options) {
    if (legal_actions?.actions) return legal_actions.actions;
    /** @type {Action[]} */
    const first = [];
    for await (const action of this.legalActions(options)) {
      if (first.push(action) === options.limit) break;
    }
    return first;
  }

  /**
   * @template T
   * @param {string} path
   * @param {unknown} body
   * @param {Writing} [options]
   * @returns {Promise<T>}
   */
  #post(path, body, { seat, version, key = newKey(), signal } = {}) {
    const headers = version === undefined ? undefined : { "If-Match": `"${version}"` };
    return this.#client.call("POST", this.#path(path), { query: { as: seat }, body, headers, key, signal });
  }

  #path(rest = "") {
    return `/v1/games/${encodeURIComponent(this.id)}${rest}`;
  }
}
