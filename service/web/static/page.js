/** The page: its state, what this browser remembers, its words, the elements that it is made of, and its tab. */

import { useEffect, useState } from "./vendor/hooks.mjs";
import { h } from "./vendor/preact.mjs";

/** @typedef {import("./vendor/preact.mjs").ComponentChildren} Children */
/** @typedef {import("./vendor/preact.mjs").JSX.IntrinsicElements} Elements */
/** @typedef {{token: string, id: string, name: string}} Session */
/** @typedef {{name: string, args: string[]}} Route */
/**
 * @typedef {object} Settings
 * @property {string} language "" follows the browser.
 * @property {"" | "light" | "dark"} theme "" follows the system.
 * @property {"" | "RDCV" | "KQNJ"} letters The letters of court cards; "" are those of the language.
 * @property {"" | "yes" | "no"} confirm "" asks before an action where the pointer is a finger.
 * @property {boolean} sound @property {boolean} phrases Whether to show what players say.
 * @property {string} notify How to tell of a turn elsewhere: "" not, "page" while a tab is open, else by the push subscription of this id.
 * @property {number} pace For how many milliseconds a move of another player stays before the next one is shown.
 * @property {boolean} forced Whether moves without a choice are played for me.
 * @property {"" | "hand"} [first] What is read first: the table, or the hand and what can be chosen.
 * @property {string} order The order of the hand, by a name that a refinement knows; "" is the usual one.
 */
/**
 * @typedef {object} State
 * @property {Session | null} session
 * @property {Settings} settings
 * @property {Route} route
 * @property {string} link `lost` if the service was not reached last time; `forgotten` if it does not know who plays here.
 * @property {string} said The latest message for everyone, read out politely.
 */

/* What this browser remembers. Where it must not, in a private window, it lasts as long as the page. */

const PREFIX = "plateau.";
/** What the browser did not take. @type {Map<string, string>} */
const otherwise = new Map();

/** @template Value @param {string} name @param {Value} missing @returns {Value} */
export function read(name, missing) {
  try {
    return JSON.parse(otherwise.get(name) ?? localStorage.getItem(PREFIX + name) ?? "null") ?? missing;
  } catch {
    return missing;
  }
}

/** @param {string} name @param {unknown} value null forgets it. */
export function write(name, value) {
  const text = JSON.stringify(value);
  otherwise.set(name, text);
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, text);
    otherwise.delete(name);
  } catch {
    // it stays in memory
  }
}

/** Call a function when another tab of this browser changes a value. @param {string} name @param {() => void} changed */
export function elsewhere(name, changed) {
  addEventListener("storage", (event) => event.key === PREFIX + name && changed());
}

/* What the page shows follows from one object, replaced whole. */

/** @type {Settings} */
const DEFAULTS = {
  language: "",
  theme: "",
  letters: "",
  confirm: "",
  sound: true,
  phrases: true,
  notify: "",
  pace: 800,
  forced: false,
  order: "",
};

/** The game that is shown within another site, where nobody is signed in and nothing can be done; "" otherwise. */
export const EMBEDDED = /^\/embed\/([^/]+)$/.exec(location.pathname)?.[1] ?? "";

/** @type {State} */
let state = {
  session: EMBEDDED ? null : read("session", null),
  settings: { ...DEFAULTS, ...read("settings", {}) },
  route: { name: "", args: [] },
  link: "",
  said: "",
};

/** @type {Set<() => void>} */
const watchers = new Set();

/** @returns {State} */
export const now = () => state;

/** @param {Partial<State>} change */
export function change(change) {
  state = { ...state, ...change };
  for (const watcher of [...watchers]) watcher();
}

