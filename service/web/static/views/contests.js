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
  const title = t("day.title", {
    name,
    date: isDay ? new Intl.DateTimeFormat(regional, { dateStyle: "long", timeZone: "UTC" }).format(noon) : date,
  });
  useEffect(() => show(title, 0), [title]);
  /** @type {{value: {open: Schemas["DailyList"]["items"][number] | null, results: Schemas["DailyResults"] | null} | undefined, problem: unknown, again: () => void}} */
  const loaded = useLoaded(
    async (signal) => {
      /** @type {Schemas["DailyList"]} */
      const { items } = await get("/v1/daily", { signal });
      const open = items.find((each) => each.ruleset === ruleset && each.date === date) ?? null;
      return { open, results: open ? null : await get(at(`${path}/results`, { limit: MOST }), { signal }) };
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
    el("h2", null, t("day.mine")),
    grid(
      [t("day.deal"), t("day.you"), t("day.bots")],
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
    items.length
      ? grid(
          ["#", t("day.player"), t("day.points"), "%", t("day.deals")],
          items.map((each) => ({
            key: each.player,
            mine: each.player === me,
            cells: [each.rank ?? "–", each.name ?? t("nameless"), scored(each.points), each.percent, each.deals],
          })),
        )
      : el("p", { class: "none" }, t("day.none")),
    el("h2", null, t("day.deals")),
    grid(
      [t("day.deal"), t("day.bots"), t("day.field"), t("replay")],
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
    const timer = setInterval(() => document.hidden || loaded.again(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const one = loaded.value;
  useEffect(() => show(one?.name ?? t("contest.title"), 0), [one?.name]);
  if (!one) return [el("h1", null, t("contest.title")), trouble(loaded.problem, loaded.again)];
  /** @param {() => Promise<unknown>} action */
  const act = (action) => action().then(() => (fail(null), loaded.again()), fail);
  const enter = () => call("PUT", `${path}/entry`, { body: invitation ? { invitation } : {} });
  const { mine, ended, players, reserves, standings } = one;
  const isIn = [...players, ...reserves].some(({ player }) => player === session?.id);
  return [
    el("h1", null, one.name),
    el("p", { class: "lead" }, names.get(one.ruleset) ?? one.ruleset, " · ", phase(one), " ", until(one.closes)),
    el(
      "p",
      { class: "quiet" },
      [
        t("contest.rounds", { n: one.rounds }),
        ...(one.deals ? [t("contest.deals", { n: one.deals })] : []),
        t("contest.players", { n: one.entrants }),
      ].join(" · "),
    ),
    ended?.reason && el("p", { role: "status" }, t("contest.cancelled", { reason: ended.reason })),
    trouble(failure),
    mine &&
      !ended &&
      el("p", { role: "status" }, t(mine.reserve ? "contest.reserve" : isIn ? "contest.in" : "contest.left")),
    !ended &&
      el(
        "p",
        { class: "actions" },
        mine?.game && el("a", { class: "button primary", href: `#/game/${mine.game}` }, t("contest.play")),
        isIn
          ? part(Once, { act: () => act(() => call("DELETE", `${path}/entry`)), text: t("contest.withdraw") })
          : !mine &&
              part(Once, {
                class: "primary",
                act: () => act(() => guest(newcomer()).then(enter)),
                text: t("contest.enter"),
              }),
      ),
    one.invitation &&
      part(linkField, { label: t("contest.invite"), link: `${location.origin}/#/tournament/${id}/${one.invitation}` }),
    standings.length
      ? grid(
          ["#", t("day.player"), t("day.points")],
          standings.map((each) => ({
            key: each.player,
            mine: each.player === session?.id,
            cells: [each.rank, each.name ?? t("nameless"), each.points],
          })),
        )
      : null,
    reserves.length > 0 && el("p", null, t("contest.reserves", { names: called(reserves) })),
  ];
}

/** @param {Schemas["Entrant"][]} players */
const called = (players) => players.map(({ name }) => name ?? t("nameless")).join(", ");
