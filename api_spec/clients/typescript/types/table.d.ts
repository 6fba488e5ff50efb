/** @import {Action, ActionAnswer, GameAtVersion, Invitation, ForkInput, InvitationInput, PlanInput, Plan} from "./index.js" */
/** @import {NewInvitationAnswer, NewTokenAnswer, Outcome, ProposalKind, RematchAnswer, TakeSeat, View} from "./index.js" */
/** @import {Language, PhraseAnswer, PhraseIdChoice, PhraseMenu} from "./index.js" */
/** @import {Once} from "./http.js" */
/** @import {Choose} from "./play.js" */
/** @import {AsSeat} from "./reading.js" */
/** @typedef {Once & {seat?: number | undefined}} Writing `seat`: the one that acts, if you hold several */
/**
 * @typedef {TakeSeat & Once & {head?: string | undefined, committed?: boolean | undefined}} Joining
 *   `committed`: whether the seed stays with you until every seat is taken
 */
export class Table extends WatchedGame {
    /**
     * The version and the head of the game before you opened a seed; keep them, to verify the game.
     * @type {{version: number, head: string} | null}
     */
    openedAfter: {
        version: number;
        head: string;
    } | null;
    /**
     * Act. If you pass the `view`, the action counts only for the decision in it.
     * @param {Action} action
     * @param {Writing & {view?: View | undefined}} [options]
     * @returns {Promise<ActionAnswer>}
     */
    act(action: Action, { view, seat, ...options }?: Writing & {
        view?: View | undefined;
    }): Promise<ActionAnswer>;
    /**
     * Throw what `act` would throw, without acting.
     * @param {Action} action
     * @param {Writing} [options]
     * @returns {Promise<void>}
     */
    check(action: Action, { seat, key, signal }?: Writing): Promise<void>;
    /**
     * Take a seat, or any open one. `client_seed` is mixed into every draw of the game. A seed counts only for the `head`
     * of the game that you have seen, by default the current one. If another player is faster (`WrongMoment`,
     * `head-changed`), the seed is known: try again with a fresh one. If you are `committed`, the seed, by default a
     * random one, stays with you until every seat is taken, in `seeds` of the client, also if no response comes. Then
     * `turns` and `play` open it, or `openSeeds`.
     * @param {Joining} [options]
     * @returns {Promise<ActionAnswer>}
     */
    join({ key, signal, head, committed, ...wish }?: Joining): Promise<ActionAnswer>;
    /**
     * Open those of your seeds that the game waits for; return whether there was one. Before that, read the log, and throw
     * `NotFixed` if it does not show that all seeds are fixed, yours included.
     * @returns {Promise<boolean>}
     */
    openSeeds(): Promise<boolean>;
    /** @param {number} seat the one to give up, before the game starts */
    leave(seat: number): Promise<void>;
    /**
     * Invite a player, or anyone who has the link in the answer. The secret of a link is shown only once.
     * @param {InvitationInput} invitation
     * @returns {Promise<NewInvitationAnswer>}
     */
    invite(invitation: InvitationInput): Promise<NewInvitationAnswer>;
    /**
     * The latest invitations to this game, with their states.
     * @returns {AsyncGenerator<Invitation, void, undefined>}
     */
    invitations(): AsyncGenerator<Invitation, void, undefined>;
    /**
     * Revoke an invitation that you made, or decline one that you got.
     * @param {string} invitation its id
     * @returns {Promise<void>}
     */
    endInvitation(invitation: string): Promise<void>;
    /**
     * Make a token that opens only this seat, for another device.
     * @param {number} seat
     * @param {string} [label] a name to recognize it by
     * @returns {Promise<NewTokenAnswer>}
     */
    seatToken(seat: number, label?: string): Promise<NewTokenAnswer>;
    /**
     * Hand your seat to a bot permanently, or fill an open seat of a game that you created.
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
     * Resign, if the ruleset supports it; this cannot be undone.
     * @param {Writing} [options]
     * @returns {Promise<ActionAnswer>}
     */
    resign(options?: Writing): Promise<ActionAnswer>;
    /**
     * Claim that another seat's time is up.
     * @param {Writing} [options]
     * @returns {Promise<ActionAnswer>}
     */
    claim(options?: Writing): Promise<ActionAnswer>;
    /**
     * Propose something that takes effect once every player accepts it.
     * @param {ProposalKind} kind
     * @param {Writing & {duration?: string | undefined, to_version?: number | undefined}} [options] `duration`: that of a
     *   pause, such as "P21D"; `to_version`: what a take-back returns to, by default the version before your last action
     * @returns {Promise<ActionAnswer>}
     */
    propose(kind: ProposalKind, { duration, to_version, ...options }?: Writing & {
        duration?: string | undefined;
        to_version?: number | undefined;
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
     * Propose a rematch after the game, or accept one: all calls return the same new game, in which each player sits one seat further.
     * @param {Once} [options]
     * @returns {Promise<Table>}
     */
    rematch({ key, signal }?: Once): Promise<Table>;
    /**
     * Fork the game at a position, by default from what you know now: the table of the fork.
     * @param {ForkInput} [wish]
     * @param {Once} [options]
     * @returns {Promise<Table>}
     */
    fork(wish?: ForkInput, { key, signal }?: Once): Promise<Table>;
    /**
     * Plan your next turns, and replace an earlier plan. The steps are alternatives for the next turn; `then` in a step
     * has those for the turn after. With `forced`, whatever is your only legal action is played for you.
     * @param {PlanInput} plan
     * @param {Omit<Writing, "key">} [options]
     * @returns {Promise<Plan>}
     */
    plan(plan: PlanInput, { seat, signal }?: Omit<Writing, "key">): Promise<Plan>;
    /**
     * The remaining part of your plan.
     * @param {Omit<Writing, "key">} [options]
     * @returns {Promise<Plan>}
     */
    planned({ seat, signal }?: Omit<Writing, "key">): Promise<Plan>;
    /**
     * Remove your plan.
     * @param {Omit<Writing, "key">} [options]
     * @returns {Promise<void>}
     */
    dropPlan({ seat, signal }?: Omit<Writing, "key">): Promise<void>;
    /**
     * Say a phrase at the table, if players can talk now.
     * @param {PhraseIdChoice} phrase
     * @param {Writing} [options]
     * @returns {Promise<PhraseAnswer>}
     */
    say(phrase: PhraseIdChoice, { seat, key, signal }?: Writing): Promise<PhraseAnswer>;
    /**
     * The phrases said at the table, the possible phrases, and why players cannot talk now.
     * @param {{lang?: Language | undefined, signal?: AbortSignal | undefined}} [options]
     * @returns {Promise<PhraseMenu>}
     */
    phrases({ lang, signal }?: {
        lang?: Language | undefined;
        signal?: AbortSignal | undefined;
    }): Promise<PhraseMenu>;
    /**
     * Wait for your turns: a view each time that you can act in a position that you have not had yet, until the game is
     * over. A turn that your plan plays is left out. While it waits, it follows the game, and opens your seeds once they are
     * awaited.
     * @param {AsSeat} [options]
     * @returns {AsyncGenerator<View, void, undefined>}
     */
    turns(options?: AsSeat): AsyncGenerator<View, void, undefined>;
    /**
     * Play to the end, and return the outcome. `choose` gets each view with its `choices`. It can return null where your
     * seat can act but the game does not wait for it.
     * @param {Choose} choose
     * @param {AsSeat} [options]
     * @returns {Promise<Outcome | null>}
     */
    play(choose: Choose, options?: AsSeat): Promise<Outcome | null>;
    #private;
}
/**
 * `seat`: the one that acts, if you hold several
 */
export type Writing = Once & {
    seat?: number | undefined;
};
/**
 * `committed`: whether the seed stays with you until every seat is taken
 */
export type Joining = TakeSeat & Once & {
    head?: string | undefined;
    committed?: boolean | undefined;
};
import { WatchedGame } from "./reading.js";
import type { Action } from "./index.js";
import type { View } from "./index.js";
import type { ActionAnswer } from "./index.js";
import type { InvitationInput } from "./index.js";
import type { NewInvitationAnswer } from "./index.js";
import type { Invitation } from "./index.js";
import type { NewTokenAnswer } from "./index.js";
import type { GameAtVersion } from "./index.js";
import type { ProposalKind } from "./index.js";
import type { Once } from "./http.js";
import type { ForkInput } from "./index.js";
import type { PlanInput } from "./index.js";
import type { Plan } from "./index.js";
import type { PhraseIdChoice } from "./index.js";
import type { PhraseAnswer } from "./index.js";
import type { Language } from "./index.js";
import type { PhraseMenu } from "./index.js";
import type { AsSeat } from "./reading.js";
import type { Choose } from "./play.js";
import type { Outcome } from "./index.js";
import type { TakeSeat } from "./index.js";
