/** The table on the page: whose turn it is, the scene, what a seat holds and can choose, and what stands beside. */

import { el, part } from "../el.js";
import { list, t } from "../words.js";
import { Seats } from "./beside.js";
import { Choices } from "./choices.js";
import { RowView, StageView, useMotion } from "./things.js";

/** @typedef {import("../table.js").Table} Table */

/**
 * Show a table, and what a seat can choose.
 * @param {{table: Table, turn: import("../play.js").Turn, above?: import("../el.js").Children, beside: import("../el.js").Children}} props
 */
export function Board({ table, turn, above, beside }) {
  const { scene, view, ruleset } = table;
  const place = useMotion(view.version);
  const rows = scene.rows;
  const isHeld = (/** @type {import("../table.js").Row} */ row) => row.mine && row.things.length > 0;
  /** @param {Event} event */
  const touch = ({ target }) => turn.touch?.(/** @type {Element} */ (target).closest("[data-pick]")?.getAttribute("data-pick") ?? null);
  return el(
    "div",
    { class: "game", ref: place, "data-version": view.version, "data-status": view.game.status, onPointerOver: touch, onFocusIn: touch, onKeyDown: (event) => event.key === "Escape" && turn.back() },
    el("div", { class: "felt" },
      el("header", null,
        el("h1", null, el("small", null, ruleset.name), scene.title),
        el("p", { class: `whose${turn.open ? " turn" : ""}`, role: "status", "aria-live": "assertive" }, whose(table, turn))),
      above,
      scene.lines.length > 0 && el("ul", { class: "lines" }, scene.lines.map((text, at) => el("li", { key: at }, text))),
      el("div", { class: "scene" },
        scene.stage && part(StageView, { stage: scene.stage, turn }),
        el("div", { class: "rows" }, rows.filter((row) => !isHeld(row)).map((row) => part(RowView, { key: row.id, row, turn }))))),
    el("div", { class: "dock" },
      part(Choices, { table, turn }),
      rows.filter(isHeld).map((row) => part(RowView, { key: row.id, row, turn }))),
    el("aside", { class: "beside", "aria-label": t("beside") },
      part(Seats, { table, turn }),
      beside),
  );
}

/** @param {Table} table @param {import("../play.js").Turn} turn */
function whose({ seats, view }, turn) {
  const { status } = view.game;
  if (status !== "active") return t(`status.${status}`);
  if (turn.open) return t("your_turn");
  const names = seats.filter((line) => view.to_act.includes(line.seat) && !line.viewer).map((line) => line.name);
  return names.length ? t("waiting", { names: list(names) }) : "";
}
