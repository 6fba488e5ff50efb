/** French Tarot: the hand by suits of alternating colours, trumps last. */

export { bySuit as sort } from "./suits.js";
