/** What stands around a table, loaded once it is shown: what has happened, the score sheet, and why something is refused. */

import { el, language, now, part, prefer, t } from "../page.js";
import { at, get, newKey, pause, post, Problem } from "../sending.js";
import { finishedAction } from "../slots.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../vendor/hooks.mjs";
import { play } from "../sound.js";
import { isLaid, portrait, seatLines, useLater } from "./table_elements.js";

/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {import("../slots.js").Action} Action */
/** @typedef {import("../table.js").Table} Table */
/** @typedef {import("./game.js").Why} Why */

/** How many of the events since the last move are shown, the latest, of as many as the service sends at once. */
const [MOST, PAGE] = [40, 1000];
/** For how long it has not been the player's turn before another game is offered. */
const NEXT_MS = 1500;
const [MALFORMED, NOT_NOW] = [400, 409];
/** How far from its end a log is still read at its end. */
const NEAR = 8;

const people = () => import("./people.js");

/** How many cards players have laid, and whether they are another trick. @param {Table} table */
const laidIn = ({ scene: { rows } }) => rows.find(isLaid)?.things.map(({ pick }) => pick) ?? [];

/** Play what is heard at a table: cards, tricks, the viewer's turn, and how a hand ends for them. @param {{table: Table, open: boolean}} props */
export function Sounds({ table, open }) {
  const before = useRef(table);
  useEffect(() => {
    const [old, cards] = [laidIn(before.current), laidIn(table)];
    const ends = table.ends || table.view.game.status === "finished";
    const ended = before.current.ends || before.current.view.game.status === "finished";
    before.current = table;
    if (ends && !ended) play(isWon(table) ? "win" : "loss");
    else if (old.length > 0 && !cards.includes(old[0] ?? null)) play("trick");
    else if (cards.length > old.length) play("card");
    else if (open && document.hasFocus()) play("turn");
  }, [table, open]);
  return null;
}

/** Whether the viewer has won what has just ended. @param {Table} table */
function isWon({ scene, view }) {
  const seat = view.viewer.seat;
  return view.game.outcome?.winners.includes(seat) ?? (scene.sheet.at(-1)?.scores[seat] ?? 0) > 0;
}

/** What a player sees below the board, so that it pushes nothing down; a turn that comes while it is open is announced. @param {{id: string, table: Table, turn: import("./game.js").Turn}} props */
export function SidePanel({ id, table: { view, ruleset }, turn }) {
  const decision = view.decision?.id;
  const [opened] = useState(decision);
  useEffect(() => {
    if (!decision || decision === opened) return;
    const message = { title: t("your_turn"), text: ruleset.name, address: `#/game/${id}` };
    void people().then(
      ({ call }) => call(`${id} ${decision}`, message),
      () => undefined,
    );
  }, [decision]);
  useEffect(() => {
    // Not there on plain http.
    const workers = navigator.serviceWorker;
    /** Say that this tab shows a game, to the worker that has a message about it. @param {MessageEvent} asked */
    const answer = ({ data, ports }) => data === id && ports[0]?.postMessage(data);
    workers?.addEventListener("message", answer);
    return () => workers?.removeEventListener("message", answer);
  }, [id]);
  if (view.viewer.seat === null) return null;
  return [part(Since, { id, as: view.viewer.seat, version: view.version }), part(NextGame, { id, open: turn.open })];
}

/** Keep the focus at the table when what had it goes: in the same row, else where the next choice will be. */
export function KeptFocus() {
  const had = useRef(/** @type {{each: Element, row: string} | null} */ (null));
  useEffect(() => {
    const note = (/** @type {FocusEvent} */ { target }) => {
      const each = /** @type {Element} */ (target).closest(".felt *, .dock *");
      const row = each?.closest("[data-row]")?.getAttribute("data-row");
      had.current = each && { each, row: row ? `[data-row="${row}"] ` : ":is(.felt, .dock) " };
    };
    addEventListener("focusin", note);
    return () => removeEventListener("focusin", note);
  }, []);
  // After the frame, for to move the focus takes time.
  useEffect(() => {
    const { activeElement, body } = document;
    if (activeElement !== body || !had.current || had.current.each.isConnected) return;
    const near = [`${had.current.row}[tabindex="0"]`, '.dock button:enabled:not([tabindex="-1"])', "main"].flatMap(
      (each) => document.querySelector(each) ?? [],
    );
    near.find((each) => each instanceof HTMLElement || each instanceof SVGElement)?.focus({ preventScroll: true });
  });
  return null;
}

