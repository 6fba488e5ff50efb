/** A game as this browser follows it: view, scene, choices and log, always of one version. */

import { follow } from "./events.js";
import { language, now } from "./page.js";
import { refinement } from "./refine/index.js";
import { at, get, pause } from "./sending.js";
import { kindsIn, leavesOf, leavesOfSchema } from "./slots.js";
import { useEffect, useState } from "./vendor/hooks.mjs";

/** @typedef {import("./sending.js").Schemas} Schemas */
/** @typedef {import("./slots.js").Leaf} Leaf */
/** @typedef {Schemas["Scene"]} Scene */
/** @typedef {Schemas["SceneRow"]} Row */
/** @typedef {Schemas["SceneThing"]} Thing */
/** @typedef {{version: number | string, sentence: {text: string} | null}} Line  of the log */
/** @typedef {Line & {at: string, said?: {seat: number, words: string, fresh: boolean}}} Told  `said` by a player; fresh while it stands at the seat */
/**
 * @typedef {object} Table
 * @property {any} view
 * @property {Scene} scene
 * @property {Schemas["Ruleset"]} ruleset
 * @property {Leaf[]} leaves What this seat can do now.
 * @property {number | null} [as] The seat, where one player has several.
 * @property {import("./refine/index.js").Refinement} [refine]
 */

/** The number of actions up to which the client asks for the whole list. */
const LISTED = 2000;
/** How many of the last events the log shows. */
const REMEMBERED = 100;
/** How long a phrase stands at the seat. */
const FRESH_MS = 6000;
/** How many moves are shown one by one; of more, these last ones. */
const STOPS = 12;
/** A clock with less time than this has no time for moves one by one. */
const HURRIED_MS = 60_000;
/** The end of a hand stays for that many moves. */
const HAND_ENDS = 3;
/** How often, and for how many milliseconds, to wait for the events of a version that was read before them. */
const HEARD = 20;

/** Whether moves are shown one by one: the reader's wish, while they look. */
const isPaced = () => now().settings.pace > 0 && !document.hidden;

/** @typedef {{version: number, by: number | null, stays: number}} Stop  what is shown on the way, who moved, for how many moves it stays */

/**
 * Find the versions between moves, and before a new hand is dealt: that hides something, and nobody has done it.
 * @param {any[]} events @param {number | null} by who moved last @returns {{stops: Stop[], by: number | null}}
 */
export function between(events, by) {
  /** @type {Stop[]} */
  const stops = [];
  for (const { version, seat, sealed } of events) {
    const deals = seat === null && Object.keys(sealed).length > 0;
    if (seat !== null || deals) stops.push({ version: version - 1, by, stays: deals ? HAND_ENDS : 1 });
    if (seat !== null) by = seat;
  }
  return { stops, by };
}

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

/**
 * Read view and scene of one version and what can be chosen: now, or of the past, in which nothing can be done.
 * @param {string} path @param {AbortSignal} signal @param {{as?: any, at?: number, knowledge?: string}} [asked] for whom, and which version
 * @returns {Promise<Table>}
 */
export async function read(path, signal, asked = {}) {
  const query = { lang: language(), ...asked };
  for (;;) {
    const [view, scene] = await Promise.all([
      get(at(`${path}/view`, query), { signal }),
      get(at(`${path}/scene`, query), { signal }),
    ]);
    if (scene.version !== view.version) continue;
    const [ruleset, refine] = await Promise.all([rulesetOf(view.ruleset), refinement(view.ruleset)]);
    const known = { scene, ruleset, as: asked.as ?? null, refine };
    if (asked.at !== undefined) return { ...known, view: { ...view, decision: null }, leaves: [] };
    const leaves = view.legal_actions ? await leavesFor(at(`${path}/legal-actions`, query), view, ruleset, signal) : [];
    if (leaves) return { ...known, view, leaves };
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
  const page = await get(path, { signal });
  return page.decision?.id === view.decision.id ? leavesOf(page.actions, kinds, page.says) : null;
}

/**
 * Follow a game, from one seat of several. `again` reads it once more, for what changes without an event.
 * With `talks`, it hears what the players say, also after the end.
 * @param {string} id @param {number | null} [as] @param {boolean} [talks]
 * @returns {{table: Table | null, told: Told[], problem: unknown, again: () => void}}
 */
export function useTable(id, as = null, talks = false) {
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
    let way = between([], null);
    let due = 0;
    let hurried = false;
    /** Show a table when the one before it has stayed; one's own move at once. @param {Table} found @param {{by: number | null, stays: number}} how */
    const display = async (found, { by, stays }) => {
      if (by === null || by !== found.view.viewer.seat) await pause(due - Date.now(), signal);
      shown = found.view.version;
      setTable(found);
      setProblem(null);
      hurried ||= found.view.times.deadlines.some((/** @type {{at: string}} */ each) => Date.parse(each.at) - Date.now() < HURRIED_MS);
      due = Date.now() + (hurried ? 0 : stays * now().settings.pace);
    };
    const refresh = async () => {
      if (reading) return;
      reading = true;
      try {
        do {
          for (let stop; (stop = way.stops.shift()); ) if (stop.version > shown) await display(await read(path, signal, { as, at: stop.version }), stop);
          const found = await read(path, signal, { as });
          for (let waits = HEARD; shown && isPaced() && found.view.version > newest && waits > 0; waits--) await pause(HEARD, signal);
          if (!way.stops.some(({ version }) => version > shown && version < found.view.version)) await display(found, { by: way.by, stays: 1 });
        } while (newest > shown);
      } catch (error) {
        if (!signal.aborted) setProblem(error);
      }
      reading = false;
    };
    refresh().then(async () => {
      /** @type {Schemas["Phrase"][]} */
      const before = talks ? await get(at(`${path}/phrases`, { lang: language() }), { signal }).then((found) => found.phrases, () => []) : [];
      if (signal.aborted || !shown) return;
      /** @param {Told[]} news */
      const tell = (news) => setTold((known) => [...known, ...news.filter(({ version }) => !known.some((each) => each.version === version))].sort((one, other) => Date.parse(one.at) - Date.parse(other.at)).slice(-REMEMBERED));
      /** @param {Schemas["Phrase"][]} phrases @param {boolean} fresh */
      const quote = (phrases, fresh) => tell(phrases.map(({ id, at, seat, words }) => ({ version: id, at, sentence: null, said: { seat, words, fresh } })));
      setTold([]);
      quote(before, false);
      follow({
        path: `${path}/events`,
        query: { lang: language(), as, phrases: talks ? (before.at(-1)?.id ?? "0") : null },
        cursor: "version",
        after: Math.max(0, shown - REMEMBERED),
        signal,
        happened: (events) => {
          tell(events);
          newest = events.at(-1).version;
          const { stops, by } = between(events, way.by);
          way = { stops: isPaced() && !hurried ? [...way.stops, ...stops].slice(-STOPS) : [], by };
          if (newest > shown) refresh();
        },
        said: (phrases) => {
          quote(phrases, true);
          const ids = new Set(phrases.map(({ id }) => id));
          const past = (/** @type {Told} */ each) => (each.said && ids.has(each.version) ? { ...each, said: { ...each.said, fresh: false } } : each);
          setTimeout(() => setTold((known) => known.map(past)), FRESH_MS);
        },
      });
    });
    return () => ended.abort();
  }, [id, as, talks, times]);
  return { table, told, problem, again: () => again(times + 1) };
}
