// The loop that waits for turns and plays them.

import { sleep } from "./http.js";
import { WrongMoment } from "./problems.js";

/** @import {Action, Outcome, Table, View} from "./index.js" */
/** @import {AsSeat} from "./reading.js" */

/** @typedef {AsSeat & {every?: number | undefined}} Waiting `every`: seconds between two looks at the game */

/**
 * @callback Choose
 * @param {View} view
 * @param {Action[]} actions
 * @returns {Action | null | undefined | Promise<Action | null | undefined>}
 */

const OVER = new Set(["finished", "aborted"]);

/**
 * @param {Table} table
 * @param {Waiting} [options]
 * @returns {AsyncGenerator<View, void, undefined>}
 */
export async function* turns(table, { every = 1, ...viewer } = {}) {
  let last = 0;
  for (;;) {
    const view = await table.view(viewer);
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
 * @param {Table} table
 * @param {Choose} choose
 * @param {Waiting} [options]
 * @returns {Promise<Outcome | null>}
 */
export async function play(table, choose, options = {}) {
  for await (const view of turns(table, options)) {
    try {
      await turn(table, view, choose, options.signal);
    } catch (error) {
      if (!(error instanceof WrongMoment)) throw error; // somebody was quicker: the next view shows it
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
  const action = await choose(view, await table.choices(view, { signal }));
  const { seat } = view.viewer;
  if (action) await table.act(action, { view, signal });
  else if (seat !== null && view.waiting_for.includes(seat)) {
    throw new TypeError(`nothing was chosen, but the game waits for seat ${seat}`);
  }
}
