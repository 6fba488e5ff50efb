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
export function turns(table: Table, options?: AsSeat): AsyncGenerator<View, void, undefined>;
/**
 * @param {Table} table
 * @param {Choose} choose
 * @param {AsSeat} [options]
 * @returns {Promise<Outcome | null>}
 */
export function play(table: Table, choose: Choose, options?: AsSeat): Promise<Outcome | null>;
export type Choose = (view: View, actions: Action[]) => Action | null | undefined | Promise<Action | null | undefined>;
import type { Table } from "./index.js";
import type { AsSeat } from "./reading.js";
import type { View } from "./index.js";
import type { Outcome } from "./index.js";
import type { Action } from "./index.js";
