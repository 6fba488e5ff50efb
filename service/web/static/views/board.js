/** The table on the page: whose turn it is, the scene, the players, what a seat holds and can choose, and the log. */

import { face } from "../faces.js";
import { el, list, now, part, t } from "../page.js";
import { RowView, seatLines, StageView, standing, useLater, useMotion } from "./table_elements.js";

/** @typedef {import("../picker.js").Group} Group */
/** @typedef {import("../picker.js").Step} Step */
/** @typedef {import("../picker.js").Value} Value */
/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {import("../slots.js").Leaf} Leaf */
/** @typedef {import("./table_elements.js").SeatLine} SeatLine */
/** @typedef {import("../page.js").Children} Children */
/** @typedef {import("../table.js").Row} Row */
/** @typedef {import("../table.js").Table} Table */
/** @typedef {import("./game.js").Turn} Turn */

const nothing = () => undefined;
/** What a spectator can do. @type {Turn} */
export const WATCHING = {
  choice: {
    lit: new Set(),
    chosen: new Set(),
    groups: [],
    counter: null,
    left: [],
    ready: null,
    says: null,
    finished: false,
    exact: true,
  },
  steps: [],
  progress: null,
  why: null,
  checked: false,
  open: false,
  take: nothing,
  tap: nothing,
  back: nothing,
  confirm: nothing,
  understood: nothing,
};

/**
 * Show a table, and what a seat can choose; one of the past shows what happened then, and its own controls. `said` is
 * what was just said, by seat; `log` what has happened.
 * @param {{table: Table, turn: Turn, past?: string, said?: Map<number, string> | undefined, log?: import("../table.js").Line[], above?: Children, dock?: Children, beside?: Children}} props
 */
export function Board({ table, turn, past, said, log, above, dock, beside }) {
  const { scene, view, ruleset } = table;
  const place = useMotion(view.version);
  const more = useMore();
  const { sort, orders = [] } = table.refine ?? {};
  const { first, order } = now().settings;
  const rows = sort ? scene.rows.map((row) => sort(row, order)) : scene.rows;
  const [held, others] = [rows.filter(isHeld), rows.filter((row) => !isHeld(row))];
  const row = (/** @type {Row} */ each) => part(RowView, { key: each.id, row: each, turn });
  const touch = (/** @type {Event} */ { target }) =>
    turn.touch?.(/** @type {Element} */ (target).closest("[data-pick]")?.getAttribute("data-pick") ?? null);
  const whole = {
    class: `game${past === undefined ? "" : " past"}${view.game.sandbox ? " sandbox" : ""}`,
    ref: place,
    "data-version": view.version,
    "data-status": view.game.status,
  };
  const parts = [
    el(
      "div",
      { class: "felt" },
      el(
        "header",
        null,
        el("h1", null, el("small", null, ruleset.name, view.game.sandbox && ` · ${t("sandbox")}`), scene.title),
        past === undefined
          ? el(
              "p",
              {
                class: `whose${turn.open ? " turn" : ""}`,
                role: "status",
                "aria-live": turn.open ? "assertive" : "polite",
              },
              whose(table, turn),
            )
          : el("p", { class: "happened", role: "status" }, past),
      ),
      above,
      scene.lines.length > 0 &&
        el(
          "ul",
          { class: "lines" },
          scene.lines.map((text, at) => el("li", { key: at }, text)),
        ),
      el(
        "div",
        { class: "scene" },
        scene.stage && part(StageView, { stage: scene.stage, turn }),
        el("div", { class: "rows" }, others.map(row)),
      ),
    ),
    el(
      "div",
      { class: "dock" },
      dock ?? part(Choices, { table, turn, more }),
      more && orders.length > 0 && held.length > 0 && more.ordering(orders, order),
      held.map(row),
    ),
  ];
  return el(
    "div",
    {
      ...whole,
      // The first click of two has changed what lies under the pointer.
      onClickCapture: (event) => event.detail > 1 && event.stopPropagation(),
      onPointerOver: touch,
      onFocusIn: touch,
      onKeyDown: (event) => event.key === "Escape" && turn.back(),
    },
    // In the order of reading; it looks the same.
    first ? parts.reverse() : parts,
    el(
      "aside",
      { class: "beside", "aria-label": t("beside") },
      part(Seats, { table, turn, said }),
      more && scene.sheet.length > 0 && part(more.Sheet, { table }),
      beside,
      more && log && part(more.Log, { log }),
    ),
    more && part(more.KeptFocus, {}),
  );
}

