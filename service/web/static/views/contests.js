/** Contests: a day of the daily deals with its results, the list of tournaments, and one of them. */

import { el, now, part, regional, show, t, useLoaded } from "../page.js";
import { at, call, get, post, trouble } from "../sending.js";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { emblem, goTo, guest, linkField, newcomer, Once, rulesets, until, when } from "./elements.js";

/** @typedef {import("../page.js").Children} Children */
/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {{value: Schemas["Tournament"] | undefined, problem: unknown, again: () => void}} Loaded */

const REFRESH_MS = 5000;
const [DAY_MS, MOST] = [86_400_000, 100];

/** Rows under a head; those of the reader are marked. @param {string[]} head @param {{key: string | number, mine?: boolean, cells: Children[]}[]} rows */
const grid = (head, rows) =>
  el(
    "div",
    { class: "wide" },
    el(
      "table",
      { class: head[0] === "#" ? "grid named" : "grid" },
      el(
        "thead",
        null,
        el(
          "tr",
          null,
          head.map((text) => el("th", { key: text, scope: "col" }, text)),
        ),
      ),
      el(
        "tbody",
        null,
        rows.map(({ key, mine, cells }) =>
          el(
            "tr",
            { key, class: mine ? "own" : "" },
            cells.map((cell, place) => el("td", { key: place }, cell)),
          ),
        ),
      ),
    ),
  );

/** The names of the games. */
function useNames() {
  const { value = [] } = useLoaded(rulesets, []);
  return new Map(value.map(({ id, name }) => [id, name]));
}

/** @param {number | null | undefined} score */
const scored = (score) => (score === null || score === undefined ? "–" : score > 0 ? `+${score}` : `${score}`);

/* A day */

/** @param {Date} noon */
const dayBefore = (noon) => new Date(Number(noon) - DAY_MS).toISOString().slice(0, 10);

/** @param {{args: string[]}} props */
export function day({ args: [ruleset = "", date = ""] }) {
  const path = `/v1/daily/${encodeURIComponent(ruleset)}/${encodeURIComponent(date)}`;
  const name = useNames().get(ruleset) ?? ruleset;
  const session = now().session;
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  const noon = new Date(`${date}T12:00Z`);
  const isDay = !Number.isNaN(Number(noon));
  const written = new Intl.DateTimeFormat(regional, { dateStyle: "long", timeZone: "UTC" });
  const title = `${name} · ${isDay ? written.format(noon) : date}`;
  useEffect(() => show(title, 0), [title]);
  /** @type {{value: {open: Schemas["DailyList"]["items"][number] | null, results: Schemas["DailyResults"] | null} | undefined, problem: unknown, again: () => void}} */
  const loaded = useLoaded(
    async (signal) => {
      /** @type {Schemas["DailyList"]} */
      const { items } = await get("/v1/daily", { signal });
      const open = items.find((each) => each.ruleset === ruleset && each.date === date) ?? null;
      return { open, results: open ? null : await resultsOf(path, signal) };
    },
    [path, session?.id],
  );
  const { open, results } = loaded.value ?? { open: null, results: null };
  const play = () => goTo(guest(newcomer()).then(() => post(`${path}/deals`, {}))).catch(fail);
  return [
    el("h1", null, title),
    trouble(failure),
    trouble(loaded.problem, loaded.again),
    open && [
      el("p", { class: "lead" }, t("day.later", { when: when(open.closes) })),
      open.mine && part(Mine, { mine: open.mine, path }),
      (open.mine?.finished ?? 0) < open.deals &&
        el(
          "p",
          { class: "actions" },
          part(Once, {
            class: "primary",
            act: play,
            text: t("home.daily.deal", { name, place: (open.mine?.finished ?? 0) + 1, count: open.deals }),
          }),
        ),
    ],
    results && part(Results, { results, me: session?.id }),
    isDay &&
      el(
        "p",
        { class: "actions" },
        el("a", { class: "button", href: `#/day/${ruleset}/${dayBefore(noon)}` }, t("day.before")),
      ),
  ];
}

/** All results of a day, page by page. @param {string} path @param {AbortSignal} signal @returns {Promise<Schemas["DailyResults"]>} */
async function resultsOf(path, signal) {
  /** @type {Schemas["DailyResults"]} */
  const results = await get(at(`${path}/results`, { limit: MOST }), { signal });
  for (let cursor = results.next_cursor; cursor; ) {
    /** @type {Schemas["DailyResults"]} */
    const page = await get(at(`${path}/results`, { limit: MOST, cursor }), { signal });
    results.items.push(...page.items);
    cursor = page.next_cursor;
  }
  return results;
}

/** The reader's deals beside those of the bots, and how to share them. @param {{mine: NonNullable<Schemas["DailyList"]["items"][number]["mine"]>, path: string}} props */
function Mine({ mine, path }) {
  const [text, write] = useState("");
  const share = async () => {
    /** @type {Schemas["Card"]} */
    const card = await get(`${path}/card`);
    if ("share" in navigator) await navigator.share({ text: card.text }).catch(() => write(card.text));
    else write(card.text);
  };
  return [
    grid(
      [t("sheet.hand"), t("end.self"), t("opponents")],
      mine.scores.map((score, place) => ({ key: place, cells: [place + 1, scored(score), scored(mine.par[place])] })),
    ),
    mine.finished > 0 && el("p", { class: "actions" }, part(Once, { act: share, text: t("day.share") })),
    text && el("pre", null, text),
  ];
}

