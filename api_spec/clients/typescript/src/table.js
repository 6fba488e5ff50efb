// One game, as its players and spectators use it.

import { newKey } from "./http.js";
import { play, turns } from "./play.js";

/** @import {Action, ActionAnswer, Event, EventPage, GameAtVersion, LegalActions} from "./index.js" */
/** @import {Invitation, NewInvitation, NewInvitationAnswer, NewTokenAnswer} from "./index.js" */
/** @import {Outcome, ProposalKind, TakeSeat, View} from "./index.js" */
/** @import {Answer, Client, RequestOptions} from "./index.js" */
/** @import {Once} from "./http.js" */
/** @import {Choose, Waiting} from "./play.js" */

/**
 * Which viewer asks, or which seat acts: by default your own seat, and of several in a sandbox the one to act.
 * @typedef {object} AsSeat
 * @property {number | "spectator" | undefined} [seat]
 * @property {AbortSignal | undefined} [signal]
 */

/** @typedef {Once & {seat?: number | undefined}} Writing `seat`: the one that acts, if you hold several */

export class Table {
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
    return this.client.call("GET", this.#path());
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
    const answer = await this.client.request("GET", this.#path("/view"), {
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
    return this.client.call("GET", this.#path("/board.svg"), { query: { as: seat, at }, signal });
  }

  /**
   * Write the whole game, as far as a viewer is allowed to see it, as text.
   * @param {AsSeat} [options]
   * @returns {Promise<string>}
   */
  text({ seat, signal } = {}) {
    return this.client.call("GET", this.#path("/export"), { query: { format: "text", as: seat }, signal });
  }

  /**
   * Act. With the `view` that the action was chosen from, it counts only for the decision that is shown there.
   * @param {Action} action
   * @param {Writing & {view?: View | undefined}} [options]
   * @returns {Promise<ActionAnswer>}
   */
  act(action, { view, seat = view?.viewer.seat ?? undefined, ...options } = {}) {
    const body = view?.decision ? { ...action, decision_id: view.decision.id } : action;
    return this.#post("/actions", body, { seat, ...options });
  }

  /**
   * Throw what `act` would throw, and do nothing else.
   * @param {Action} action
   * @param {Writing} [options]
   * @returns {Promise<void>}
   */
  async check(action, { seat, key = newKey(), signal } = {}) {
    const query = { as: seat, dry_run: true };
    await this.client.request("POST", this.#path("/actions"), { query, body: action, key, signal });
  }

  /**
   * The legal actions of a view; if there are too many for a view to list, the first 2,000 of them.
   * @param {View} view
   * @param {{signal?: AbortSignal | undefined}} [options]
   * @returns {Promise<Action[]>}
   */
  async choices(view, { signal } = {}) {
    if (view.legal_actions?.actions) return view.legal_actions.actions;
    return (await this.#legal({ as: view.viewer.seat ?? undefined }, signal)).actions;
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
      const page = await this.client.call("GET", this.#path("/events"), options);
      yield* page.events;
      from = page.next;
    } while (from !== null);
  }

  /**
   * Take a seat, or any open one. `client_seed` is mixed into every draw of the game.
   * @param {TakeSeat & Once} [options]
   * @returns {Promise<ActionAnswer>}
   */
  join({ key, signal, ...wish } = {}) {
    return this.#post("/seats", wish, { key, signal });
  }

  /** @param {number} seat the one to give up, before the game starts */
  async leave(seat) {
    await this.client.request("DELETE", this.#path(`/seats/${seat}`));
  }

  /**
   * Invite a player, or whoever has the link that the answer opens. The secret of a link is shown only once.
   * @param {NewInvitation} invitation
   * @returns {Promise<NewInvitationAnswer>}
   */
  invite(invitation) {
    return this.client.call("POST", this.#path("/invitations"), { body: invitation });
  }

  /**
   * The latest invitations to this game, with what has become of them.
   * @returns {AsyncGenerator<Invitation, void, undefined>}
   */
  invitations() {
    return this.client.items(this.#path("/invitations"));
  }

  /**
   * Revoke an invitation that you made, or decline one that you got.
   * @param {string} invitation its id
   * @returns {Promise<void>}
   */
  async endInvitation(invitation) {
    await this.client.request("DELETE", this.#path(`/invitations/${encodeURIComponent(invitation)}`));
  }

  /**
   * Make a token that opens only this seat, for another device.
   * @param {number} seat
   * @param {string} [label] a name to recognize it by
   * @returns {Promise<NewTokenAnswer>}
   */
  seatToken(seat, label) {
    return this.client.call("POST", this.#path(`/seats/${seat}/tokens`), { body: { label } });
  }

  /**
   * Let a bot have your seat, for good, or an open seat of a game that you created.
   * @param {number} seat
   * @param {string} bot
   * @returns {Promise<ActionAnswer>}
   */
  handOver(seat, bot) {
    return this.client.call("PUT", this.#path(`/seats/${seat}`), { body: { bot } });
  }

  /**
   * Cancel a game that you created, before it starts.
   * @returns {Promise<GameAtVersion>}
   */
  cancel() {
    return this.client.call("DELETE", this.#path());
  }

  /**
   * Give up the game, where the ruleset supports it; this cannot be taken back.
   * @param {Writing} [options]
   * @returns {Promise<ActionAnswer>}
   */
  resign(options) {
    return this.#post("/resign", { confirm: true }, options);
  }

  /**
   * Insist on the end of another seat's time.
   * @param {Writing} [options]
   * @returns {Promise<ActionAnswer>}
   */
  claim(options) {
    return this.#post("/claim", {}, options);
  }

  /**
   * Propose something that takes effect once every player accepts it.
   * @param {ProposalKind} kind
   * @param {Writing & {duration?: string | undefined}} [options] `duration`: that of a pause, such as "P21D"
   * @returns {Promise<ActionAnswer>}
   */
  propose(kind, { duration, ...options } = {}) {
    return this.#post("/proposals", { kind, duration }, options);
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
  turns(options) {
    return turns(this, options);
  }

  /**
   * Play to the end, and return the outcome. `choose` gets each view with its `choices`. It can return null where your
   * seat can act but the game does not wait for it.
   * @param {Choose} choose
   * @param {Waiting} [options]
   * @returns {Promise<Outcome | null>}
   */
  play(choose, options) {
    return play(this, choose, options);
  }

  /**
   * @param {Readonly<Record<string, unknown>>} query
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<LegalActions>}
   */
  #legal(query, signal) {
    return this.client.call("GET", this.#path("/legal-actions"), { query, signal });
  }

  /**
   * @template T
   * @param {string} path
   * @param {unknown} body
   * @param {Writing} [options]
   * @returns {Promise<T>}
   */
  #post(path, body, { seat, key = newKey(), signal } = {}) {
    return this.client.call("POST", this.#path(path), { query: { as: seat }, body, key, signal });
  }

  #path(rest = "") {
    return `/v1/games/${encodeURIComponent(this.id)}${rest}`;
  }
}
