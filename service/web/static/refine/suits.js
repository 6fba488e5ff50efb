/** A hand of cards in order. */

/** @typedef {import("../table.js").Row} Row */

const SUITS = "SHCD";

/** Sort the viewer's hand by suits whose colours alternate, then trumps and jokers; within a suit the order stays. @param {Row} row @returns {Row} */
export function bySuit(row) {
  return row.id.startsWith("hand:") ? { ...row, things: [...row.things].sort((one, other) => place(one.face) - place(other.face)) } : row;
}

/** @param {string | null} face */
function place(face) {
  const isOfSuit = face !== null && /^([2-9RDCVKQJA1]|10)[SHCD]$/.test(face);
  return isOfSuit ? SUITS.indexOf(face.slice(-1)) : SUITS.length;
}
