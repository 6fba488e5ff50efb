/** A new game: who sits where, the rules of the table, who can see it, and how much time there is. */

import { el, language, part, show, t, useLoaded } from "../page.js";
import { at, get, Problem, send, trouble } from "../sending.js";
import { useEffect, useState } from "../vendor/hooks.mjs";
import {
  botFor,
  choice,
  created,
  emblem,
  field,
  goTo,
  guest,
  keepLink,
  newcomer,
  Opponents,
  pacing,
  rulesets,
} from "./elements.js";

/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {Schemas["Choice"]} Choice */
/** @typedef {string | number | boolean | null} Value */
/** @typedef {Record<string, Choice>} Choices */
/** @typedef {"me" | "bot" | "open" | "link" | "here"} Sitter */

/** @type {Record<string, Partial<Schemas["ClockInput"]> | null>} */
const CLOCKS = {
  none: null,
  quick: { per_move: "PT15S", bank: "PT5M", increment: "PT5S" },
  calm: { per_move: "PT1M", bank: "PT20M" },
  day: { per_move: "P1D" },
  days: { per_move: "P3D" },
};
/** What happens when time is up. @type {NonNullable<Schemas["ClockInput"]["on_timeout"]>[]} */
const TIMEOUTS = ["bot", "wait"];

/** Give every option a value that fits: the wish, else its default, else the first whose needs are met. @param {Choices} choices @param {Record<string, Value>} wishes @returns {Record<string, Value>} */
export function settled(choices, wishes) {
  /** @type {Record<string, Value>} */
  const values = {};
  for (const [name, each] of Object.entries(choices)) {
    const wish = wishes[name];
    values[name] = wish !== undefined && (each.values === null || each.values.includes(wish)) ? wish : each.default;
  }
  for (let round = 0; round < Object.keys(choices).length; round += 1) {
    const wrong = Object.entries(choices).find(([name, each]) => !fits(each, values[name] ?? null, values));
    if (!wrong) break;
    const [name, each] = wrong;
    const fitting = [each.default, ...(each.values ?? [])].find((value) => fits(each, value, values));
    values[name] = fitting === undefined ? null : fitting;
  }
  return values;
}

/** Whether the other options have the values that a value needs. @param {Choice} option @param {Value} value @param {Record<string, Value>} values */
export function fits(option, value, values) {
  const needed = Object.entries(option.needs[String(value)] ?? {});
  return needed.every(([other, allowed]) => allowed.includes(values[other] ?? null));
}

/** @param {{args: string[]}} props */
export function newGame({ args: [asked = ""] }) {
  const all = useLoaded(rulesets, []);
  const id = asked || (all.value?.[0]?.id ?? "");
  /** @type {{value: Schemas["Ruleset"] | undefined, problem: unknown, again: () => void}} */
  const full = useLoaded(
    (signal) => (id ? get(at(`/v1/rulesets/${id}`, { lang: language() }), { signal }) : Promise.resolve(undefined)),
    [id],
  );
  const [wish, set] = useState({
    players: 0,
    clock: "none",
    timeout: /** @type {string} */ ("bot"),
    visibility: "unlisted",
    here: false,
    seats: /** @type {Sitter[]} */ ([]),
    options: /** @type {Record<string, Value>} */ ({}),
  });
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  const [busy, work] = useState(false);
  useEffect(() => show(t("new.title"), 0), []);
  const ruleset = full.value?.id === id ? full.value : undefined;
  const numbers = ruleset ? Object.keys(ruleset.choices).map(Number) : [];
  const players = numbers.includes(wish.players)
    ? wish.players
    : (numbers.find((each) => each >= 4) ?? numbers.at(-1) ?? 0);
  const seats = Array.from({ length: players }, (_, seat) =>
    wish.here && wish.seats[seat] !== "bot" ? "here" : (wish.seats[seat] ?? (seat === 0 ? "me" : "open")),
  );
  const choices = /** @type {Choices} */ (ruleset?.choices[players] ?? {});
  const options = settled(choices, wish.options);
  const timed = CLOCKS[wish.clock] ?? null;
  const clock = timed && { ...timed, on_timeout: wish.timeout };
  const create = async () => {
    work(true);
    try {
      await goTo(
        createGame({
          ruleset: id,
          seats,
          sandbox: wish.here,
          visibility: wish.here ? "private" : wish.visibility,
          clock,
          options: changed(choices, options),
        }),
      );
    } catch (problem) {
      fail(problem);
      work(false);
    }
  };
  return [
    el("h1", null, t("new.title")),
    trouble(all.problem ?? full.problem, full.again),
    el(
      "form",
      { class: "creation", onSubmit: (event) => (event.preventDefault(), void create()) },
      el(
        "fieldset",
        { class: "picks" },
        el("legend", null, t("new.game")),
        all.value?.map((each) => pick(each, each.id === id)),
      ),
      el(
        "div",
        { class: "form" },
        numbers.length > 1 &&
          choice(
            t("new.players"),
            String(players),
            numbers.map((each) => [String(each), t("players", { n: each })]),
            (value) => set({ ...wish, players: Number(value) }),
          ),
        choice(
          t("new.devices"),
          wish.here ? "here" : "apart",
          ["apart", "here"].map((each) => [each, t(`devices.${each}`)]),
          (value) => set({ ...wish, here: value === "here", seats: [] }),
        ),
        el(
          "fieldset",
          { class: "seating" },
          el("legend", null, t("new.seats")),
          seats.map((sitter, seat) =>
            seatField(seat, sitter, wish.here, (value) => set({ ...wish, seats: seated(seats, seat, value) })),
          ),
        ),
        id && seats.includes("bot") && part(Opponents, { ruleset: id }),
      ),
      el(
        "div",
        { class: "form" },
        !wish.here &&
          choice(
            t("new.visibility"),
            wish.visibility,
            ["unlisted", "public", "private"].map((each) => [each, t(`visibility.${each}`)]),
            (value) => set({ ...wish, visibility: value }),
          ),
        choice(
          t("new.clock"),
          wish.clock,
          Object.keys(CLOCKS).map((each) => [each, t(`clock.${each}`)]),
          (value) => set({ ...wish, clock: value }),
        ),
        timed &&
          choice(
            t("new.timeout"),
            wish.timeout,
            TIMEOUTS.map((each) => [each, t(`timeout.${each}`)]),
            (value) => set({ ...wish, timeout: value }),
          ),
      ),
      ruleset &&
        el(
          "details",
          { class: "rules" },
          el("summary", null, t("new.rules", { n: Object.keys(changed(choices, options)).length })),
          el(
            "div",
            null,
            Object.entries(choices).map(([name, each]) =>
              optionField(name, each, ruleset, options, (value) =>
                set({ ...wish, options: { ...options, [name]: value } }),
              ),
            ),
          ),
        ),
      trouble(failure),
      failure instanceof Problem && failure.faults.length > 1
        ? el(
            "ul",
            { class: "faults" },
            failure.faults.map((fault) => el("li", null, fault.message)),
          )
        : null,
      el("button", { class: "primary", disabled: busy || !ruleset }, t("new.create")),
    ),
  ];
}

