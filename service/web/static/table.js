/** A game as this browser follows it: view, scene, choices and log, always of one version. */

import { follow } from "./events.js";
import { language } from "./page.js";
import { refinement } from "./refine/index.js";
import { at, get } from "./sending.js";
import { kindsIn, leavesOf, leavesOfSchema } from "./slots.js";
import { useEffect, useState } from "./vendor/hooks.mjs";

/** @typedef {import("./sending.js").Schemas} Schemas */
/** @typedef {import("./slots.js").Leaf} Leaf */
/** @typedef {Schemas["Scene"]} Scene */
/** @typedef {Schemas["SceneRow"]} Row */
/** @typedef {Schemas["SceneThing"]} Thing */
/** @typedef {{version: number, sentence: {text: string} | null}} Told */
/**
 * @typedef {object} Table
 * @property {any} view
 * @property {Scene} scene
 * @property {Schemas["Ruleset"]} ruleset
 * @property {Leaf[]} leaves What this seat can do now.
 * @property {import("./refine/index.js").Refinement} [refine]
 */

/** The number of actions up to which the client asks for the whole list. */
const LISTED = 2000;
/** How many of the last events the log shows. */
const REMEMBERED = 100;

/** @type {Map<string, Promise<Schemas["Ruleset"]>>} */
const rulesets = new Map();

/** @param {string} id @returns {Promise<Schemas["Ruleset"]>} */
export function rulesetOf(id) {
  const path = at(`/v1/rulesets/${encodeURIComponent(id)}`, { lang: language() });
  const known = rulesets.get(path) ?? get(path);
  rulesets.set(path, known);
  known.catch(() => rulesets.delete(path));
  return known;
}

/** Read view and scene of one version, and what can be chosen. @param {string} path @param {AbortSignal} signal @returns {Promise<Table>} */
async function read(path, signal) {
  const lang = language();
  for (;;) {
    const [view, scene] = await Promise.all([
      get(at(`${path}/view`, { lang }), { signal }),
      get(at(`${path}/scene`, { lang }), { signal }),
    ]);
    if (scene.version !== view.version) continue;
    const [ruleset, refine] = await Promise.all([rulesetOf(view.ruleset), refinement(view.ruleset)]);
    const leaves = view.legal_actions ? await leavesFor(path, view, ruleset, signal) : [];
    if (!leaves) continue;
    const rows = refine.sort ? scene.rows.map(refine.sort) : scene.rows;
    return { view, scene: { ...scene, rows }, ruleset, leaves, refine };
  }
}

/**
 * List what can be chosen; null if the game has moved on meanwhile.
 * @param {string} path @param {any} view @param {Schemas["Ruleset"]} ruleset @param {AbortSignal} signal
 */
async function leavesFor(path, view, ruleset, signal) {
  const { count, actions, says, schema } = view.legal_actions;
  const kinds = kindsIn(ruleset.actions);
  if (actions) return leavesOf(actions, kinds, says);
  if (count > LISTED) return leavesOfSchema(schema, kinds);
  const page = await get(at(`${path}/legal-actions`, { lang: language() }), { signal });
  return page.decision?.id === view.decision.id ? leavesOf(page.actions, kinds, page.says) : null;
}

/**
 * Follow a game. `again` reads it once more, for what changes without an event.
 * @param {string} id @returns {{table: Table | null, told: Told[], problem: unknown, again: () => void}}
 */
export function useTable(id) {
  const path = `/v1/games/${encodeURIComponent(id)}`;
  const [table, setTable] = useState(/** @type {Table | null} */ (null));
  const [problem, setProblem] = useState(/** @type {unknown} */ (null));
  const [told, setTold] = useState(/** @type {Told[]} */ ([]));
  const [times, again] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    let shown = 0;
    let newest = 0;
    let reading = false;
    const refresh = async () => {
      if (reading) return;
      reading = true;
      try {
        do {
          const found = await read(path, signal);
          shown = found.view.version;
          setTable(found);
          setProblem(null);
        } while (newest > shown);
      } catch (error) {
        if (!signal.aborted) setProblem(error);
      }
      reading = false;
    };
    refresh().then(() => {
      if (signal.aborted || !shown) return;
      setTold([]);
      follow({
        path: `${path}/events`,
        query: { lang: language() },
        cursor: "version",
        after: Math.max(0, shown - REMEMBERED),
        signal,
        happened: (events) => {
          setTold((before) => [...before, ...events].slice(-REMEMBERED));
          newest = events.at(-1).version;
          if (newest > shown) refresh();
        },
      });
    });
    return () => ended.abort();
  }, [id, times]);
  return { table, told, problem, again: () => again(times + 1) };
}
