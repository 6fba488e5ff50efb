/** Plateau: a unit shows where it can go before it is chosen. */

/** Show the squares on which moves from the touched one end. @param {string[]} picks @param {Pick<import("../table.js").Table, "leaves">} table */
export function preview(picks, { leaves }) {
  const moves = leaves.flatMap(({ action }) =>
    action?.type === "move" && picks.includes(`square:${action["from"]}`) ? [action] : [],
  );
  return moves.map((action) => `square:${action["to"]}`);
}
