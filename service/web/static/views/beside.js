/** What stands beside the table: the players, and what has happened. */

import { el, part } from "../el.js";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";
import { t } from "../words.js";
import { standing } from "./things.js";

/** @typedef {import("../play.js").Turn} Turn */
/** @typedef {import("../table.js").SeatLine} SeatLine */
/** @typedef {import("../table.js").Table} Table */

/** @param {{table: Table, turn: Turn}} props */
export function Seats({ table, turn }) {
  const { seats, view } = table;
  const has = (/** @type {keyof SeatLine} */ field) => seats.some((line) => line[field] !== null);
  return el(
    "table",
    { class: "seats" },
    el("caption", { class: "hearsay" }, t("seats")),
    el("thead", { class: "hearsay" }, el("tr", null, el("th", { scope: "col" }, t("seats.name")), has("cards") && el("th", { scope: "col" }, t("seats.cards")), has("score") && el("th", { scope: "col" }, t("seats.score")))),
    el("tbody", null, seats.map((line) => part(SeatView, { key: line.seat, line, turn, deadline: deadlineOf(view, line.seat), has }))),
  );
}

/** @param {any} view @param {number} seat @returns {string | null} */
const deadlineOf = (view, seat) => view.times.deadlines.find((/** @type {{seat: number}} */ each) => each.seat === seat)?.at ?? null;

/** @param {{line: SeatLine, turn: Turn, deadline: string | null, has: (field: keyof SeatLine) => boolean}} props */
function SeatView({ line, turn, deadline, has }) {
  const { pick } = line;
  const { lit, chosen, style } = standing(pick, turn);
  const name = [line.name, (line.viewer || line.bot) && el("small", null, ` ${line.viewer ? t("seats.you") : t("seats.bot")}`)];
  return el(
    "tr",
    { class: `${line.to_act ? "acting" : ""}${line.viewer ? " viewer" : ""}`, "data-seat": line.seat },
    el("th", { scope: "row" },
      el("div", { class: "seat-line" },
        el("span", { class: `side ${line.side ?? "none"}`, "aria-hidden": true }),
      pick !== null && (lit || chosen)
        ? el("button", { type: "button", class: `seat-pick${style}`, "aria-pressed": chosen, "data-pick": pick, onClick: () => turn.tap(pick) }, name)
        : el("span", { class: "seat-name" }, name),
      line.to_act && el("span", { class: "hearsay" }, t("seats.acting")),
      deadline && part(Clock, { at: deadline })),
      line.note && el("span", { class: "seat-note" }, line.note)),
    has("cards") && el("td", { class: "held" }, line.cards === null ? "" : t("cards", { n: line.cards })),
    has("score") && el("td", { class: "score" }, line.score === null ? "" : signed(line.score)),
  );
}

/** @param {number} score */
const signed = (score) => (score > 0 ? `+${score}` : score < 0 ? `−${-score}` : "0");

/** Show how much time is left, every second. @param {{at: string}} props */
function Clock({ at }) {
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

/** @param {{told: import("../table.js").Told[]}} props */
export function Log({ told }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  useEffect(() => {
    const at = box.current;
    if (at) at.scrollTop = at.scrollHeight;
  }, [told.length]);
  return el(
    "section",
    { class: "log" },
    el("h2", null, t("log")),
    el("div", { ref: box, class: "told", role: "log", "aria-live": "polite", tabIndex: 0, "aria-label": t("log") },
      el("ol", null, told.map(({ version, sentence }) => sentence && el("li", { key: version }, sentence.text)))),
  );
}