/** @param {{results: Schemas["DailyResults"], me: string | undefined}} props */
function Results({ results: { items, deals }, me }) {
  const own = items.find(({ player }) => player === me);
  return [
    el("h2", null, t("day.results")),
    items.length > 0 &&
      grid(
        ["#", t("seats.name"), t("seats.score"), "%", t("day.deals")],
        items.map((each) => ({
          key: each.player,
          mine: each.player === me,
          cells: [each.rank ?? "–", each.name ?? t("nameless"), scored(each.points), each.percent, each.deals],
        })),
      ),
    el("h2", null, t("day.deals")),
    grid(
      [t("sheet.hand"), t("opponents"), t("day.field"), t("replay")],
      deals.map(({ number, par, mean }, place) => {
        const game = (own ?? items[0])?.games[place];
        return {
          key: number,
          cells: [
            number,
            scored(par),
            scored(mean),
            game && el("a", { href: `#/replay/${game}`, "aria-label": t("day.replay", { n: number }) }, "▶"),
          ],
        };
      }),
    ),
  ];
}

/* Tournaments */

/** Where a tournament is. @param {Schemas["TournamentSummary"]} one */
const phase = ({ status, round, rounds, starts }) =>
  status === "running"
    ? t("contest.round", { round, rounds })
    : status === "ended"
      ? t("contest.ended")
      : t(`contest.${status}`, { when: when(starts) });

export function tournaments() {
  const names = useNames();
  /** @type {{value: Schemas["TournamentList"] | undefined, problem: unknown, again: () => void}} */
  const loaded = useLoaded((signal) => get(at("/v1/tournaments", { limit: MOST }), { signal }), []);
  useEffect(() => show(t("contest.title"), 0), []);
  const items = loaded.value?.items ?? [];
  return [
    el("h1", null, t("contest.title")),
    trouble(loaded.problem, loaded.again),
    loaded.value && !items.length && el("p", { class: "none" }, t("contest.none")),
    el(
      "ul",
      { class: "games" },
      items.map((each) =>
        el(
          "li",
          { key: each.id },
          emblem(each.ruleset),
          el(
            "a",
            { href: `#/tournament/${each.id}` },
            el("strong", null, each.name),
            el(
              "span",
              null,
              names.get(each.ruleset) ?? each.ruleset,
              " · ",
              t("contest.players", { n: each.entrants }),
            ),
          ),
          el("span", { class: "badge" }, phase(each)),
        ),
      ),
    ),
  ];
}

/** @param {{args: string[]}} props the invitation follows the tournament */
export function tournament({ args: [id = "", invitation = ""] }) {
  const path = `/v1/tournaments/${encodeURIComponent(id)}`;
  const names = useNames();
  const session = now().session;
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  /** @type {Loaded} */
  const loaded = useLoaded((signal) => get(path, { signal }), [path, session?.id]);
  useEffect(() => {
    if (loaded.value?.ended) return undefined;
    const timer = setInterval(() => document.hidden || loaded.again(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [path, Boolean(loaded.value?.ended)]);
  const one = loaded.value?.id === id ? loaded.value : undefined;
  useEffect(() => show(one?.name ?? t("contest.title"), 0), [one?.name]);
  if (!one) return [el("h1", null, t("contest.title")), trouble(loaded.problem, loaded.again)];
  /** @param {() => Promise<unknown>} action */
  const act = (action) => action().then(() => (fail(null), loaded.again()), fail);
  const enter = () => call("PUT", `${path}/entry`, { body: invitation ? { invitation } : {} });
  // A player cannot enter a running tournament again, so a withdrawal from it takes two taps.
  const withdrawal = { act: () => act(() => call("DELETE", `${path}/entry`)), text: t("contest.withdraw") };
  const { mine, ended, players, reserves, standings } = one;
  const isIn = [...players, ...reserves].some(({ player }) => player === session?.id);
  return [
    el("h1", null, one.name),
    el("p", { class: "lead" }, names.get(one.ruleset) ?? one.ruleset, " · ", phase(one), " ", until(one.closes)),
    el(
      "p",
      { class: "quiet" },
      `${t("contest.rounds", { n: one.rounds })} · ${t("contest.players", { n: one.entrants })}`,
    ),
    ended?.reason && el("p", { role: "status" }, ended.reason),
    trouble(failure),
    mine &&
      !ended &&
      el("p", { role: "status" }, t(mine.reserve ? "contest.reserve" : isIn ? "contest.in" : "contest.left")),
    !ended &&
      el(
        "p",
        { class: "actions" },
        mine?.game && el("a", { class: "button primary", href: `#/game/${mine.game}` }, t("home.continue")),
        isIn
          ? one.status === "running"
            ? el("details", null, el("summary", null, t("contest.withdraw")), part(Once, withdrawal))
            : part(Once, withdrawal)
          : !mine &&
              part(Once, {
                class: "primary",
                act: () => act(() => guest(newcomer()).then(enter)),
                text: t("contest.enter"),
              }),
      ),
    one.invitation &&
      part(linkField, { label: t("friends.link"), link: `${location.origin}/#/tournament/${id}/${one.invitation}` }),
    standings.length
      ? grid(
          ["#", t("seats.name"), t("seats.score")],
          standings.map((each) => ({
            key: each.player,
            mine: each.player === session?.id,
            cells: [each.rank, each.name ?? t("nameless"), each.points],
          })),
        )
      : null,
  ];
}
