/** The games that have a refinement; `make spec` writes this. */

/** @type {Record<string, () => Promise<import("./index.js").Refinement>>} */
export const KNOWN = {
  "le-plateau": () => import("./le-plateau.js"),
  "plateau": () => import("./plateau.js"),
  "french-tarot": () => import("./french-tarot.js"),
  "plute": () => import("./plute.js"),
};
