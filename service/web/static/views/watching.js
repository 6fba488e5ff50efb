/** Games that are only looked at: back, by move and by deal, with the proof of the log; and within a page of another site. */

import { called, change, el, language, loading, now, part, show, t, useLoaded } from "../page.js";
import { at as query, get, trouble } from "../sending.js";
import { read as tableOf, rulesetOf, useTable } from "../table.js";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";
import { Board, Log } from "./board.js";
import { useTouch } from "./things.js";

/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {import("../table.js").Row} Row */
/** @typedef {import("../table.js").Table} Table */
/** @typedef {import("../verify.js").Audit} Audit */
/** @typedef {import("./game.js").Turn} Turn */
/** @typedef {{ruleset: Schemas["Ruleset"], game: Schemas["GameAtVersion"], audit: Audit, sentences: (string | undefined)[], moves: number[], deals: number[]}} Story */

const PAGE = 1000;
const PAUSE_MS = 1200;

const nothing = () => undefined;
/** What whoever only looks can do. @type {Turn} */
const WATCHING = {
  choice: { lit: new Set(), chosen: new Set(), groups: [], counter: null, left: [], ready: null, says: null, finished: false, exact: true },
  steps: [], progress: null, why: null, checked: false, open: false,
  take: nothing, tap: nothing, back: nothing, confirm: nothing, understood: nothing,
};

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
  const game = await get(path, { signal });
  const begins = audit.events.filter(({ seat, version }) => seat !== null || version === audit.version).map(({ version }) => version);
  const moves = [...new Set([...begins.map((version) => version - 1), audit.version])].filter((version) => version > 0);
  const deals = [...new Set(audit.draws.map(({ version }) => version))];
  return { ruleset: await rulesetOf(game.ruleset), game, audit, sentences, moves, deals };
}

/** @param {{args: string[]}} props */
export function replay({ args: [id = "", query = ""] }) {
  const { at, as = "" } = Object.fromEntries(new URLSearchParams(query));
  const path = `/v1/games/${encodeURIComponent(id)}`;
  const [viewer, look] = useState(as);
  const story = useLoaded((signal) => read(path, viewer, signal), [id, viewer]);
  if (story.problem) return trouble(story.problem, story.again);
  if (!story.value) return loading();
  return part(Watching, { id, path, story: story.value, from: Number(at) || 1, viewer, look });
}