/** Offer a game. @param {Schemas["RulesetList"]["items"][number]} ruleset @param {boolean} checked */
const pick = ({ id, name, summary }, checked) =>
  el(
    "label",
    { key: id, class: "pick" },
    el("input", {
      type: "radio",
      name: "game",
      checked,
      "aria-label": name,
      onChange: () => (location.hash = `#/new/${id}`),
    }),
    emblem(id),
    el("strong", null, name),
    el("small", null, summary),
  );

/** Seat somebody; I have one seat, so I leave my other one open. @param {Sitter[]} seats @param {number} seat @param {Sitter} sitter */
const seated = (seats, seat, sitter) =>
  seats.map((each, at) => (at === seat ? sitter : sitter === "me" && each === "me" ? "open" : each));

/** @param {number} seat @param {Sitter} sitter @param {boolean} here @param {(value: Sitter) => void} set */
const seatField = (seat, sitter, here, set) =>
  choice(
    t("seat", { number: seat + 1 }),
    sitter,
    (here ? ["here", "bot"] : ["me", "bot", "open", "link"]).map((each) => [each, t(`sitter.${each}`)]),
    (value) => set(/** @type {Sitter} */ (value)),
  );

/**
 * Make the control of an option; null if there is nothing to choose, or more than a form can offer.
 * @param {string} name @param {Choice} option @param {Schemas["Ruleset"]} ruleset @param {Record<string, Value>} values
 * @param {(value: Value) => void} set
 */
function optionField(name, option, ruleset, values, set) {
  const value = values[name] ?? null;
  const words = ruleset.words[name] ?? { name, values: {} };
  if (option.values === null) {
    /** @type {{minimum?: number, maximum?: number, type?: string | string[]}} */
    const schema = /** @type {any} */ (ruleset.options)["properties"][name];
    if (![schema.type].flat().includes("integer")) return null;
    /** @param {number} number */
    const typed = (number) => set(Number.isInteger(number) ? number : option.default);
    return field(
      words.name,
      {
        type: "number",
        min: schema.minimum,
        max: schema.maximum,
        value: String(value ?? ""),
        onChange: (event) => typed(event.currentTarget.valueAsNumber),
      },
      option.note,
    );
  }
  const offered = option.values.filter((each) => !option.comes_with[String(each)]);
  if (offered.length < 2) return null;
  // Where the values say all, the note would only tell how a program writes them.
  const isBound = Object.keys(option.needs).length > 0 || offered.some((each) => !words.values[String(each)]);
  const listed = offered.map(
    (each) =>
      /** @type {[string, string, boolean]} */ ([
        String(each),
        words.values[String(each)] ?? String(each),
        !fits(option, each, values),
      ]),
  );
  return choice(
    words.name,
    String(value),
    listed,
    (text) => set(offered.find((each) => String(each) === text) ?? null),
    isBound ? option.note : undefined,
  );
}

/** The options that differ from their defaults. @param {Choices} choices @param {Record<string, Value>} values */
const changed = (choices, values) =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => choices[name]?.default !== value));

/** Create a game; its table makes the links, and says why not. @param {{ruleset: string, seats: Sitter[], sandbox: boolean, visibility: string, clock: unknown, options: unknown}} wish */
async function createGame({ seats, ...wish }) {
  const me = await guest(newcomer());
  const bot = await botFor(wish.ruleset);
  const sitting = seats.map((each) =>
    each === "me" || each === "here" ? { player: "me" } : each === "bot" ? { bot } : { open: true },
  );
  const game = created(await send("new", "/v1/games", { ...wish, ...pacing(), seats: sitting }, { owner: me.id }));
  for (const [seat, each] of seats.entries()) if (each === "link") keepLink(`${game.id}.${seat}`, "");
  return game;
}
