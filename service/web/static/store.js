/** What the page shows follows from one object, replaced whole; and what this browser remembers. */

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {{token: string, id: string, name: string}} Session */
/** @typedef {{name: string, args: string[]}} Route */
/**
 * @typedef {object} Settings
 * @property {string} language "" follows the browser.
 * @property {"" | "light" | "dark"} theme "" follows the system.
 * @property {"RDCV" | "KQNJ"} letters The letters of court cards.
 * @property {"" | "yes" | "no"} confirm "" asks before an action where the pointer is a finger.
 * @property {boolean} sound
 */
/**
 * @typedef {object} State
 * @property {Session | null} session
 * @property {Settings} settings
 * @property {Route} route
 * @property {"here" | "lost"} link Whether the service was reached last time.
 * @property {string} said The latest message for everyone, read out politely.
 */

/* What this browser remembers. Where it must not, in a private window, it lasts as long as the page. */

const PREFIX = "plateau.";
/** @type {Map<string, string>} */
const otherwise = new Map();

/**
 * @template Value
 * @param {string} name
 * @param {Value} missing
 * @returns {Value}
 */
export function read(name, missing) {
  let text;
  try {
    text = localStorage.getItem(PREFIX + name);
  } catch {
    text = null;
  }
  text ??= otherwise.get(name) ?? null;
  try {
    return text === null ? missing : JSON.parse(text);
  } catch {
    return missing;
  }
}

/**
 * @param {string} name
 * @param {unknown} value null forgets it.
 */
export function write(name, value) {
  const text = JSON.stringify(value);
  otherwise.set(name, text);
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, text);
  } catch {
    // it stays in memory
  }
}

/**
 * Call a function when another tab of this browser changes a value.
 * @param {string} name
 * @param {() => void} changed
 */
export function elsewhere(name, changed) {
  addEventListener("storage", (event) => event.key === PREFIX + name && changed());
}

/** @type {Settings} */
const DEFAULTS = { language: "", theme: "", letters: "RDCV", confirm: "", sound: true };

/** The game that is shown within another site, where nobody is signed in and nothing can be done; "" otherwise. */
export const EMBEDDED = /^\/embed\/([^/]+)$/.exec(location.pathname)?.[1] ?? "";

/** @type {State} */
let state = {
  session: EMBEDDED ? null : read("session", null),
  settings: { ...DEFAULTS, ...read("settings", {}) },
  route: { name: "", args: [] },
  link: "here",
  said: "",
};

/** @type {Set<() => void>} */
const watchers = new Set();

/** @returns {State} */
export const now = () => state;

/** @param {Partial<State>} change */
export function change(change) {
  state = { ...state, ...change };
  for (const each of [...watchers]) each();
}

/**
 * Call a function after each change; the result ends this.
 * @param {() => void} watcher
 * @returns {() => void}
 */
export function watch(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** @param {Session | null} session */
export function enter(session) {
  write("session", session);
  change({ session });
}

/** @param {Partial<Settings>} some */
export function prefer(some) {
  const settings = { ...state.settings, ...some };
  write("settings", settings);
  change({ settings });
}
