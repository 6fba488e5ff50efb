/** French Tarot: the hand by suits of alternating colours, trumps last or first, or by rank. */

export { ORDERS as orders } from "./suits.js";
export { bySuit as sort } from "./suits.js";
