/** Home: play at once, the games and invitations that wait for me, and the settings of this browser. */

import { follow } from "../events.js";
import { change, el, enter, language, LANGUAGES, now, part, prefer, read, show, t, useLoaded, write } from "../page.js";
import { call, get, post, restart, resume, trouble, Unreached, viewOf } from "../sending.js";
import { useEffect, useState } from "../vendor/hooks.mjs";
import {
  address,
  botFor,
  choice,
  company,
  created,
  emblem,
  field,
  gameList,
  goTo,
  guest,
  Head,
  linkField,
  newcomer,
  Once,
  Opponents,
  pace,
  playWith,
  Portraits,
  rulesets,
  until,
  usual,
} from "./elements.js";

/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {Schemas["RulesetList"]["items"][number]} Ruleset */
/** @typedef {{running: Schemas["MyGame"][], waiting: Schemas["MyGame"][], over: Schemas["MyGame"][], invitations: Schemas["MyInvitation"][]}} Mine */

/** The deals of the day, each with what is left of it. @param {{names: Map<string, string>}} props */
function daily({ names }) {
  const id = now().session?.id ?? "";
  const { value } = useLoaded((signal) => get("/v1/daily", { signal }).then((page) => page.items), [id]);
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  /** @param {Schemas["DailyList"]["items"][number]} each */
  const play = ({ ruleset, date }) =>
    goTo(guest(newcomer()).then(() => post(`/v1/daily/${ruleset}/${date}/deals`, {}))).catch(fail);
  const sets = /** @type {Schemas["DailyList"]["items"]} */ (value ?? []);
  if (!sets.length) return null;
  return el(
    "section",
    { class: "daily" },
    el("h2", null, t("home.daily")),
    el("p", { class: "lead" }, t("home.daily.why")),
    trouble(failure),
    el(
      "p",
      { class: "actions" },
      sets.map((each) => {
        const [name, finished] = [names.get(each.ruleset) ?? each.ruleset, each.mine?.finished ?? 0];
        const text = t("home.daily.deal", { name, place: finished + 1, count: each.deals });
        return finished < each.deals && part(Once, { key: each.id, act: () => play(each), text });
      }),
    ),
    el(
      "p",
      { class: "quiet" },
      t("home.daily.results"),
      sets.map(({ id, ruleset, date }) => [
        " · ",
        el("a", { key: id, href: `#/day/${ruleset}/${date}` }, names.get(ruleset) ?? ruleset),
      ]),
    ),
  );
}

/** Whether a game was begun since the page was loaded, so that none is left to continue. */
let begun = false;

/** Continue a game whose creation was not answered before the page was closed; the rest of its table is unchanged. */
function useUnfinished() {
  const [unfinished, find] = useState(false);
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  useEffect(() => {
    const going = begun ? null : resume("new", { owner: now().session?.id ?? "" });
    begun = true;
    if (!going) return;
    find(true);
    goTo(going.then(created)).catch((problem) => (find(false), fail(problem)));
  }, []);
  return failure ? trouble(failure) : unfinished && el("p", { class: "lead", role: "status" }, t("home.starting"));
}

const kept = () => import("./kept.js").catch(() => null);

export function home() {
  const loaded = useLoaded(rulesets, []);
  const names = new Map((loaded.value ?? []).map((each) => [each.id, each.name]));
  const isKnown = now().session !== null;
  const unfinished = useUnfinished();
  const { value: unreached } = useLoaded(
    async () => (loaded.problem instanceof Unreached ? kept() : null),
    [loaded.problem],
  );
  const tiles = [
    trouble(loaded.problem, loaded.again),
    loaded.problem && unreached && part(unreached.KeptGames, {}),
    el(
      "ul",
      { class: "tiles" },
      loaded.value?.map((each) => part(tile, { ruleset: each, key: each.id })),
    ),
    el(
      "p",
      { class: "actions" },
      el("a", { class: "button", href: "#/lobby" }, t("home.find")),
      el("a", { class: "button", href: "#/new" }, t("new.title")),
    ),
  ];
  const about = el("p", { class: "quiet" }, el("a", { href: "/about" }, t("home.about")));
  useEffect(() => {
    if (!isKnown) show("", 0);
    else if (now().settings.notify) import("./people.js").then(({ renew }) => renew()).catch(() => undefined);
  }, [isKnown]);
  if (!isKnown)
    return [
      el("h1", null, t("home.title")),
      el("p", { class: "lead" }, t("home.lead")),
      part(daily, { names }),
      el("h2", { class: "hearsay" }, t("home.play")),
      tiles,
      about,
    ];
  return [
    el("h1", null, t("home.title")),
    unfinished,
    part(mine, { names }),
    part(daily, { names }),
    el(
      "p",
      { class: "quiet" },
      t("home.as", { name: now().session?.name ?? "" }),
      " ",
      el("a", { href: "#/settings" }, t("home.keep")),
    ),
    el("h2", null, t("home.play")),
    tiles,
    about,
  ];
}

