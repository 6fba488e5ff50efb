/** What can be chosen by buttons: with pictures and notes where the scene offers them. */

import { face } from "../faces.js";
import { el, part, t } from "../page.js";
import { choice as choose, picksOf } from "../picker.js";
import { Drawn, FEW, seatLines } from "./table_elements.js";

/** @typedef {import("../picker.js").Group} Group */
/** @typedef {import("../picker.js").Step} Step */
/** @typedef {import("../picker.js").Value} Value */
/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {import("../slots.js").Leaf} Leaf */
/** @typedef {import("../table.js").Table} Table */
/** @typedef {import("./game.js").Turn} Turn */

/** @typedef {{kind: Step, fields: Group[], others: Leaf[], chosen: Step[]}} Menu  an action of several fields, and the actions without any that can be taken instead */

/** The fields of the only kind of action that has several, if taps on things do not fill them. @param {Table} table @param {Step[]} steps @returns {Menu | null} */
export function menuOf(table, steps) {
  const drawn = picksOf(table);
  const whole = choose(table.leaves, [], drawn);
  const type = whole.groups.find(({ path }) => path === "type");
  const [several, ...more] = type?.values.filter(({ branches }) => branches > 1) ?? [];
  if (!several || more.length > 0 || !whole.exact) return null;
  const kind = { path: "type", value: several.value };
  const { groups } = choose(table.leaves, [kind], drawn);
  const kindOf = ({ slots = /** @type {Leaf["slots"]} */ ([]) }) =>
    slots.find(({ path }) => path === "type")?.values[0];
  const offered = [...new Set(table.scene.offers.map(({ path }) => path)), ""];
  const rank = (/** @type {Group} */ { path }) => offered.indexOf(`${several.value}.${path}`) >>> 0;
  return groups.length > 1
    ? {
        kind,
        fields: groups.toSorted((one, other) => rank(one) - rank(other)),
        others: whole.left.filter((leaf) => kindOf(leaf) !== several.value),
        chosen: steps,
      }
    : null;
}

/** All fields of an action beside each other; what is chosen stays, and can be chosen otherwise. @param {{menu: Menu, table: Table, turn: Turn}} props */
export function MenuView({ menu: { kind, fields, others, chosen }, table, turn }) {
  const left = chosen.length ? turn.choice.left : [];
  const isChosen = (/** @type {string} */ path, /** @type {Value["value"]} */ value) =>
    left.length > 0 &&
    left.every(({ slots }) => slots.some((slot) => slot.path === path && slot.values.every((each) => each === value)));
  const others_ = chosen.filter((step) => "path" in step && step.path !== "type");
  return [
    fields.map((group) =>
      part(GroupView, {
        key: group.path,
        group,
        table,
        choose: (value) => {
          const step = { path: group.path, value };
          turn.set([kind, step, ...others_.filter((each) => "path" in each && each.path !== group.path)]);
        },
        isChosen: (value) => isChosen(group.path, value),
      }),
    ),
    actions(others, table, turn.instead),
  ];
}

/** Buttons of whole actions; what is offered otherwise and cannot be chosen now says why. @param {Leaf[]} leaves @param {Table} table @param {Turn["take"]} take @param {Turn["tap"]} [ask] */
export function actions(leaves, table, take, ask) {
  const { offers } = table.scene;
  const offered = leaves.map((leaf, place) => ({ leaf, place, offer: offerOf(leaf, table) }));
  const rank = (/** @type {Offer | undefined} */ offer) => (offer ? offers.indexOf(offer) : FEW);
  // What differs is a card: the cards say it.
  const cards = leaves.map(({ slots }) => slots.filter(({ kind, values }) => kind === "card" && values.length === 1));
  const called = cards.every((each) => each.length === 1);
  const paths = new Set(offered.map(({ offer }) => offer?.path));
  paths.delete("type");
  const missing = offers.filter((offer) => paths.has(offer.path) && !offered.some((each) => each.offer === offer));
  return el(
    "div",
    { class: "buttons" },
    ask &&
      missing.map(({ path, value, note }) =>
        el(
          "button",
          {
            type: "button",
            key: value,
            class: "offer",
            "aria-disabled": true,
            onClick: () => ask(`${path}:${value}`),
          },
          depicted(table.ruleset.action_words[path]?.values[value] ?? value, undefined),
          note && el("b", null, note),
        ),
      ),
    offered
      .sort((one, other) => rank(one.offer) - rank(other.offer))
      .map(({ leaf, place, offer }) =>
        el(
          "button",
          {
            type: "button",
            key: place,
            class: offer || called ? "offer" : "",
            onClick: () => take(...stepsTo(leaf)),
          },
          called && el("span", { class: "card" }, face(String(cards[place]?.[0]?.values[0]))),
          depicted(leaf.says ?? leaf.slots.map(({ values }) => values.join(" ")).join(" "), offer),
        ),
      ),
  );
}

