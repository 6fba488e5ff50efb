/** Le Plateau: a card and its space on the board are one thing; whoever wins the trick claims what a touch shows. */

export { bySuit as sort } from "./suits.js";

/** A space stands for its card. @param {string} pick */
export const also = (pick) => (pick.startsWith("space:") ? `card:${pick.slice("space:".length)}` : null);

/**
 * Show the spaces that the trick would claim with this card: those of all its cards, and that of its number.
 * @param {string[]} picks @param {{view: any}} table
 */
export function preview(picks, { view: { state } }) {
  const cards = picks.filter((pick) => /^(card|space):/.test(pick)).map((pick) => pick.slice(pick.indexOf(":") + 1));
  if (!state.trick || cards.length === 0) return [];
  const played = state.trick.cards.map((/** @type {{card: string}} */ each) => each.card);
  const owned = Object.keys(state.board.owners);
  return [`#${state.trick.number}`, ...played, ...cards].filter((code) => !owned.includes(code)).map((code) => `space:${code}`);
}
