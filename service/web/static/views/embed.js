/** A game within a page of another site: it shows what a spectator sees, and can do nothing. */

import { at, get } from "../api.js";
import { el, part } from "../el.js";
import { choice } from "../picker.js";
import { change, now } from "../store.js";
import { seatLines } from "../scene.js";
import { inWords, rulesetOf, useTable } from "../table.js";
import { show } from "../turn.js";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { language, t } from "../words.js";
import { Log } from "./beside.js";
import { Board } from "./board.js";

/** @typedef {import("../play.js").Turn} Turn */
/** @typedef {import("../table.js").Table} Table */

const nothing = () => undefined;
/** @type {Turn} */
const WATCHING = {
  choice: choice([], [], new Set()), steps: [], progress: null, why: null, checked: false, open: false,
  take: nothing, tap: nothing, back: nothing, confirm: nothing, understood: nothing,
};

/** @param {{args: string[]}} props */
export function embed({ args: [id = ""] }) {
  const { table, told, problem, again } = useTable(id);
  const [wanted, want] = useState(/** @type {number | null} */ (null));
  const [past, recall] = useState(/** @type {Table | null} */ (null));
  const version = table?.view.version;
  useEffect(() => obey(want), []);
  useEffect(() => {
    if (table) tell({ type: "plateau:version", game: id, version, status: table.view.game.status });
  }, [version]);
  useEffect(() => {
    const ended = new AbortController();
    recall(null);
    if (wanted !== null) reread(id, wanted, ended.signal).then(recall, nothing);
    return () => ended.abort();
  }, [wanted]);
  const shown = wanted === null ? table : past ?? table;
  useEffect(() => {
    if (!shown) return;
    show(shown.ruleset.name, 0);
    tell({ type: "plateau:shown", game: id, version: shown.view.version });
  }, [shown]);
  return [
    Boolean(problem) && el("p", { class: "trouble", role: "alert" }, inWords(problem), el("button", { type: "button", onClick: again }, t("again"))),
    shown ? part(Board, { table: shown, turn: WATCHING, beside: part(Log, { told }) }) : !problem && el("p", { class: "loading", role: "status" }, t("loading")),
  ];
}

/** @param {string} id @param {number} version @param {AbortSignal} signal @returns {Promise<Table>} */
async function reread(id, version, signal) {
  const path = `/v1/games/${encodeURIComponent(id)}`;
  const query = { at: version, lang: language() };
  const [view, scene] = await Promise.all([get(at(`${path}/view`, query), { signal }), get(at(`${path}/scene`, query), { signal })]);
  return { view, scene, seats: seatLines(scene, view), ruleset: await rulesetOf(view.ruleset), leaves: [] };
}

/** Tell the page around this one. It holds what any spectator can know, so every site can hear it. @param {object} message */
const tell = (message) => parent.postMessage(message, "*");

/**
 * Do what the page around this one asks for: a theme, or a version of the game (null: the newest).
 * @param {(version: number | null) => void} want
 */
function obey(want) {
  /** @param {MessageEvent} event */
  const hear = ({ source, data }) => {
    if (source !== parent) return;
    if (data?.type === "plateau:theme" && ["", "light", "dark"].includes(data.theme)) change({ settings: { ...now().settings, theme: data.theme } });
    if (data?.type === "plateau:show" && (data.version === null || Number.isSafeInteger(data.version))) want(data.version);
  };
  addEventListener("message", hear);
  tell({ type: "plateau:ready" });
  return () => removeEventListener("message", hear);
}
