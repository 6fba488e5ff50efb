// A player, or a spectator without a token, at one service.

import { follow } from "./following.js";
import { lines, matching, newKey, request } from "./http.js";
import { commitmentTo, newSeed } from "./seeds.js";
import { Table } from "./table.js";

/** @import {Bot, Game, GameAtVersion, InvitationPreview, MyGame, MyInvitation, GameInput, WebhookInput} from "./index.js" */
/** @import {NewPlayerAnswer, Notice, NoticePage, Webhook, WebhookWithSecret} from "./index.js" */
/** @import {Player, Ruleset, RulesetSummary, SeatAnswer, TakeByLink} from "./index.js" */
/** @import {Answer, Connection, Fetch, Once, RequestOptions} from "./http.js" */
/** @import {operations} from "../types/schema.js" */

/**
 * The filters of lists: the query parameters of their operation.
 * @template {"list_games" | "list_my_games"} Operation
 * @typedef {Omit<NonNullable<operations[Operation]["parameters"]["query"]>, "cursor">} Filters
 */

/**
 * @typedef {object} ClientOptions
 * @property {string | null | undefined} [token] of a player; without one, the client is a spectator
 * @property {Fetch | undefined} [fetch] used instead of the global one
 * @property {number | undefined} [retries] how often a request is repeated at most, by default 4 times
 * @property {number | undefined} [timeout] how many seconds a response can take, by default 30
 * @property {number | undefined} [silence] the maximum silence of a stream in seconds, by default 25; the service sends a
 *   heartbeat every 15 seconds
 */

/**
 * @template T
 * @typedef {object} Page
 * @property {T[]} items
 * @property {string | null} next_cursor
 */

/**
 * @typedef {object} AfterEvent
 * @property {string | undefined} [after] the id of the last event that you have
 * @property {Notice["type"][] | undefined} [types] only events of these types
 * @property {AbortSignal | undefined} [signal]
 */

export class Client {
  /**
   * By commitment, the seeds that you committed to. Fill it to open them from another process.
   * @type {Map<string, string>}
   */
  seeds = new Map();

  /** @type {Connection} */
  #connection;
  /**
   * The heads that seeds are bound to, by invitation and seed.
   * @type {Map<string, Promise<InvitationPreview>>}
   */
  #seen = new Map();

  /**
   * @param {string} url the address of the service; "" for the one that a web page came from
   * @param {ClientOptions} [options]
   */
  constructor(url, { token = null, fetch = globalThis.fetch, retries = 4, timeout = 30, silence } = {}) {
    this.#connection = { url: url.replace(/\/+$/, ""), token, fetch, retries, timeout, silence };
  }

  /**
   * Make a player without an account. Keep the client's `token` to be the same player later.
   * @param {string} url
   * @param {string} name
   * @param {Omit<ClientOptions, "token">} [options]
   * @param {string} [operator] For a bot: who runs it.
   * @returns {Promise<Client>}
   */
  static async guest(url, name, options = {}, operator = undefined) {
    /** @type {NewPlayerAnswer} */
    const player = await new Client(url, options).call("POST", "/v1/players", { body: { name, operator } });
    return new Client(url, { ...options, token: player.token });
  }

  /** The token that the client sends, null for a spectator. */
  get token() {
    return this.#connection.token;
  }

