/** The words of the frame, in the language of the reader. What belongs to a game is said by the service. */

export const LANGUAGES = ["en", "fr", "ja"];

/** @typedef {{[category: string]: string}} Plural */
/** @type {{[id: string]: string | Plural}} */
let words = {};
let current = "en";
/** The language as the reader's region writes times and numbers: "en-GB". */
let regional = "en";
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
  regional = navigator.languages.find((each) => each.split("-")[0] === lang) ?? lang;
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
    return typeof value === "number" ? value.toLocaleString(regional) : (value ?? "");
  });
}

const DAY_MS = 86_400_000;

/**
 * Say when something is: the time of day, and the day unless it is near.
 * @param {string} moment
 */
export function when(moment) {
  const isNear = Math.abs(Date.parse(moment) - Date.now()) < DAY_MS / 2;
  /** @type {Intl.DateTimeFormatOptions} */
  const time = { hour: "numeric", minute: "2-digit" };
  return new Intl.DateTimeFormat(regional, isNear ? time : { weekday: "short", day: "numeric", month: "short", ...time }).format(new Date(moment));
}

/**
 * Join texts as a sentence does: "Ada, Ben and Cleo".
 * @param {string[]} texts
 */
export const list = (texts) => new Intl.ListFormat(regional, { type: "conjunction" }).format(texts);