/** @param {{id: string, path: string, story: Story, from: number, viewer: string, look: (viewer: string) => void}} props */
function Watching({ id, path, story, from, viewer, look }) {
  const { audit, moves, deals, sentences, ruleset, game } = story;
  const [version, go] = useState(Math.max(1, Math.min(from, audit.version)));
  const [runs, run] = useState(false);
  const [refused, refuse] = useState(false);
  const asked = { at: version, as: viewer === "all" ? "spectator" : viewer, knowledge: viewer === "all" ? "full" : "" };
  const { value: table = null, problem, again } = useLoaded((signal) => tableOf(path, signal, asked), [version, viewer]);
  const next = moves.find((each) => each > version);
  useEffect(() => show(ruleset.name, 0), []);
  useEffect(() => history.replaceState(null, "", `#/game/${id}?${new URLSearchParams({ at: String(version), ...(viewer && { as: viewer }) })}`), [version, viewer]);
  useEffect(() => {
    if (!runs || table?.view.version !== version) return undefined;
    if (next === undefined) return run(false);
    const timer = setTimeout(() => go(next), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [runs, table, version]);
  /** Nothing can be done in the past; whoever tries sees the way out. */
  const turn = { ...WATCHING, ...useTouch(table, WATCHING.choice, false), tap: () => refuse(true) };
  if (!table) return trouble(problem, again) ?? loading();
  const before = moves.findLast((each) => each < version);
  return part(Board, {
    table: { ...table, view: { ...table.view, game, to_act: [], times: { deadlines: [] } } },
    turn,
    past: sentences[version] ?? "",
    above: trouble(problem, again),
    dock: [
      refused && el("p", { class: "why", role: "alert" }, t("replay.refused")),
      part(Steps, { version, last: audit.version, isOver: isOver(game), runs, run, go, stops: { before, next, deal: deals.findLast((each) => each < version), later: deals.find((each) => each > version) } }),
      el("p", { class: "steps" },
        part(Viewers, { game, viewer, look }),
        el("a", { class: "button", href: `#/game/${id}` }, t("replay.now"))),
    ],
    beside: part(Proof, { audit }),
  });
}

/** @param {{status: string}} game */
const isOver = ({ status }) => status === "finished" || status === "aborted";

/** @typedef {{before: number | undefined, next: number | undefined, deal: number | undefined, later: number | undefined}} Stops */

/**
 * Step through the versions. How many there are is hidden until asked, so that nothing betrays how a game ends.
 * @param {{version: number, last: number, isOver: boolean, runs: boolean, run: (runs: boolean) => void, go: (version: number) => void, stops: Stops}} props
 */
function Steps({ version, last, isOver, runs, run, go, stops }) {
  const [isOpen, open] = useState(!isOver);
  /** @type {Record<string, number | undefined>} */
  const keys = { ArrowLeft: stops.before, ArrowRight: stops.next, PageUp: stops.deal, PageDown: stops.later, Home: 1, End: isOpen ? last : undefined };
  const step = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {number | undefined} */ to) =>
    el("button", { type: "button", "aria-label": name, title: name, disabled: to === undefined || to === version, onClick: () => to !== undefined && go(to) }, sign);
  return el("div", { class: "steps", role: "group", "aria-label": t("replay.steps"), onKeyDown: (event) => {
      const to = keys[event.key];
      if (to !== undefined) (event.preventDefault(), go(to));
    } },
    step("|◀", t("replay.first"), 1),
    (stops.deal !== undefined || stops.later !== undefined) && step("◀◀", t("replay.deal"), stops.deal),
    step("◀", t("replay.before"), stops.before),
    el("button", { type: "button", "aria-pressed": runs, onClick: () => run(!runs) }, runs ? t("replay.stop") : t("replay.run")),
    step("▶", t("replay.next"), stops.next),
    (stops.deal !== undefined || stops.later !== undefined) && step("▶▶", t("replay.later"), stops.later),
    isOpen
      ? [step("▶|", t("replay.last"), last),
        el("input", { type: "range", min: 1, max: last, value: version, "aria-label": t("replay.version"), onInput: (event) => go(Number(event.currentTarget.value)) }),
        el("output", null, t("replay.of", { version, last }))]
      : el("button", { type: "button", onClick: () => open(true) }, t("replay.length")));
}

/** Choose whose eyes to look through: one's own, and after the end anyone's. @param {{game: Schemas["GameAtVersion"], viewer: string, look: (viewer: string) => void}} props */
function Viewers({ game, viewer, look }) {
  const me = now().session?.id;
  const seats = game.seats.filter((seat) => isOver(game) || (me && seat.player === me));
  const options = [["", t("replay.me")], ...seats.map((seat) => [String(seat.seat), t("replay.as", { name: seat.player ? called(seat) : t("seat", { number: seat.seat }) })]), ["spectator", t("replay.spectator")]];
  if (isOver(game)) options.push(["all", t("replay.all")]);
  return el("label", { class: "eyes" }, t("replay.eyes"), " ",
    el("select", { value: viewer, onChange: (event) => look(event.currentTarget.value) }, options.map(([value, text]) => el("option", { key: value, value, selected: value === viewer }, text))));
}

/** @typedef {{done: number, found?: import("../verify.js").Verified, broken?: import("../verify.js").Broken, changed?: ReturnType<typeof import("../verify.js").forged> | null}} Outcome */

/** Verify the log in this browser, and show what is found. @param {{audit: Audit}} props */
function Proof({ audit }) {
  const [outcome, set] = useState(/** @type {Outcome | null} */ (null));
  const latest = useRef(audit);
  latest.current = audit;
  useEffect(() => set(null), [audit]);
  const check = async (/** @type {boolean} */ forges) => {
    const { Broken, forged, verify } = await import("../verify.js");
    const changed = forges ? forged(audit) : null;
    const shown = (/** @type {Outcome} */ result) => latest.current === audit && set({ ...result, changed });
    shown({ done: 0 });
    await verify(changed?.audit ?? audit, (done) => shown({ done })).then(
      (found) => shown({ done: 1, found }),
      (error) => shown({ done: 1, broken: error instanceof Broken ? error : new Broken(0, "shape") }),
    );
  };
  const { found, broken, changed } = outcome ?? {};
  return el("section", { class: "proof", "aria-live": "polite" },
    el("h2", null, t("proof")),
    el("p", null, t("proof.so_far", { n: audit.version, head: audit.head.slice(0, 8) })),
    el("button", { type: "button", onClick: () => check(false) }, t("proof.verify")),
    outcome && outcome.done < 1 && el("progress", { value: outcome.done, "aria-label": t("proof.verify") }),
    changed && el("p", null, t("proof.changed", { version: changed.version, was: changed.was, is: changed.is })),
    broken && el("p", { class: "trouble" }, changed ? t("proof.caught", { version: broken.version }) : t("proof.broken", { version: broken.version }), " ", t(`fault.${broken.fault}`), broken.where && el("code", null, broken.where)),
    found && findings(found),
    found && found.opened > 0 && el("button", { type: "button", onClick: () => check(true) }, t("proof.forge")));
}

/** @param {import("../verify.js").Verified} found */
const findings = ({ events, head, sealed, opened, commitment, draws }) => [
  el("ul", { class: "ticks" },
    el("li", null, t("proof.chain", { n: events })),
    el("li", null, t("proof.seals", { opened, sealed })),
    el("li", { class: commitment ? "" : "open" }, commitment ? t("proof.draws", { n: draws.length }) : t("proof.later"))),
  el("details", null,
    el("summary", null, t("proof.details")),
    el("p", null, t("proof.head"), " ", el("code", null, head)),
    commitment && el("p", null, t("proof.commitment"), " ", el("code", null, commitment)),
    el("ul", null, draws.map(({ version, label, number, numbers, order }) => el("li", { key: `${version} ${label}` },
      el("code", null, `${version}: ${label} ${number}`), " ",
      numbers ? t("proof.numbers", { n: numbers.count, below: numbers.below }) : t("proof.order", { n: order?.of.length ?? 0, packets: order?.packets.length ?? 0 }))))),
];

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
    if (wanted !== null) tableOf(`/v1/games/${encodeURIComponent(id)}`, ended.signal, { at: wanted }).then(recall, nothing);
    return () => ended.abort();
  }, [wanted]);
  const shown = wanted === null ? table : past ?? table;
  const touched = useTouch(shown, WATCHING.choice, false);
  useEffect(() => {
    if (!shown) return;
    show(shown.ruleset.name, 0);
    tell({ type: "plateau:shown", game: id, version: shown.view.version });
  }, [shown]);
  return [
    trouble(problem, again),
    shown ? part(Board, { table: shown, turn: { ...WATCHING, ...touched }, beside: part(Log, { told }) }) : !problem && loading(),
  ];
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