  /**
   * Send any request of the interface, such as those without a method here. A POST is repeated only with a `key`.
   * @template T
   * @param {string} method
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {Promise<Answer<T>>}
   */
  request(method, path, options) {
    return request(this.#connection, method, path, options);
  }

  /**
   * Send a request, and return only the body of the response.
   * @template T
   * @param {string} method
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {Promise<T>}
   */
  async call(method, path, options) {
    /** @type {Answer<T>} */
    const answer = await this.request(method, path, options);
    return answer.body;
  }

  /**
   * Open a stream, once, and iterate over its lines. Prefer `follow`, which continues after a cut.
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {AsyncGenerator<string, void, undefined>}
   */
  lines(path, options = {}) {
    return lines(this.#connection, path, options);
  }

  /** How many seconds the service can take to respond, some less than this client waits. */
  get longestWait() {
    return Math.max(0, this.#connection.timeout - 5);
  }

  /**
   * The player of the token.
   * @returns {Promise<Player>}
   */
  me() {
    return this.call("GET", "/v1/me");
  }

  /**
   * The rulesets of the service.
   * @returns {AsyncGenerator<RulesetSummary, void, undefined>}
   */
  rulesets() {
    return this.items("/v1/rulesets");
  }

  /**
   * A ruleset: its numbers of players, options, actions and rules.
   * @param {string} id
   * @returns {Promise<Ruleset>}
   */
  ruleset(id) {
    return this.call("GET", `/v1/rulesets/${encodeURIComponent(id)}`);
  }

  /**
   * The bots that can take a seat, and the rulesets that each can play.
   * @returns {AsyncGenerator<Bot, void, undefined>}
   */
  bots() {
    return this.items("/v1/bots");
  }

  /**
   * The lobby: public games, newest first.
   * @param {Filters<"list_games">} [filters]
   * @returns {AsyncGenerator<Game, void, undefined>}
   */
  games(filters) {
    return this.items("/v1/games", filters);
  }

  /**
   * The games of this player, newest first; with `to_act`, only those that wait for them, most urgent first.
   * @param {Filters<"list_my_games">} [filters]
   * @returns {AsyncGenerator<MyGame, void, undefined>}
   */
  myGames(filters) {
    return this.items("/v1/me/games", filters);
  }

  /**
   * Iterate over a list from its first page to its last.
   * @template T
   * @param {string} path
   * @param {Readonly<Record<string, unknown>>} [query]
   * @returns {AsyncGenerator<T, void, undefined>}
   */
  async *items(path, query = {}) {
    /** @type {string | null} */
    let cursor = null;
    do {
      /** @type {Page<T>} */
      const page = await this.call("GET", path, { query: cursor === null ? query : { ...query, cursor } });
      yield* page.items;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /**
   * The notices of all your games after the id of an event, so far.
   * @param {AfterEvent} [options]
   * @returns {AsyncGenerator<Notice, void, undefined>}
   */
  async *myEvents({ after, types, signal } = {}) {
    /** @type {string | null | undefined} */
    let from = after;
    do {
      /** @type {NoticePage} */
      const page = await this.call("GET", "/v1/me/events", {
        query: { after: from, types: types?.join(), limit: 1000 },
        signal,
      });
      yield* page.events;
      from = page.next;
    } while (from !== null);
  }

  /**
   * The same, and then new notices as they happen, without end.
   * @param {AfterEvent} [options]
   * @returns {AsyncGenerator<Notice, void, undefined>}
   */
  follow({ after, types, signal } = {}) {
    const isOver = async () => false;
    const query = { after, types: types?.join() };
    return follow({ client: this, path: "/v1/me/events", query, cursor: "id", isOver, signal });
  }

  /**
   * Your webhooks.
   * @returns {AsyncGenerator<Webhook, void, undefined>}
   */
  webhooks() {
    return this.items("/v1/webhooks");
  }

  /**
   * Have your notices sent to your address. The `secret` checks their signatures; it is shown only once.
   * @param {WebhookInput} webhook
   * @returns {Promise<WebhookWithSecret>}
   */
  addWebhook(webhook) {
    return this.call("POST", "/v1/webhooks", { body: webhook });
  }

  /**
   * Remove a webhook.
   * @param {string} id
   * @returns {Promise<void>}
   */
  async removeWebhook(id) {
    await this.request("DELETE", `/v1/webhooks/${encodeURIComponent(id)}`);
  }

  /**
   * Create a game. It happens once even if the request has to be repeated.
   * @param {GameInput} game
   * @param {Once} [options]
   * @returns {Promise<Table>}
   */
  async create(game, { key = newKey(), signal } = {}) {
    /** @type {GameAtVersion} */
    const made = await this.call("POST", "/v1/games", { body: game, key, signal });
    return this.table(made.id);
  }

  /**
   * The target of a link: the game, the seat, and the inviting player.
   * @param {string} link the link, or its secret alone
   * @returns {Promise<InvitationPreview>}
   */
  invitation(link) {
    return this.call("GET", invitationAt(link));
  }

  /**
   * The open invitations of this player, newest first. To accept one, join its game.
   * @returns {AsyncGenerator<MyInvitation, void, undefined>}
   */
  invitations() {
    return this.items("/v1/me/invitations");
  }

  /**
   * Take the seat that a link opens. Without a token, a `name` is needed; the client of the table then has the token
   * of a new guest: keep it. A `client_seed` counts only for the `head` that the link shows, as in `join`. With the same
   * seed, a second call sends the same request: the server knows it, so it must not be bound to another head.
   * Players with a token can be `committed`, as in `join`.
   * @param {string} link the link, or its secret alone
   * @param {TakeByLink & {signal?: AbortSignal | undefined, head?: string | undefined, committed?: boolean | undefined}} [options]
   * @returns {Promise<Table>}
   */
  async accept(link, { signal, head, committed = false, ...wish } = {}) {
    const key = this.token === null ? undefined : newKey(); // a link opens the same seat again to the same player
    const seed = wish.client_seed ?? (committed ? newSeed() : undefined);
    const shown =
      seed !== undefined && (committed || head === undefined) ? await this.#shownFor(link, seed) : undefined;
    const headers = matching(head ?? shown?.head);
    /** @type {TakeByLink} */
    let body = wish;
    if (committed && seed !== undefined && shown) {
      const commitment = await commitmentTo(seed, shown.game.id, (await this.me()).id);
      this.seeds.set(commitment, seed); // before it is sent: a response can be lost, and the seat taken
      body = { seed_commitment: commitment };
    }
    /** @type {SeatAnswer} */
    const seat = await this.call("POST", `${invitationAt(link)}/seat`, { body, key, signal, headers });
    return (seat.token === null ? this : this.withToken(seat.token)).table(seat.game_id);
  }

  /**
   * What the link shows when the seed is first sent: the seed is bound to that head.
   * @param {string} link
   * @param {string} seed
   */
  async #shownFor(link, seed) {
    const place = `${invitationAt(link)} ${seed}`;
    const shown = this.#seen.get(place) ?? this.invitation(link);
    this.#seen.set(place, shown);
    try {
      return await shown;
    } catch (error) {
      this.#seen.delete(place);
      throw error;
    }
  }

  /**
   * A client for another token of the same service.
   * @param {string | null} token
   */
  withToken(token) {
    return new Client(this.#connection.url, { ...this.#connection, token });
  }

  /**
   * A game, by its id; nothing is sent.
   * @param {string} id
   */
  table(id) {
    return new Table(this, id);
  }
}

/** @param {string} link */
function invitationAt(link) {
  return `/v1/invitations/${encodeURIComponent(link.slice(link.lastIndexOf("/") + 1))}`;
}
