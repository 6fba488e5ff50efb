export class Table {
    /**
     * @param {Client} client
     * @param {string} id
     */
    constructor(client: Client, id: string);
    /** The id of the game. */
    id: string;
    /**
     * The game's public data.
     * @returns {Promise<GameAtVersion>}
     */
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
     * Act. A listed action always succeeds while its decision stands.
     * @param {Action} action
     * @param {Writing} [options]
     * @returns {Promise<ActionAnswer>}
     */
    act(action: Action, options?: Writing): Promise<ActionAnswer>;
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
     * Take a seat.
     * @param {TakeSeat} [wish]
     * @param {Once} [options]
     * @returns {Promise<ActionAnswer>}
     */
    join(wish?: TakeSeat, options?: Once): Promise<ActionAnswer>;
    /**
     * Give up a seat before the game starts.
     * @param {number} seat
     * @returns {Promise<void>}
     */
    leave(seat: number): Promise<void>;
    /**
     * Give up the game, where the ruleset supports it.
     * @param {Writing} [options]
     * @returns {Promise<ActionAnswer>}
     */
    resign(options?: Writing): Promise<ActionAnswer>;
    /**
     * Propose something that takes effect once every player accepts it.
     * @param {NewProposal} proposal
     * @param {Writing} [options]
     * @returns {Promise<ActionAnswer>}
     */
    propose(proposal: NewProposal, options?: Writing): Promise<ActionAnswer>;
    /**
     * Accept or decline a proposal.
     * @param {string} proposal its id, from the view
     * @param {boolean} accept
     * @param {Writing} [options]
     * @returns {Promise<ActionAnswer>}
     */
    vote(proposal: string, accept: boolean, options?: Writing): Promise<ActionAnswer>;
    /**
     * Wait for your turns: a view each time that you can act in a position that you have not had yet, until the game is
     * over. Leave at least the service's `polling_seconds` (one second) between two looks.
     * @param {Waiting} [options]
     * @returns {AsyncGenerator<View, void, undefined>}
     */
    turns({ every, ...viewer }?: Waiting): AsyncGenerator<View, void, undefined>;
    /**
     * Play to the end of the game. `choose` gets the view and its legal actions, of a very long list only the first
     * 200. It can return null where the game does not wait for you, and so leave the position to the others.
     * @param {Choose} choose
     * @param {Waiting} [options]
     * @returns {Promise<Outcome | null>}
     */
    play(choose: Choose, options?: Waiting): Promise<Outcome | null>;
    #private;
}
/**
 * Which viewer asks, or which seat acts: by default your own seat, and of several in a sandbox the one to act.
 */
export type AsSeat = {
    seat?: number | "spectator" | undefined;
    signal?: AbortSignal | undefined;
};
export type Position = {
    /**
     * the seat that acts, if you hold several
     */
    seat?: number | undefined;
    /**
     * reject the request with 412 unless the game is still at this version
     */
    version?: number | undefined;
};
export type Writing = Once & Position;
/**
 * `every`: seconds between two looks at the game
 */
export type Waiting = AsSeat & {
    every?: number | undefined;
};
export type Choose = (view: View, actions: Action[]) => Action | null | undefined | Promise<Action | null | undefined>;
import type { GameAtVersion } from "./index.js";
import type { View } from "./index.js";
import type { Action } from "./index.js";
import type { ActionAnswer } from "./index.js";
import type { Event } from "./index.js";
import type { TakeSeat } from "./index.js";
import type { Once } from "./http.js";
import type { NewProposal } from "./index.js";
import type { Outcome } from "./index.js";
import type { Client } from "./index.js";
