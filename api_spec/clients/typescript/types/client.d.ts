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
     * Make a player without an account. Keep the client's `token` to be the same player later.
     * @param {string} url
     * @param {string} name
     * @param {Omit<ClientOptions, "token">} [options]
     * @param {string} [operator] For a bot: who runs it.
     * @returns {Promise<Client>}
     */
    static guest(url: string, name: string, options?: Omit<ClientOptions, "token">, operator?: string): Promise<Client>;
    /**
     * @param {string} url the address of the service; "" for the one that a web page came from
     * @param {ClientOptions} [options]
     */
    constructor(url: string, { token, fetch, retries, timeout, silence }?: ClientOptions);
    /**
     * By commitment, the seeds that you committed to. Fill it to open them from another process.
     * @type {Map<string, string>}
     */
    seeds: Map<string, string>;
    /** The token that the client sends, null for a spectator. */
    get token(): string | null;
    /**
     * Send any request of the interface, such as those without a method here. A POST is repeated only with a `key`.
     * @template T
     * @param {string} method
     * @param {string} path
     * @param {RequestOptions} [options]
     * @returns {Promise<Answer<T>>}
     */
    request<T>(method: string, path: string, options?: RequestOptions): Promise<Answer<T>>;
    /**
     * Send a request, and return only the body of the response.
     * @template T
     * @param {string} method
     * @param {string} path
     * @param {RequestOptions} [options]
     * @returns {Promise<T>}
     */
    call<T>(method: string, path: string, options?: RequestOptions): Promise<T>;
    /**
     * Open a stream, once, and iterate over its lines. Prefer `follow`, which continues after a cut.
     * @param {string} path
     * @param {RequestOptions} [options]
     * @returns {AsyncGenerator<string, void, undefined>}
     */
    lines(path: string, options?: RequestOptions): AsyncGenerator<string, void, undefined>;
    /** How many seconds the service can take to respond, some less than this client waits. */
    get longestWait(): number;
    /**
     * The player of the token.
     * @returns {Promise<Player>}
     */
    me(): Promise<Player>;
    /**
     * The rulesets of the service.
     * @returns {AsyncGenerator<RulesetSummary, void, undefined>}
     */
    rulesets(): AsyncGenerator<RulesetSummary, void, undefined>;
    /**
     * A ruleset: its numbers of players, options, actions and rules.
     * @param {string} id
     * @returns {Promise<Ruleset>}
     */
    ruleset(id: string): Promise<Ruleset>;
    /**
     * The bots that can take a seat, and the rulesets that each can play.
     * @returns {AsyncGenerator<Bot, void, undefined>}
     */
    bots(): AsyncGenerator<Bot, void, undefined>;
    /**
     * The lobby: public games, newest first.
     * @param {Filters<"list_games">} [filters]
     * @returns {AsyncGenerator<Game, void, undefined>}
     */
    games(filters?: Filters<"list_games">): AsyncGenerator<Game, void, undefined>;
    /**
     * The games of this player, newest first; with `to_act`, only those that wait for them, most urgent first.
     * @param {Filters<"list_my_games">} [filters]
     * @returns {AsyncGenerator<MyGame, void, undefined>}
     */
    myGames(filters?: Filters<"list_my_games">): AsyncGenerator<MyGame, void, undefined>;
    /**
     * Iterate over a list from its first page to its last.
     * @template T
     * @param {string} path
     * @param {Readonly<Record<string, unknown>>} [query]
     * @returns {AsyncGenerator<T, void, undefined>}
     */
    items<T>(path: string, query?: Readonly<Record<string, unknown>>): AsyncGenerator<T, void, undefined>;
    /**
     * The notices of all your games after the id of an event, so far.
     * @param {AfterEvent} [options]
     * @returns {AsyncGenerator<Notice, void, undefined>}
     */
    myEvents({ after, types, signal }?: AfterEvent): AsyncGenerator<Notice, void, undefined>;
    /**
     * The same, and then new notices as they happen, without end.
     * @param {AfterEvent} [options]
     * @returns {AsyncGenerator<Notice, void, undefined>}
     */
    follow({ after, types, signal }?: AfterEvent): AsyncGenerator<Notice, void, undefined>;
    /**
     * Your webhooks.
     * @returns {AsyncGenerator<Webhook, void, undefined>}
     */
    webhooks(): AsyncGenerator<Webhook, void, undefined>;
    /**
     * Have your notices sent to your address. The `secret` checks their signatures; it is shown only once.
     * @param {WebhookInput} webhook
     * @returns {Promise<WebhookWithSecret>}
     */
    addWebhook(webhook: WebhookInput): Promise<WebhookWithSecret>;
    /**
     * Remove a webhook.
     * @param {string} id
     * @returns {Promise<void>}
     */
    removeWebhook(id: string): Promise<void>;
    /**
     * Create a game. It happens once even if the request has to be repeated.
     * @param {GameInput} game
     * @param {Once} [options]
     * @returns {Promise<Table>}
     */
    create(game: GameInput, { key, signal }?: Once): Promise<Table>;
    /**
     * The target of a link: the game, the seat, and the inviting player.
     * @param {string} link the link, or its secret alone
     * @returns {Promise<InvitationPreview>}
     */
    invitation(link: string): Promise<InvitationPreview>;
    /**
     * The open invitations of this player, newest first. To accept one, join its game.
     * @returns {AsyncGenerator<MyInvitation, void, undefined>}
     */
    invitations(): AsyncGenerator<MyInvitation, void, undefined>;
    /**
     * Take the seat that a link opens. Without a token, a `name` is needed; the client of the table then has the token
     * of a new guest: keep it. A `client_seed` counts only for the `head` that the link shows, as in `join`. With the same
     * seed, a second call sends the same request: the server knows it, so it must not be bound to another head.
     * Players with a token can be `committed`, as in `join`.
     * @param {string} link the link, or its secret alone
     * @param {TakeByLink & {signal?: AbortSignal | undefined, head?: string | undefined, committed?: boolean | undefined}} [options]
     * @returns {Promise<Table>}
     */
    accept(link: string, { signal, head, committed, ...wish }?: TakeByLink & {
        signal?: AbortSignal | undefined;
        head?: string | undefined;
        committed?: boolean | undefined;
    }): Promise<Table>;
    /**
     * A client for another token of the same service.
     * @param {string | null} token
     */
    withToken(token: string | null): Client;
    /**
     * A game, by its id; nothing is sent.
     * @param {string} id
     */
    table(id: string): Table;
    #private;
}
/**
 * The filters of lists: the query parameters of their operation.
 */