/** A game: to play at once, with friends, or to learn. @param {{ruleset: Ruleset}} props */
function tile({ ruleset: { id, name, summary, players, has_tutorial } }) {
  const [number, set] = useState(usual(players));
  const [starting, start] = useState(false);
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  const numbers = Array.from({ length: players.max - players.min + 1 }, (_, more) => players.min + more);
  /** @param {Promise<{bot: string} | {open: true}>} other */
  const play = (other) => {
    start(true);
    begun = true;
    goTo(other.then((each) => playWith(id, number, each))).catch((problem) => (start(false), fail(problem)));
  };
  return el(
    "li",
    { class: "tile" },
    el("h3", null, emblem(id), name),
    el("p", null, summary),
    el(
      "div",
      { class: "against" },
      numbers.length > 1
        ? choice(
            t("new.players"),
            String(number),
            numbers.map((each) => [String(each), t("players", { n: each })]),
            (value) => set(Number(value)),
          )
        : el("p", { class: "quiet" }, t("players", { n: number })),
      part(Opponents, { ruleset: id }),
    ),
    trouble(failure),
    el(
      "button",
      {
        type: "button",
        class: "primary",
        disabled: starting,
        "aria-label": t("home.play_this", { name }),
        onClick: () => play(botFor(id).then((bot) => ({ bot }))),
      },
      t(starting ? "home.starting" : "nav.home"),
    ),
    el(
      "button",
      {
        type: "button",
        disabled: starting,
        "aria-label": `${t("home.with_friends")}: ${name}`,
        onClick: () => play(Promise.resolve({ open: true })),
      },
      t("home.with_friends"),
    ),
    has_tutorial &&
      el("a", { class: "button", href: `#/learn/${id}`, "aria-label": t("learn.this", { name }) }, t("learn.go")),
  );
}

/** @param {AbortSignal} signal @returns {Promise<Mine>} */
async function load(signal) {
  const paths = [
    "games?status=active&limit=50",
    "games?status=open&limit=20",
    "games?status=finished&limit=5",
    "invitations?limit=20",
  ];
  const [running, waiting, over, invitations] = await Promise.all(
    paths.map((each) => get(`/v1/me/${each}`, { signal }).then((page) => page.items)),
  );
  running.sort(
    (/** @type {Schemas["MyGame"]} */ one, /** @type {Schemas["MyGame"]} */ two) =>
      Number(two.your_turn) - Number(one.your_turn),
  );
  return { running, waiting, over, invitations };
}

/** @param {{names: Map<string, string>}} props */
function mine({ names }) {
  const { value, problem, again } = useLoaded(load, []);
  const [deaf, fail] = useState(/** @type {unknown} */ (null));
  const id = now().session?.id ?? "";
  useEffect(() => {
    const ended = new AbortController();
    const heard = (/** @type {{id: string}[]} */ notices) => {
      write(`heard.${id}`, notices.at(-1)?.id);
      again();
    };
    follow({
      path: "/v1/me/events",
      cursor: "id",
      after: read(`heard.${id}`, null),
      happened: heard,
      signal: ended.signal,
    }).catch(fail);
    return () => ended.abort();
  }, [id]);
  useEffect(() => {
    const awaited = value?.waiting.filter((game) => game.seeds_awaited) ?? [];
    if (awaited.length)
      // Its table says why not.
      void import("../seeds.js").then(({ open }) => Promise.all(awaited.map(open))).catch(() => undefined);
  }, [value]);
  const [next, ...more] = value?.running ?? [];
  const turns = value?.running.filter((game) => game.your_turn).length ?? 0;
  useEffect(() => show("", turns), [turns]);
  return [
    trouble(problem ?? deaf, again),
    value?.invitations.length
      ? [
          el("h2", null, t("home.invitations")),
          el(
            "ul",
            { class: "games" },
            value.invitations.map((each) => part(invited, { invitation: each, names, again, key: each.id })),
          ),
        ]
      : null,
    next && part(Next, { key: next.id, game: next, names }),
    section(t("home.mine"), more, names, turn),
    section(t("home.waiting"), value?.waiting ?? [], names, (game) => el("span", { class: "badge" }, pace(game))),
    section(t("home.over"), value?.over ?? [], names, result),
  ];
}

/** @param {string} title @param {Schemas["MyGame"][]} games @param {Map<string, string>} names @param {(game: Schemas["MyGame"]) => import("../page.js").Children} more */
const section = (title, games, names, more) =>
  games.length
    ? [el("h2", null, title), gameList(games, names, (game) => more(/** @type {Schemas["MyGame"]} */ (game)))]
    : null;

