/** The table: the board as the service draws it, rows of cards and pieces, what is lit, arrow keys, calm motion. */

import { face } from "../faces.js";
import { drawing, el, now, part, read, t } from "../page.js";
import { restart } from "../sending.js";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "../vendor/hooks.mjs";

/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {Schemas["SceneSeat"] & {name: string, bot?: string | null, portrait?: string | null}} SeatLine  with a name, if need be by its number, and whether a bot plays */
/** @typedef {import("../table.js").Table} Table */
/** @typedef {import("../table.js").Row} Row */
/** @typedef {import("../table.js").Thing} Thing */
/** @typedef {import("./game.js").Turn} Turn */

/** Whether players have laid these cards, each one of theirs. @param {Row} row */
export const isLaid = ({ id, things }) =>
  id !== "last-trick" && things.length > 0 && things.every(({ seat }) => seat !== null);

/** Show a row of things under its name; what players have laid, and what is theirs, lies where they sit. `held` is what the viewer holds: elsewhere, that is only a picture of what lay there. @param {{row: Row, turn: Turn, at: Record<number, object>, held: Set<string | null>}} props */
export function RowView({ row, turn, at, held }) {
  const { lit, chosen, style } = standing(row.pick, turn);
  const pick = row.pick ?? "";
  const name =
    lit || chosen
      ? el(
          "button",
          {
            type: "button",
            class: `row-name${style}`,
            "aria-pressed": chosen,
            "data-pick": pick,
            onClick: () => turn.tap(pick),
          },
          row.name,
        )
      : el("span", { class: "row-name" }, row.name);
  const first = Math.max(
    0,
    row.things.findIndex((thing) => standing(thing.pick, turn).lit),
  );
  const seen = new Map();
  const laid = isLaid(row);
  const winner = laid ? null : row.things.find(({ winning }) => winning);
  const kind = row.mine ? " mine" : laid ? " laid" : row.seat === null ? "" : " theirs";
  const count = row.things.length;
  const counts = { "--n": count, "--half": Math.ceil(count / 2), "--third": Math.ceil(count / 3) };
  return el(
    "section",
    {
      class: `row${kind}`,
      "data-row": row.id,
      "data-to": winner?.seat ?? undefined,
      style: /** @type {any} */ (counts),
    },
    el("h2", null, name),
    count > 0 &&
      el(
        "ul",
        { class: "things", onKeyDown: arrows },
        row.things.map((each, place) => {
          const thing = row.mine || !held.has(each.pick) ? each : { ...each, pick: null };
          const label = thing.pick ?? `${row.id}:${thing.face ?? ""}`;
          const times = seen.get(label) ?? 0;
          seen.set(label, times + 1);
          const identity = `${label}:${times}`;
          return part(ThingView, {
            key: identity,
            thing,
            times,
            mine: row.mine,
            turn,
            motion: identity,
            isStop: place === first,
            where:
              laid && thing.seat !== null ? at[thing.seat] : { "--i": count > 1 ? (2 * place) / (count - 1) - 1 : 0 },
          });
        }),
      ),
  );
}

/** Show a thing: a button if it is the viewer's own or can be chosen, otherwise a picture with a name. @param {{thing: Thing, times: number, mine: boolean, turn: Turn, motion: string, isStop: boolean, where: object | undefined}} props */
function ThingView({ thing, times, mine, turn, motion, isStop, where }) {
  const { pick, note, refused } = thing;
  const { lit, chosen, style } = standing(pick, turn, times);
  const name = refused || note ? t("thing.noted", { name: thing.name, note: refused ?? note }) : thing.name;
  const shape = `${thing.svg ? "piece" : thing.face === null ? "card down" : "card"}${thing.covers ? " covering" : ""}${style}`;
  const content = thing.svg ? part(Drawn, { svg: thing.svg }) : thing.face === null ? null : face(thing.face);
  const body =
    pick !== null && (mine || lit || chosen)
      ? el(
          "button",
          {
            type: "button",
            class: shape,
            "aria-label": name,
            title: refused ?? undefined,
            "aria-pressed": chosen,
            "aria-disabled": !(lit || chosen),
            tabIndex: isStop ? 0 : -1,
            "data-pick": pick,
            "data-motion": motion,
            onClick: () => turn.tap(pick),
          },
          content,
        )
      : el("span", { class: shape, role: "img", "aria-label": name, "data-motion": motion }, content);
  return el(
    "li",
    { class: `thing${thing.winning ? " leading" : ""}`, style: /** @type {any} */ (where) },
    body,
    note && el("span", { class: "note", "aria-hidden": true }, note),
  );
}

/** Show a drawing of the service. @param {{svg: string}} props */
export function Drawn({ svg }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => place.current?.replaceChildren(drawing(svg)), [svg]);
  return el("span", { ref: place, class: "drawn", "aria-hidden": true });
}

