/** The end of a hand or of a game: who has won and why, what each player gets, how it was counted, and what comes next. */

import { el, list, now, part, t } from "../page.js";
import { at } from "../sending.js";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";
import { GoalView, portrait, seatLines, useLater } from "./table_elements.js";

/** @typedef {import("../table.js").Table} Table */
/** @typedef {import("./table_elements.js").SeatLine} SeatLine */

const offline = () => import("../offline.js");
const agreements = () => import("./agreements.js");

/** Who has won a hand: who got points, or else who lost none while others did. @param {number[]} scores @returns {number[]} */
function winnersOf(scores) {
  const seats = [...scores.keys()];
  const [best, worst] = [Math.max(...scores), Math.min(...scores)];
  return best > 0
    ? seats.filter((seat) => (scores[seat] ?? 0) > 0)
    : worst < 0
      ? seats.filter((seat) => !scores[seat])
      : [];
}

/** @param {SeatLine[]} winners @param {number} seats */
function verdict(winners, seats) {
  const others = winners.filter(({ viewer }) => !viewer).map(({ name }) => name);
  if (winners.length === 0 || winners.length === seats) return t("end.nobody");
  if (others.length < winners.length)
    return others.length ? t("end.you_and", { names: list([t("end.self"), ...others]) }) : t("end.you");
  return t("end.they", { names: list(others), n: others.length });
}

/**
 * The end of a hand or a game, over the table until the player asks for the next; alone against bots, that comes by itself at `until`.
 * @param {{id: string, table: Table, next: (() => void) | null, until: number | null, close: () => void}} props
 */
export function Ending({ id, table, next, until, close }) {
  const { scene, view } = table;
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [went, go] = useState(false);
  const over = view.game.status === "finished";
  const agreed = useLater(agreements, over);
  useEffect(() => {
    place.current?.focus();
    if (over)
      void offline()
        .then(({ keep }) => keep(id, table.ruleset.name, view.viewer.seat))
        .catch(() => undefined);
  }, []);
  const seats = seatLines(table);
  const line = scene.sheet.at(-1);
  const { winners = [], scores = [] } = over ? (view.game.outcome ?? {}) : { winners: winnersOf(line?.scores ?? []) };
  const won = seats.filter(({ seat }) => winners.includes(seat));
  const rank = (/** @type {number} */ seat) =>
    1 + scores.filter((/** @type {number} */ score) => score > scores[seat]).length;
  const ranked = line && new Set(scores).size > 1;
  const shown = over ? seats.toSorted((one, other) => rank(one.seat) - rank(other.seat)) : seats;
  return el(
    "section",
    {
      class: "ending",
      role: "dialog",
      "aria-modal": true,
      "aria-labelledby": "ending",
      ref: place,
      tabIndex: -1,
      onKeyDown: (event) => event.key === "Escape" && close(),
    },
    el(
      "div",
      { class: "sheet-of" },
      el(
        "p",
        { class: "winners", "aria-hidden": true },
        won.map((each) => el("span", { key: each.seat, class: each.viewer ? "you" : "" }, portrait(each))),
      ),
      el("h2", { id: "ending" }, verdict(won, seats.length)),
      el("p", { class: "because" }, line?.name ?? scene.lines.at(-1)),
      scene.goals.map((goal, at) => part(GoalView, { key: at, goal })),
      el(
        "ul",
        { class: "results" },
        shown.map((each) =>
          el(
            "li",
            { key: each.seat, class: each.viewer ? "you" : "" },
            portrait(each),
            el("span", { class: "name" }, each.viewer ? t("end.self") : each.name),
            line && el("b", { class: worth(line.scores[each.seat]) }, line.cells[each.seat] || "\u2013"),
            scene.totals[each.seat] && el("small", null, t("end.total", { total: scene.totals[each.seat] ?? "" })),
            over && ranked && el("small", null, t("end.place", { place: rank(each.seat) })),
          ),
        ),
      ),
      line &&
        line.steps.length > 0 &&
        el(
          "details",
          { open: !over },
          el("summary", null, t("end.counted")),
          el(
            "ol",
            null,
            line.steps.map((step, at) => el("li", { key: at }, step)),
          ),
        ),
      el(
        "div",
        { class: "deciding" },
        next &&
          el(
            "button",
            {
              type: "button",
              class: "primary",
              disabled: went,
              style: until === null ? {} : { "--ms": Math.max(0, until - Date.now()) },
              onClick: () => (go(true), next()),
            },
            t("end.next"),
          ),
        over &&
          view.viewer.seat !== null &&
          agreed &&
          part(agreed.Rematch, { path: `/v1/games/${encodeURIComponent(id)}`, table }),
        el("button", { type: "button", onClick: close }, t("end.table")),
        over &&
          now().session &&
          el("a", { class: "button", href: at(`#/game/${id}`, { at: view.version, as: table.as }) }, t("end.mistakes")),
      ),
    ),
  );
}

/** @param {number | undefined} score */
const worth = (score = 0) => (score > 0 ? "plus" : score < 0 ? "minus" : "");
