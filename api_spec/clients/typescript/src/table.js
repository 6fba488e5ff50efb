// One game, as its players play it.

import { matching, newKey } from "./http.js";
import { play, turns } from "./play.js";
import { WrongMoment } from "./problems.js";
import { WatchedGame } from "./reading.js";
import { commitmentTo, newSeed, toOpen } from "./seeds.js";

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
  openedAfter = null;

  /**
   * Act. If you pass the `view`, the action counts only for the decision in it.
   * @param {Action} action
   * @param {Writing & {view?: View | undefined}} [options]
   * @returns {Promise<ActionAnswer>}
   */
  act(action, { view, seat = view?.viewer.seat ?? undefined, ...options } = {}) {
    const body = view?.decision ? { ...action, decision_id: view.decision.id } : action;
    return this.#post("/actions", body, { seat, ...options });
  }

  /**
   * Throw what `act` would throw, without acting.
   * @param {Action} action
   * @param {Writing} [options]
   * @returns {Promise<void>}
   */
  async check(action, { seat, key = newKey(), signal } = {}) {
    const query = { as: seat, dry_run: true };
    await this.client.request("POST", this.path("/actions"), { query, body: action, key, signal });
  }

  /**
   * Take a seat, or any open one. `client_seed` is mixed into every draw of the game. A seed counts only for the `head`
   * of the game that you have seen, by default the current one. If another player is faster (`WrongMoment`,
   * `head-changed`), the seed is known: try again with a fresh one. If you are `committed`, the seed, by default a
   * random one, stays with you until every seat is taken, in `seeds` of the client, also if no response comes. Then
   * `turns` and `play` open it, or `openSeeds`.
   * @param {Joining} [options]
   * @returns {Promise<ActionAnswer>}
   */
  async join({ key = newKey(), signal, head, committed = false, ...wish } = {}) {
    const seed = wish.client_seed ?? (committed ? newSeed() : undefined);
    const seen = head ?? (seed === undefined ? undefined : (await this.game()).head);
    const body = committed && seed !== undefined ? await this.#committed(wish, seed) : wish;
    return this.client.call("POST", this.path("/seats"), { body, key, signal, headers: matching(seen) });
  }

  /**
   * Open those of your seeds that the game waits for; return whether there was one. Before that, read the log, and throw
   * `NotFixed` if it does not show that all seeds are fixed, yours included.
   * @returns {Promise<boolean>}
   */
  async openSeeds() {
    const { seeds } = this.client;
    const game = await this.game();
    if (!game.seeds_awaited || seeds.size === 0) return false;
    const mine = await toOpen(game, await this.#logOf(game), (await this.client.me()).id, seeds);
    for (const [seat, commitment] of mine) {
      this.openedAfter = { version: game.version, head: game.head };
      try {
        await this.#post("/seeds", { seat, client_seed: seeds.get(commitment) });
      } catch (error) {
        if (!(error instanceof WrongMoment)) throw error; // its time is over, or another device was quicker
      }
    }
    return mine.length > 0;
  }

  /** @param {number} seat the one to give up, before the game starts */
  async leave(seat) {
    await this.client.request("DELETE", this.path(`/seats/${seat}`));
  }

  /**
   * Invite a player, or anyone who has the link in the answer. The secret of a link is shown only once.
   * @param {InvitationInput} invitation
   * @returns {Promise<NewInvitationAnswer>}
   */
  invite(invitation) {
    return this.client.call("POST", this.path("/invitations"), { body: invitation });
  }

  /**
   * The latest invitations to this game, with their states.
   * @returns {AsyncGenerator<Invitation, void, undefined>}
   */
  invitations() {
    return this.client.items(this.path("/invitations"));
  }

  /**
   * Revoke an invitation that you made, or decline one that you got.
   * @param {string} invitation its id
   * @returns {Promise<void>}
   */
  async endInvitation(invitation) {
    await this.client.request("DELETE", this.path(`/invitations/${encodeURIComponent(invitation)}`));
  }

  /**
   * Make a token that opens only this seat, for another device.
   * @param {number} seat
   * @param {string} [label] a name to recognize it by
   * @returns {Promise<NewTokenAnswer>}
   */
  seatToken(seat, label) {
    return this.client.call("POST", this.path(`/seats/${seat}/tokens`), { body: { label } });
  }

  /**
   * Hand your seat to a bot permanently, or fill an open seat of a game that you created.
   * @param {number} seat
   * @param {string} bot
   * @returns {Promise<ActionAnswer>}
   */
  handOver(seat, bot) {
    return this.client.call("PUT", this.path(`/seats/${seat}`), { body: { bot } });
  }

  /**
   * Cancel a game that you created, before it starts.
   * @returns {Promise<GameAtVersion>}
   */
  cancel() {
    return this.client.call("DELETE", this.path());
  }

  /**
   * Resign, if the ruleset supports it; this cannot be undone.
   * @param {Writing} [options]
   * @returns {Promise<ActionAnswer>}
   */
  resign(options) {
    return this.#post("/resign", { confirm: true }, options);
  }

  /**
   * Claim that another seat's time is up.
   * @param {Writing} [options]
   * @returns {Promise<ActionAnswer>}
   */
  claim(options) {
    return this.#post("/claim", {}, options);
  }

  /**
   * Propose something that takes effect once every player accepts it.
   * @param {ProposalKind} kind
   * @param {Writing & {duration?: string | undefined, to_version?: number | undefined}} [options] `duration`: that of a
   *   pause, such as "P21D"; `to_version`: what a take-back returns to, by default the version before your last action
   * @returns {Promise<ActionAnswer>}
   */
  propose(kind, { duration, to_version, ...options } = {}) {
    return this.#post("/proposals", { kind, duration, to_version }, options);
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
   * Propose a rematch after the game, or accept one: all calls return the same new game, in which each player sits one seat further.
   * @param {Once} [options]
   * @returns {Promise<Table>}
   */
  async rematch({ key = newKey(), signal } = {}) {
    /** @type {RematchAnswer} */
    const { game } = await this.client.call("POST", this.path("/rematch"), { body: {}, key, signal });
    return new Table(this.client, game.id);
  }

  /**
   * Fork the game at a position, by default from what you know now: the table of the fork.
   * @param {ForkInput} [wish]
   * @param {Once} [options]
   * @returns {Promise<Table>}
   */
  async fork(wish = {}, { key = newKey(), signal } = {}) {
    /** @type {GameAtVersion} */
    const { id } = await this.client.call("POST", this.path("/forks"), { body: wish, key, signal });
    return new Table(this.client, id);
  }

  /**
   * Plan your next turns, and replace an earlier plan. The steps are alternatives for the next turn; `then` in a step
   * has those for the turn after. With `forced`, whatever is your only legal action is played for you.
   * @param {PlanInput} plan
   * @param {Omit<Writing, "key">} [options]
   * @returns {Promise<Plan>}
   */
  plan(plan, { seat, signal } = {}) {
    return this.client.call("PUT", this.path("/plan"), { query: { as: seat }, body: plan, signal });
  }

  /**
   * The remaining part of your plan.
   * @param {Omit<Writing, "key">} [options]
   * @returns {Promise<Plan>}
   */
  planned({ seat, signal } = {}) {
    return this.client.call("GET", this.path("/plan"), { query: { as: seat }, signal });
  }

  /**
   * Remove your plan.
   * @param {Omit<Writing, "key">} [options]
   * @returns {Promise<void>}
   */
  async dropPlan({ seat, signal } = {}) {
    await this.client.request("DELETE", this.path("/plan"), { query: { as: seat }, signal });
  }

  /**
   * Say a phrase at the table, if players can talk now.
   * @param {PhraseIdChoice} phrase
   * @param {Writing} [options]
   * @returns {Promise<PhraseAnswer>}
   */
  say(phrase, { seat, key = newKey(), signal } = {}) {
    return this.client.call("POST", this.path("/phrases"), { query: { as: seat }, body: { phrase }, key, signal });
  }

  /**
   * The phrases said at the table, the possible phrases, and why players cannot talk now.
   * @param {{lang?: Language | undefined, signal?: AbortSignal | undefined}} [options]
   * @returns {Promise<PhraseMenu>}
   */
  phrases({ lang, signal } = {}) {
    return this.client.call("GET", this.path("/phrases"), { query: { lang }, signal });
  }

  /**
   * Wait for your turns: a view each time that you can act in a position that you have not had yet, until the game is
   * over. A turn that your plan plays is left out. While it waits, it follows the game, and opens your seeds once they are
   * awaited.
   * @param {AsSeat} [options]
   * @returns {AsyncGenerator<View, void, undefined>}
   */
  turns(options) {
    return turns(this, options);
  }

  /**
   * Play to the end, and return the outcome. `choose` gets each view with its `choices`. It can return null where your
   * seat can act but the game does not wait for it.
   * @param {Choose} choose
   * @param {AsSeat} [options]
   * @returns {Promise<Outcome | null>}
   */
  play(choose, options) {
    return play(this, choose, options);
  }

  /**
   * @param {TakeSeat} wish
   * @param {string} seed
   * @returns {Promise<TakeSeat>}
   */
  async #committed({ seat }, seed) {
    const me = await this.client.me();
    const body = { seed_commitment: await commitmentTo(seed, this.id, me.id) };
    this.client.seeds.set(body.seed_commitment, seed); // before it is sent: a response can be lost, and the seat taken
    return seat === undefined ? body : { seat, ...body };
  }

  /**
   * The events up to the version of the game.
   * @param {GameAtVersion} game
   */
  async #logOf({ version }) {
    const log = [];
    for await (const event of this.events()) {
      log.push(event);
      if (log.length >= version) break;
    }
    return log;
  }

  /**
   * @template T
   * @param {string} path
   * @param {unknown} body
   * @param {Writing} [options]
   * @returns {Promise<T>}
   */
  #post(path, body, { seat, key = newKey(), signal } = {}) {
    return this.client.call("POST", this.path(path), { query: { as: seat }, body, key, signal });
  }
}
