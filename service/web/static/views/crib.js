/** What a player looks up during a game: the rules on one screen, what concerns one thing or word first, and all the rules. */

import { el, t } from "../page.js";
import { useEffect, useRef } from "../vendor/hooks.mjs";

/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {import("../page.js").Children} Children */
/** @typedef {Schemas["Ruleset"]["crib"][number]} Entry */
/** What is looked up: a thing by its code, or a text; all, where both are empty. @typedef {{name: string, code: string, text: string}} About */

/** What is under a finger or the pointer. @param {Element} target @returns {About} */
export function aboutOf(target) {
  const thing = target.closest("[data-pick], [data-motion]");
  const [, code = ""] = (thing?.getAttribute("data-pick") ?? thing?.getAttribute("data-motion") ?? "").split(":");
  const text = target.closest("li, button, p, h1, h2, legend, .says, .seat, .plaque")?.textContent ?? "";
  return code ? { name: thing?.getAttribute("aria-label") ?? "", code, text: "" } : { name: "", code: "", text };
}

/** @param {About} about @returns {(entry: Entry) => boolean} */
const concerns =
  ({ code, text }) =>
  ({ things, words }) =>
    code ? things !== "" && new RegExp(`^(?:${things})$`).test(code) : words.some((word) => beginning(word).test(text));

/** A word or its beginning; Japanese has no space before it. @param {string} word */
const beginning = (word) => new RegExp(`(?<!\\p{Script=Latin})${word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}`, "iu");

/** @param {{ruleset: Schemas["Ruleset"], about: About, close: () => void}} props */
export function Crib({ ruleset: { name, crib, rules }, about, close }) {
  const place = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => (place.current?.showModal(), place.current?.focus()), []);
  const first = crib.filter(concerns(about));
  return el(
    "dialog",
    {
      class: "crib",
      "aria-labelledby": "crib",
      ref: place,
      tabIndex: -1,
      onKeyDown: (event) => event.stopPropagation(),
      onClose: close,
    },
    el(
      "header",
      null,
      el("h2", { id: "crib" }, about.name || name),
      el(
        "button",
        { type: "button", class: "close", "aria-label": t("close"), onClick: () => place.current?.close() },
        "×",
      ),
    ),
    el(
      "dl",
      null,
      entries(first, "about"),
      entries(first.length ? crib.filter((each) => !first.includes(each)) : crib),
    ),
    el("p", { class: "quiet" }, t("crib.hold")),
    el("details", null, el("summary", null, t("crib.rules")), el("div", { lang: "en" }, page(rules))),
  );
}

/** @param {Entry[]} some @param {string} [kind] */
const entries = (some, kind) =>
  some.map(({ term, says }) => el("div", { key: term, class: kind }, el("dt", null, term), el("dd", null, says)));

/** @param {string} rules Markdown */
const page = (rules) =>
  rules
    .split(/^\x60{3}\n([^]*?)^\x60{3}$/m)
    .map((part, at) => (at % 2 ? [el("pre", { key: at }, part)] : blocks(part)));

/** A page of rules: headings, paragraphs, lists and tables; marks within a line are left out. @param {string} rules Markdown @returns {Children} */
function blocks(rules) {
  return rules.split(/\n(?=#{1,6} )|\n\s*\n/).map((block, key) => {
    const lines = block.split("\n").filter(Boolean);
    const [first = ""] = lines;
    if (!first) return null;
    if (/^#{1,6} /.test(first))
      return [el("h3", { key }, bare(first.replace(/^#+ /, ""))), lines[1] ? blocks(lines.slice(1).join("\n")) : null];
    if (first.startsWith("|")) return el("table", { key }, lines.filter((line) => !/^[|\-: ]+$/.test(line)).map(cells));
    if (/^(?:-|\d+\.) /.test(first))
      return el(
        "ul",
        { key },
        block.split(/\n(?=(?:-|\d+\.) )/).map((item, at) => el("li", { key: at }, bare(item.replace(/^\S+ /, "")))),
      );
    return el("p", { key }, bare(block));
  });
}

/** @param {string} line @param {number} key */
const cells = (line, key) =>
  el(
    "tr",
    { key },
    line
      .split("|")
      .slice(1, -1)
      .map((cell, at) => el("td", { key: at }, bare(cell.trim()))),
  );

/** @param {string} text */
const bare = (text) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*`]/g, "");
