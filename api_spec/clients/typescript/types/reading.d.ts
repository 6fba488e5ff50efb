/** @import {Action, Answer, Client, Event, EventPage, GameAtVersion, LegalActions, RequestOptions} from "./index.js" */
/** @import {View} from "./index.js" */
/**
 * The viewer: by default your own seat, of several in a sandbox the one to act.
 * @typedef {object} AsSeat
 * @property {number | "spectator" | undefined} [seat]
 * @property {AbortSignal | undefined} [signal]
 */
export const OVER: Set<string>;
export class WatchedGame {
    /**
     * @param {Client} client
     * @param {string} id
     */
    constructor(client: Client, id: string);
    /** Whose requests these are: the player, or a spectator. */
    client: Client;
    /** The id of the game. */
    id: string;
    /** @returns {Promise<GameAtVersion>} the game's public data */
    game(): Promise<GameAtVersion>;
    /**
     * What one viewer is allowed to know, now or at an earlier version. An unchanged view is not sent again.
     * @param {AsSeat & {at?: number | undefined}} [options]
     * @returns {Promise<View>}
     */
    view({ seat, at, signal }?: AsSeat & {
        at?: number | undefined;
    }): Promise<View>;
    /**
     * Draw what a viewer is allowed to see, as SVG.
     * @param {AsSeat & {at?: number | undefined}} [options]
     * @returns {Promise<string>}
     */
    picture({ seat, at, signal }?: AsSeat & {
        at?: number | undefined;
    }): Promise<string>;
    /**
     * Write the whole game, as far as a viewer is allowed to see it, as text.
     * @param {AsSeat} [options]
     * @returns {Promise<string>}
     */
    text({ seat, signal }?: AsSeat): Promise<string>;
    /**
     * The legal actions of a view; if there are too many for a view to list, the first 2,000 of them. Those are
     * requested: if the decision of the view has passed, there are none.
     * @param {View} view
     * @param {{signal?: AbortSignal | undefined}} [options]
     * @returns {Promise<Action[]>}
     */
    choices(view: View, { signal }?: {
        signal?: AbortSignal | undefined;
    }): Promise<Action[]>;
    /**
     * Every legal action of your seat, in a fixed order: the whole list even where a view only counts it.
     * @param {AsSeat & {limit?: number | undefined}} [options] `limit`: the size of a page
     * @returns {AsyncGenerator<Action, void, undefined>}
     */
    legalActions({ seat, limit, signal }?: AsSeat & {
        limit?: number | undefined;
    }): AsyncGenerator<Action, void, undefined>;
    /**
     * The events so far after a version, as the viewer can see them. Skip the types that you do not know.
     * @param {AsSeat & {after?: number | undefined}} [options]
     * @returns {AsyncGenerator<Event, void, undefined>}
     */
    events({ after, seat, signal }?: AsSeat & {
        after?: number | undefined;
    }): AsyncGenerator<Event, void, undefined>;
    /**
     * The events after a version, and then each event as it happens, until the game is over. A cut loses nothing.
     * @param {AsSeat & {after?: number | undefined, lang?: string | undefined}} [options] with a `lang`, such as "en",
     *   each event has a `sentence`
     * @returns {AsyncGenerator<Event, void, undefined>}
     */
    follow({ after, seat, lang, signal }?: AsSeat & {
        after?: number | undefined;
        lang?: string | undefined;
    }): AsyncGenerator<Event, void, undefined>;
    /**
     * What one viewer is allowed to know, now and each time that something has happened, until the game is over. If you
     * hold several seats, the viewer is by default the lowest of them.
     * @param {AsSeat} [options]
     * @returns {AsyncGenerator<View, void, undefined>}
     */
    views({ seat, signal }?: AsSeat): AsyncGenerator<View, void, undefined>;
    /**
     * The path of this game, or of something below it.
     * @param {string} rest
     */
    path(rest?: string): string;
    #private;
}
/**
 * The viewer: by default your own seat, of several in a sandbox the one to act.
 */
export type AsSeat = {
    seat?: number | "spectator" | undefined;
    signal?: AbortSignal | undefined;
};
import type { Client } from "./index.js";
import type { GameAtVersion } from "./index.js";
import type { View } from "./index.js";
import type { Action } from "./index.js";
import type { Event } from "./index.js";