/** @param {Schemas["MyGame"]} game */
const turn = (game) =>
  game.your_turn
    ? el("span", { class: "badge turn" }, t("your_turn"), " ", until(game.deadline))
    : el("span", { class: "badge" }, pace(game));

/** The game to continue, where it stands, and who plays. @param {{game: Schemas["MyGame"], names: Map<string, string>}} props */
function Next({ game, names }) {
  const { value } = useLoaded((signal) => get(viewOf(game.id, { lang: language() }), { signal }), [language()]);
  return el(
    "section",
    { class: "next-game" },
    el("h2", null, t("home.continue")),
    el(
      "a",
      { href: address(game), class: game.your_turn ? "your-turn" : "" },
      emblem(game.ruleset),
      el(
        "span",
        null,
        el("strong", null, names.get(game.ruleset) ?? game.ruleset),
        el("span", null, value?.scene.title ?? company(game.seats)),
        turn(game),
      ),
      el(
        "span",
        { class: "faces" },
        game.seats.map(({ seat, portrait }) => part(Head, { key: seat, portrait })),
      ),
    ),
  );
}

/** How a game ended for its player, who can hold several of its seats. @param {Schemas["MyGame"]} game */
function result({ outcome, seats }) {
  const mine = seats.filter(({ player }) => player === now().session?.id);
  const [me] = mine;
  if (!outcome || !me || mine.length > 1) return null;
  const score = outcome.scores[me.seat] ?? 0;
  const won = !outcome.winners.includes(me.seat) ? "lost" : outcome.winners.length < seats.length ? "won" : "tied";
  return el(
    "span",
    { class: `badge ${won}` },
    t(`home.${won}`),
    " ",
    new Intl.NumberFormat(language(), { signDisplay: "exceptZero" }).format(score),
  );
}

/** @param {{invitation: Schemas["MyInvitation"], names: Map<string, string>, again: () => void}} props */
function invited({ invitation: { id, game, seat, by_name }, names, again }) {
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  const wish = seat === null ? {} : { seat };
  const accept = () => goTo(import("../seeds.js").then(({ take }) => take(game.id, wish)).then(() => game));
  const decline = () => call("DELETE", `/v1/games/${game.id}/invitations/${id}`).then(again, fail);
  return el(
    "li",
    null,
    el(
      "a",
      { href: address(game) },
      el(
        "strong",
        null,
        t("join.invited", { by: by_name ?? t("nameless"), game: names.get(game.ruleset) ?? game.ruleset }),
      ),
      el("span", null, company(game.seats)),
    ),
    part(Once, { class: "primary", act: () => accept().catch(fail), text: t("sit") }),
    part(Once, { act: decline, text: t("home.decline") }),
    trouble(failure),
  );
}

export function settings() {
  const { session, settings: chosen } = now();
  const [device, load] = useState(/** @type {typeof import("./people.js") | null} */ (null));
  useEffect(() => void import("./people.js").then(load, restart), []);
  useEffect(() => show(t("nav.settings"), 0), []);
  // a language is listed by its own name, which no translation changes
  const languages = LANGUAGES.map((each) => [each, new Intl.DisplayNames(each, { type: "language" }).of(each) ?? each]);
  return [
    el("h1", null, t("nav.settings")),
    el(
      "form",
      { class: "form", onSubmit: (event) => event.preventDefault() },
      choice(t("settings.language"), chosen.language, [["", t("settings.as_browser")], ...languages], (language) =>
        prefer({ language }),
      ),
      choice(
        t("settings.theme"),
        chosen.theme,
        [
          ["", t("settings.as_system")],
          ["light", t("settings.light")],
          ["dark", t("settings.dark")],
        ],
        (theme) => prefer({ theme: /** @type {any} */ (theme) }),
      ),
      choice(
        t("settings.letters"),
        chosen.letters,
        [
          ["", t("settings.as_language", { letters: [...t("letters")].join(" ") })],
          ["RDCV", "R D C V"],
          ["KQNJ", "K Q N J"],
        ],
        (letters) => prefer({ letters: /** @type {any} */ (letters) }),
      ),
      choice(
        t("settings.confirm"),
        chosen.confirm,
        [
          ["", t("settings.confirm_touch")],
          ["yes", t("yes")],
          ["no", t("no")],
        ],
        (confirm) => prefer({ confirm: /** @type {any} */ (confirm) }),
      ),
      choice(
        t("settings.first"),
        chosen.first ?? "",
        [
          ["", t("settings.first_table")],
          ["hand", t("settings.first_hand")],
        ],
        (first) => prefer({ first: /** @type {any} */ (first) }),
      ),
      choice(
        t("settings.sound"),
        chosen.sound ? "yes" : "no",
        [
          ["yes", t("yes")],
          ["no", t("no")],
        ],
        (sound) => prefer({ sound: sound === "yes" }),
      ),
      choice(
        t("settings.phrases"),
        chosen.phrases ? "yes" : "no",
        [
          ["yes", t("yes")],
          ["no", t("no")],
        ],
        (phrases) => prefer({ phrases: phrases === "yes" }),
      ),
      choice(
        t("settings.pace"),
        String(chosen.pace),
        [
          ["0", t("settings.pace_0")],
          ["800", t("settings.pace_800")],
          ["1600", t("settings.pace_1600")],
        ],
        (pace) => prefer({ pace: Number(pace) }),
      ),
    ),
    session && device && part(device.Notices, {}),
    session ? part(account, { session }) : null,
  ];
}

