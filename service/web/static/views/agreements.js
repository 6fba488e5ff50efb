/** Time, agreements and talk: clocks and who is late, proposals, leaving, forced moves, who plays again, and what people say. */

import { follow } from "../events.js";
import { el, language, list, loading, now, part, prefer, read, t, useLoaded, write } from "../page.js";
import { at, call, get, newKey, post, request, trouble } from "../sending.js";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";
import { seatLines, useLater } from "./table_elements.js";

/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {import("../table.js").Table} Table */
/** @typedef {{at: string | undefined, bank: string | undefined}} Timed  a seat's deadline, and the time that it has beyond that for a move */

const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** The service tells its time in whole seconds, so a device that is off by less is taken to be right. */
const SURE_MS = 2000;
const LATE_SECONDS = 20;

/** For how many milliseconds the clock of the service is ahead of the one here; once a page has clocks, it is known. */
let ahead = 0;
/** @type {Promise<void> | undefined} */
let compared;
/** Compare the clocks, once. */
const compare = () =>
  (compared ??= request("GET", "/healthz").then(
    ({ headers }) => {
      const offset = Date.parse(headers.get("Date") ?? "") - Date.now();
      if (Math.abs(offset) > SURE_MS) ahead = offset;
    },
    () => undefined,
  ));
/** How long it is until a moment, by the clock of the service. @param {string} moment */
const until = (moment) => Date.parse(moment) - Date.now() - ahead;