const beside = () => import("./side_panel.js");
/** What stands around a table. */
export const useMore = () => useLater(beside);

const agreed = () => import("./agreements.js");
/** What concerns the people at it, and their time. @param {boolean} [needed] */
export const useAgreed = (needed) => useLater(agreed, needed);

/** @param {Row} row */
const isHeld = (row) => row.mine && row.things.length > 0;

/** @param {Table} table @param {Turn} turn */
function whose(table, turn) {
  const { view } = table;
  const { status } = view.game;
  if (status !== "active") return t(`status.${status}`);
  if (turn.open) return t("your_turn");
  if (view.planned) return t("planned");
  const names = seatLines(table)
    .filter((line) => line.to_act && !line.viewer)
    .map((line) => line.name);
  return names.length ? t("waiting", { names: list(names) }) : "";
}

/** @param {{table: Table, turn: Turn, said?: Map<number, string> | undefined}} props */
function Seats({ table, turn, said }) {
  const { times } = table.view;
  const clocks = useAgreed(Boolean(times.banks || times.deadlines[0]));
  const seats = seatLines(table);
  const has = (/** @type {keyof SeatLine} */ field) => seats.some((line) => line[field] !== null);
  return el(
    "table",
    { class: "seats" },
    el("caption", { class: "hearsay" }, t("seats")),
    el(
      "thead",
      { class: "hearsay" },
      el(
        "tr",
        null,
        el("th", { scope: "col" }, t("seats.name")),
        has("cards") && el("th", { scope: "col" }, t("seats.cards")),
        has("score") && el("th", { scope: "col" }, t("seats.score")),
      ),
    ),
    el(
      "tbody",
      null,
      seats.map((line) =>
        part(SeatView, {
          key: line.seat,
          line,
          turn,
          clocks,
          time: timed(times, line.seat),
          has,
          said: said?.get(line.seat),
          place: [...(said?.keys() ?? [])].indexOf(line.seat),
        }),
      ),
    ),
  );
}

/** @param {any} times @param {number} seat @returns {import("./agreements.js").Timed} */
const timed = ({ deadlines, banks }, seat) => ({
  at: deadlines.find((/** @type {{seat: number}} */ each) => each.seat === seat)?.at,
  bank: banks?.[seat],
});

/** @param {{line: SeatLine, turn: Turn, clocks: ReturnType<typeof useAgreed>, time: import("./agreements.js").Timed, has: (field: keyof SeatLine) => boolean, said?: string | undefined, place: number}} props */
function SeatView({ line, turn, clocks, time, has, said, place }) {
  const { pick } = line;
  const { lit, chosen, style } = standing(pick, turn);
  const name = [
    el("span", null, line.name),
    (line.viewer || line.bot) && el("small", null, ` ${t(line.viewer ? "seats.you" : "seats.bot")}`),
  ];
  return el(
    "tr",
    { class: `${line.to_act ? "acting" : ""}${line.viewer ? " viewer" : ""}`, "data-seat": line.seat },
    el(
      "th",
      { scope: "row" },
      el(
        "div",
        { class: "seat-line" },
        el("span", { class: `side ${line.side ?? "none"}`, "aria-hidden": true }),
        pick !== null && (lit || chosen)
          ? el(
              "button",
              {
                type: "button",
                class: `seat-pick${style}`,
                "aria-pressed": chosen,
                "data-pick": pick,
                onClick: () => turn.tap(pick),
              },
              name,
            )
          : el("span", { class: "seat-name" }, name),
        line.to_act && el("span", { class: "hearsay" }, t("seats.acting")),
      ),
      el("div", { class: "seat-note" }, el("span", null, line.note || "\u00a0"), clocks && part(clocks.Clock, time)),
      said &&
        el("span", { class: "bubble", "data-name": line.name, style: { "--place": place }, "aria-hidden": true }, said),
    ),
    has("cards") && el("td", { class: "held" }, line.cards === null ? "" : t("cards", { n: line.cards })),
    has("score") && el("td", { class: "score" }, line.score === null ? "" : signed(line.score)),
  );
}

