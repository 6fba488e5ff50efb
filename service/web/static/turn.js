/** It is my turn: the title and the icon of the tab show it, also where nothing else of the page is seen. */

import { t } from "./words.js";

const icon = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
const calm = icon.href;
const lit = calm.replace(/icon\.svg$/, "icon-turn.svg");

/**
 * Show the title of a page, and in how many games it is my turn.
 * @param {string} title
 * @param {number} turns
 */
export function show(title, turns) {
  const name = title ? `${title} · Plateau` : "Plateau";
  document.title = turns ? t("turn.title", { n: turns, title: name }) : name;
  const wanted = turns ? lit : calm;
  if (icon.href !== wanted) icon.href = wanted;
}
