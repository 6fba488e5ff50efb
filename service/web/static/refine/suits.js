/** A hand of cards in order. */

/** @typedef {import("../table.js").Row} Row */

const SUITS = "SHCD";
const RANKS = ["R", "K", "D", "Q", "C", "V", "J"];
/** The names of the orders: by suits, trumps first, and by rank. */
export const ORDERS = ["suits", "trumps", "ranks"];

/** Sort a hand by suits whose colours alternate, trumps and jokers last or first; or by rank. @param {Row} row @param {string} order @returns {Row} */
export function bySuit(row, order) {
  if (!row.id.startsWith("hand:")) return row;
  const place = order === "ranks" ? rank : suit(order === "trumps" ? -1 : SUITS.length);
  return { ...row, things: [...row.things].sort((one, other) => place(one.face) - place(other.face)) };
}

/** @param {string | null} face */
const isOfSuit = (face) => face !== null && /^([2-9RDCVKQJA1]|10)[SHCD]$/.test(face);

/** @param {number} trumps */
const suit = (trumps) => (/** @type {string | null} */ face) =>
  isOfSuit(face) ? SUITS.indexOf(face?.slice(-1) ?? "") : trumps;

/** Kings first, trumps and jokers last; aces stand where their game has them. @param {string | null} face */
function rank(face) {
  if (!isOfSuit(face)) return 99;
  const sign = face?.slice(0, -1) ?? "";
  const court = RANKS.indexOf(sign);
  return sign === "A" ? -1 : court >= 0 ? court : 20 - Number(sign);
}
