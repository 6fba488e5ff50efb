/** Plute: the hand by suits of alternating colours, jokers last. */

export { bySuit as sort } from "./suits.js";
