/** A game as this browser follows it: view, scene, choices and log, always of one version. */

import { language, now } from "./page.js";
import { refinement } from "./refine/index.js";
import { at, get, pause, restart, retreat, rulesetOf, viewOf } from "./sending.js";
import { kindsIn, leavesOf, leavesOfSchema } from "./slots.js";
import { useLayoutEffect, useRef, useState } from "./vendor/hooks.mjs";

/** @typedef {import("./sending.js").Schemas} Schemas */
/** @typedef {import("./slots.js").Leaf} Leaf */
/** @typedef {import("./sending.js").Progress} Progress */
/** @typedef {Schemas["Scene"]} Scene */
/** @typedef {Schemas["SceneRow"]} Row */
/** @typedef {Schemas["SceneThing"]} Thing */
/** @typedef {(progress: Progress, show: () => void) => void} Sent */
/** @typedef {{version: number | string, sentence: {text: string} | null}} Line  of the log */
/** @typedef {Line & {at: string, said?: {seat: number, text: string, fresh: boolean}}} Entry  `said` by a player; fresh while it stands at the seat */
/**
 * @typedef {object} Table
 * @property {any} view
 * @property {Scene} scene
 * @property {Schemas["Ruleset"]} ruleset
 * @property {Leaf[]} leaves What this seat can do now.
 * @property {number | null} [as] The seat, where one player has several.
 * @property {boolean} [ends] Whether a hand has just ended; its result stays until the player asks for the next.
 * @property {import("./refine/index.js").Refinement} [refine]
 */

/** How many of the last events the log shows. */
const REMEMBERED = 100;
/** How long a phrase stands at the seat. */
const FRESH_MS = 6000;
/** How many moves are shown one by one; of more, these last ones. */
const STOPS = 12;
/** A clock with less time than this has no time for moves one by one. */
const HURRIED_MS = 60_000;
/** The end of a hand stays for that many moves, where it says nothing of points. */
const HAND_ENDS = 3;
/** For how many milliseconds else, alone against bots or with a clock; with other players, until the player asks for the next hand. */
const CALL_MS = 12_000;
/** How often, and for how many milliseconds, to wait for the events of a version that was read before them. */
const HEARD = 20;
/** How often to ask for a version that the service has told of and does not have, until it is taken for lost. */
const MISSED = 8;
/** After how many milliseconds to look again at a turn that a plan plays: another device can remove the plan, which is no event. */
const PLANNED_MS = 1000;
/** For how many milliseconds the events of a move that is being sent wait for the response, which has the next table. */
const HELD_MS = 400;

/** Whether moves are shown one by one: the reader's wish, while they look. */
const isPaced = () => now().settings.pace > 0 && !document.hidden;

/** @typedef {{version: number, by: number | null, stays: number}} Stop  what is shown on the way, who moved, for how many moves it stays */

/** Find the versions between moves, and before a new hand is dealt: that hides something, and nobody has done it. @param {any[]} events @param {number | null} by who moved last @returns {{stops: Stop[], by: number | null}} */
export function between(events, by) {
  /** @type {Stop[]} */
  const stops = [];
  for (const { version, seat, sealed } of events) {
    if (seat !== null || Object.keys(sealed).length > 0) {
      stops.push({ version: version - 1, by, stays: seat === null ? HAND_ENDS : 1 });
      by = seat;
    }
  }
  return { stops, by };
}

/** @typedef {{as?: any, at?: number, knowledge?: string}} Perspective  for whom, and which version */

/** @param {Schemas["Seat"]} seat */
const isBotOrMe = ({ player, bot, account }) => Boolean(bot || account === "bot") || player === now().session?.id;

/** Wait until this is over. @param {AbortSignal} signal @returns {Promise<never>} */
const once = (signal) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/** Read view and scene of one version and what can be chosen: now, or of the past, in which nothing can be done. @param {string} id @param {AbortSignal} signal @param {Perspective} [perspective] @returns {Promise<Table>} */
export async function read(id, signal, perspective = {}) {
  return tableFrom(await get(viewOf(id, { lang: language(), ...perspective }), { signal }), perspective);
}