const cribs = () => import("./crib.js");
/** For how many milliseconds a finger is held on what it looks up. */
const HELD_MS = 500;

/** The crib, once it is asked for: by a button, by a tap on what the players play for, or by a long press, a right click or the key of menus on anything at the table. @param {{ruleset: Schemas["Ruleset"], opened: boolean, open: (opened: boolean) => void}} props */
export function LookUp({ ruleset, opened, open }) {
  const [about, set] = useState(/** @type {import("./crib.js").About | null} */ (null));
  const module = useLater(cribs, opened);
  useEffect(() => {
    const ended = new AbortController();
    let held = 0;
    let isHeld = false;
    const at = (/** @type {Event} */ { target }) => {
      const each = /** @type {Element} */ (target);
      return each.closest(".felt, .seats, .dock, .told, .sheet, .bar h1, .because") && each;
    };
    const look = (/** @type {Element} */ each) =>
      void cribs().then(
        ({ aboutOf }) => (set(aboutOf(each)), open(true)),
        () => undefined,
      );
    const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ act) =>
      addEventListener(type, act, { signal: ended.signal });
    on("contextmenu", (event) => {
      const each = at(event);
      // What a browser does with text that is selected is worth more: copy it, or translate it.
      const isText = getSelection()?.isCollapsed === false && !each?.closest("[data-pick], [data-motion]");
      if (each && !isText) (event.preventDefault(), look(each));
    });
    // The click that ends a held press; a phone without menus sends it.
    const swallow = (/** @type {MouseEvent} */ event) => {
      if (isHeld && event.detail > 0) (event.stopPropagation(), event.preventDefault());
      isHeld = false;
    };
    addEventListener("click", swallow, { capture: true, signal: ended.signal });
    on("click", ({ target }) => target.closest(".plaque") && look(target.closest(".plaque")));
    on("pointerdown", (event) => {
      const each = at(event);
      isHeld = false;
      if (each && event.pointerType === "touch") held = setTimeout(() => ((isHeld = true), look(each)), HELD_MS);
    });
    for (const type of ["pointerup", "pointercancel", "pointermove"]) on(type, () => clearTimeout(held));
    return () => (clearTimeout(held), ended.abort());
  }, []);
  if (!opened || !module) return null;
  const close = () => (set(null), open(false));
  return part(module.Crib, { ruleset, about: about ?? { name: "", code: "", text: "" }, close });
}

/** What happened since the viewer's last move, as it was when the page was opened; nothing before any move. @param {{id: string, as: number, version: number}} props */
function Since({ id, as, version }) {
  const [said, say] = useState(/** @type {string[]} */ ([]));
  const [moves, count] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    get(
      at(`/v1/games/${encodeURIComponent(id)}/events`, { since: "my-last-move", as, lang: language(), limit: PAGE }),
      { signal: ended.signal },
    ).then(
      (page) =>
        page.events[0]?.version > 1 &&
        (count(page.events.filter((/** @type {{seat: number | null}} */ { seat }) => seat !== null).length),
        say(
          page.events.flatMap((/** @type {{sentence: {text: string} | null}} */ { sentence }) =>
            sentence ? [sentence.text] : [],
          ),
        )),
      () => undefined,
    );
    return () => ended.abort();
  }, [id]);
  const [first] = useState(version);
  if (first !== version || said.length === 0 || moves === 0) return null;
  return el(
    "details",
    { class: "since" },
    el("summary", null, t("since", { n: moves })),
    el(
      "ol",
      { start: Math.max(1, said.length - MOST + 1) },
      said.slice(-MOST).map((text, place) => el("li", { key: place }, text)),
    ),
    el("button", { type: "button", onClick: () => say([]) }, t("close")),
  );
}

