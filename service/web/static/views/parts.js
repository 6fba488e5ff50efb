/** What several views share: data that is loaded, problems in words, and games in a line. */

import { el } from "../el.js";
import { useCallback, useEffect, useState } from "../vendor/hooks.mjs";
import { fromNow, list, t } from "../words.js";
import { get, Problem, Unreached } from "../api.js";

/** @typedef {import("../api.js").Game} Game */
/** @typedef {import("../api.js").Schemas} Schemas */
/** @typedef {import("../el.js").Children} Children */

/**
 * Load something, again when one of `on` changes, and when asked to; what was there before stays until then.
 * @template Value
 * @param {(signal: AbortSignal) => Promise<Value>} load
 * @param {unknown[]} on
 * @returns {{value: Value | undefined, problem: unknown, again: () => void}}
 */
export function useLoaded(load, on) {
  const [found, show] = useState(/** @type {{value?: Value, problem?: unknown}} */ ({}));
  const [times, count] = useState(0);
  const again = useCallback(() => count((before) => before + 1), []);
  useEffect(() => {
    const ended = new AbortController();
    load(ended.signal).then(
      (value) => show({ value }),
      (problem) => ended.signal.aborted || show((before) => ({ ...before, problem })),
    );
    return () => ended.abort();
  }, [...on, times]);
  return { value: found.value, problem: found.problem, again };
}

/** @type {Promise<Schemas["RulesetList"]["items"]> | undefined} */
let games;

/** The games that can be played here; they stay the same while the page is open. */
export function rulesets() {
  games ??= get("/v1/rulesets").then((page) => page.items);
  games.catch(() => (games = undefined));
  return games;
}

/**
 * Say what went wrong, where it did.
 * @param {unknown} problem
 * @param {() => void} [again]
 */
export function trouble(problem, again) {
  if (!problem) return null;
  const text = problem instanceof Unreached ? t("unreached") : problem instanceof Problem ? problem.message : t("failed");
  return el("p", { class: "trouble", role: "alert" }, text, again && el("button", { type: "button", onClick: again }, t("again")));
}

/**
 * Say who sits in a game: names, bots and open seats.
 * @param {Schemas["Seat"][]} seats
 */
export function company(seats) {
  const people = seats.flatMap((seat) => (seat.player ? [called(seat)] : []));
  const bots = seats.filter((seat) => seat.bot).length;
  const open = seats.filter((seat) => !seat.bot && !seat.player).length;
  return list([...people, ...(bots ? [t("bots", { n: bots })] : []), ...(open ? [t("open_seats", { n: open })] : [])]);
}

/** @param {Schemas["Seat"]} seat */
export const called = (seat) => (seat.name === null ? t("nameless") : seat.tag ? `${seat.name} (${seat.tag})` : seat.name);

/**
 * Say how much time a turn has.
 * @param {Game} game
 */
export const pace = (game) => t(`speed.${game.speed}`);

/**
 * Say until when something must be done.
 * @param {string | null} moment
 */
export const until = (moment) => (moment ? el("time", { dateTime: moment }, t("until", { when: fromNow(moment) })) : null);

/**
 * Show games as a list of links.
 * @param {Game[]} games
 * @param {Map<string, string>} names of the rulesets
 * @param {(game: Game) => Children} [more]
 */
export const gameList = (games, names, more = () => null) =>
  el(
    "ul",
    { class: "games" },
    games.map((game) =>
      el(
        "li",
        { key: game.id },
        el("a", { href: `#/game/${game.id}` }, el("strong", null, names.get(game.ruleset) ?? game.ruleset), el("span", null, company(game.seats))),
        more(game),
      ),
    ),
  );
