/** The lobby, what an invitation link leads to, and the table at which a game waits for its players. */

import { follow } from "../events.js";
import { el, now, part, show, t, useLoaded } from "../page.js";
import { open as openSeeds, take, takeByLink } from "../seeds.js";
import { at, call, get, post, trouble } from "../sending.js";
import { useEffect, useState } from "../vendor/hooks.mjs";
import {
  address,
  botFor,
  called,
  choice,
  company,
  field,
  gameList,
  goTo,
  guest,
  Head,
  keepLink,
  linkField,
  linkTo,
  newcomer,
  Once,
  pace,
  Portraits,
  rulesets,
  until,
} from "./elements.js";

/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {Schemas["GameAtVersion"]} Game */

const REFRESH_MS = 5000;
const SPEEDS = ["live", "daily", "slow", "none"];

export function lobby() {
  const [wish, set] = useState({ shown: "open", ruleset: "", speed: "" });
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  const all = useLoaded(rulesets, []);
  const names = new Map((all.value ?? []).map((each) => [each.id, each.name]));
  const query = {
    ...(wish.shown === "open" ? { open: true, sort: "oldest" } : { status: "active" }),
    ruleset: wish.ruleset,
    speed: wish.speed,
    limit: 30,
  };
  /** @type {{value: Schemas["GameList"] | undefined, problem: unknown, again: () => void}} */
  const loaded = useLoaded((signal) => get(at("/v1/games", query), { signal }), [wish.shown, wish.ruleset, wish.speed]);
  useEffect(() => show(t("nav.lobby"), 0), []);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || loaded.again(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const games = loaded.value?.items ?? [];
  return [
    el("h1", null, t("nav.lobby")),
    el(
      "div",
      { class: "filters" },
      choice(
        t("lobby.shown"),
        wish.shown,
        ["open", "active"].map((each) => [each, t(`lobby.${each}`)]),
        (shown) => set({ ...wish, shown }),
      ),
      choice(
        t("new.game"),
        wish.ruleset,
        [
          ["", t("lobby.any")],
          ...(all.value ?? []).map((each) => /** @type {[string, string]} */ ([each.id, each.name])),
        ],
        (ruleset) => set({ ...wish, ruleset }),
      ),
      choice(
        t("new.clock"),
        wish.speed,
        [["", t("lobby.any")], ...SPEEDS.map((each) => /** @type {[string, string]} */ ([each, t(`speed.${each}`)]))],
        (speed) => set({ ...wish, speed }),
      ),
    ),
    trouble(all.problem ?? loaded.problem ?? failure, loaded.again),
    loaded.value && !games.length ? el("p", { class: "none" }, t("lobby.none")) : null,
    gameList(games, names, (game) => [
      el("span", { class: "badge" }, pace(game)),
      game.status === "open" && !game.seats.some((seat) => seat.player && seat.player === now().session?.id)
        ? part(Once, { class: "primary", act: () => sit(game.id).catch(fail), text: t("sit") })
        : null,
      game.status === "active" ? el("a", { class: "button", href: address(game) }, t("lobby.watch")) : null,
    ]),
    el(
      "p",
      { class: "actions" },
      el("a", { class: "button primary", href: "#/new" }, t("new.title")),
      el("a", { class: "button", href: "#/tournaments" }, t("contest.title")),
    ),
  ];
}

/** @param {{args: string[]}} props */
export function join({ args: [secret = ""] }) {
  const path = `/v1/invitations/${encodeURIComponent(secret)}`;
  /** @type {{value: Schemas["InvitationPreview"] | undefined, problem: unknown, again: () => void}} */
  const loaded = useLoaded((signal) => get(path, { signal }), [secret]);
  const all = useLoaded(rulesets, []);
  const [who, write] = useState(newcomer);
  const [busy, work] = useState(false);
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  useEffect(() => show(t("join.title"), 0), []);
  const { session } = now();
  const invitation = loaded.value;
  if (!invitation) return [el("h1", null, t("join.title")), trouble(loaded.problem, loaded.again)];
  const ruleset = all.value?.find((each) => each.id === invitation.game.ruleset);
  const game = ruleset?.name ?? "";
  const sitDown = async () => {
    const { route } = now();
    work(true);
    try {
      await guest(who);
      const taken = await takeByLink(path);
      if (now().route === route) location.replace(`#/waiting/${taken.game_id}`);
    } catch (problem) {
      fail(problem);
      work(false);
    }
  };
  return [
    el("h1", null, t("join.invited", { by: invitation.by_name ?? t("nameless"), game })),
    el("p", null, company(invitation.game.seats), " · ", pace(invitation.game)),
    el("p", { class: "quiet" }, t("join.valid"), " ", until(invitation.expires_at)),
    el(
      "form",
      { class: "form", onSubmit: (event) => (event.preventDefault(), void sitDown()) },
      session
        ? el("p", null, t("join.as", { name: session.name }))
        : [
            field(t("settings.name"), {
              value: who.name,
              maxLength: 40,
              required: true,
              autoComplete: "nickname",
              onInput: (event) => write({ ...who, name: event.currentTarget.value }),
            }),
            part(Portraits, { value: who.portrait, set: (portrait) => write({ ...who, portrait }) }),
          ],
      trouble(failure),
      el("button", { class: "primary", disabled: busy }, t("sit")),
    ),
    ruleset?.has_tutorial &&
      el("p", null, el("a", { class: "button", href: `#/learn/${ruleset.id}` }, t("join.learn"))),
  ];
}

/** @param {{args: string[]}} props */
export function waiting({ args: [id = ""] }) {
  const path = `/v1/games/${encodeURIComponent(id)}`;
  const all = useLoaded(rulesets, []);
  /** @type {{value: Game | undefined, problem: unknown, again: () => void}} */
  const loaded = useLoaded((signal) => get(path, { signal }), [id]);
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  const game = loaded.value;
  /** The game before, whose players have the seats of its rematch. @type {{value: Game | null | undefined}} */
  const { value: before } = useLoaded(
    async (signal) => (game?.rematch_of ? get(`/v1/games/${game.rematch_of}`, { signal }) : null),
    [game?.rematch_of],
  );
  const isLoaded = game !== undefined;
  /** @param {() => Promise<unknown>} action */
  const act = (action) => action().then(() => (fail(null), loaded.again()), fail);
  useEffect(() => {
    if (!game) return undefined;
    const ended = new AbortController();
    follow({
      path: `${path}/events`,
      cursor: "version",
      after: game.version,
      happened: loaded.again,
      signal: ended.signal,
    }).catch(fail);
    return () => ended.abort();
  }, [id, isLoaded]);
  const name = all.value?.find((each) => each.id === game?.ruleset)?.name ?? "";
  useEffect(() => show(name, 0), [name]);
  useEffect(() => {
    if (game) void openSeeds(game).then(game.seeds_awaited ? loaded.again : undefined, fail);
    if (game && game.status !== "open" && game.status !== "aborted") location.replace(address(game));
  }, [game?.status, game?.seeds_awaited?.until]);
  useEffect(() => {
    for (const seat of game?.seats ?? []) if (!isFree(seat) || game?.status !== "open") keepLink(`${id}.${seat.seat}`);
  }, [game?.version]);
  useEffect(() => {
    for (const { seat } of game?.seats ?? []) if (linkTo(`${id}.${seat}`) === "") void act(() => invite(id, seat));
  }, [id, isLoaded]);
  if (!game) return [el("h1", null, t("waiting.title")), trouble(loaded.problem, loaded.again)];
  const me = now().session?.id;
  const mine = game.seats.some((seat) => seat.player === me && me);
  const isCreator = game.creator === me;
  const open = game.seats.filter(isFree).length;
  const awaited = game.seeds_awaited;
  const waits = awaited
    ? [t("waiting.seeds", { names: named(game, awaited.seats) }), " ", until(awaited.until)]
    : t("waiting.waits", { n: open });
  return [
    el("h1", null, name),
    el("p", { class: "lead", role: "status" }, game.status === "aborted" ? t("waiting.aborted") : waits),
    el(
      "p",
      { class: "quiet" },
      t(`visibility.${game.visibility}`),
      " · ",
      pace(game),
      game.expires_at && game.status === "open" ? [" · ", t("waiting.kept"), " ", until(game.expires_at)] : null,
    ),
    game.status === "open" && open > 0 && !before && game.visibility !== "private" && part(ShareLink, { id, name }),
    trouble(loaded.problem ?? failure, loaded.again),
    el(
      "ol",
      { class: "places" },
      game.seats.map((seat) => place(game, seat, { mine, isCreator, act, before })),
    ),
    game.status === "open"
      ? !awaited &&
        el(
          "p",
          { class: "actions" },
          mine || (before && !before.seats.some(({ player }) => player === me))
            ? null
            : part(Once, { class: "primary", act: () => act(() => sit(game.id)), text: t("sit") }),
          mine ? part(Once, { act: () => act(() => leave(game)), text: t("waiting.leave") }) : null,
          isCreator ? part(Once, { act: () => act(() => call("DELETE", path)), text: t("waiting.cancel") }) : null,
        )
      : el("p", null, el("a", { class: "button", href: "#/" }, t("nav.home"))),
  ];
}

/** @param {Schemas["Seat"]} seat */
const isFree = ({ player, bot }) => !player && !bot;

/** Make a link to a seat, and keep it. @param {string} id @param {number} seat */
async function invite(id, seat) {
  const invitation = await post(`/v1/games/${encodeURIComponent(id)}/invitations`, { link: true, seat });
  keepLink(`${id}.${seat}`, invitation.secret);
}

/** The link that friends get: anyone who opens it can sit down. @param {{id: string, name: string}} props */
function ShareLink({ id, name }) {
  const url = `${location.origin}/#/waiting/${id}`;
  return el(
    "div",
    { class: "share" },
    part(linkField, { label: t("friends.link"), link: url }),
    "share" in navigator &&
      el(
        "button",
        {
          type: "button",
          class: "primary",
          onClick: () => void navigator.share({ title: name, url }).catch(() => undefined),
        },
        t("friends.share"),
      ),
  );
}

/** Who had a seat of a rematch in the game before, where everyone moves on by one. @param {Game | null | undefined} before @param {number} seat */
const kept = (before, seat) => before?.seats.at(seat - 1);

/** @param {Game} game @param {Schemas["Seat"]} seat @param {{mine: boolean, isCreator: boolean, act: (action: () => Promise<unknown>) => Promise<unknown>, before: Game | null | undefined}} how */
function place(game, seat, { mine, isCreator, act, before }) {
  const earlier = kept(before, seat.seat);
  const who =
    seat.bot || seat.player
      ? called(seat)
      : earlier
        ? t("waiting.reserved", { names: called(earlier) })
        : t("waiting.free");
  const secret = linkTo(`${game.id}.${seat.seat}`);
  const free = isFree(seat) && game.status === "open";
  const putBot = async () =>
    call("PUT", `/v1/games/${game.id}/seats/${seat.seat}`, { body: { bot: await botFor(game.ruleset) } });
  return el(
    "li",
    { key: seat.seat, class: free ? "free" : "" },
    part(Head, { portrait: seat.portrait }),
    el("span", null, who, seat.player && seat.player === now().session?.id ? ` ${t("seats.you")}` : ""),
    free && secret
      ? part(linkField, {
          label: t("waiting.link"),
          link: `${location.origin}/#/join/${secret}`,
        })
      : null,
    free && secret
      ? el(
          "details",
          { class: "qr" },
          el("summary", null, t("waiting.qr")),
          el("img", {
            src: `/v1/invitations/${secret}/qr.svg`,
            alt: t("waiting.qr"),
            loading: "lazy",
            width: 240,
            height: 240,
          }),
        )
      : null,
    free && !secret && game.visibility === "private" && (mine || isCreator)
      ? part(Once, { act: () => act(() => invite(game.id, seat.seat)), text: t("waiting.invite") })
      : null,
    free && isCreator ? part(Once, { act: () => act(putBot), text: t("waiting.put_bot") }) : null,
  );
}

/** The players of some seats. @param {Game} game @param {number[]} seats */
const named = (game, seats) =>
  game.seats
    .filter(({ seat }) => seats.includes(seat))
    .map(called)
    .join(", ");

/** @param {Game} game */
async function leave(game) {
  const seat = game.seats.find((each) => each.player === now().session?.id);
  if (seat) await call("DELETE", `/v1/games/${game.id}/seats/${seat.seat}`);
}

/** Take a seat, as a new guest if need be, and go to its table. @param {string} id */
const sit = (id) =>
  goTo(
    guest(newcomer())
      .then(() => take(id))
      .then(() => ({ id, status: "open" })),
  );
