/** A game looked back on: by move and by deal, through any eyes, with the proof of its log. It knows no source of tables. */

import { el, loading, part, show, t, useLoaded } from "../page.js";
import { useEffect, useMemo, useState } from "../vendor/hooks.mjs";
import { Board, WATCHING } from "./board.js";
import { useLater, useTouch } from "./table_elements.js";

/** @typedef {import("../page.js").Children} Children */
/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {import("../verify_bundle.mjs").Audit} Audit */
/** @typedef {import("./game.js").Turn} Turn */
/** @typedef {import("../table.js").Table} Table */
/**
 * A game to look back on, and where its tables come from.
 * @typedef {object} Story
 * @property {string} name that of its rules
 * @property {{id: string, status: string, seats: Schemas["Seat"][]}} game
 * @property {Audit} audit
 * @property {() => Promise<import("../verify_bundle.mjs").Known>} [known] what this browser knows of the seeds
 * @property {(string | undefined)[]} sentences what happened, by version
 * @property {string[]} viewers whose eyes can be looked through: seats, "spectator", "all", or "" for one's own
 * @property {(version: number, viewer: string, signal: AbortSignal) => Promise<Table>} table
 * @property {(problem: unknown, again: () => void) => Children} failed
 * @property {(table: Table, go: (version: number) => void) => Children} [advised] what a bot would have done at a version, and where it would have cost most
 */

const PAUSE_MS = 1200;
/** How many of the events before the version that is shown the log has. */
const REMEMBERED = 100;
const proofs = () => import("./proof.js");

/** A table of the past as the page shows it: no seat is to act, and the viewer of another seat does not hold it. @param {Story} story @param {Table} table @param {string} viewer @returns {Table} */
function unhurried({ game }, table, viewer) {
  const seats = table.scene.seats.map((line) => ({ ...line, viewer: line.viewer && viewer === "" }));
  return {
    ...table,
    scene: { ...table.scene, seats },
    view: { ...table.view, game, to_act: [], times: { deadlines: [] } },
  };
}

/** Where one can step to: moves, which begin before what a seat does, and deals. @param {Audit} audit */
function stopsIn({ events, draws, version: last }) {
  const begins = events
    .filter(({ seat, version }) => seat !== null || version === last)
    .map(({ version }) => version - 1);
  const moves = [...new Set([...begins, last])].filter((version) => version > 0);
  const deals = [...new Set(draws.map(({ version }) => version))];
  return { moves, deals, all: [...new Set([1, ...moves, ...deals])].sort((one, other) => one - other) };
}

/**
 * @param {object} props
 * @param {Story} props.story @param {number} props.from the version to begin at @param {string} props.viewer @param {(viewer: string) => void} props.look
 * @param {(version: number) => void} [props.moved] called with the version that is shown @param {Children} [props.more] beside the viewers @param {boolean} [props.checks] whether the log is verified without being asked to
 */
