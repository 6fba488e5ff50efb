/** Games as others show them: a tutorial, in which the learner makes the moves, and a game within another site. */

import { change, el, language, loading, now, part, show, t, useLoaded } from "../page.js";
import { choice, fitting, picksOf, same } from "../picker.js";
import { at, get, trouble } from "../sending.js";
import { refinement } from "../refine/index.js";
import { kindsIn, leavesOf, leavesOfSchema } from "../slots.js";
import { read, useTable } from "../table.js";
import { useEffect, useMemo, useState } from "../vendor/hooks.mjs";
import { Board, WATCHING } from "./board.js";
import { useTouch } from "./table_elements.js";

/** @typedef {import("../picker.js").Step} Step */
/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {import("../slots.js").Action} Action */
/** @typedef {import("../table.js").Table} Table */
/** @typedef {import("./game.js").Turn} Turn */
/** @typedef {{comment: string, happened: string[], view: any, scene: Schemas["Scene"], move: {action: Action, says: string} | null}} Lesson */

/** @param {{args: string[]}} props */
export function learn({ args: [id = ""] }) {
  const path = `/v1/rulesets/${encodeURIComponent(id)}`;
  const loaded = useLoaded(
    (signal) =>
      Promise.all([
        get(at(`${path}/tutorial`, { lang: language() }), { signal }),
        get(at(path, { lang: language() }), { signal }),
        refinement(id),
      ]),
    [id],
  );
  if (loaded.problem) return trouble(loaded.problem, loaded.again);
  return loaded.value
    ? part(Learning, { steps: loaded.value[0].steps, ruleset: loaded.value[1], refine: loaded.value[2] })
    : loading();
}

/** @param {{steps: Lesson[], ruleset: Schemas["Ruleset"], refine: import("../refine/index.js").Refinement}} props */
function Learning({ steps, ruleset, refine }) {
  const [place, go] = useState(0);
  const step = /** @type {Lesson} */ (steps[place]);
  const table = useMemo(() => tableOf(step, ruleset, refine), [step]);
  const next = () => (go(place + 1), scrollTo(0, 0));
  const turn = useLesson(table, step, next);
  useEffect(() => show(t("learn.this", { name: ruleset.name }), 0), []);
  const log = steps
    .slice(0, place + 1)
    .flatMap(({ happened }, at) => happened.map((text, nth) => ({ version: at * 1000 + nth, sentence: { text } })));
  return part(Board, { table, turn, above: lessonBox(step, place, steps.length, next, ruleset), log });
}

/** @param {Lesson} step @param {number} place @param {number} count @param {() => void} next @param {Schemas["Ruleset"]} ruleset */
const lessonBox = ({ comment, move }, place, count, next, ruleset) =>
  el(
    "section",
    { class: "lesson", "aria-label": t("learn") },
    el("p", { class: "lesson-place" }, t("learn.step", { n: place + 1, count })),
    el("p", { role: "status" }, comment),
    move
      ? el(
          "div",
          { class: "deciding" },
          el("p", { class: "lesson-move" }, move.says),
          el("button", { type: "button", class: "show-me", onClick: next }, t("learn.show")),
        )
      : part(Played, { ruleset }),
  );

const elements = () => import("./elements.js");
/** The way from the end of a tutorial into a game against the easiest bots. @param {{ruleset: Schemas["Ruleset"]}} props */
function Played({ ruleset: { id, players } }) {
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  const play = async () => {
    const { botFor, goTo, playWith, usual } = await elements();
    await goTo(botFor(id).then((bot) => playWith(id, usual(players), { bot })));
  };
  return [
    el(
      "div",
      { class: "deciding" },
      el("button", { type: "button", class: "primary", onClick: () => void play().catch(fail) }, t("learn.play")),
    ),
    trouble(failure),
  ];
}

/** @param {Lesson} step @param {Schemas["Ruleset"]} ruleset @param {import("../refine/index.js").Refinement} refine @returns {Table} */
function tableOf({ view, scene }, ruleset, refine) {
  const { actions = null, says, schema } = view.legal_actions ?? {};
  const kinds = kindsIn(ruleset.actions);
  const leaves = actions ? leavesOf(actions, kinds, says) : schema ? leavesOfSchema(schema, kinds) : [];
  return { view, scene, ruleset, leaves, refine };
}

