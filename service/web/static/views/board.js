/** The table on the page: whose turn it is, the scene, the players, what a seat holds and can choose, and the log. */

import { el, list, now, part, prefer, styled, t } from "../page.js";
import { useMemo, useState } from "../vendor/hooks.mjs";
import {
  FEW,
  GoalView,
  isLaid,
  portrait,
  RowView,
  seatLines,
  SETTLED_MS,
  StageView,
  standing,
  useGuard,
  useLater,
  useMotion,
  useSince,
} from "./table_elements.js";

/** @typedef {import("./table_elements.js").SeatLine} SeatLine */
/** @typedef {import("../page.js").Children} Children */
/** @typedef {import("../table.js").Row} Row */
/** @typedef {import("../table.js").Table} Table */
/** @typedef {import("./game.js").Turn} Turn */

const nothing = () => undefined;
/** What a spectator can do. @type {Turn} */
export const WATCHING = {
  choice: {
    lit: new Set(),
    chosen: new Set(),
    groups: [],
    counter: null,
    left: [],
    ready: null,
    says: null,
    finished: false,
    exact: true,
  },
  steps: [],
  progress: null,
  why: null,
  checked: false,
  open: false,
  take: nothing,
  instead: nothing,
  set: nothing,
  tap: nothing,
  back: nothing,
  confirm: nothing,
  understood: nothing,
};

/**
 * Show a table, and what a seat can choose; one of the past shows what happened then, and its own controls. `said` is
 * what was just said, by seat; `log` what has happened; `over` lies over the table; `out` where the way out leads, if there is one.
 * @param {{table: Table, turn: Turn, past?: string, said?: Map<number, string> | undefined, log?: import("../table.js").Line[], above?: Children, dock?: Children, beside?: Children, over?: Children, out?: string}} props
 */
