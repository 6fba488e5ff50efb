/** Home: play at once, and the games that wait for me. */

import { get, guest } from "../api.js";
import { el, part } from "../el.js";
import { follow } from "../live.js";
import { send } from "../sending.js";
import { now } from "../store.js";
import { show } from "../turn.js";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { t } from "../words.js";
import { gameList, pace, rulesets, trouble, until, useLoaded } from "./parts.js";

/** @typedef {import("../api.js").Schemas} Schemas */
/** @typedef {Schemas["RulesetList"]["items"][number]} Ruleset */

const ANIMALS = 12;

/** Make up a name, which the guest can change later. */
export function madeUpName() {
  const number = Math.floor(Math.random() * ANIMALS * 90);
  return t(`guest.${number % ANIMALS}`, { number: 10 + Math.floor(number / ANIMALS) });
}

/**
 * Create a game with bots in all other seats, and open it.
 * @param {Ruleset} ruleset
 * @param {number} players
 */
async function playNow(ruleset, players) {
  const me = await guest(madeUpName());
  const seats = [{ player: "me" }, ...Array.from({ length: players - 1 }, () => ({ bot: "random" }))];
  const body = { ruleset: ruleset.id, seats, visibility: "unlisted", clock: null };
  const outcome = await send("new", "/v1/games", body, { owner: me.id });
  if (outcome.state === "refused") throw outcome.problem;
  location.hash = `#/game/${outcome.answer.id}`;
}

/** The number of players at most tables: four, or the nearest. */
const usual = (/** @type {Ruleset} */ { players }) => Math.min(Math.max(4, players.min), players.max);

export function home() {
  const found = useLoaded(rulesets, []);
  const [starting, start] = useState("");
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  const names = new Map((found.value ?? []).map((each) => [each.id, each.name]));
  const play = (/** @type {Ruleset} */ ruleset) => {
    start(ruleset.id);
    playNow(ruleset, usual(ruleset)).catch((problem) => (start(""), fail(problem)));
  };
  return [
    el("h1", null, t("home.title")),
    now().session ? part(mine, { names }) : el("p", { class: "lead" }, t("home.lead")),
    el("h2", null, t("home.play")),
    trouble(found.problem ?? failure, found.again),
    el(
      "ul",
      { class: "tiles" },
      found.value?.map((each) =>
        el(
          "li",
          { key: each.id, class: "tile" },
          el("h3", null, each.name),
          el("p", null, each.summary),
          el(
            "button",
            { type: "button", class: "primary", disabled: starting !== "", onClick: () => play(each), "aria-label": t("home.play_this", { name: each.name }) },
            starting === each.id ? t("home.starting") : t("home.play_now"),
          ),
        ),
      ),
    ),
  ];
}

/** @param {{names: Map<string, string>}} props */
function mine({ names }) {
  const games = useLoaded((signal) => get("/v1/me/games?status=active&limit=50", { signal }), []);
  useEffect(() => {
    const ended = new AbortController();
    follow({ path: "/v1/me/events", cursor: "id", after: null, happened: games.again, signal: ended.signal });
    return () => ended.abort();
  }, []);
  /** @type {Schemas["MyGame"][]} */
  const items = games.value?.items ?? [];
  const turns = items.filter((game) => game.your_turn).length;
  useEffect(() => show("", turns), [turns]);
  const sorted = [...items].sort((one, two) => Number(two.your_turn) - Number(one.your_turn));
  return [
    el("h2", null, t("home.mine")),
    trouble(games.problem, games.again),
    games.value && !items.length ? el("p", null, t("home.none")) : null,
    gameList(sorted, names, (game) => turn(/** @type {Schemas["MyGame"]} */ (game))),
  ];
}

/** @param {Schemas["MyGame"]} game */
const turn = (game) =>
  game.your_turn
    ? el("span", { class: "badge turn" }, t("your_turn"), " ", until(game.deadline))
    : el("span", { class: "badge" }, pace(game));