/** Up to how many actions stand beside each other, each with a button of its own. */
export const FEW = 8;

/** Up to how many steps of a goal are drawn one by one. */
const COUNTED = 12;

/** How far a side has come: a picture, or else steps or a bar. @param {{goal: import("../sending.js").Schemas["SceneGoal"]}} props */
export function GoalView({ goal: { side, done, target, most, reached, says, svg } }) {
  const style = { "--done": done / most, "--target": target / most };
  return el(
    "div",
    { class: `goal ${side ?? ""}${reached ? " reached" : ""}` },
    svg
      ? part(Drawn, { svg })
      : most <= COUNTED
        ? el(
            "span",
            { class: "pips", "aria-hidden": true },
            Array.from({ length: target }, (_, place) => el("i", { key: place, class: place < done ? "done" : "" })),
          )
        : el("span", { class: "meter", style, "aria-hidden": true }, el("b", null), el("u", null)),
    el("span", { class: "says" }, says),
  );
}

const heads = () => import("../portraits.js");
/** The head of who sits there; until it is drawn, or without one, the first letter. @param {SeatLine} line */
export const portrait = (line) => part(Portrait, line);

/** @param {SeatLine} props */
function Portrait({ name, side, portrait }) {
  const drawings = useLater(heads, !!portrait);
  return el(
    "span",
    { class: `portrait ${side ?? ""}`, "aria-hidden": true },
    (portrait && drawings?.portrait(portrait)) || [...name.replace(/\p{Cf}/gu, "")][0],
  );
}

/** For how many milliseconds no click counts after what is under the pointer has changed. */
export const SETTLED_MS = 350;
/** Since when a text is on the screen: until it is drawn, since never. @param {string} text @param {() => void} [settled] called once it has been there for long enough */
export function useSince(text, settled) {
  const since = useRef({ text: "", at: Infinity });
  if (since.current.text !== text) since.current = { text, at: Infinity };
  useEffect(() => {
    let timer = 0;
    // Where the machine is busy, an effect can come before the frame.
    const frame = requestAnimationFrame((at) => {
      since.current.at = at;
      if (settled) timer = setTimeout(settled, SETTLED_MS + 1);
    });
    return () => (cancelAnimationFrame(frame), clearTimeout(timer));
  }, [text]);
  return since.current;
}

/** By how many pixels a pointer moves that aims at something else. */
const AIMED = 12;

/** Keep a click from what has only just come under the pointer: the second click of two, or one that was meant for what lay there before. */
export function useGuard() {
  const pointer = useRef({ x: -1, y: -1, under: /** @type {string | null} */ (null), changed: 0 });
  const under = () => {
    const { x, y } = pointer.current;
    const each = x < 0 ? null : document.elementFromPoint(x, y)?.closest("button, a, [data-pick], summary");
    return each ? `${each.getAttribute("data-pick")} ${each.textContent}` : null;
  };
  useLayoutEffect(() => {
    const aim = (/** @type {PointerEvent} */ { clientX: x, clientY: y }) => {
      const known = pointer.current;
      if (Math.hypot(x - known.x, y - known.y) <= AIMED) return;
      pointer.current = { x, y, under: null, changed: 0 };
      pointer.current.under = under();
    };
    addEventListener("pointermove", aim, true);
    addEventListener("pointerdown", aim, true);
    return () => (removeEventListener("pointermove", aim, true), removeEventListener("pointerdown", aim, true));
  }, []);
  // After the frame: what is under the pointer is known once the page is laid out.
  useEffect(() => {
    const now = under();
    if (now !== pointer.current.under) pointer.current = { ...pointer.current, under: now, changed: performance.now() };
  });
  return (/** @type {MouseEvent} */ event) => {
    if (/** @type {Element} */ (event.target).closest(".bar, .beside, .crib")) return;
    const early = event.isTrusted && event.detail > 0 && performance.now() - pointer.current.changed < SETTLED_MS;
    if (event.detail > 1 || early) (event.stopPropagation(), event.preventDefault());
  };
}

/** Whether a thing can be chosen now, or is chosen; of equal ones, as many as are. @param {string | null} pick @param {Turn} turn @param {number} [times] how many equal ones come before it */
export function standing(pick, { choice, steps, open, meant }, times = 0) {
  const what = pick && (meant?.(pick) ?? pick);
  const many = steps.filter((step) => "pick" in step && step.pick === what).length;
  const lit = open && what !== null && choice.lit.has(what);
  const chosen = open && what !== null && choice.chosen.has(what) && times < Math.max(1, many);
  return { lit, chosen, style: `${lit ? " lit" : ""}${chosen ? " chosen" : ""}` };
}