/** @typedef {Schemas["SceneOffer"]} Offer */

/** @param {string} words @param {Offer | undefined} offer */
const depicted = (words, offer) => [
  offer?.svg && part(Drawn, { svg: offer.svg }),
  el("span", null, words),
  offer?.note && el("b", null, offer.note),
];

/** How an action is offered. @param {Leaf} leaf @param {Table} table @returns {Offer | undefined} */
function offerOf({ slots }, { scene }) {
  const [kind = ""] = slots.find(({ path }) => path === "type")?.values.map(String) ?? [];
  return scene.offers.find(
    ({ path, value }) =>
      (path === "type" && value === kind) ||
      slots.some((slot) => path === `${kind}.${slot.path}` && slot.values.map(String).includes(value)),
  );
}

/** @param {Leaf} leaf @returns {Step[]} */
const stepsTo = (leaf) => leaf.slots.flatMap(({ path, values }) => values.map((value) => ({ path, value })));

/** The values of a field, as they are offered; those that cannot be chosen now are shown, too. @param {{group: Group, table: Table, choose: (value: Value["value"]) => void, isChosen?: (value: Value["value"]) => boolean}} props */
export function GroupView({ group, table, choose, isChosen }) {
  const offers = table.scene.offers.filter(({ path }) => path === `${group.type}.${group.path}`);
  const place = ({ value = /** @type {Value["value"]} */ ("") }) =>
    offers.findIndex((offer) => offer.value === String(value));
  const values = offers.length ? group.values.toSorted((one, other) => place(one) - place(other)) : group.values;
  return el(
    "fieldset",
    { class: `buttons${isChosen && !offers.some(({ svg }) => svg) ? " switch-of" : ""}` },
    el("legend", null, group.type === null ? t("choose") : wordsOf(group, table)?.name),
    values.map((value) =>
      el(
        "button",
        {
          type: "button",
          key: String(value.value),
          class: group.kind === "card" ? "card lit" : offers[place(value)] ? "offer" : "",
          "aria-pressed": isChosen?.(value.value),
          "aria-label": group.kind === "card" ? (value.says ?? String(value.value)) : undefined,
          onClick: () => choose(value.value),
        },
        group.kind === "card"
          ? face(String(value.value))
          : depicted(labelled(value, group, table, !isChosen), offers[place(value)]),
      ),
    ),
  );
}

/** @param {Value} value @param {Group} group @param {Table} table @param {boolean} whole whether the only action that is left is said, too */
function labelled({ value, says }, group, table, whole) {
  if (whole && says !== null && group.values.length <= FEW) return says;
  if (group.kind === "seat") return seatLines(table).find((each) => each.seat === value)?.name ?? "";
  return wordsOf(group, table)?.values[String(value)] ?? String(value);
}

/** What the service calls a field and its values; the kinds of actions are the field `type`. @param {Group} group @param {Table} table */
function wordsOf({ type, path }, { ruleset }) {
  return ruleset.action_words[type === null ? "type" : `${type}.${path.replace(/\.\d+/g, "")}`];
}