/** Be another player in this browser, or nobody; what comes by push and the games that are kept are for the one before. @param {import("../page.js").Session | null} session */
async function become(session) {
  try {
    if (now().settings.notify) await import("./people.js").then(({ quiet }) => quiet());
    await import("../offline.js").then(({ forget }) => forget());
  } finally {
    enter(session);
  }
}

/** @param {{session: import("../page.js").Session}} props */
function account({ session }) {
  const [name, write] = useState(session.name);
  const [link, make] = useState("");
  const { value: me } = useLoaded((signal) => get("/v1/me", { signal }), [session.id]);
  const [portrait, choose] = useState("");
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  const rename = async () => {
    /** @type {Schemas["Me"]} */
    const me = await call("PATCH", "/v1/me", { body: { name } });
    enter({ ...session, name: me.name });
    change({ said: t("settings.renamed", { name: me.name }) });
    fail(null);
  };
  const keep = async () => {
    /** @type {Schemas["NewTokenAnswer"]} */
    const made = await post("/v1/me/tokens", { label: "link" });
    make(`${location.origin}/#/keep/${made.token}`);
  };
  return [
    el("h2", null, t("settings.me")),
    el(
      "form",
      { class: "form", onSubmit: (event) => (event.preventDefault(), void rename().catch(fail)) },
      field(t("settings.name"), {
        value: name,
        maxLength: 40,
        required: true,
        autoComplete: "nickname",
        onInput: (event) => write(event.currentTarget.value),
      }),
      el("button", { disabled: name === session.name }, t("settings.rename")),
    ),
    part(Portraits, {
      value: portrait || (me?.portrait ?? ""),
      set: (portrait) => (
        choose(portrait),
        void call("PATCH", "/v1/me", { body: { portrait } }).then(() => fail(null), fail)
      ),
    }),
    trouble(failure),
    el("h2", null, t("settings.keep")),
    el("p", null, t("settings.keep_why")),
    link
      ? part(linkField, { label: t("settings.keep"), link: link })
      : el("button", { type: "button", onClick: () => void keep().catch(fail) }, t("settings.keep_make")),
    el("h2", null, t("settings.forget")),
    el("p", null, t("settings.forget_why")),
    el(
      "button",
      { type: "button", class: "danger", disabled: !link, onClick: () => void become(null).catch(fail) },
      t("settings.forget"),
    ),
  ];
}

/** A link with a token makes nobody a player without asking: who made it can see whatever is dealt here, and it can come from anybody. @param {{args: string[]}} props */
export function keep({ args: [token = ""] }) {
  const { session } = now();
  /** @type {{value: Schemas["Me"] | undefined, problem: unknown, again: () => void}} */
  const loaded = useLoaded((signal) => get("/v1/me", { token, signal }), [token]);
  const me = loaded.value;
  // The token does not stay in the address.
  const leave = () => location.replace("#/");
  useEffect(() => show(t("keep.title"), 0), []);
  if (!me) return [el("h1", null, t("keep.title")), trouble(loaded.problem, loaded.again)];
  const { id, name } = me;
  if (session?.id === id)
    return [
      el("h1", null, t("keep.title")),
      el("p", null, t("keep.already", { name })),
      el("button", { type: "button", onClick: leave }, t("nav.home")),
    ];
  return [
    el("h1", null, t("keep.title")),
    el("p", { class: "lead" }, t("keep.as", { name })),
    el("p", null, t("keep.means", { name })),
    session && el("p", null, t("keep.other", { mine: session.name })),
    el(
      "p",
      { class: "actions" },
      part(Once, { act: () => become({ token, id, name }).then(leave), text: t("keep.become", { name }) }),
      // What is right in doubt.
      el("button", { type: "button", class: "primary", onClick: leave }, t("keep.not")),
    ),
  ];
}
