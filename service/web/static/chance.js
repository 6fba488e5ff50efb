/** The draws of a game, made again from its secret as docs/verification.md describes them. */

import { hmac, utf8 } from "./sha256.js";

/** @typedef {any} Plain */
/** @typedef {{secret: Uint8Array, id: string, seeds: (string | null)[]}} Chance */

/** @param {string} a @param {string} b */
function byCodePoint(a, b) {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((each, i) => each !== right[i]);
  if (at < 0) return left.length - right.length;
  return (left[at]?.codePointAt(0) ?? -1) - (right[at]?.codePointAt(0) ?? -1);
}

/**
 * Write plain data in canonical form.
 * @param {Plain} value
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  return `{${Object.keys(value).sort(byCodePoint).map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** The 32-bit words of a draw. @param {Chance} chance @param {string} label @param {number} number */
function* words({ secret, id, seeds }, label, number) {
  for (let counter = 0; ; counter += 1) {
    const block = new DataView(hmac(secret, utf8(canonical([label, id, seeds, number, counter]))).buffer);
    for (let at = 0; at < 32; at += 4) yield block.getUint32(at);
  }
}

/** @param {Iterator<number>} source @param {number} limit @returns {number} */
function fairly(source, limit) {
  const fair = 2 ** 32 - (2 ** 32 % limit);
  for (;;) {
    const word = source.next().value;
    if (word < fair) return word % limit;
  }
}

/** Draw a whole number below a limit. @param {Chance} chance @param {string} label @param {number} number @param {number} limit */
export const below = (chance, label, number, limit) => fairly(words(chance, label, number), limit);

/** Draw one order of things. @param {Chance} chance @param {string} label @param {number} number @param {Plain[]} things */
export function permutation(chance, label, number, things) {
  const source = words(chance, label, number);
  const order = [...things];
  for (let i = order.length - 1; i > 0; i -= 1) {
    const j = fairly(source, i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