/** A way to the next game in which it is my turn, while it is not in this one. @param {{id: string, open: boolean}} props */
function NextGame({ id, open }) {
  const [next, setNext] = useState(/** @type {Schemas["MyGame"] | null} */ (null));
  useEffect(() => {
    const ended = new AbortController();
    setNext(null);
    if (!open && now().session) {
      pause(NEXT_MS, ended.signal)
        .then(() => get("/v1/me/games?to_act=true&limit=2", { signal: ended.signal }))
        .then(
          (page) => setNext(page.items.find((/** @type {Schemas["MyGame"]} */ game) => game.id !== id) ?? null),
          () => undefined,
        );
    }
    return () => ended.abort();
  }, [id, open]);
  return next && el("a", { class: "button next", href: `#/game/${next.id}` }, t("next_game"));
}

/** The score sheet; a tap on a row unfolds how it was calculated. @param {{table: Table}} props */
export function Sheet({ table }) {
  const { sheet, totals } = table.scene;
  const [opened, open] = useState(-1);
  const seats = seatLines(table);
  return el(
    "details",
    { class: "sheet", open: sheet.length > 0 },
    el("summary", null, t("sheet")),
    el(
      "div",
      { class: "wide", role: "region", tabIndex: 0, "aria-label": t("sheet") },
      el(
        "table",
        null,
        el(
          "thead",
          null,
          el(
            "tr",
            null,
            el("th", { scope: "col" }, el("span", { class: "hearsay" }, t("sheet.hand"))),
            seats.map((line) =>
              el("th", { key: line.seat, scope: "col" }, portrait(line), el("span", null, line.name)),
            ),
          ),
        ),
        sheet.map((line, place) =>
          el(
            "tbody",
            { key: place },
            el(
              "tr",
              { onClick: () => open(opened === place ? -1 : place) },
              el(
                "th",
                { scope: "row" },
                el("button", { type: "button", "aria-expanded": opened === place, "aria-label": line.name }, place + 1),
              ),
              line.cells.map((cell, seat) =>
                el("td", { key: seat, class: (line.scores[seat] ?? 0) < 0 ? "minus" : "" }, cell),
              ),
            ),
            opened === place &&
              el(
                "tr",
                null,
                el(
                  "td",
                  { class: "steps-of", colSpan: seats.length + 1 },
                  el("p", { "aria-hidden": true }, line.name),
                  el(
                    "ol",
                    null,
                    line.steps.map((step, at) => el("li", { key: at }, step)),
                  ),
                ),
              ),
          ),
        ),
        el(
          "tfoot",
          null,
          el(
            "tr",
            null,
            el("th", { scope: "row", "aria-label": t("sheet.sum") }, el("abbr", { title: t("sheet.sum") }, "Σ")),
            totals.map((total, seat) => el("td", { key: seat }, total)),
          ),
        ),
      ),
    ),
  );
}

/** What has happened. A reader at its end sees new lines; a reader who has scrolled up stays there. @param {{log: import("../table.js").Line[]}} props */
export function Log({ log }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [log.at(-1)?.version]);
  return el(
    "section",
    { class: "log" },
    el("h2", null, t("log")),
    el(
      "div",
      {
        ref: box,
        class: "told",
        role: "log",
        "aria-live": "polite",
        tabIndex: 0,
        "aria-label": t("log"),
        onScroll: ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          void (atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR),
      },
      el(
        "ol",
        null,
        log.map(({ version, sentence }) => sentence && el("li", { key: version }, sentence.text)),
      ),
    ),
  );
}

/** @param {Problem} problem @returns {Why} */
export const reason = (problem) => ({
  detail: problem.message,
  rule: typeof problem.body["rule"] === "string" ? problem.body["rule"] : null,
});

