/** The words of the frame, in the language of the reader. What belongs to a game is said by the service. */

export const LANGUAGES = ["en", "fr", "ja"];
/** The languages by their own names, which no translation changes. */
export const NAMES = { en: "English", fr: "Français", ja: "日本語" };

/** @typedef {{[category: string]: string}} Plural */
/** @type {{[id: string]: string | Plural}} */
let words = {};
let current = "en";
let plurals = new Intl.PluralRules(current);

/** The language of the words that are loaded. */
export const language = () => current;

/**
 * Choose the first language that there are words for.
 * @param {readonly string[]} wanted
 */
export function chosen(wanted) {
  const short = wanted.map((each) => each.toLowerCase().split("-")[0] ?? "");
  return short.find((each) => LANGUAGES.includes(each)) ?? "en";
}

/** @param {string} lang */
export async function load(lang) {
  const answer = await fetch(new URL(`./words/${lang}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`no words for ${lang}`);
  words = await answer.json();
  current = lang;
  plurals = new Intl.PluralRules(lang);
  document.documentElement.lang = lang;
}

/**
 * Say a text by its id. `{name}` stands for a parameter; a text with plurals chooses by the parameter `n`.
 * @param {string} id
 * @param {{[name: string]: string | number}} [params]
 * @returns {string}
 */
export function t(id, params = {}) {
  const found = words[id] ?? id;
  const pattern = typeof found === "string" ? found : (found[plurals.select(Number(params["n"]))] ?? found["other"] ?? id);
  return pattern.replace(/\{(\w+)\}/g, (_, name) => {
    const value = params[name];
    return typeof value === "number" ? value.toLocaleString(current) : (value ?? "");
  });
}

const UNITS = /** @type {const} */ ([["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]]);

/**
 * Say when something is, from now: "in 3 hours".
 * @param {string} moment
 */
export function fromNow(moment) {
  const seconds = (Date.parse(moment) - Date.now()) / 1000;
  const [unit, size] = UNITS.find((each) => Math.abs(seconds) >= each[1]) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(current, { numeric: "auto" }).format(Math.trunc(seconds / size), unit);
}

/**
 * Join texts as a sentence does: "Ada, Ben and Cleo".
 * @param {string[]} texts
 */
export const list = (texts) => new Intl.ListFormat(current, { type: "conjunction" }).format(texts);
