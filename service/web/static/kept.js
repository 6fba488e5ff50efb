/** What this browser remembers. Where it must not, in a private window, it lasts as long as the page. */

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