/** Ask whether an action would be accepted; null if it would. It raises an error if the game has moved on, or no such action can be. @param {string} trial where it is tried @param {Action} action @returns {Promise<Why | null>} */
export const refusal = (trial, action) =>
  post(trial, action, { key: newKey() }).then(
    () => null,
    (error) => {
      if (error instanceof Problem && ![MALFORMED, NOT_NOW].includes(error.status)) return reason(error);
      throw error;
    },
  );

/**
 * Say why a thing that is not lit cannot be chosen. The service is asked, with the thing in place of a legal value; where
 * there is nowhere to ask, or nothing to ask, the scene may know. A player who waits can still touch the board.
 * @param {Table} table @param {string} pick @param {string | null} trial @returns {Promise<Why | null>}
 */
export async function explained({ scene, leaves }, pick, trial) {
  const thing = scene.rows.flatMap(({ things }) => things).find((each) => each.pick === pick);
  if (!thing && leaves.length === 0) return null;
  const action = trial && supposed(leaves, pick);
  const refused = action && (await refusal(trial, action).catch(() => null));
  return refused || { detail: thing?.refused || t("why.not_now"), rule: null };
}

/** An action that has this thing, or this value of a field (`bid.contract:petite`), in place of a legal one; null if no field takes it. @param {Table["leaves"]} leaves @param {string} pick @returns {Action | null} */
function supposed(leaves, pick) {
  for (const leaf of leaves) {
    const [kind] = leaf.slots.find(({ path }) => path === "type")?.values ?? [];
    const slot = leaf.slots.find(
      (each) =>
        each.values.length > 0 &&
        ((each.kind && pick.startsWith(`${each.kind}:`)) || pick.startsWith(`${kind}.${each.path}:`)),
    );
    if (!slot) continue;
    const text = pick.slice(pick.indexOf(":") + 1);
    const value = typeof slot.values[0] === "number" ? Number(text) : text;
    const filled = new Map(leaf.slots.map((each) => [each.path, each.values.slice(0, each.bag?.min ?? 1)]));
    filled.set(slot.path, [value, ...(filled.get(slot.path) ?? []).slice(1)]);
    return structuredClone(finishedAction({ slots: leaf.slots, empty: leaf.empty }, filled));
  }
  return null;
}

/** Find a section of the rules by its number or its title. @param {string} rules Markdown @param {string} name */
function section(rules, name) {
  const parts = rules.split(/^(?=#{1,4} )/m);
  const heading = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  const match = parts.find((part) => {
    const title = (part.split("\n", 1)[0] ?? "")
      .replace(/^#+ /, "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    return title === heading || title.startsWith(`${heading} `) || title.replace(/^\d+ /, "") === heading;
  });
  if (!match) return null;
  const [title = "", ...rest] = match.split("\n");
  const paragraphs = rest
    .join("\n")
    .split(/\n\s*\n/)
    .map((text) => text.replace(/[*`]/g, "").trim())
    .filter(Boolean);
  return { title: title.replace(/^#+ /, ""), paragraphs };
}

/** Why something cannot be chosen, with the section of the rules. @param {{why: Why, ruleset: Schemas["Ruleset"], close: () => void}} props */
export function Why({ why, ruleset, close }) {
  const rule = why.rule === null ? null : section(ruleset.rules, why.rule);
  return el(
    "div",
    { class: "why", role: "alert" },
    el("p", null, why.detail),
    rule &&
      el(
        "details",
        null,
        el("summary", null, t("why.rule"), " ", el("span", { lang: "en" }, rule.title)),
        rule.paragraphs.map((text, place) => el("p", { key: place, lang: "en" }, text)),
      ),
    el("button", { type: "button", class: "close", "aria-label": t("close"), onClick: close }, "×"),
  );
}

/** A button that puts the hand into the next order. @param {string[]} orders @param {string} order */
export function ordering(orders, order) {
  const place = Math.max(0, orders.indexOf(order));
  const next = orders[(place + 1) % orders.length] ?? "";
  return el(
    "button",
    { type: "button", class: "ordering", onClick: () => prefer({ order: next }) },
    t("order", { order: t(`order.${orders[place]}`) }),
  );
}
