/** What stands around a table, loaded once it is shown: what happened meanwhile, agreements, and the rules. */

import { el, language, list, now, part, prefer, t } from "../page.js";
import { at, call as send, get, newKey, pause, post, request, trouble } from "../sending.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../vendor/hooks.mjs";
import { seatLines, useLater } from "./board.js";

/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {import("../table.js").Table} Table */

const MOST = 40;
/** For how long it has not been the player's turn before another game is offered. */
const NEXT_MS = 1500;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a player sees below the board, so that it pushes nothing down; a turn that comes meanwhile is announced. @param {{id: string, table: Table, turn: import("./game.js").Turn}} props */
export function Meanwhile({ id, table: { view, ruleset }, turn }) {
  const decision = view.decision?.id;
  const [opened] = useState(decision);
  useEffect(() => {
    if (!decision || decision === opened) return;
    const message = { title: t("your_turn"), text: ruleset.name, address: `#/game/${id}` };
    void people().then(({ call }) => call(`${id} ${decision}`, message), () => undefined);
  }, [decision]);
  useEffect(() => {
    const workers = navigator.serviceWorker; // not there on plain http
    /** Say that this tab shows a game, to the worker that has a message about it. @param {MessageEvent} asked */
    const answer = ({ data, ports }) => data === id && ports[0]?.postMessage(data);
    workers?.addEventListener("message", answer);
    return () => workers?.removeEventListener("message", answer);
  }, [id]);
  useKeptFocus();
  if (view.viewer.seat === null) return null;
  return [part(Since, { id, as: view.viewer.seat, version: view.version }), part(NextGame, { id, open: turn.open })];
}

/** Keep the focus at the table when what had it goes: in the same row, else where the next choice will be. */
function useKeptFocus() {
  const had = useRef(/** @type {{each: Element, row: string} | null} */ (null));
  useEffect(() => {
    const note = (/** @type {FocusEvent} */ { target }) => {
      const each = /** @type {Element} */ (target).closest(".felt *, .dock *"), row = each?.closest("[data-row]")?.getAttribute("data-row");
      had.current = each && { each, row: row ? `[data-row="${row}"] ` : "" };
    };
    addEventListener("focusin", note);
    return () => removeEventListener("focusin", note);
  }, []);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (activeElement !== body || !had.current || had.current.each.isConnected) return;
    const near = [`${had.current.row}[tabindex="0"]`, '.dock button:enabled:not([tabindex="-1"])', "main"].flatMap((each) => document.querySelector(each) ?? []);
    near.find((each) => each instanceof HTMLElement || each instanceof SVGElement)?.focus({ preventScroll: true });
  });
}

/** What happened since the viewer's last move, as it was when the page was opened; nothing before any move. @param {{id: string, as: number, version: number}} props */
function Since({ id, as, version }) {
  const [said, say] = useState(/** @type {string[]} */ ([]));
  useEffect(() => {
    const ended = new AbortController();
    get(at(`/v1/games/${encodeURIComponent(id)}/events`, { since: "my-last-move", as, lang: language(), limit: MOST }), { signal: ended.signal }).then(
      (page) => page.events[0]?.version > 1 && say(page.events.flatMap((/** @type {{sentence: {text: string} | null}} */ { sentence }) => (sentence ? [sentence.text] : []))),
      () => undefined,
    );
    return () => ended.abort();
  }, [id]);
  const [first] = useState(version);
  if (first !== version || said.length === 0) return null;
  return el("details", { class: "since" },
    el("summary", null, t("since", { n: said.length })),
    el("ol", null, said.map((text, place) => el("li", { key: place }, text))),
    el("button", { type: "button", onClick: () => say([]) }, t("close")),
  );
}

/** A way to the next game in which it is my turn, while it is not in this one. @param {{id: string, open: boolean}} props */
function NextGame({ id, open }) {
  const [next, found] = useState(/** @type {Schemas["MyGame"] | null} */ (null));
  useEffect(() => {
    const ended = new AbortController();
    found(null);
    if (!open && now().session) {
      pause(NEXT_MS, ended.signal).then(() => get("/v1/me/games?to_act=true&limit=2", { signal: ended.signal })).then(
        (page) => found(page.items.find((/** @type {Schemas["MyGame"]} */ game) => game.id !== id) ?? null),
        () => undefined,
      );
    }
    return () => ended.abort();
  }, [id, open]);
  return next && el("a", { class: "button next", href: `#/game/${next.id}` }, t("next_game"));
}

