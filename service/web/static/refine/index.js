/** What makes a game that we know a pleasure. Every game can be played without it: here is no rule and no drawing. */

/** @typedef {import("../table.js").Row} Row */
/** @typedef {import("../table.js").Table} Table */
/**
 * @typedef {object} Refinement
 * @property {(pick: string) => string | null} [also] What a tap on this thing chooses in its place.
 * @property {(picks: string[], table: Pick<Table, "view" | "scene" | "leaves">) => string[]} [preview] What the board shows while these things are touched or chosen.
 * @property {(row: Row, order: string) => Row} [sort] A row in the order that a player would hold it in.
 * @property {string[]} [orders] The orders of a hand to choose from, the usual one first.
 */

/** @type {Record<string, () => Promise<Refinement>>} */
const KNOWN = {
  "french-tarot": () => import("./french-tarot.js"),
  "le-plateau": () => import("./le-plateau.js"),
  "plateau": () => import("./plateau.js"),
  "plute": () => import("./plute.js"),
};

/** @param {string} ruleset @returns {Promise<Refinement>} */
export const refinement = async (ruleset) => (await KNOWN[ruleset]?.().catch(() => null)) ?? {};
