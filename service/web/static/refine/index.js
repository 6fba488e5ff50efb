/** What makes a game that we know a pleasure. Every game can be played without it: here is no rule and no drawing. */

import { KNOWN } from "./known.js";

/** @typedef {import("../table.js").Row} Row */
/** @typedef {import("../table.js").Table} Table */
/**
 * @typedef {object} Refinement
 * @property {(pick: string) => string | null} [also] What a tap on this thing chooses in its place.
 * @property {(picks: string[], table: Pick<Table, "view" | "scene" | "leaves">) => string[]} [preview] What the board shows while these things are touched or chosen.
 * @property {(row: Row, order: string) => Row} [sort] A row in the order that a player would hold it in.
 * @property {string[]} [previewed] The fields of the state from which a preview is made, which a game in one file brings.
 * @property {string[]} [orders] The orders of a hand to choose from, the usual one first.
 */

/** @param {string} ruleset @returns {Promise<Refinement>} */
export const refinement = async (ruleset) => (await KNOWN[ruleset]?.().catch(() => null)) ?? {};