/** The score sheet, open once a hand has ended before the player's eyes; a tap on a row unfolds how it was calculated. @param {{table: Table}} props */
export function Sheet({ table }) {
  const { sheet, totals } = table.scene;
  const [first] = useState(sheet.length);
  const [opened, open] = useState(-1);
  const seats = seatLines(table);
  return el("details", { class: "sheet", open: sheet.length > first || table.view.game.status === "finished" },
    el("summary", null, t("sheet")),
    el("div", { class: "wide", role: "region", tabIndex: 0, "aria-label": t("sheet") }, el("table", null,
      el("thead", null, el("tr", null, el("th", { scope: "col" }, el("span", { class: "hearsay" }, t("sheet.hand"))), seats.map(({ seat, name }) => el("th", { key: seat, scope: "col" }, name)))),
      sheet.map((line, place) => el("tbody", { key: place },
        el("tr", { onClick: () => open(opened === place ? -1 : place) },
          el("th", { scope: "row" }, el("button", { type: "button", "aria-expanded": opened === place, "aria-label": line.name }, place + 1)),
          line.cells.map((cell, seat) => el("td", { key: seat, class: (line.scores[seat] ?? 0) < 0 ? "minus" : "" }, cell))),
        opened === place && el("tr", null, el("td", { class: "steps-of", colSpan: seats.length + 1 }, el("p", { "aria-hidden": true }, line.name), el("ol", null, line.steps.map((step, at) => el("li", { key: at }, step))))))),
      el("tfoot", null, el("tr", null, el("th", { scope: "row", "aria-label": t("sheet.sum") }, el("abbr", { title: t("sheet.sum") }, "Σ")), totals.map((total, seat) => el("td", { key: seat }, total)))))),
  );
}

/** A switch: moves without a choice are played by the service. On, it holds for every game that is opened. @param {{path: string}} props */
function Forced({ path }) {
  const [on, turn] = useState(now().settings.forced), asked = useRef(false); // a tap is not undone by what was read before it
  const [problem, setProblem] = useState(/** @type {unknown} */ (null));
  const set = async (/** @type {boolean | null} */ forced) => {
    const known = await request("GET", path), /** @type {Schemas["Plan"]} */ { steps, forced: was } = await known.json();
    if (forced !== null && was !== forced) await send("PUT", path, { body: { steps, forced }, match: known.headers.get("ETag") }).catch((late) => (late.status === 412 ? set(forced) : Promise.reject(late)));
    if (forced !== null || !asked.current) turn(forced ?? was);
  };
  useEffect(() => void set(now().settings.forced || null).catch(setProblem), [path]);
  return el("label", { class: "switch" },
    el("input", { type: "checkbox", "aria-label": t("forced"), "aria-describedby": "forced-why", checked: on, onChange: ({ currentTarget: { checked } }) => (turn(checked), (asked.current = true), prefer({ forced: checked }), void set(checked).then(() => setProblem(null), setProblem)) }),
    el("span", null, t("forced"), el("small", { id: "forced-why" }, t("forced.why"))), trouble(problem));
}

const focus = (/** @type {HTMLElement | null | undefined} */ each) => each?.focus();

/** @param {{id: string, table: Table}} props */
export function Agreements({ id, table }) {
  const [problem, setProblem] = useState(/** @type {unknown} */ (null));
  const [asked, setAsked] = useState(false);
  const { view, ruleset } = table;
  const { seat } = view.viewer, late = useLate(view);
  if (seat === null) return null;
  const path = `/v1/games/${encodeURIComponent(id)}`;
  /** @param {string} to @param {unknown} body */
  const send = (to, body) => (setProblem(null), post(at(`${path}/${to}`, { as: table.as }), body, { key: newKey() }).catch(setProblem));
  const running = view.game.status === "active" || view.game.status === "paused";
  return [
    trouble(problem),
    running && view.game.sandbox && view.decision && part(Hinted, { key: view.decision.id, id, as: seat }),
    late !== null && el("section", { class: "proposal", role: "status" },
      el("p", null, t("claim.late", { name: seatLines(table)[late]?.name ?? "" })),
      el("div", { class: "deciding" }, el("button", { type: "button", class: "primary", onClick: () => send("claim", {}) }, t("claim")))),
    view.proposals.map((/** @type {Schemas["Proposal"]} */ made) => part(ProposalView, { key: made.id, made, table, vote: (accept) => void send(`proposals/${made.id}/votes`, { accept }) })),
    view.game.status === "finished" && el("button", { type: "button", class: "primary again", onClick: () => void post(`${path}/rematch`, {}, { key: newKey() }).then((next) => (location.hash = `#/game/${next.game.id}`), setProblem) }, t("rematch")),
    running && part(Forced, { key: String(table.as), path: at(`${path}/plan`, { as: table.as }) }),
    running && el("details", { class: "agree" },
      el("summary", null, t("agree")),
      el("ul", null, Object.entries(ruleset.proposals).filter(([kind]) => isPossible(kind, view)).map(([kind, text]) =>
        el("li", { key: kind }, el("button", { type: "button", onClick: () => send("proposals", { kind }) }, t(`agree.${kind}`)), el("span", null, text)))),
      el("div", { class: "leaving" }, asked
        ? [
            el("p", { key: "sure", role: "alert" }, t("resign.sure")),
            el("button", { key: "yes", type: "button", class: "grave", onClick: () => (focus(document.querySelector("main")), send("resign", { confirm: true })) }, t("resign.yes")),
            el("button", { key: "back", ref: focus, type: "button", onClick: ({ currentTarget }) => (setAsked(false), focus(currentTarget.closest("details")?.querySelector("summary"))) }, t("back")),
          ]
        : el("button", { key: "resign", type: "button", onClick: () => setAsked(true) }, t("resign"))),
    ),
  ];
}

