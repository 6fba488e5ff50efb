/**
 * @param {Table} table
 * @param {Waiting} [options]
 * @returns {AsyncGenerator<View, void, undefined>}
 */
export function turns(table: Table, { every, ...viewer }?: Waiting): AsyncGenerator<View, void, undefined>;
/**
 * @param {Table} table
 * @param {Choose} choose
 * @param {Waiting} [options]
 * @returns {Promise<Outcome | null>}
 */
export function play(table: Table, choose: Choose, options?: Waiting): Promise<Outcome | null>;
/**
 * `every`: seconds between two looks at the game
 */
export type Waiting = AsSeat & {
    every?: number | undefined;
};
export type Choose = (view: View, actions: Action[]) => Action | null | undefined | Promise<Action | null | undefined>;
import type { Table } from "./index.js";
import type { View } from "./index.js";
import type { Outcome } from "./index.js";
import type { AsSeat } from "./reading.js";
import type { Action } from "./index.js";