/** The learner's turn: the move of the lesson leads on, and any other one to a hint. @param {Table} table @param {Lesson} step @param {() => void} next @returns {Turn} */
function useLesson(table, { move }, next) {
  const [selection, setSelection] = useState({
    table,
    steps: /** @type {Step[]} */ ([]),
    why: /** @type {import("./game.js").Why | null} */ (null),
  });
  const { steps, why } = selection.table === table ? selection : { steps: [], why: null };
  const drawn = useMemo(() => picksOf(table), [table]);
  const chosen = useMemo(() => choice(table.leaves, steps, drawn), [table, steps, drawn]);
  const open = move !== null;
  const touched = useTouch(table, chosen, open);
  const retry = () =>
    setSelection({ table, steps: [], why: move && { detail: t("learn.hint", { move: move.says }), rule: null } });
  /** @param {Step[]} more */
  const take = (more) => {
    const fit = fitting(table.leaves, more);
    const { ready, finished } = choice(table.leaves, fit, drawn);
    if (ready && move && written(ready) === written(move.action)) next();
    else if (ready && finished) retry();
    else setSelection({ table, steps: fit, why: null });
  };
  return {
    choice: chosen,
    steps,
    progress: null,
    why,
    checked: true,
    open,
    ...touched,
    take: (...more) => take([...steps, ...more]),
    instead: (...more) => take(more),
    set: (more) => setSelection({ table, steps: fitting(table.leaves, more), why: null }),
    tap: (pick) => {
      pick = touched.meant(pick);
      const mine = steps.find((each) => same(each, { pick }));
      if (open && chosen.lit.has(pick)) take([...steps, { pick }]);
      else if (open && mine) take(steps.filter((each) => each !== mine));
      else if (!chosen.chosen.has(pick))
        void import("./side_panel.js")
          .then(({ explained }) => explained(table, pick, null))
          .then((why) => setSelection({ table, steps, why }));
    },
    back: () => take(steps.slice(0, -1)),
    confirm: () => take(steps),
    understood: () => setSelection({ table, steps, why: null }),
  };
}

/** Write an action so that two that mean the same look the same: sets sorted, defaults left out. @param {unknown} action */
function written(action) {
  return JSON.stringify(action, (_, value) => {
    if (Array.isArray(value)) return value.every((each) => typeof each === "string") ? [...value].sort() : value;
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).filter(
      ([, each]) => each !== false && each !== null && !(Array.isArray(each) && each.length === 0),
    );
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** @param {{args: string[]}} props */
export function embed({ args: [id = ""] }) {
  const { table, log, problem, again } = useTable(id);
  const [wantedVersion, setWantedVersion] = useState(/** @type {number | null} */ (null));
  const [past, recall] = useState(/** @type {Table | null} */ (null));
  const version = table?.view.version;
  useEffect(() => obey(setWantedVersion), []);
  useEffect(() => {
    if (table) tell({ type: "plateau:version", game: id, version, status: table.view.game.status });
  }, [version]);
  useEffect(() => {
    const ended = new AbortController();
    recall(null);
    if (wantedVersion !== null) read(id, ended.signal, { at: wantedVersion }).then(recall, () => undefined);
    return () => ended.abort();
  }, [wantedVersion]);
  const shown = wantedVersion === null ? table : (past ?? table);
  const touched = useTouch(shown, WATCHING.choice, false);
  useEffect(() => {
    if (!shown) return;
    show(shown.ruleset.name, 0);
    tell({ type: "plateau:shown", game: id, version: shown.view.version });
  }, [shown]);
  return [
    trouble(problem, again),
    shown ? part(Board, { table: shown, turn: { ...WATCHING, ...touched }, log }) : !problem && loading(),
  ];
}

/** Tell the page around this one. It holds what any spectator can know, so every site can hear it. @param {object} message */
const tell = (message) => parent.postMessage(message, "*");

/** Do what the page around this one asks for: a theme, or a version of the game (null: the newest). @param {(version: number | null) => void} want */
function obey(want) {
  /** @param {MessageEvent} event */
  const hear = ({ source, data }) => {
    if (source !== parent) return;
    if (data?.type === "plateau:theme" && ["", "light", "dark"].includes(data.theme))
      change({ settings: { ...now().settings, theme: data.theme } });
    if (data?.type === "plateau:show" && (data.version === null || Number.isSafeInteger(data.version)))
      want(data.version);
  };
  addEventListener("message", hear);
  tell({ type: "plateau:ready" });
  return () => removeEventListener("message", hear);
}
