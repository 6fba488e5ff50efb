/** What a scene holds: who sits at the table, and what can be tapped. */

import { t } from "./words.js";

/** @typedef {import("./table.js").Scene} Scene */
/** @typedef {import("./table.js").SeatLine} SeatLine */
/** @typedef {import("./table.js").Table} Table */

/** @param {Scene} scene @param {any} view @returns {SeatLine[]} */
export const seatLines = (scene, view) =>
  scene.seats.map((line) => ({ ...line, name: line.name ?? t("seat", { number: line.seat }), bot: view.game.seats[line.seat].bot !== null }));

/** The picks that can be tapped on the page. @param {Table} table */
export function picksOf({ scene }) {
  const rows = scene.rows.flatMap((row) => [row.pick, ...row.things.map((thing) => thing.pick)]);
  const seats = scene.seats.map((seat) => seat.pick);
  const board = [...(scene.stage?.svg.matchAll(/data-pick="([^"]+)"/g) ?? [])].map(([, pick]) => pick);
  return new Set([...rows, ...seats, ...board].filter((pick) => typeof pick === "string"));
}