/** Make a table of a view. @param {any} view @param {Perspective} perspective @returns {Promise<Table>} */
async function tableFrom(view, { as = null, at }) {
  const [ruleset, refine] = await Promise.all([rulesetOf(view.ruleset), refinement(view.ruleset)]);
  if (at || view.planned) view = { ...view, decision: null, legal_actions: null };
  const { actions, says, schema } = view.legal_actions ?? { actions: [] };
  const kinds = kindsIn(ruleset.actions);
  return {
    view,
    scene: view.scene,
    ruleset,
    refine,
    as,
    leaves: actions ? leavesOf(actions, kinds, says) : leavesOfSchema(schema, kinds),
  };
}

/**
 * Follow a game, from one seat of several. `again` reads it once more, for what changes without an event.
 * With `talks`, it hears what the players say, also after the end. `sent` is called with what becomes of an action, and shows it with the table that follows.
 * `goOn` leaves the end of a hand, which is left by itself at the moment `until`, unless that is null.
 * @param {string} id @param {number | null} [as] @param {boolean} [talks]
 * @returns {{table: Table | null, log: Entry[], problem: unknown, again: () => void, sent: Sent, goOn: () => void, until: number | null}}
 */
export function useTable(id, as = null, talks = false) {
  const path = `/v1/games/${encodeURIComponent(id)}`;
  const [table, setTable] = useState(/** @type {Table | null} */ (null));
  const [problem, setProblem] = useState(/** @type {unknown} */ (null));
  const [log, setLog] = useState(/** @type {Entry[]} */ ([]));
  const [times, again] = useState(0);
  const sent = useRef(/** @type {Sent} */ (() => {}));
  const goOn = useRef(() => {});
  const until = useRef(/** @type {number | null} */ (null));
  useLayoutEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    /** The version on the screen, and the newest one that the service has told of. */
    let current = 0;
    let newest = 0;
    let reading = false;
    let response = Promise.resolve();
    let release = () => {};
    let pending = between([], null);
    let dueAt = 0;
    let hurried = false;
    let counted = Infinity;
    /** Show a table when the one before it has stayed, from when it was drawn; one's own move at once, `also` with what became of it. @param {Table} next @param {{by: number | null, stays: number}} how @param {() => void} [also] */
    const display = async (next, { by, stays }, also) => {
      if (current && (by === null || by !== next.view.viewer.seat)) {
        const waits = dueAt - Date.now();
        const left = new Promise((resolve) => (goOn.current = () => resolve(null)));
        await Promise.race([waits < Infinity ? pause(waits, signal) : once(signal), left]);
      }
      also?.();
      // What came in between is newer.
      if (next.view.version <= current) return;
      current = next.view.version;
      const { sheet } = next.scene;
      const ends = stays === HAND_ENDS && sheet.length > counted && next.view.game.status === "active";
      counted = sheet.length;
      const limited = hurried || next.view.times.deadlines.length > 0 || next.view.game.seats.every(isBotOrMe);
      until.current = ends && limited ? Date.now() + CALL_MS : null;
      setTable(ends ? { ...next, ends } : next);
      setProblem(null);
      if (next.view.planned) void planned(next).catch(() => undefined);
      hurried ||= next.view.times.deadlines.some(
        (/** @type {{at: string}} */ deadline) => Date.parse(deadline.at) - Date.now() < HURRIED_MS,
      );
      await 0;
      dueAt = ends ? (until.current ?? Infinity) : Date.now() + (hurried ? 0 : stays * now().settings.pace);
    };
    /** Look again at a turn that a plan plays, until it is played, or the player's own. @param {Table} table */
    const planned = async (table) => {
      while (table.view.planned && current === table.view.version) {
        await pause(PLANNED_MS, signal);
        table = await read(id, signal, { as }).catch(() => table);
      }
      if (current === table.view.version) setTable(table);
    };
    const refresh = async () => {
      if (reading) return;
      reading = true;
      let tries = 0;
      while (newest > current || !current) {
        const previous = current;
        try {
          for (let stop; (stop = pending.stops.shift()); )
            if (stop.version > current) await display(await read(id, signal, { as, at: stop.version }), stop);
          const next = await read(id, signal, { as });
          for (let waits = HEARD; current && isPaced() && next.view.version > newest && waits > 0; waits--)
            await pause(HEARD, signal);
          if (!pending.stops.some(({ version }) => version > current && version < next.view.version))
            await display(next, { by: pending.by, stays: 1 });
          if (next.view.version > previous) tries = 0;
          else if (tries > MISSED) newest = current;
          else await retreat(tries++, 0, signal);
        } catch (/** @type {any} */ error) {
          if (signal.aborted) break;
          setProblem(error);
          if (!error.passes) break;
          await retreat(tries++, error.after, signal).catch(() => {});
        }
      }
      reading = false;
    };
    /** Show what follows from an action, unless there is more to show on the way. @param {Extract<Progress, {state: "saved"}>["answer"]} answer @param {() => void} show */
    const follows = async ({ version, events, view }, show) => {
      if (
        !view ||
        view.viewer.seat !== (as ?? view.viewer.seat) ||
        (isPaced() && (view.version > version || between(events, null).stops.some((stop) => stop.version > current)))
      )
        return show();
      const next = await tableFrom(view, { as });
      if (signal.aborted) return show();
      await display(next, { by: view.viewer.seat, stays: 1 }, show);
      // The log has time until the move is drawn.
      await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    };
    sent.current = (progress, show) => {
      if (progress.state === "sending") response = new Promise((resolve) => setTimeout((release = resolve), HELD_MS));
      else (progress.state === "saved" ? follows(progress.answer, show) : Promise.resolve()).then(release, release);
    };
    refresh()
      .then(async () => {
        /** @type {[typeof import("./events.js"), Schemas["SaidPhrase"][]]} */
        const [{ follow }, earlier] = await Promise.all([
          import("./events.js"),
          talks
            ? get(at(`${path}/phrases`, { lang: language() }), { signal }).then(
                (page) => page.phrases,
                () => [],
              )
            : [],
        ]);
        if (signal.aborted || !current) return;
        /** @param {Entry[]} news */
        const tell = (news) =>
          setLog((entries) =>
            [...entries, ...news.filter(({ version }) => !entries.some((entry) => entry.version === version))]
              .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
              .slice(-REMEMBERED),
          );
        /** @param {Schemas["SaidPhrase"][]} phrases @param {boolean} fresh */
        const quote = (phrases, fresh) =>
          tell(
            phrases.map(({ id, at, seat, text }) => ({
              version: id,
              at,
              sentence: null,
              said: { seat, text, fresh },
            })),
          );
        setLog([]);
        quote(earlier, false);
        follow({
          path: `${path}/events`,
          query: { lang: language(), as, phrases: talks ? (earlier.at(-1)?.id ?? "0") : null },
          cursor: "version",
          after: Math.max(0, current - REMEMBERED),
          signal,
          happened: async (events) => {
            // One's own move is in the response, too.
            await response;
            if (signal.aborted) return;
            tell(events);
            newest = Math.max(newest, events.at(-1).version);
            const { stops, by } = between(events, pending.by);
            pending = { stops: isPaced() && !hurried ? [...pending.stops, ...stops].slice(-STOPS) : [], by };
            if (newest > current) refresh();
          },
          said: (phrases) => {
            quote(phrases, true);
            const ids = new Set(phrases.map(({ id }) => id));
            const past = (/** @type {Entry} */ entry) =>
              entry.said && ids.has(entry.version) ? { ...entry, said: { ...entry.said, fresh: false } } : entry;
            setTimeout(() => setLog((entries) => entries.map(past)), FRESH_MS);
          },
        }).catch(setProblem);
      })
      .catch(restart);
    return () => ended.abort();
  }, [id, as, talks, times]);
  return {
    table,
    // What is not yet on the table is not yet told.
    log: log.filter(({ version }) => typeof version !== "number" || (table && version <= table.view.version)),
    problem,
    again: () => again(times + 1),
    sent: (...what) => sent.current(...what),
    goOn: () => goOn.current(),
    until: until.current,
  };
}