/** What a refinement makes of a touch: what it means, and what it shows on the board. @param {import("../table.js").Table | null} table @param {import("../picker.js").Choice} chosen @param {boolean} open */
export function useTouch(table, chosen, open) {
  const { also, preview } = table?.refine ?? {};
  const [touched, touch] = useState(/** @type {string | null} */ (null));
  const meant = (/** @type {string} */ pick) => also?.(pick) ?? pick;
  const picks = touched && (!open || chosen.lit.has(meant(touched))) ? [touched] : [...chosen.chosen];
  return { meant, shown: new Set(preview?.(picks, /** @type {any} */ (table))), ...(preview && { touch }) };
}

/** Show the board; what can be chosen on it takes taps and keys. @param {{stage: {svg: string, says: string[]}, turn: Turn}} props */
export function StageView({ stage, turn }) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  useLayoutEffect(() => {
    const focused = place.current?.querySelector(":focus")?.getAttribute("data-pick");
    const path = () => place.current?.querySelector("path.path");
    /** The spaces with a counter, by pick. */
    const owners = () =>
      [...(place.current?.querySelectorAll("[data-pick] :is(.first, .second)") ?? [])].map((each) => {
        return /** @type {const} */ ([each.closest("[data-pick]")?.getAttribute("data-pick"), each]);
      });
    const before = path()?.getAttribute("d");
    const owned = new Set(owners().map(([pick]) => pick));
    place.current?.replaceChildren(drawing(stage.svg));
    if (before !== undefined && isMoving())
      owners()
        .filter(([pick]) => !owned.has(pick))
        .forEach(([, each], after) => each.animate(DROP, { duration: LASTS_MS, delay: after * 90, fill: "backwards" }));
    path()?.classList.toggle("new", path()?.getAttribute("d") !== before);
    const again = /** @type {SVGElement | null | undefined} */ (
      place.current?.querySelector(`[data-pick="${focused}"]`)
    );
    again?.setAttribute("tabindex", "-1");
    again?.focus();
  }, [stage.svg]);
  useLayoutEffect(() => {
    for (const each of place.current?.querySelectorAll("[data-pick]") ?? []) mark(each, turn);
    (place.current?.querySelector("[tabindex]:focus") ?? place.current?.querySelector("[tabindex]"))?.setAttribute(
      "tabindex",
      "0",
    );
  });
  /** @param {Event} event */
  const tap = (event) => {
    const pick = /** @type {Element} */ (event.target).closest("[data-pick]")?.getAttribute("data-pick");
    if (pick) turn.tap(pick);
  };
  return el(
    "div",
    { class: "stage" },
    el("div", {
      ref: place,
      class: "board",
      role: "group",
      "aria-label": t("board"),
      onClick: tap,
      onKeyDown: (event) => {
        if (event.key === "Enter" || event.key === " ") (event.preventDefault(), tap(event));
        else arrows(event);
      },
    }),
    stage.says.length > 0 &&
      el(
        "ul",
        { class: "hearsay" },
        stage.says.map((text, place) => el("li", { key: place }, text)),
      ),
  );
}

/** @param {Element} each @param {Turn} turn */
function mark(each, turn) {
  const pick = each.getAttribute("data-pick");
  const { lit, chosen } = standing(pick, turn);
  const open = lit || chosen;
  // Until the focus moves on.
  const stays = open || each.matches(":focus");
  for (const [name, is] of Object.entries({ lit, chosen, shown: turn.shown?.has(pick ?? "") }))
    each.classList.toggle(name, !!is);
  // An image, since its letters are a picture. To write an attribute takes time also where nothing changes.
  for (const [name, value] of Object.entries({
    role: stays ? "button" : "img",
    tabindex: -1,
    "aria-pressed": chosen,
    "aria-disabled": !open,
  })) {
    const is = stays || name === "role" ? `${value}` : "";
    if (is !== (each.getAttribute(name) ?? "")) is ? each.setAttribute(name, is) : each.removeAttribute(name);
  }
}

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Move the focus to the nearest thing in the direction of an arrow key. @param {KeyboardEvent & {currentTarget: Element}} event */
function arrows(event) {
  const [right, down] = WAYS[event.key] ?? [0, 0];
  const from = /** @type {Element} */ (event.target).closest("[tabindex]")?.getBoundingClientRect();
  if (!from || (!right && !down)) return;
  let nearest = Infinity;
  /** @type {Element | null} */
  let next = null;
  for (const each of event.currentTarget.querySelectorAll("[tabindex]")) {
    const to = each.getBoundingClientRect();
    const x = to.x + to.width / 2 - from.x - from.width / 2;
    const y = to.y + to.height / 2 - from.y - from.height / 2;
    const ahead = x * right + y * down;
    const aside = Math.abs(x * down) + Math.abs(y * right);
    if (ahead > 4 && ahead + 2.5 * aside < nearest) [nearest, next] = [ahead + 2.5 * aside, each];
  }
  if (next) (event.preventDefault(), /** @type {HTMLElement} */ (next).focus());
}

