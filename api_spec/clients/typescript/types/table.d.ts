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
     * Draw what a viewer is allowed to see, as SVG.
     * @param {AsSeat & {at?: number | undefined}} [options]
     * @returns {Promise<string>}
     */
    picture({ seat, at, signal }?: AsSeat & {
        at?: number | undefined;
    }): Promise<string>;
    /**
     * Act. With the `view` that the action was chosen from, it counts only for the decision that is shown there.
     * @param {Action} action
     * @param {Writing & {view?: View | undefined}} [options]
     * @returns {Promise<ActionAnswer>}
     */
    act(action: Action, { view, seat, ...options }?: Writing & {
        view?: View | undefined;
    }): Promise<ActionAnswer>;
    /**
     * The legal actions of a view; if there are too many for a view to list, the first 2,000 of them.
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
     * Take a seat, or any open one. `client_seed` is mixed into every draw of the game.
     * @param {TakeSeat & Once} [options]
     * @returns {Promise<ActionAnswer>}
     */
    join({ key, signal, ...wish }?: TakeSeat & Once): Promise<ActionAnswer>;
    /**
     * Give up a seat before the game starts.
     * @param {number} seat
     * @returns {Promise<void>}
     */
    leave(seat: number): Promise<void>;
    /**
     * Let a bot have your seat, for good, or an open seat of a game that you created.
     * @param {number} seat
     * @param {string} bot
     * @returns {Promise<ActionAnswer>}
     */
    handOver(seat: number, bot: string): Promise<ActionAnswer>;
    /**
     * Cancel a game that you created, before it starts.
     * @returns {Promise<GameAtVersion>}
     */
    cancel(): Promise<GameAtVersion>;
    /**
     * Give up the game, where the ruleset supports it; this cannot be taken back.
     * @param {Writing} [options]
     * @returns {Promise<ActionAnswer>}
     */
    resign(options?: Writing): Promise<ActionAnswer>;
    /**
     * Insist on the end of another seat's time.
     * @param {Writing} [options]
     * @returns {Promise<ActionAnswer>}
     */
    claim(options?: Writing): Promise<ActionAnswer>;
    /**
     * Propose something that takes effect once every player accepts it.
     * @param {ProposalKind} kind
     * @param {Writing & {duration?: string | undefined}} [options] `duration`: that of a pause, such as "P21D"
     * @returns {Promise<ActionAnswer>}
     */
    propose(kind: ProposalKind, { duration, ...options }?: Writing & {
        duration?: string | undefined;
    }): Promise<ActionAnswer>;
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
     * Play to the end, and return the outcome. `choose` gets each view with its `choices`. It can return null where your
     * seat can act but the game does not wait for it.
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
/**
 * `seat`: the one that acts, if you hold several
 */
export type Writing = Once & {
    seat?: number | undefined;
};
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
import type { ProposalKind } from "./index.js";
import type { Outcome } from "./index.js";
import type { Client } from "./index.js";
