/** What stands around a table, loaded once it is shown: what happened meanwhile, agreements, rules, and the call to a turn. */

import { el, language, list, now, part, prefer, read, t, write } from "../page.js";
import { at, call as send, get, newKey, pause, post, trouble } from "../sending.js";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { seatLines } from "./board.js";

/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {import("../table.js").Table} Table */

const MOST = 40;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a player sees above the table; a turn that comes meanwhile is announced. @param {{id: string, table: Table, turn: import("./game.js").Turn}} props */
export function Meanwhile({ id, table: { view, ruleset }, turn }) {
  const decision = view.decision?.id;
  const [opened] = useState(decision);
  useEffect(() => {
    if (decision && decision !== opened) void call(`${id} ${decision}`, { title: t("your_turn"), text: ruleset.name, address: `#/game/${id}` });
  }, [decision]);
  useEffect(() => {
    const workers = navigator.serviceWorker; // not there on plain http
    /** Say that this tab shows a game, to the worker that has a message about it. @param {MessageEvent} asked */
    const answer = ({ data, ports }) => data === id && ports[0]?.postMessage(data);
    workers?.addEventListener("message", answer);
    return () => workers?.removeEventListener("message", answer);
  }, [id]);
  if (view.viewer.seat === null) return null;
  return [part(Since, { id, as: view.viewer.seat, version: view.version }), part(NextGame, { id, open: turn.open })];
}

/** What happened since the viewer's last move, as it was when the page was opened. @param {{id: string, as: number, version: number}} props */
function Since({ id, as, version }) {
  const [said, say] = useState(/** @type {string[]} */ ([]));
  useEffect(() => {
    const ended = new AbortController();
    const query = { since: "my-last-move", as, lang: language(), limit: MOST };
    get(at(`/v1/games/${encodeURIComponent(id)}/events`, query), { signal: ended.signal }).then(
      (page) => say(page.events.flatMap((/** @type {{sentence: {text: string} | null}} */ { sentence }) => (sentence ? [sentence.text] : []))),
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
      get("/v1/me/games?to_act=true&limit=2", { signal: ended.signal }).then(
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
        opened === place && el("tr", null, el("td", { class: "steps-of", colSpan: seats.length + 1 }, el("p", null, line.name), el("ol", null, line.steps.map((step, at) => el("li", { key: at }, step))))))),
      el("tfoot", null, el("tr", null, el("th", { scope: "row" }, el("abbr", { title: t("sheet.sum"), "aria-label": t("sheet.sum") }, "Σ")), totals.map((total, seat) => el("td", { key: seat }, total)))))),
  );
}

/** A switch: moves without a choice are played by the service. On, it holds for every game that is opened. @param {{path: string}} props */
function Forced({ path }) {
  const [on, turn] = useState(now().settings.forced);
  const [problem, setProblem] = useState(/** @type {unknown} */ (null));
  const set = async (/** @type {boolean | null} */ forced) => {
    const { steps, forced: was } = await get(path);
    if (forced !== null && was !== forced) await send("PUT", path, { body: { steps, forced } });
    turn(forced ?? was);
  };
  useEffect(() => void set(now().settings.forced || null).catch(setProblem), [path]);
  return el("label", { class: "switch" },
    el("input", { type: "checkbox", checked: on, onChange: ({ currentTarget: { checked } }) => (turn(checked), prefer({ forced: checked }), void set(checked).then(() => setProblem(null), setProblem)) }),
    el("span", null, t("forced"), el("small", null, t("forced.why"))), trouble(problem));
}

