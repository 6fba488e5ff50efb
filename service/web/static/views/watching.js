/** Games of the service that are only looked at: back, and within a page of another site. */

import { change, el, language, loading, now, part, show, t, useLoaded } from "../page.js";
import { at as query, get, request, trouble } from "../sending.js";
import { rulesetOf, useTable } from "../table.js";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { Board, Log } from "./board.js";
import { isOver, Replay, WATCHING } from "./replay.js";

/** @typedef {import("../table.js").Table} Table */
/** @typedef {import("../verify.js").Audit} Audit */
/** @typedef {import("./replay.js").Story} Story */

const PAGE = 1000;
const FILE_MS = 60_000;

/** Read the log once: what can be stepped through, in words, and what verifies it. @param {string} path @param {string} as @param {AbortSignal} signal @returns {Promise<Story>} */
async function read(path, as, signal) {
  const viewer = as === "all" ? "spectator" : as;
  /** @type {Audit} */
  const audit = await get(query(`${path}/export`, { format: "audit", as: viewer }), { signal });
  /** @type {(string | undefined)[]} */
  const sentences = [];
  for (let after = 0; after < audit.version; after += PAGE) {
    const page = await get(query(`${path}/events`, { after, limit: PAGE, as: viewer, lang: language() }), { signal });
    for (const { version, sentence } of page.events) sentences[version] = sentence?.text;
  }
  /** @type {import("../sending.js").Schemas["GameAtVersion"]} */
  const game = await get(path, { signal });
  const me = now().session?.id;
  const seats = game.seats.filter((seat) => isOver(game) || (me && seat.player === me)).map(({ seat }) => String(seat));
  const { name } = await rulesetOf(game.ruleset);
  return {
    name, game, audit, sentences,
    viewers: ["", ...seats, "spectator", ...(isOver(game) ? ["all"] : [])],
    scene: (at, as, signal) => get(query(`${path}/scene`, { at, lang: language(), ...(as === "all" ? { as: "spectator", knowledge: "full" } : { as }) }), { signal }),
    failed: trouble,
  };
}

/** @param {{args: string[]}} props */
export function replay({ args: [id = "", query = ""] }) {
  const { at, as = "" } = Object.fromEntries(new URLSearchParams(query));
  const path = `/v1/games/${encodeURIComponent(id)}`;
  const [viewer, look] = useState(as);
  const story = useLoaded((signal) => read(path, viewer, signal), [id, viewer]);
  if (story.problem) return trouble(story.problem, story.again);
  if (!story.value) return loading();
  const moved = (/** @type {number} */ version) => history.replaceState(null, "", `#/game/${id}?${new URLSearchParams({ at: String(version), ...(viewer && { as: viewer }) })}`);
  const more = [el("a", { class: "button", href: `#/game/${id}` }, t("replay.now")), part(Save, { path })];
  return part(Replay, { story: story.value, from: Number(at) || 1, viewer, look, moved, more });
}

/** Save a game as a file that replays it. @param {{path: string}} props */
function Save({ path }) {
  const [saving, set] = useState(/** @type {{busy?: boolean, problem?: unknown}} */ ({}));
  const save = async () => {
    set({ busy: true });
    try {
      const file = query(`${path}/export`, { format: "html", lang: language() });
      const answer = await request("GET", file, { accept: "text/html", patience: FILE_MS });
      const href = URL.createObjectURL(await answer.blob());
      const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "game.html";
      Object.assign(document.createElement("a"), { href, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(href), FILE_MS);
      set({});
    } catch (problem) {
      set({ problem });
    }
  };
  return [
    el("button", { type: "button", disabled: Boolean(saving.busy), onClick: () => void save() }, t("file.save")),
    trouble(saving.problem),
  ];
}

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
    if (wanted !== null) reread(id, wanted, ended.signal).then(recall, () => undefined);
    return () => ended.abort();
  }, [wanted]);
  const shown = wanted === null ? table : past ?? table;
  useEffect(() => {
    if (!shown) return;
    show(shown.ruleset.name, 0);
    tell({ type: "plateau:shown", game: id, version: shown.view.version });
  }, [shown]);
  return [
    trouble(problem, again),
    shown ? part(Board, { table: shown, turn: WATCHING, beside: part(Log, { told }) }) : !problem && loading(),
  ];
}

/** @param {string} id @param {number} version @param {AbortSignal} signal @returns {Promise<Table>} */
async function reread(id, version, signal) {
  const path = `/v1/games/${encodeURIComponent(id)}`;
  const asked = { at: version, lang: language() };
  const [view, scene] = await Promise.all([get(query(`${path}/view`, asked), { signal }), get(query(`${path}/scene`, asked), { signal })]);
  return { view, scene, ruleset: await rulesetOf(view.ruleset), leaves: [] };
}

/** Tell the page around this one. It holds what any spectator can know, so every site can hear it. @param {object} message */
const tell = (message) => parent.postMessage(message, "*");

/** Do what the page around this one asks for: a theme, or a version of the game (null: the newest). @param {(version: number | null) => void} want */
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
