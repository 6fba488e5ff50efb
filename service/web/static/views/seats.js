/** Who sits at a table, by name, and modules that are loaded once they are needed. */

import { now, read, t } from "../page.js";
import { restart } from "../sending.js";
import { useEffect, useState } from "../vendor/hooks.mjs";

/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {Schemas["SceneSeat"] & {name: string, bot?: string | null}} SeatLine  with a name, if need be by its number, and whether a bot plays */
/** @typedef {import("../table.js").Table} Table */

/** The seats of mine. @param {Table} table @returns {number[]} */
export const seatsOf = ({ view }) =>
  view.game.seats.flatMap((/** @type {Schemas["Seat"]} */ { player, seat }) => (player !== null && player === now().session?.id ? [seat] : []));

/** Name one of several people at this device: as they are called here, else by number. @param {number} seat @returns {string} */
export const hereCalled = (seat) => read("names", /** @type {Record<number, string>} */ ({}))[seat] || t("seat", { number: seat + 1 });

/** Who sits at a table, with names. @param {Table} table @returns {SeatLine[]} */
export function seatLines(table) {
  const { scene, view } = table;
  const mine = seatsOf(table);
  const called = (/** @type {Schemas["SceneSeat"]} */ { seat, name }) => (mine.length > 1 && mine.includes(seat) ? hereCalled(seat) : (name ?? t("seat", { number: seat + 1 })));
  return scene.seats.map((line) => ({ ...line, name: called(line), bot: view.game.seats[line.seat].bot ?? view.game.seats[line.seat].account }));
}

/** Have a module once it is needed; null until it is there. @template Module @param {() => Promise<Module>} load @param {boolean} [needed] */
export function useLater(load, needed = true) {
  const [loaded, show] = useState(/** @type {Module | null} */ (null));
  useEffect(() => {
    if (needed) load().then(show, restart);
  }, [needed]);
  return loaded;
}