export function Board({ table, turn, past, said, log, above, dock, beside, over, out = "#/" }) {
  const { scene, view, ruleset } = table;
  const place = useMotion(view.version);
  const more = useMore();
  const [opened, open] = useState(matchMedia(ROOMY).matches);
  const [looks, look] = useState(false);
  const { sort, orders = [] } = table.refine ?? {};
  const { first, order, sound } = now().settings;
  const rows = sort ? scene.rows.map((row) => sort(row, order)) : scene.rows;
  const held = rows.filter((row) => row.mine);
  const own = new Set(held.flatMap(({ things }) => things.map(({ pick }) => pick)));
  const laid = rows.filter((row) => !row.mine && isLaid(row));
  const others = rows.filter((row) => !row.mine && !isLaid(row));
  // Beside a board, what belongs to a player lies before them; elsewhere, the cards that are played need the room.
  const owned = others.filter((row) => scene.stage && row.seat !== null && row.things.length > 0);
  const shared = others.filter((row) => row.seat === null || (!scene.stage && row.things.length > 0));
  const at = placesOf(scene);
  const row = (/** @type {Row} */ each) => part(RowView, { key: each.id, row: each, turn, at, held: own });
  const touch = (/** @type {Event} */ { target, type }) => {
    const each = /** @type {Element} */ (target);
    // A focus that was only kept touches nothing.
    if (type === "pointerover" || each.matches(":focus-visible"))
      turn.touch?.(each.closest("[data-pick]")?.getAttribute("data-pick") ?? null);
  };
  const guard = useGuard();
  /** Open the panel when a key leads into it. @param {FocusEvent} event */
  const sought = ({ target }) => {
    const each = /** @type {Element} */ (target);
    if (!opened && each.matches(":focus-visible")) open(true);
  };
  const whole = {
    class: `game seats-${scene.seats.length}${past === undefined ? "" : " past"}${view.game.sandbox ? " sandbox" : ""}${scene.stage ? " boarded" : ""}${opened ? " opened" : ""}`,
    style: { "--others": scene.seats.length - 1 },
    ref: place,
    "data-version": view.version,
    "data-status": view.game.status,
  };
  const me = seatLines(table).find(({ viewer }) => viewer);
  const parts = [
    el(
      "div",
      { class: "table" },
      el(
        "header",
        null,
        el(
          "div",
          { class: "bar" },
          out && el("a", { class: "button tool", href: out, "aria-label": t("game.out") }, el("span", null, "‹")),
          el(
            "h1",
            null,
            el("small", null, ruleset.name, view.game.sandbox && ` · ${t("sandbox")}`),
            el("span", null, scene.title),
          ),
          ruleset.rules &&
            el(
              "button",
              { type: "button", class: "tool", "aria-label": t("crib"), onClick: () => look(true) },
              el("span", { "aria-hidden": true }, "?"),
            ),
          past === undefined &&
            el(
              "button",
              {
                type: "button",
                class: "tool sound",
                "aria-pressed": sound,
                "aria-label": t("sound"),
                onClick: () => prefer({ sound: !sound }),
              },
              el("span", { "aria-hidden": true }, "♪"),
            ),
          el(
            "button",
            {
              type: "button",
              class: "tool",
              "aria-expanded": opened,
              "aria-label": t("beside"),
              onClick: () => open(!opened),
            },
            el("span", { "aria-hidden": true }, "☰"),
          ),
        ),
        past === undefined
          ? el(
              "p",
              {
                class: `whose${turn.open ? " turn" : ""}`,
                role: "status",
                "aria-live": turn.open ? "assertive" : "polite",
              },
              me && portrait(me),
              el("span", null, whose(table, turn)),
            )
          : el("p", { class: "whose happened", role: "status" }, past),
      ),
      above && el("div", { class: "above" }, above),
      el(
        "div",
        { class: "felt" },
        (scene.lines.length > 0 || scene.goals.length > 0) &&
          el(
            "div",
            { class: "plaque" },
            el(
              "ul",
              { class: "lines" },
              scene.lines.map((text, at) => el("li", { key: at }, text)),
            ),
            scene.goals.map((goal, at) => part(GoalView, { key: at, goal })),
          ),
        el(
          "div",
          { class: "scene" },
          scene.stage && part(StageView, { stage: scene.stage, turn }),
          el(
            "div",
            { class: "rows" },
            laid.map(row),
            scene.seats.map(
              ({ seat }) =>
                owned.some((each) => each.seat === seat) &&
                el(
                  "div",
                  { key: seat, class: "owned", style: /** @type {any} */ (at[seat]) },
                  owned.filter((each) => each.seat === seat).map(row),
                ),
            ),
            el("div", { class: laid.length || scene.stage ? "corner" : "middle" }, shared.map(row)),
          ),
        ),
      ),
    ),
    el(
      "div",
      { class: "dock" },
      dock ? el("div", { class: "acts" }, dock) : part(Choices, { table, turn, more }),
      el("div", { class: "hands" }, held.map(row)),
    ),
  ];
  return el(
    "div",
    {
      ...whole,
      onClickCapture: (event) => {
        const { target } = /** @type {{target: any}} */ (event);
        // A tap beside an open sheet closes it.
        if (opened && !matchMedia(ROOMY).matches && !target.closest(".beside, .bar, .ending, .crib"))
          (event.stopPropagation(), open(false));
        else if (past === undefined) guard(event);
      },
      onPointerOver: touch,
      onFocusIn: touch,
      onKeyDown: ({ key }) => {
        if (key !== "Escape") return;
        if (opened && !matchMedia(ROOMY).matches) open(false);
        else turn.back();
      },
    },
    // In the order of reading; it looks the same.
    first ? parts.reverse() : parts,
    part(Seats, { table, turn, said, at }),
    el(
      "aside",
      {
        class: "beside",
        "aria-label": t("beside"),
        onFocusIn: sought,
      },
      more && scene.sheet.length > 0 && part(more.Sheet, { table }),
      beside,
      more && orders.length > 0 && held.length > 0 && more.ordering(orders, order),
      more && log && part(more.Log, { log }),
    ),
    over,
    more && ruleset.rules && part(more.LookUp, { ruleset, opened: looks, open: look }),
    more && part(more.KeptFocus, {}),
  );
}

/** Where the side panel does not take the room of the table. */
const ROOMY = "(min-width: 75rem) and (min-height: 40rem)";

/** @typedef {{"--x": number, "--y": number, "--e": number, "--r": number, "--f": number}} Place  from the middle: across, and down; at which edge of a board, and how far down there; how far from the left among the others */