export function Replay({ story, from, viewer, look, moved, more, checks = false }) {
  const { audit, sentences, name, game } = story;
  const { moves, deals, all } = useMemo(() => stopsIn(audit), [audit]);
  const [version, go] = useState(Math.max(1, Math.min(from, audit.version)));
  const [runs, run] = useState(false);
  const [refused, refuse] = useState(false);
  const {
    value: table = null,
    problem,
    again,
  } = useLoaded((signal) => story.table(version, viewer, signal), [version, viewer]);
  const proof = useLater(proofs);
  const told = sentences
    .slice(0, version + 1)
    .flatMap((text, at) => (text ? [{ version: at, sentence: { text } }] : []))
    .slice(-REMEMBERED);
  const next = moves.find((each) => each > version);
  useEffect(() => show(name, 0), []);
  useEffect(() => moved?.(version), [version, viewer]);
  useEffect(() => {
    if (!runs || table?.view.version !== version) return undefined;
    if (next === undefined) return run(false);
    const timer = setTimeout(() => go(next), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [runs, table, version]);
  /** Nothing can be done in the past; a player who tries sees the way out. */
  const turn = { ...WATCHING, ...useTouch(table, WATCHING.choice, false), tap: () => refuse(true) };
  if (!table) return problem ? story.failed(problem, again) : loading();
  const before = moves.findLast((each) => each < version);
  return part(Board, {
    table: unhurried(story, table, viewer),
    turn,
    past: sentences[version] ?? "",
    out: more ? "#/" : "",
    above: problem ? story.failed(problem, again) : null,
    dock: [
      refused && more && el("p", { class: "why", role: "alert" }, t("replay.refused")),
      part(Steps, {
        version,
        last: audit.version,
        all,
        isOver: isOver(game),
        runs,
        run,
        go,
        stops: {
          before,
          next,
          deal: deals.findLast((each) => each < version),
          later: deals.find((each) => each > version),
        },
      }),
    ],
    log: told,
    beside: [
      el("p", { class: "steps" }, part(Viewers, { story, viewer, look }), more),
      story.advised?.(table, go),
      proof && part(proof.Proof, { story, checks }),
    ],
  });
}

/** How a game stands at its last version, and what has happened, for paper. @param {{story: Story, viewer: string}} props */
export function Paper({ story, viewer }) {
  const { value: table } = useLoaded((signal) => story.table(story.audit.version, viewer, signal), [viewer]);
  return el(
    "div",
    { class: "paper" },
    table &&
      part(Board, {
        table: unhurried(story, table, viewer),
        turn: WATCHING,
        past: story.sentences[story.audit.version] ?? "",
        dock: [],
        beside: null,
      }),
    el("h2", null, t("log")),
    el(
      "ol",
      null,
      story.sentences.map((text, version) => text && el("li", { key: version, value: version }, text)),
    ),
  );
}

/** @param {{status: string}} game */
export const isOver = ({ status }) => status === "finished" || status === "aborted";

/** @typedef {{before: number | undefined, next: number | undefined, deal: number | undefined, later: number | undefined}} Stops */

/**
 * Step through the versions. How many there are is hidden until asked, so that nothing betrays how a game ends.
 * @param {{version: number, last: number, all: number[], isOver: boolean, runs: boolean, run: (runs: boolean) => void, go: (version: number) => void, stops: Stops}} props
 */
function Steps({ version, last, all, isOver, runs, run, go, stops }) {
  const [isOpen, open] = useState(!isOver);
  /** @type {Record<string, number | undefined>} */
  const keys = {
    ArrowLeft: stops.before,
    ArrowRight: stops.next,
    PageUp: stops.deal,
    PageDown: stops.later,
    Home: 1,
    End: isOpen ? last : undefined,
  };
  const step = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {number | undefined} */ to) =>
    el(
      "button",
      {
        type: "button",
        "aria-label": name,
        title: name,
        "aria-disabled": to === undefined || to === version,
        onClick: () => to !== undefined && go(to),
      },
      sign,
    );
  const deals = stops.deal !== undefined || stops.later !== undefined;
  return el(
    "div",
    {
      class: "stepping",
      role: "group",
      "aria-label": t("replay.steps"),
      onKeyDown: (event) => {
        const to = keys[event.key];
        if (to !== undefined) (event.preventDefault(), go(to));
      },
    },
    el(
      "div",
      { class: "steps" },
      deals && step("◀◀", t("replay.deal"), stops.deal),
      step("◀", t("replay.before"), stops.before),
      el(
        "button",
        { type: "button", class: "run", "aria-pressed": runs, onClick: () => run(!runs) },
        runs ? t("replay.stop") : t("replay.run"),
      ),
      step("▶", t("replay.next"), stops.next),
      deals && step("▶▶", t("replay.later"), stops.later),
    ),
    el(
      "div",
      { class: "steps" },
      step("|◀", t("replay.first"), 1),
      isOpen
        ? [
            el("input", {
              type: "range",
              min: 0,
              max: all.length - 1,
              value: all.findLastIndex((each) => each <= version),
              "aria-label": t("replay.version"),
              "aria-valuetext": t("replay.of", { version, last }),
              onInput: (event) => go(all[Number(event.currentTarget.value)] ?? version),
            }),
            el("output", null, t("replay.of", { version, last })),
            step("▶|", t("replay.last"), last),
          ]
        : el("button", { type: "button", class: "length", onClick: () => open(true) }, t("replay.length")),
    ),
  );
}

/** Choose whose eyes to look through. @param {{story: Story, viewer: string, look: (viewer: string) => void}} props */
function Viewers({ story: { game, viewers }, viewer, look }) {
  const own = (/** @type {string} */ each) => {
    const { name, player, tag } = /** @type {Schemas["Seat"]} */ (game.seats[Number(each)]);
    const named = name && game.seats.filter((other) => other.player === player).length === 1;
    return t("replay.as", { name: !named ? t("seat", { number: Number(each) + 1 }) : tag ? `${name} (${tag})` : name });
  };
  const text = (/** @type {string} */ each) =>
    each === ""
      ? t("replay.me")
      : each === "spectator"
        ? t("replay.spectator")
        : each === "all"
          ? t("replay.all")
          : own(each);
  return el(
    "label",
    { class: "eyes" },
    t("replay.eyes"),
    " ",
    el(
      "select",
      { value: viewer, onChange: (event) => look(event.currentTarget.value) },
      viewers.map((each) => el("option", { key: each, value: each, selected: each === viewer }, text(each))),
    ),
  );
}