const LASTS_MS = 220;
/** How much later each of several new things comes, and the last of many. */
const [STAGGER_MS, LATEST_MS] = [40, 480];
/** A counter drops onto the board. */
const DROP = [
  { opacity: 0, scale: 1.8 },
  { opacity: 1, scale: 1 },
];
const isMoving = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Move the things within an element from where they were before the last change of `key`. @param {unknown} key */
export function useMotion(key) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const moving = useRef(/** @type {(Animation | undefined)[]} */ ([]));
  const things = () =>
    [...(place.current?.querySelectorAll("[data-motion]") ?? [])].map((each) => ({
      each,
      id: each.getAttribute("data-motion"),
      at: each.getBoundingClientRect(),
    }));
  // Until this is drawn, the page shows what was there.
  const before = useMemo(() => place.current && new Map(things().map(({ id, at }) => [id, at])), [key]);
  useLayoutEffect(() => {
    if (!before || !isMoving()) return;
    let fresh = 0;
    // What still moves continues from where it is: two motions of one thing would be drawn by the page, frame by frame.
    for (const each of moving.current) each?.cancel();
    moving.current = things().map(({ id, each, at }) => {
      const from = before.get(id);
      const to = from && each.closest("[data-to]")?.getAttribute("data-to");
      const via = to && place.current?.querySelector(`[data-seat="${to}"] .head`)?.getBoundingClientRect();
      return move(each, from, at, from ? 0 : Math.min(LATEST_MS, STAGGER_MS * fresh++), via || undefined);
    });
  }, [key]);
  return place;
}

/** @param {Element} each @param {DOMRect | undefined} from @param {DOMRect} to @param {number} delay @param {DOMRect} [via] who takes it on the way */
function move(each, from, to, delay, via) {
  const how = {
    duration: via ? 2 * LASTS_MS : LASTS_MS,
    delay,
    fill: /** @type {FillMode} */ ("backwards"),
    easing: "cubic-bezier(.2, .8, .2, 1)",
  };
  if (!from)
    return each.animate(
      [
        { opacity: 0, transform: "scale(.92)" },
        { opacity: 1, transform: "none" },
      ],
      how,
    );
  // About the centre, as by default: another origin would be drawn by the page, too.
  const away = (/** @type {DOMRect} */ { x, y, width, height }) => [
    x + width / 2 - to.x - to.width / 2,
    y + height / 2 - to.y - to.height / 2,
  ];
  const [right = 0, down = 0] = away(from);
  if (Math.abs(right) + Math.abs(down) <= 2) return undefined;
  const frames = [
    { transform: `translate(${right}px, ${down}px) scale(${to.width ? from.width / to.width : 1})` },
    { transform: "none" },
  ];
  if (via) {
    const [aside, up] = away(via);
    frames.splice(1, 0, { transform: `translate(${aside}px, ${up}px) scale(.6)` });
  }
  return each.animate(frames, how);
}

/** The seats of mine. @param {Table} table @returns {number[]} */
export const seatsOf = ({ view }) =>
  view.game.seats.flatMap((/** @type {Schemas["Seat"]} */ { player, seat }) =>
    player !== null && player === now().session?.id ? [seat] : [],
  );

/** Name one of several people at this device: as they are called here, else by number. @param {number} seat @returns {string} */
export const hereCalled = (seat) =>
  read("names", /** @type {Record<number, string>} */ ({}))[seat] || t("seat", { number: seat + 1 });

/** Who sits at a table, with names. @param {Table} table @returns {SeatLine[]} */
export function seatLines(table) {
  const { scene, view } = table;
  const mine = seatsOf(table);
  const called = (/** @type {Schemas["SceneSeat"]} */ { seat, name }) =>
    mine.length > 1 && mine.includes(seat) ? hereCalled(seat) : (name ?? t("seat", { number: seat + 1 }));
  return scene.seats.map((line) => ({
    ...line,
    name: called(line),
    bot: view.game.seats[line.seat].bot ?? view.game.seats[line.seat].account,
    portrait: view.game.seats[line.seat].portrait,
  }));
}

/** Have a module once it is needed; null until it is there. @template Module @param {() => Promise<Module>} load @param {boolean} [needed] */
export function useLater(load, needed = true) {
  const [loaded, show] = useState(/** @type {Module | null} */ (null));
  useEffect(() => {
    if (needed) load().then(show, restart);
  }, [needed]);
  return loaded;
}