/** Where the seats are around the table, by number; the viewer's is the lowest. @param {Table["scene"]} scene @returns {Record<number, Place>} */
function placesOf({ seats, rows, counterclockwise }) {
  const seen = rows.find(({ mine }) => mine)?.seat;
  const near = Math.max(
    0,
    seats.findIndex(({ viewer, seat }) => viewer || seat === seen),
  );
  const turn = ((counterclockwise ? 2 : -2) * Math.PI) / seats.length;
  const around = seats.map(({ seat }, place) => {
    const [x, y] = [Math.sin(turn * (place - near)), Math.cos(turn * (place - near))];
    const after = (place - near + seats.length) % seats.length;
    const along = (after - 0.5) / (seats.length - 1);
    return { seat, near: place === near, x, y, edge: x < -0.01 ? -1 : 1, left: counterclockwise ? 1 - along : along };
  });
  return Object.fromEntries(
    around.map(({ seat, x, y, edge, left }) => {
      const beside = around.filter((each) => each.edge === edge && !each.near);
      const above = beside.filter((each) => each.y < y);
      const down = (2 * above.length + 1) / beside.length - 1;
      return [seat, { "--x": +x.toFixed(3), "--y": +y.toFixed(3), "--e": edge, "--r": +down.toFixed(3), "--f": left }];
    }),
  );
}

const beside = () =>
  Promise.all([import("./side_panel.js"), import("./choosing.js"), styled("beside.css")]).then(([panel, choosing]) => ({
    ...panel,
    ...choosing,
  }));
/** What stands around a table. */
export const useMore = () => useLater(beside);

const agreed = () => import("./agreements.js");
/** What concerns the people at it, and their time. @param {boolean} [needed] */
export const useAgreed = (needed) => useLater(agreed, needed);

/** @param {Table} table @param {Turn} turn */
function whose(table, turn) {
  const { view } = table;
  const { status } = view.game;
  if (status !== "active") return t(`status.${status}`);
  if (turn.open) return t("your_turn");
  if (view.planned) return t("planned");
  const names = seatLines(table)
    .filter((line) => line.to_act && !line.viewer)
    .map((line) => line.name);
  return names.length ? t("waiting", { names: list(names) }) : "";
}

/** @param {{table: Table, turn: Turn, said?: Map<number, string> | undefined, at: Record<number, Place>}} props */
function Seats({ table, turn, said, at }) {
  const { times } = table.view;
  const clocks = useAgreed(Boolean(times.banks || times.deadlines[0]));
  const seats = seatLines(table);
  const has = (/** @type {keyof SeatLine} */ field) => seats.some((line) => line[field] !== null);
  const heads = [t("seats.name"), has("cards") && t("seats.cards"), has("score") && t("seats.score")];
  // The roles of a table, for it is not laid out as one.
  return el(
    "div",
    { class: "seats", role: "table", "aria-label": t("seats") },
    el(
      "div",
      { class: "hearsay", role: "row" },
      heads.map((head) => head && el("span", { key: head, role: "columnheader" }, head)),
    ),
    seats.map((line) =>
      part(SeatView, {
        key: line.seat,
        line,
        turn,
        clocks,
        time: timed(times, line.seat),
        has,
        said: said?.get(line.seat),
        at: /** @type {Place} */ (at[line.seat]),
      }),
    ),
  );
}

/** @param {any} times @param {number} seat @returns {import("./agreements.js").Timed} */
const timed = ({ deadlines, banks }, seat) => ({
  at: deadlines.find((/** @type {{seat: number}} */ each) => each.seat === seat)?.at,
  bank: banks?.[seat],
});

