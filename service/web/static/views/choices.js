/** What a seat can choose beside the things on the table: buttons, the confirmation, and why something is refused. */

import { el, part } from "../el.js";
import { face } from "../faces.js";
import { remaining } from "../picker.js";
import { now } from "../store.js";
import { t } from "../words.js";

/** @typedef {import("../api.js").Schemas} Schemas */
/** @typedef {import("../picker.js").Group} Group */
/** @typedef {import("../picker.js").Step} Step */
/** @typedef {import("../picker.js").Value} Value */
/** @typedef {import("../play.js").Turn} Turn */
/** @typedef {import("../slots.js").Leaf} Leaf */
/** @typedef {import("../table.js").Table} Table */

const FEW = 8;
/** Up to how many actions stand beside each other, each with a button of its own. */

/** @param {{table: Table, turn: Turn}} props */
export function Choices({ table, turn }) {
  const { choice, open, steps, why } = turn;
  if (!open && !why) return part(Progressed, { turn });
  const few = open && choice.exact && choice.lit.size === 0 && choice.left > 1 && choice.left <= FEW;
  return el(
    "section",
    { class: "choices", "aria-label": t("choices") },
    why && part(Why, { why, ruleset: table.ruleset, close: turn.understood }),
    open && part(Progressed, { turn }),
    open && counted(choice.counter, choice.finished),
    few ? actions(remaining(table.leaves, steps), turn) : open && choice.groups.map((group) => part(GroupView, { key: group.path, group, table, turn })),
    open && (choice.ready || steps.length > 0) && el(
      "div",
      { class: "deciding" },
      steps.length > 0 && el("button", { type: "button", onClick: turn.back }, t("back")),
      choice.ready && el("button", { type: "button", class: "primary", disabled: !turn.checked, onClick: turn.confirm }, choice.says ?? t("confirm")),
    ),
  );
}

/** @param {{turn: Turn}} props */
function Progressed({ turn: { progress } }) {
  const text = progress?.state === "sending" ? t("sending")
    : progress?.state === "unsent" ? t("unsent")
    : progress?.state === "saved" ? t("saved", { version: progress.answer.version }) : "";
  return el("p", { class: `progress ${progress?.state ?? ""}`, role: "status" }, text);
}

/** @param {import("../picker.js").Counter | null} counter @param {boolean} finished */
function counted(counter, finished) {
  if (!counter || counter.max < 2 || finished) return null;
  const { count, min, max } = counter;
  return el("p", { class: "counter", role: "status" }, min === max ? t("counter", { count, max }) : t("counter.range", { count, min, max }));
}

/** @param {Leaf[]} leaves @param {Turn} turn */
const actions = (leaves, turn) =>
  el("div", { class: "buttons" }, leaves.map((leaf, place) =>
    el("button", { type: "button", key: place, onClick: () => turn.take(...stepsTo(leaf)) }, leaf.says ?? leaf.slots.map(({ values }) => values.map(spelled).join(" ")).join(" "))));

/** @param {Leaf} leaf @returns {Step[]} */
const stepsTo = (leaf) => leaf.slots.flatMap(({ path, values }) => values.map((value) => ({ path, value })));

/** @param {{group: Group, table: Table, turn: Turn}} props */
function GroupView({ group, table, turn }) {
  return el(
    "fieldset",
    { class: "buttons" },
    el("legend", null, group.type === null ? t("choose") : described(table, group.type, group.path)),
    group.values.map((value) => el(
      "button",
      { type: "button", key: String(value.value), class: group.kind === "card" ? "card lit" : "", "aria-label": group.kind === "card" ? (value.says ?? String(value.value)) : undefined, onClick: () => turn.take({ path: group.path, value: value.value }) },
      group.kind === "card" ? face(String(value.value), now().settings.letters) : labelled(value, group, table),
    )),
  );
}

/** @param {Value} value @param {Group} group @param {Table} table */
function labelled({ value, says }, group, { seats }) {
  if (says !== null && group.values.length <= FEW) return says;
  const seat = group.kind === "seat" && seats.find((each) => each.seat === value);
  return seat ? seat.name : spelled(value);
}

/** @param {import("../slots.js").Scalar} value */
function spelled(value) {
  if (value === null) return t("without");
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  const text = String(value).replaceAll("_", " ");
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/**
 * Read what a field means from the schema of its action.
 * @param {Table} table @param {string} type @param {string} path
 */
function described({ ruleset }, type, path) {
  const whole = /** @type {any} */ (ruleset.actions[type]);
  let at = whole;
  for (const step of path.split(".")) {
    const next = /^\d+$/.test(step) ? at?.items : at?.properties?.[step];
    at = next?.$ref ? { ...whole.$defs?.[next.$ref.replace("#/$defs/", "")], ...next } : next;
  }
  return at?.description ?? spelled(path);
}

/** @param {{why: import("../play.js").Why, ruleset: Schemas["Ruleset"], close: () => void}} props */
export function Why({ why, ruleset, close }) {
  const rule = why.rule === null ? null : section(ruleset.rules, why.rule);
  return el(
    "div",
    { class: "why", role: "alert" },
    el("p", null, why.detail),
    rule && el("details", null, el("summary", null, t("why.rule", { title: rule.title })), rule.paragraphs.map((text, place) => el("p", { key: place }, text))),
    el("button", { type: "button", class: "close", "aria-label": t("close"), onClick: close }, "×"),
  );
}

/**
 * Find a section of the rules by its number or its title.
 * @param {string} rules Markdown
 * @param {string} name
 */
export function section(rules, name) {
  const parts = rules.split(/^(?=#{1,4} )/m);
  const wanted = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  const found = parts.find((part) => {
    const title = (part.split("\n", 1)[0] ?? "").replace(/^#+ /, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
    return title === wanted || title.startsWith(`${wanted} `) || title.replace(/^\d+ /, "") === wanted;
  });
  if (!found) return null;
  const [title = "", ...rest] = found.split("\n");
  const paragraphs = rest.join("\n").split(/\n\s*\n/).map((text) => text.replace(/[*`]/g, "").trim()).filter(Boolean);
  return { title: title.replace(/^#+ /, ""), paragraphs };
}
