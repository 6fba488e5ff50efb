/** Le Plateau: a card and its space on the board are one thing; a touch shows what a trick would claim, and join. */

export { ORDERS as orders } from "./suits.js";
export { bySuit as sort } from "./suits.js";

/** A space stands for its card. @param {string} pick */
export const also = (pick) => (pick.startsWith("space:") ? `card:${pick.slice("space:".length)}` : null);

export const previewed = ["board", "trick"];

/** @typedef {[q: number, r: number]} Place */
/** @type {Place[]} */
const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
  [1, -1],
];

/** The places of the board as the view lists its spaces: ring by ring, each clockwise from the top. @type {Place[]} */
const PLACES = [];
for (const radius of [3, 2, 1]) {
  let [q, r] = [0, -radius];
  for (const [dq, dr] of STEPS) for (let walked = 0; walked < radius; walked++, q += dq, r += dr) PLACES.push([q, r]);
}
PLACES.push([0, 0]);

/**
 * Show the spaces that the trick would claim with this card, those of all its cards and that of its number; and those
 * of the viewer's side that would be joined with them.
 * @param {string[]} picks @param {{view: any, scene: import("../table.js").Scene}} table
 */
export function preview(picks, { view: { state }, scene }) {
  const cards = picks.filter((pick) => /^(card|space):/.test(pick)).map((pick) => pick.slice(pick.indexOf(":") + 1));
  if (!state?.trick || cards.length === 0) return [];
  const { owners, tokens } = state.board;
  const played = state.trick.cards.map((/** @type {{card: string}} */ each) => each.card);
  const shown = [`#${state.trick.number}`, ...played, ...cards].filter((code) => !(code in owners));
  const side = scene.seats.find(({ viewer }) => viewer)?.side === "first" ? "declarer" : "opposing";
  for (const code of shown) {
    const [q, r] = PLACES[tokens.indexOf(code)] ?? [9, 9];
    PLACES.forEach(([otherQ, otherR], place) => {
      const isNext = STEPS.some(([dq, dr]) => otherQ - q === dq && otherR - r === dr);
      if (isNext && owners[tokens[place]] === side && !shown.includes(tokens[place])) shown.push(tokens[place]);
    });
  }
  return shown.map((code) => `space:${code}`);
}