/** @param {{line: SeatLine, turn: Turn, clocks: ReturnType<typeof useAgreed>, time: import("./agreements.js").Timed, has: (field: keyof SeatLine) => boolean, said?: string | undefined, at: Place}} props */
function SeatView({ line, turn, clocks, time, has, said, at }) {
  const { pick } = line;
  const { lit, chosen, style } = standing(pick, turn);
  const name = [
    el("span", null, line.name),
    (line.viewer || line.bot) && el("small", null, ` ${t(line.viewer ? "seats.you" : "seats.bot")}`),
  ];
  const until = time.at ? Math.max(0, Date.parse(time.at) - Date.now()) : 0;
  return el(
    "div",
    {
      class: `seat ${line.side ?? ""}${line.to_act ? " acting" : ""}${line.viewer ? " viewer" : ""}`,
      role: "row",
      "data-seat": line.seat,
      style: /** @type {any} */ (at),
    },
    el(
      "div",
      { role: "rowheader", class: "who" },
      el(
        "span",
        { class: "head" },
        portrait(line),
        line.to_act && el("i", { key: time.at, class: "ring", style: { "--ms": until } }),
        line.dealer && el("i", { class: "dealer", role: "img", "aria-label": t("seats.dealer") }, "D"),
      ),
      pick !== null && (lit || chosen)
        ? el(
            "button",
            {
              type: "button",
              class: `seat-pick${style}`,
              "aria-pressed": chosen,
              "data-pick": pick,
              onClick: () => turn.tap(pick),
            },
            name,
          )
        : el("span", { class: "seat-name" }, name),
      line.to_act && el("span", { class: "hearsay" }, t("seats.acting")),
      line.note && el("span", { class: "seat-note" }, line.note),
      clocks && part(clocks.Clock, time),
      said && el("span", { class: "bubble", "data-name": line.name, "aria-hidden": true }, said),
    ),
    has("cards") &&
      el("span", { role: "cell", class: "held" }, line.cards === null ? "" : t("cards", { n: line.cards })),
    has("score") &&
      el(
        "span",
        { role: "cell", class: line.score ? "score" : "hearsay" },
        line.score === null ? "" : signed(line.score),
      ),
  );
}

/** @param {number} score */
const signed = (score) => (score > 0 ? `+${score}` : score < 0 ? `−${-score}` : "0");

/** @param {{table: Table, turn: Turn, more: ReturnType<typeof useMore>}} props */
function Choices({ table, turn, more }) {
  const { choice, open, steps, why } = turn;
  const menu = useMemo(() => (open && more ? more.menuOf(table, steps) : null), [table, steps, open, more]);
  const few =
    open && !menu && choice.exact && choice.lit.size === 0 && choice.left.length > 1 && choice.left.length <= FEW;
  const groups = open && !few ? choice.groups : [];
  const panel = more && (menu || (few && choice.left.length > 2) || groups.length > 0);
  const settled = useSettled(open && choice.ready ? `${table.view.version} ${JSON.stringify(choice.ready)}` : "");
  const waits = !turn.checked || !settled;
  return el(
    "section",
    { class: "choices", "aria-label": t("choices") },
    why && more && part(more.Why, { why, ruleset: table.ruleset, close: turn.understood }),
    panel &&
      el(
        "div",
        { class: "panel" },
        menu
          ? part(more.MenuView, { menu, table, turn })
          : few
            ? more.actions(choice.left, table, turn.take, turn.tap)
            : groups.map((group) =>
                part(more.GroupView, {
                  key: group.path,
                  group,
                  table,
                  choose: (value) => turn.take({ path: group.path, value }),
                }),
              ),
      ),
    el(
      "div",
      { class: "acts" },
      part(Progressed, { turn }),
      open && counted(choice.counter, choice.finished),
      few && !panel && more?.actions(choice.left, table, turn.take),
      open &&
        (choice.ready || steps.length > 0) &&
        el(
          "div",
          { class: "deciding" },
          steps.length > 0 && el("button", { type: "button", onClick: turn.back }, t("back")),
          choice.ready &&
            el(
              "button",
              // A disabled button would lose the focus, and a key that leads to it would pass it.
              {
                type: "button",
                class: "primary",
                "aria-disabled": waits,
                onClick: () => waits || turn.confirm(),
              },
              choice.says ?? t("confirm"),
            ),
        ),
    ),
  );
}

/** Whether a text has been there for long enough not to be pressed by mistake; "" never has. @param {string} text */
function useSettled(text) {
  const [, look] = useState({});
  const since = useSince(text, () => look({}));
  return text !== "" && performance.now() - since.at >= SETTLED_MS;
}

/** @param {{turn: Turn}} props */
function Progressed({ turn: { progress } }) {
  const text = progress?.state === "sending" ? t("sending") : progress?.state === "unsent" ? t("unsent") : "";
  return el("p", { class: `progress ${progress?.state ?? ""}`, role: "status" }, text);
}

/** @param {import("../picker.js").Counter | null} counter @param {boolean} finished */
function counted(counter, finished) {
  if (!counter || counter.max < 2 || finished) return null;
  const { count, min, max } = counter;
  return el(
    "p",
    { class: "counter", role: "status" },
    min === max ? t("counter", { count, max }) : t("counter.range", { count, min, max }),
  );
}