/** Write a duration that the service gives, such as PT4M31.5S, in milliseconds. @param {string} text */
function lasting(text) {
  const [, days, hours, minutes, seconds] = (
    /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(text) ?? []
  ).map((each) => Number(each ?? 0));
  return ((((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000;
}

/** @param {number} ms */
function written(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [days, hours] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return days > 0
    ? t("left.days", { days, hours })
    : `${hours ? `${hours}:` : ""}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Show how much time is left until a deadline, every second; and what there is of it beyond the time for a move. @param {Timed} props */
export function Clock({ at, bank }) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!at) return undefined;
    void compare();
    const timer = setInterval(() => tick((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, [at]);
  const left = at ? until(at) : Infinity;
  const isLate = left < LATE_SECONDS * 1000;
  return (
    (at || bank) &&
    el(
      "span",
      { class: "clocks" },
      bank && el("span", { class: "bank" }, t("clock.bank", { time: written(Math.min(lasting(bank), left)) })),
      at &&
        el(
          "time",
          { class: isLate ? "clock late" : "clock", dateTime: at, role: "timer", "aria-live": "off" },
          isLate && el("span", { role: "img", "aria-label": t("clock.late") }, "⚠\ufe0e "),
          written(left),
        ),
    )
  );
}

/** A switch: moves without a choice are played by the service. On, it holds for every game that is opened. @param {{path: string}} props */
function Forced({ path }) {
  const [on, turn] = useState(now().settings.forced);
  // A tap is not undone by what was read before it.
  const tapped = useRef(false);
  const [problem, setProblem] = useState(/** @type {unknown} */ (null));
  const set = async (/** @type {boolean | null} */ forced) => {
    const response = await request("GET", path),
      /** @type {Schemas["Plan"]} */ { steps, forced: was } = await response.json();
    if (forced !== null && was !== forced)
      await call("PUT", path, { body: { steps, forced }, match: response.headers.get("ETag") }).catch((late) =>
        late.status === 412 ? set(forced) : Promise.reject(late),
      );
    if (forced !== null || !tapped.current) turn(forced ?? was);
  };
  useEffect(() => void set(now().settings.forced || null).catch(setProblem), [path]);
  return el(
    "label",
    { class: "switch" },
    el("input", {
      type: "checkbox",
      "aria-label": t("forced"),
      "aria-describedby": "forced-why",
      checked: on,
      onChange: ({ currentTarget: { checked } }) => (
        turn(checked),
        (tapped.current = true),
        prefer({ forced: checked }),
        void set(checked).then(() => setProblem(null), setProblem)
      ),
    }),
    el("span", null, t("forced"), el("small", { id: "forced-why" }, t("forced.why"))),
    trouble(problem),
  );
}

/** The way on from a pause. @param {{path: string, as: number | null}} props */
export function Resume({ path, as }) {
  const [problem, fail] = useState(/** @type {unknown} */ (null));
  const ask = () => post(at(`${path}/proposals`, { as }), { kind: "resume" }, { key: newKey() }).catch(fail);
  return [
    el("button", { type: "button", class: "primary", onClick: () => void ask() }, t("agree.resume")),
    trouble(problem),
  ];
}

const focus = (/** @type {HTMLElement | null | undefined} */ each) => each?.focus();

/** @param {{id: string, table: Table}} props */
export function Agreements({ id, table }) {
  const [problem, setProblem] = useState(/** @type {unknown} */ (null));
  const { view, ruleset } = table;
  const { seat } = view.viewer;
  const late = useLate(view);
  if (seat === null) return null;
  const path = `/v1/games/${encodeURIComponent(id)}`;
  /** @param {string} to @param {unknown} body */
  const send = (to, body) => (
    setProblem(null),
    post(at(`${path}/${to}`, { as: table.as }), body, { key: newKey() }).catch(setProblem)
  );
  const running = view.game.status === "active" || view.game.status === "paused";
  return [
    trouble(problem),
    running && isAmongBots(view) && view.decision && part(Hinted, { key: view.decision.id, id, as: seat }),
    late !== null &&
      el(
        "section",
        { class: "proposal", role: "status" },
        el("p", null, t("claim.late", { name: seatLines(table)[late]?.name ?? "" })),
        el(
          "div",
          { class: "deciding" },
          el("button", { type: "button", class: "primary", onClick: () => send("claim", {}) }, t("claim")),
        ),
      ),
    view.proposals.map((/** @type {Schemas["Proposal"]} */ proposal) =>
      part(ProposalView, {
        key: proposal.id,
        proposal,
        table,
        vote: (accept) => void send(`proposals/${proposal.id}/votes`, { accept }),
      }),
    ),
    running && part(Forced, { key: String(table.as), path: at(`${path}/plan`, { as: table.as }) }),
    running &&
      el(
        "details",
        { class: "agree" },
        el("summary", null, t("agree")),
        el(
          "ul",
          null,
          Object.entries(ruleset.proposals)
            .filter(([kind]) => isPossible(kind, view))
            .map(([kind, text]) =>
              el(
                "li",
                { key: kind },
                el("button", { type: "button", onClick: () => send("proposals", { kind }) }, t(`agree.${kind}`)),
                el("span", null, text),
              ),
            ),
        ),
        part(Leaving, { table, path, send }),
      ),
  ];
}

/** Whether a hint is none against anybody. @param {any} view */
const isAmongBots = ({ game, viewer }) =>
  game.sandbox || game.seats.every((/** @type {Schemas["Seat"]} */ { seat, bot }) => bot || seat === viewer.seat);

/** A way out: to resign, where the rules know it; else a bot takes the seat over, unless all seats are here. @param {{table: Table, path: string, send: (to: string, body: unknown) => Promise<unknown>}} props */
function Leaving({ table: { view, ruleset, as }, path, send }) {
  const [asked, setAsked] = useState(false);
  const [problem, fail] = useState(/** @type {unknown} */ (null));
  const { seat } = view.viewer;
  const way = ruleset.has_resignation ? "resign" : "leave";
  if (way === "leave" && view.game.sandbox) return null;
  const leave = async () => {
    const { botFor } = await import("./elements.js");
    await call("PUT", at(`${path}/seats/${seat}`, { as }), { body: { bot: await botFor(ruleset.id) } });
    location.hash = "#/";
  };
  const go = () => {
    focus(document.querySelector("main"));
    if (way === "resign") void send("resign", { confirm: true });
    else leave().catch(fail);
  };
  return el(
    "div",
    { class: "leaving" },
    asked
      ? [
          el("p", { key: "sure", role: "alert" }, t(`${way}.sure`)),
          el("button", { key: "yes", type: "button", class: "grave", onClick: go }, t(`${way}.yes`)),
          el(
            "button",
            {
              key: "back",
              ref: focus,
              type: "button",
              onClick: ({ currentTarget }) => (
                setAsked(false),
                focus(currentTarget.closest("details")?.querySelector("summary"))
              ),
            },
            t("back"),
          ),
        ]
      : el(
          "button",
          { key: way, type: "button", onClick: () => setAsked(true) },
          t(way === "leave" ? "leave" : "resign"),
        ),
    trouble(problem),
  );
}

/** Another seat whose time is up, where the clock waits until somebody says so. @param {any} view @returns {number | null} */
function useLate({ game, times, viewer }) {
  const [, look] = useState(0);
  const waits = game.status === "active" && game.clock?.on_timeout === "wait";
  const others = times.deadlines.filter((/** @type {{seat: number}} */ { seat }) => seat !== viewer.seat);
  const [first] = waits
    ? others.toSorted(
        (/** @type {{at: string}} */ one, /** @type {{at: string}} */ two) => Date.parse(one.at) - Date.parse(two.at),
      )
    : [];
  useEffect(() => {
    let timer = 0;
    const again = () => look((before) => before + 1);
    if (first)
      void compare().then(() => (timer = setTimeout(again, Math.max(0, Math.min(until(first.at), LONGEST_TIMER_MS)))));
    return () => clearTimeout(timer);
  }, [first?.at]);
  return first && until(first.at) <= 0 ? first.seat : null;
}

/** @param {string} kind @param {any} view */
function isPossible(kind, view) {
  if (view.proposals.some((/** @type {{kind: string}} */ proposal) => proposal.kind === kind)) return false;
  if (kind === "take_back") return Boolean(view.take_back?.own);
  return (kind === "resume") === (view.game.status === "paused");
}

/** A way to play again, and who else would: the service tells the others that they are asked. @param {{path: string, table: Table}} props */
export function Rematch({ path, table }) {
  const [problem, fail] = useState(/** @type {unknown} */ (null));
  const [accepted, show] = useState(/** @type {number[]} */ ([]));
  useEffect(() => {
    const ended = new AbortController(),
      { signal } = ended;
    const look = () =>
      void get(path, { signal }).then(
        ({ rematch }) => show(rematch?.accepted ?? []),
        () => undefined,
      );
    look();
    void follow({
      path: "/v1/me/events",
      query: { types: "invited" },
      cursor: "id",
      after: null,
      happened: look,
      signal,
    });
    return () => ended.abort();
  }, [path]);
  const names = seatLines(table)
    .filter(({ seat, viewer }) => accepted.includes(seat) && !viewer)
    .map(({ name }) => name);
  return [
    names.length > 0 && el("p", { class: "proposal", role: "status" }, t("rematch.asked", { names: list(names) })),
    el(
      "button",
      {
        type: "button",
        class: "primary again",
        onClick: () =>
          void post(`${path}/rematch`, {}, { key: newKey() }).then(
            (next) => (location.hash = `#/game/${next.game.id}`),
            fail,
          ),
      },
      t("rematch"),
    ),
    trouble(problem),
  ];
}

