/** What the service has of a game to look back on, and saving it as one file. */

import { el, language, loading, now, part, t, useLoaded } from "../page.js";
import { at as query, get, request, rulesetOf, trouble, Unreached } from "../sending.js";
import { read as tableOf } from "../table.js";
import { useState } from "../vendor/hooks.mjs";
import { useLater } from "./table_elements.js";
import { isOver, Replay } from "./replay.js";

/** @typedef {import("../verify_bundle.mjs").Audit} Audit */
/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {import("./replay.js").Story} Story */

const PAGE = 1000;
const FILE_MS = 60_000;

/** Read the log once: what can be stepped through, in words, and what verifies it. @param {string} id @param {string} as @param {AbortSignal} signal @returns {Promise<Story>} */
async function read(id, as, signal) {
  const path = `/v1/games/${encodeURIComponent(id)}`;
  const viewer = as === "all" ? "spectator" : as;
  /** @type {Audit} */
  const audit = await get(query(`${path}/export`, { format: "audit", as: viewer }), { signal });
  /** @type {(string | undefined)[]} */
  const sentences = [];
  for (let after = 0; after < audit.version; after += PAGE) {
    const page = await get(query(`${path}/events`, { after, limit: PAGE, as: viewer, lang: language() }), { signal });
    for (const { version, sentence } of page.events) sentences[version] = sentence?.text;
  }
  /** @type {Schemas["GameAtVersion"]} */
  const game = await get(path, { signal });
  const me = now().session?.id;
  const over = isOver(game);
  const seats = game.seats.filter((seat) => over || (me && seat.player === me)).map(({ seat }) => String(seat));
  const { name } = await rulesetOf(game.ruleset);
  return {
    name,
    game,
    audit,
    sentences,
    viewers: ["", ...seats, "spectator", ...(over ? ["all"] : [])],
    table: (at, as, signal) =>
      tableOf(id, signal, { at, ...(as === "all" ? { as: "spectator", knowledge: "full" } : { as }) }),
    known: async () => (await import("../seeds.js")).known(id, audit),
    failed: trouble,
    ...(over && me && { advised: (table, go) => part(Advised, { id, table, go }) }),
  };
}

const kept = () => import("./kept.js").catch(() => null);
const people = () => import("./people.js");
/** A hint for who had a decision then, whose eyes are looked through or else the first; and what a bot thinks of the whole game. @param {{id: string, table: import("../table.js").Table, go: (version: number) => void}} props */
function Advised({ id, table, go }) {
  const { version, to_act, viewer } = table.view;
  const device = useLater(people);
  const as = to_act.includes(viewer.seat) ? viewer.seat : to_act[0];
  return (
    device && [
      as !== undefined && part(device.Hint, { key: `${version} ${as}`, id, as, version }),
      part(device.Analysis, { id, as: viewer.seat, go }),
    ]
  );
}

/** @param {{args: string[]}} props */
export function replay({ args: [id = "", search = ""] }) {
  const { at, as = "" } = Object.fromEntries(new URLSearchParams(search));
  const path = `/v1/games/${encodeURIComponent(id)}`;
  const [viewer, look] = useState(as);
  const story = useLoaded((signal) => read(id, viewer, signal), [id, viewer]);
  const unreached = useLater(kept, !story.value && story.problem instanceof Unreached);
  if (!story.value)
    return unreached
      ? part(unreached.Kept, { id, otherwise: trouble(story.problem, story.again) })
      : (trouble(story.problem, story.again) ?? loading());
  const moved = (/** @type {number} */ version) => {
    try {
      history.replaceState(null, "", query(`#/game/${id}`, { at: version, as: viewer }));
    } catch {
      // Safari takes 100 a half minute; the address follows with the next step
    }
  };
  const more = [
    trouble(story.problem, story.again),
    el("a", { class: "button", href: `#/game/${id}` }, t("replay.now")),
    part(Save, { path, as: isOver(story.value.game) ? null : viewer }),
  ];
  return part(Replay, { story: story.value, from: Number(at) || 1, viewer, look, moved, more });
}

/** Save a game as a file that replays it; while it is played, as one viewer. @param {{path: string, as: string | null}} props */
function Save({ path, as }) {
  const [saving, set] = useState(/** @type {{busy?: boolean, problem?: unknown}} */ ({}));
  const save = async () => {
    set({ busy: true });
    try {
      const file = query(`${path}/export`, { format: "html", lang: language(), as });
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
