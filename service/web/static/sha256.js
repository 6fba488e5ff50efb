/** SHA-256, and what docs/verification.md makes of it: seals' canonical form, and draws. (`crypto.subtle` does not exist on plain http, nor in a file that is opened from a disk.) */

const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter((n) => n > 1 && ![2, 3, 5, 7, 11, 13, 17].some((p) => p < n && n % p === 0));

/** The first 32 bits behind the point. @param {number} root */
const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const UTF8 = new TextEncoder();

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));
/** @param {Int32Array} words @param {number} at */
const word = (words, at) => /** @type {number} */ (words[at]);

/** @param {Uint8Array} message @returns {Uint8Array} */
export function sha256(message) {
  const padded = new Uint8Array((((message.length + 8) >> 6) + 1) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length << 3);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(at + 4 * i);
    mix(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((each, i) => digest.setInt32(4 * i, each));
  return new Uint8Array(digest.buffer);
}

/** Take one block into the state. @param {Int32Array} state @param {Int32Array} words */
function mix(state, words) {
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [word(words, i - 15), word(words, i - 2)];
    const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[i] = word(words, i - 16) + low + word(words, i - 7) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const choice = (e & f) ^ (~e & g);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (ROUNDS[i] ?? 0) + word(words, i)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((each, i) => (state[i] = word(state, i) + each));
}

/** @param {Uint8Array} key of at most 64 bytes @param {Uint8Array} message */
export function hmac(key, message) {
  /** @param {number} mask @param {Uint8Array} more */
  const padded = (mask, more) => {
    const bytes = new Uint8Array(64 + more.length).fill(mask, 0, 64);
    key.forEach((byte, i) => (bytes[i] = byte ^ mask));
    bytes.set(more, 64);
    return sha256(bytes);
  };
  return padded(0x5c, padded(0x36, message));
}

/** @param {string} text */
export const utf8 = (text) => UTF8.encode(text);

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} digits */
export const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @typedef {any} Plain */
/** @typedef {{secret: Uint8Array, id: string, seeds: (string | null)[]}} Chance */

/** @param {string} a @param {string} b */
function byCodePoint(a, b) {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((each, i) => each !== right[i]);
  if (at < 0) return left.length - right.length;
  return (left[at]?.codePointAt(0) ?? -1) - (right[at]?.codePointAt(0) ?? -1);
}

/** Write plain data in canonical form. @param {Plain} value @returns {string} */
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