/** @param {{id: string, table: Table}} props */
export function Agreements({ id, table }) {
  const [problem, setProblem] = useState(/** @type {unknown} */ (null));
  const [asked, setAsked] = useState(false);
  const { view, ruleset } = table;
  const { seat } = view.viewer;
  const late = useLate(view);
  if (seat === null) return null;
  const path = `/v1/games/${encodeURIComponent(id)}`;
  /** @param {string} to @param {unknown} body */
  const send = (to, body) => {
    setProblem(null);
    return post(at(`${path}/${to}`, { as: table.as }), body, { key: newKey() }).catch(setProblem);
  };
  const running = view.game.status === "active" || view.game.status === "paused";
  return [
    trouble(problem),
    late !== null && el("section", { class: "proposal", role: "status" },
      el("p", null, t("claim.late", { name: seatLines(table)[late]?.name ?? "" })),
      el("div", { class: "deciding" }, el("button", { type: "button", class: "primary", onClick: () => send("claim", {}) }, t("claim")))),
    view.proposals.map((/** @type {Schemas["Proposal"]} */ made) => part(ProposalView, { key: made.id, made, table, vote: (accept) => void send(`proposals/${made.id}/votes`, { accept }) })),
    view.game.status === "finished" && el("button", { type: "button", class: "primary again", onClick: async () => {
      const next = await post(`${path}/rematch`, {}, { key: newKey() }).catch(setProblem);
      if (next) location.hash = `#/game/${next.game.id}`;
    } }, t("rematch")),
    running && part(Forced, { key: String(table.as), path: at(`${path}/plan`, { as: table.as }) }),
    running && el("details", { class: "agree" },
      el("summary", null, t("agree")),
      el("ul", null, Object.entries(ruleset.proposals).filter(([kind]) => isPossible(kind, view)).map(([kind, text]) =>
        el("li", { key: kind }, el("button", { type: "button", onClick: () => send("proposals", { kind }) }, t(`agree.${kind}`)), el("span", null, text)))),
      el("div", { class: "leaving" }, asked
        ? [
            el("p", { role: "alert" }, t("resign.sure")),
            el("button", { type: "button", class: "grave", onClick: () => send("resign", { confirm: true }) }, t("resign.yes")),
            el("button", { type: "button", onClick: () => setAsked(false) }, t("back")),
          ]
        : el("button", { type: "button", onClick: () => setAsked(true) }, t("resign"))),
    ),
  ];
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

const HELD_MS = 5000;
const HEAD_START_MS = 300;
const NOTES = [[660, 0], [880, 0.13]];
const LASTS_S = 0.3;
const QUIET = 0.0001;
const LOUD = 0.12;

/** @typedef {{title: string, text: string, address: string}} Message */

/** @type {AudioContext | undefined} */
let audio;

/**
 * Call the player to a turn, unless it comes before their eyes; only one of the tabs does so.
 * @param {string} key  what is announced once @param {Message} message
 */
export async function call(key, message) {
  const seen = document.hasFocus();
  if (!seen) await pause(HEAD_START_MS); // a tab that the player looks at comes first
  const first = () => seen || announce(message);
  if (navigator.locks) {
    await navigator.locks.request(`turn ${key}`, { ifAvailable: true }, (lock) => (lock ? (first(), pause(HELD_MS)) : undefined));
  } else if (read("called", "") !== key) {
    write("called", key); // on plain http there are no locks
    first();
  }
}

/** @param {Message} message */
function announce({ title, text, address }) {
  if (now().settings.sound) chime();
  if (now().settings.notify !== "page" || Notification.permission !== "granted") return; // a push comes by itself
  try {
    const shown = new Notification(title, { body: text });
    shown.onclick = () => {
      focus();
      location.hash = address;
      shown.close();
    };
  } catch {
    // phones show notifications only from a service worker
  }
}

/** Play two short notes; a browser that has seen no tap yet stays silent. */
function chime() {
  audio ??= new AudioContext();
  for (const [pitch = 0, after = 0] of NOTES) {
    const [tone, volume, start] = [audio.createOscillator(), audio.createGain(), audio.currentTime + after];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUD, start);
    volume.gain.exponentialRampToValueAtTime(QUIET, start + LASTS_S);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + LASTS_S);
  }
}

/** Find a section of the rules by its number or its title. @param {string} rules Markdown @param {string} name */
export function section(rules, name) {
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