/** @param {{proposal: Schemas["Proposal"], table: Table, vote: (accept: boolean) => void}} props */
function ProposalView({ proposal, table, vote }) {
  const { view } = table;
  const name = (/** @type {number} */ seat) => seatLines(table).find((each) => each.seat === seat)?.name ?? "";
  const voted = proposal.accepted.includes(view.viewer.seat);
  return el(
    "section",
    { class: "proposal", role: "alert" },
    el(
      "p",
      null,
      t("proposed", {
        name: name(proposal.seat),
        what: t(`agree.${proposal.kind}`),
        others: list(proposal.accepted.map(name)),
      }),
    ),
    !voted &&
      el(
        "div",
        { class: "deciding" },
        el("button", { type: "button", onClick: () => vote(false) }, t("decline")),
        el("button", { type: "button", class: "primary", onClick: () => vote(true) }, t("accept")),
      ),
  );
}

const people = () => import("./people.js");
/** What a bot would do in a seat. @param {{id: string, as: number}} props */
function Hinted(props) {
  const there = useLater(people);
  return there && part(there.Hint, props);
}

/** What the viewer can say at a table: set phrases, which everyone reads in their own language. @param {{id: string, table: Table, muted: boolean, mute: () => void}} props */
function Phrases({ id, table: { view }, muted, mute }) {
  const path = `/v1/games/${encodeURIComponent(id)}/phrases`;
  /** @type {{value: Schemas["PhraseMenu"] | undefined, problem: unknown, again: () => void}} */
  const { value, problem, again } = useLoaded(
    (signal) => get(at(path, { lang: language() }), { signal }),
    [id, view.game.status],
  );
  const [refusal, refuse] = useState(/** @type {unknown} */ (null));
  if (!value) return problem ? trouble(problem, again) : loading();
  /** @param {string} phrase */
  const say = (phrase) =>
    void post(at(path, { as: view.viewer.seat }), { phrase }, { key: newKey() }).then(() => refuse(null), refuse);
  return [
    value.silence
      ? el("p", { class: "quiet" }, value.silence)
      : el(
          "div",
          { class: "phrases" },
          value.choices.map(({ phrase, text }) =>
            el("button", { type: "button", key: phrase, onClick: () => say(phrase) }, text),
          ),
        ),
    trouble(refusal),
    el("button", { type: "button", class: "mute", "aria-pressed": muted, onClick: mute }, t("talk.mute")),
  ];
}

const MOST_MUTED = 50;

/** What can be said. @param {{id: string, table: Table, muted: boolean, mute: (muted: boolean) => void}} props */
export function Talk({ id, table, muted, mute }) {
  const turn = () => {
    const others = read("muted", /** @type {string[]} */ ([])).filter((each) => each !== id);
    write("muted", (muted ? others : [...others, id]).slice(-MOST_MUTED));
    mute(!muted);
  };
  return part(Phrases, { id, table, muted, mute: turn });
}

/** Put what was said into the log, with who said it. @param {import("../table.js").Entry} entry @param {Table} table @returns {import("../table.js").Line} */
export function quoted(entry, table) {
  if (!entry.said) return entry;
  const { seat, text } = entry.said;
  return {
    version: entry.version,
    sentence: { text: t("talk.said", { name: seatLines(table)[seat]?.name ?? "", words: text }) },
  };
}