const people = () => import("./people.js");
/** What a bot would do in a seat, for whoever asks. @param {{id: string, as: number, version?: number}} props */
export function Hinted(props) {
  const there = useLater(people);
  return there && part(there.Hint, props);
}

/** Another seat whose time is up, where the clock waits until somebody says so. @param {any} view @returns {number | null} */
function useLate({ game, times, viewer }) {
  const [, look] = useState(0);
  const waits = game.status === "active" && game.clock?.on_timeout === "wait";
  const others = times.deadlines.filter((/** @type {{seat: number}} */ { seat }) => seat !== viewer.seat);
  const [first] = waits ? others.toSorted((/** @type {{at: string}} */ one, /** @type {{at: string}} */ two) => Date.parse(one.at) - Date.parse(two.at)) : [];
  const left = first ? Date.parse(first.at) - Date.now() : 0;
  useEffect(() => {
    const timer = setTimeout(() => look((before) => before + 1), Math.max(0, Math.min(left, LONGEST_TIMER_MS)));
    return () => clearTimeout(timer);
  }, [first?.at]);
  return first && left <= 0 ? first.seat : null;
}

/** @param {string} kind @param {any} view */
function isPossible(kind, view) {
  if (view.proposals.some((/** @type {{kind: string}} */ made) => made.kind === kind)) return false;
  if (kind === "take_back") return Boolean(view.take_back?.own);
  return (kind === "resume") === (view.game.status === "paused");
}

/** @param {{made: Schemas["Proposal"], table: Table, vote: (accept: boolean) => void}} props */
function ProposalView({ made, table, vote }) {
  const { view } = table;
  const name = (/** @type {number} */ seat) => seatLines(table).find((each) => each.seat === seat)?.name ?? "";
  const voted = made.accepted.includes(view.viewer.seat);
  return el("section", { class: "proposal", role: "alert" },
    el("p", null, t("proposed", { name: name(made.seat), what: t(`agree.${made.kind}`), others: list(made.accepted.map(name)) })),
    !voted && el("div", { class: "deciding" },
      el("button", { type: "button", onClick: () => vote(false) }, t("decline")),
      el("button", { type: "button", class: "primary", onClick: () => vote(true) }, t("accept"))),
  );
}

/** Find a section of the rules by its number or its title. @param {string} rules Markdown @param {string} name */
function section(rules, name) {
  const parts = rules.split(/^(?=#{1,4} )/m);
  const wanted = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  const found = parts.find((part) => {
    const title = (part.split("\n", 1)[0] ?? "").replace(/^#+ /, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
    return title === wanted || title.startsWith(`${wanted} `) || title.replace(/^\d+ /, "") === wanted;
  });
  if (!found) return null;
  const [title = "", ...rest] = found.split("\n");
  const paragraphs = rest.join("\n").split(/\n\s*\n/).map((text) => text.replace(/[*`]/g, "").trim()).filter(Boolean);
  return { title: title.replace(/^#+ /, ""), paragraphs };
}

/** Why something cannot be chosen, with the section of the rules. @param {{why: import("./game.js").Why, ruleset: Schemas["Ruleset"], close: () => void}} props */
export function Why({ why, ruleset, close }) {
  const rule = why.rule === null ? null : section(ruleset.rules, why.rule);
  return el("div", { class: "why", role: "alert" },
    el("p", null, why.detail),
    rule && el("details", null, el("summary", null, t("why.rule"), " ", el("span", { lang: "en" }, rule.title)), rule.paragraphs.map((text, place) => el("p", { key: place, lang: "en" }, text))),
    el("button", { type: "button", class: "close", "aria-label": t("close"), onClick: close }, "×"),
  );
}

/** Show how much time is left, every second. @param {{at: string}} props */
export function Clock({ at }) {
  const [left, setLeft] = useState(Date.parse(at) - Date.now());
  useEffect(() => {
    const tick = () => setLeft(Date.parse(at) - Date.now());
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [at]);
  const seconds = Math.max(0, Math.floor(left / 1000));
  const [days, hours] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const text = days > 0 ? t("left.days", { days, hours }) : `${hours ? `${hours}:` : ""}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return el("time", { class: seconds < 20 ? "clock late" : "clock", dateTime: at, role: "timer", "aria-live": "off" }, text);
}

/** A button that puts the hand into the next order. @param {string[]} orders @param {string} order */
export function ordering(orders, order) {
  const place = Math.max(0, orders.indexOf(order));
  const next = orders[(place + 1) % orders.length] ?? "";
  return el("button", { type: "button", class: "ordering", onClick: () => prefer({ order: next }) }, t("order", { order: t(`order.${orders[place]}`) }));
}
