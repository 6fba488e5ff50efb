/** Plute: the hand by suits of alternating colours, jokers last or first, or by rank. */

export { ORDERS as orders } from "./suits.js";
export { bySuit as sort } from "./suits.js";