/** Call a function after each change; the result ends this. @param {() => void} watcher @returns {() => void} */
export function watch(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** @param {Session | null} session */
export function enter(session) {
  write("session", session);
  change({ session, link: session ? "" : state.link });
}

/** @param {Partial<Settings>} some */
export function prefer(some) {
  const settings = { ...state.settings, ...read("settings", {}), ...some };
  write("settings", settings);
  change({ settings });
}

/* The words of the frame, in the language of the reader. What belongs to a game is said by the service. */

export const LANGUAGES = ["en", "fr", "ja"];

/** @typedef {{[category: string]: string}} Plural */
/** @type {{[id: string]: string | Plural}} */
let words = {};
let current = "en";
/** The language as the reader's region writes times and numbers: "en-GB". */
export let regional = "en";
/** What numbers make of texts; to make these takes far longer than what they do. @type {{plurals: Intl.PluralRules, written: Intl.NumberFormat}} */
let numbers;

/** The language of the words that are loaded. */
export const language = () => current;

/** Choose the first language that there are words for. @param {readonly string[]} tags */
export function supportedLanguage(tags) {
  const short = tags.map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  return short.find((language) => LANGUAGES.includes(language)) ?? "en";
}

/** The letters of court cards that the reader has chosen, or else those of the language. */
export const letters = () => state.settings.letters || t("letters");

/** @param {string} lang */
export async function load(lang) {
  const answer = await fetch(new URL(`./words/${lang}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`no words for ${lang}`);
  speak(lang, await answer.json());
}

/** Speak a language from now on. @param {string} lang @param {typeof words} texts */
export function speak(lang, texts) {
  words = texts;
  current = lang;
  regional = navigator.languages.find((tag) => tag.split("-")[0] === lang) ?? lang;
  numbers = { plurals: new Intl.PluralRules(lang), written: new Intl.NumberFormat(regional) };
  document.documentElement.lang = lang;
}

/** Say a text by its id. `{name}` stands for a parameter; a text with plurals chooses by the parameter `n`. @param {string} id @param {{[name: string]: string | number}} [params] @returns {string} */
export function t(id, params = {}) {
  const text = words[id] ?? id;
  const pattern =
    typeof text === "string" ? text : (text[numbers.plurals.select(Number(params["n"]))] ?? text["other"] ?? id);
  return pattern.replace(/\{(\w+)\}/g, (_, name) => {
    const value = params[name];
    return typeof value === "number" ? numbers.written.format(value) : (value ?? "");
  });
}

/** Show that something is on its way. @returns {Children} */
export const loading = () => el("p", { class: "loading", role: "status" }, t("loading"));

/** Join texts as a sentence does: "Ada, Ben and Cleo". @param {string[]} texts */
export const list = (texts) => new Intl.ListFormat(regional).format(texts);

/* It is my turn: the title and the icon of the tab show it, also where nothing else of the page is seen. */

const icon = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
const calm = icon.href;
const lit = calm.replace(/icon\.svg$/, "icon-turn.svg");

/** The icon matters to a player who looks elsewhere, and drawing it takes time: one that changes again at once is left out. */
const ICON_MS = 500;
let iconChanges = 0;

/** Show the title of a page, and in how many games it is my turn. @param {string} title @param {number} turns */
export function show(title, turns) {
  const name = title ? `${title} · Plateau` : "Plateau";
  document.title = turns ? t("turn.title", { n: turns, title: name }) : name;
  const address = turns ? lit : calm;
  clearTimeout(iconChanges);
  if (icon.href !== address) iconChanges = setTimeout(() => (icon.href = address), ICON_MS);
}

/* Elements, with types for their properties, and drawings of the service. */

/**
 * Make an element of HTML. Preact's own `h` takes any properties; this one takes those that the element has.
 * @template {keyof Elements} Tag @param {Tag} tag @param {(Elements[Tag] & {[data: `data-${string}`]: string | number | undefined}) | null} props
 * @param {...Children} children
 */
export const el = (tag, props, ...children) => h(/** @type {any} */ (tag), /** @type {any} */ (props), ...children);

/** Make an element of a component. @template {{}} Props @param {(props: Props) => Children} component @param {Props & {key?: string | number}} props */
export const part = (component, props) => h(/** @type {any} */ (component), props);

/**
 * Load something, again when one of `on` changes, and when asked to; what was there before stays until then.
 * @template Value @param {(signal: AbortSignal) => Promise<Value>} load @param {unknown[]} on
 * @returns {{value: Value | undefined, problem: unknown, again: () => void}}
 */
export function useLoaded(load, on) {
  const [result, setResult] = useState(/** @type {{value?: Value, problem?: unknown}} */ ({}));
  const [attempt, setAttempt] = useState(0);
  const again = () => setAttempt((attempt) => attempt + 1);
  useEffect(() => {
    const ended = new AbortController();
    load(ended.signal).then(
      (value) => ended.signal.aborted || setResult({ value }),
      (problem) => ended.signal.aborted || setResult((previous) => ({ ...previous, problem })),
    );
    return () => ended.abort();
  }, [...on, attempt]);
  return { value: result.value, problem: result.problem, again };
}

/** Style sheets that are not needed at first, by name. @type {Map<string, Promise<unknown>>} */
const sheets = new Map();

/** Have a style sheet that is not needed at first; a game in one file has all of them. @param {string} name */
export function styled(name) {
  const first = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=stylesheet]"));
  if (first && !sheets.has(name)) {
    const link = Object.assign(document.createElement("link"), {
      rel: "stylesheet",
      href: new URL(name, first.href).href,
    });
    sheets.set(name, new Promise((done) => (link.onload = link.onerror = done)));
    document.head.append(link);
  }
  return sheets.get(name);
}

const ACTIVE = "script, foreignObject, a, style, use, image, iframe, animate, set";

/** The only way for markup into the page. It parses into a document of its own, in which nothing runs. */
const policy = /** @type {any} */ (window).trustedTypes?.createPolicy("plateau", { createHTML: String });

/** Parse a drawing of the server, without anything that could run or load, with the letters of the reader. @param {string} text @returns {SVGElement} */
export function drawing(text) {
  const markup = policy ? policy.createHTML(text) : text;
  const svg = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  if (svg.localName !== "svg") throw new Error("the drawing is not well formed");
  for (const element of [...svg.querySelectorAll(ACTIVE)]) element.remove();
  for (const element of [svg, ...svg.querySelectorAll("*")]) {
    for (const { name } of [...element.attributes]) if (/^on|href$|^style$/i.test(name)) element.removeAttribute(name);
    const letter = letters()[Number(element.getAttribute("data-court") ?? 4)];
    if (letter) element.textContent = letter;
  }
  return /** @type {any} */ (document.importNode(svg, true));
}