export type Filters<Operation extends "list_games" | "list_my_games"> = Omit<NonNullable<operations[Operation]["parameters"]["query"]>, "cursor">;
export type ClientOptions = {
    /**
     * of a player; without one, the client is a spectator
     */
    token?: string | null | undefined;
    /**
     * used instead of the global one
     */
    fetch?: Fetch | undefined;
    /**
     * how often a request is repeated at most, by default 4 times
     */
    retries?: number | undefined;
    /**
     * how many seconds a response can take, by default 30
     */
    timeout?: number | undefined;
    /**
     * the maximum silence of a stream in seconds, by default 25; the service sends a
     * heartbeat every 15 seconds
     */
    silence?: number | undefined;
};
export type Page<T> = {
    items: T[];
    next_cursor: string | null;
};
export type AfterEvent = {
    /**
     * the id of the last event that you have
     */
    after?: string | undefined;
    /**
     * only events of these types
     */
    types?: Notice["type"][] | undefined;
    signal?: AbortSignal | undefined;
};
import type { RequestOptions } from "./http.js";
import type { Answer } from "./http.js";
import type { Player } from "./index.js";
import type { RulesetSummary } from "./index.js";
import type { Ruleset } from "./index.js";
import type { Bot } from "./index.js";
import type { Game } from "./index.js";
import type { MyGame } from "./index.js";
import type { Notice } from "./index.js";
import type { Webhook } from "./index.js";
import type { WebhookInput } from "./index.js";
import type { WebhookWithSecret } from "./index.js";
import type { GameInput } from "./index.js";
import type { Once } from "./http.js";
import { Table } from "./table.js";
import type { InvitationPreview } from "./index.js";
import type { MyInvitation } from "./index.js";
import type { TakeByLink } from "./index.js";
import type { operations } from "../types/schema.js";
import type { Fetch } from "./http.js";
