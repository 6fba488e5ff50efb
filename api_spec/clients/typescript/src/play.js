// The loop that waits for turns and plays them.

import { sleep } from "./http.js";
import { RateLimited, WrongMoment } from "./problems.js";
import { OVER } from "./reading.js";

/** @import {Action, Event, Outcome, Table, View} from "./index.js" */
/** @import {AsSeat} from "./reading.js" */

/**
 * @callback Choose
 * @param {View} view
 * @param {Action[]} actions
 * @returns {Action | null | undefined | Promise<Action | null | undefined>}
 */

/**
 * @param {Table} table
 * @param {AsSeat} [options]
 * @returns {AsyncGenerator<View, void, undefined>}
 */
export async function* turns(table, options = {}) {
  let shown = 0;
  let view = await table.view(options);
  const news = table.follow({ ...options, after: view.version });
  try {
    while (!OVER.has(view.game.status)) {
      if (view.game.seeds_awaited && (await table.openSeeds())) {
        // the next view shows it
      } else if (view.planned) {
        shown = 0; // without its plan, a turn that was left to it comes again
        await played(table, view, options.signal);
      } else if (view.legal_actions && view.version > shown) {
        shown = view.version;
        yield view;
      } else {
        await moved(news, view.version);
      }
      view = await table.view(options);
    }
  } finally {
    await news.return();
  }
}

/**
 * Wait until your plan has played a turn; check again after a second, because another device can remove it.
 * @param {Table} table
 * @param {View} view
 * @param {AbortSignal | undefined} signal
 */
async function played(table, { version, viewer }, signal) {
  const query = { after: version, as: viewer.seat ?? undefined, limit: 1, wait: 1 };
  try {
    await table.client.call("GET", table.path("/events"), { query, signal });
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error; // too many requests wait already
    await sleep(Math.max(error.after, 1), signal);
  }
}

/**
 * Wait until the game has gone beyond a version, or is over.
 * @param {AsyncGenerator<Event, void, undefined>} news
 * @param {number} version
 */
async function moved(news, version) {
  for (;;) {
    const { done, value } = await news.next();
    if (done || value.version > version) return;
  }
}

/**
 * @param {Table} table
 * @param {Choose} choose
 * @param {AsSeat} [options]
 * @returns {Promise<Outcome | null>}
 */
export async function play(table, choose, options = {}) {
  for await (const view of turns(table, options)) {
    try {
      await turn(table, view, choose, options.signal);
    } catch (error) {
      if (!(error instanceof WrongMoment)) throw error; // another player was quicker: the next view shows it
    }
  }
  return (await table.view(options)).game.outcome;
}

/**
 * @param {Table} table
 * @param {View} view
 * @param {Choose} choose
 * @param {AbortSignal | undefined} signal
 */
async function turn(table, view, choose, signal) {
  const choices = await table.choices(view, { signal });
  if (choices.length === 0) return; // the turn was played from elsewhere, by a plan for instance: the next view shows it
  const action = await choose(view, choices);
  const { seat } = view.viewer;
  if (action) await table.act(action, { view, signal });
  else if (seat !== null && view.waiting_for.includes(seat)) {
    throw new TypeError(`nothing was chosen, but the game waits for seat ${seat}`);
  }
}