/** @param {number} score */
const signed = (score) => (score > 0 ? `+${score}` : score < 0 ? `−${-score}` : "0");

/** Up to how many actions stand beside each other, each with a button of its own. */
const FEW = 8;

/** @param {{table: Table, turn: Turn, more: ReturnType<typeof useMore>}} props */
function Choices({ table, turn, more }) {
  const { choice, open, steps, why } = turn;
  if (!open && !why) return part(Progressed, { turn, table });
  const few = open && choice.exact && choice.lit.size === 0 && choice.left.length > 1 && choice.left.length <= FEW;
  return el(
    "section",
    { class: "choices", "aria-label": t("choices") },
    why && more && part(more.Why, { why, ruleset: table.ruleset, close: turn.understood }),
    open && part(Progressed, { turn, table }),
    open && counted(choice.counter, choice.finished),
    few
      ? actions(choice.left, turn)
      : open && choice.groups.map((group) => part(GroupView, { key: group.path, group, table, turn })),
    open &&
      (choice.ready || steps.length > 0) &&
      el(
        "div",
        { class: "deciding" },
        steps.length > 0 && el("button", { type: "button", onClick: turn.back }, t("back")),
        choice.ready &&
          el(
            "button",
            { type: "button", class: "primary", disabled: !turn.checked, onClick: turn.confirm },
            choice.says ?? t("confirm"),
          ),
      ),
  );
}

/** @param {{turn: Turn, table: Table}} props */
function Progressed({ turn: { progress }, table }) {
  const text =
    progress?.state === "sending"
      ? t("sending")
      : progress?.state === "unsent"
        ? t("unsent")
        : progress?.state === "saved" && progress.answer.version >= table.view.version
          ? t("saved", { version: progress.answer.version })
          : "";
  return el("p", { class: `progress ${progress?.state ?? ""}`, role: "status" }, text);
}

/** @param {import("../picker.js").Counter | null} counter @param {boolean} finished */
function counted(counter, finished) {
  if (!counter || counter.max < 2 || finished) return null;
  const { count, min, max } = counter;
  return el(
    "p",
    { class: "counter", role: "status" },
    min === max ? t("counter", { count, max }) : t("counter.range", { count, min, max }),
  );
}

/** @param {Leaf[]} leaves @param {Turn} turn */
const actions = (leaves, turn) =>
  el(
    "div",
    { class: "buttons" },
    leaves.map((leaf, place) =>
      el(
        "button",
        { type: "button", key: place, onClick: () => turn.take(...stepsTo(leaf)) },
        leaf.says ?? leaf.slots.map(({ values }) => values.join(" ")).join(" "),
      ),
    ),
  );

/** @param {Leaf} leaf @returns {Step[]} */
const stepsTo = (leaf) => leaf.slots.flatMap(({ path, values }) => values.map((value) => ({ path, value })));

/** @param {{group: Group, table: Table, turn: Turn}} props */
function GroupView({ group, table, turn }) {
  return el(
    "fieldset",
    { class: "buttons" },
    el("legend", null, group.type === null ? t("choose") : wordsOf(group, table)?.name),
    group.values.map((value) =>
      el(
        "button",
        {
          type: "button",
          key: String(value.value),
          class: group.kind === "card" ? "card lit" : "",
          "aria-label": group.kind === "card" ? (value.says ?? String(value.value)) : undefined,
          onClick: () => turn.take({ path: group.path, value: value.value }),
        },
        group.kind === "card" ? face(String(value.value)) : labelled(value, group, table),
      ),
    ),
  );
}

/** @param {Value} value @param {Group} group @param {Table} table */
function labelled({ value, says }, group, table) {
  if (says !== null && group.values.length <= FEW) return says;
  if (group.kind === "seat") return seatLines(table).find((each) => each.seat === value)?.name;
  return wordsOf(group, table)?.values[String(value)] ?? String(value);
}

/** What the service calls a field and its values; the kinds of actions are the field `type`. @param {Group} group @param {Table} table */
function wordsOf({ type, path }, { ruleset }) {
  return ruleset.action_words[type === null ? "type" : `${type}.${path.replace(/\.\d+/g, "")}`];
}
