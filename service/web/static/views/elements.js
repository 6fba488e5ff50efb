/** What the pages without a table share: rulesets and bots, fields of forms, and games in a line. */

import { el, enter, language, list, now, part, read, regional, t, useLoaded, write } from "../page.js";
import { at, get, post } from "../sending.js";
import { useId, useRef, useState } from "../vendor/hooks.mjs";

/** @typedef {import("../page.js").Children} Children */
/** @typedef {import("../sending.js").Game} Game */
/** @typedef {import("../sending.js").Schemas} Schemas */

/** @type {Map<string, Promise<Schemas["RulesetList"]["items"]>>} */
const games = new Map();

/** The games that can be played here, in the reader's language; they stay the same while the page is open. @returns {Promise<Schemas["RulesetList"]["items"]>} */
export function rulesets() {
  const lang = language();
  const request = games.get(lang) ?? get(at("/v1/rulesets", { lang })).then((page) => page.items);
  games.set(lang, request);
  request.catch(() => games.delete(lang));
  return request;
}

const SIGNS = "★⬢♥◉▲♠◆♣";

/** Draw the sign of a game: the same in every language, on a colour of its own. @param {string} id */
export function emblem(id) {
  const hue = [...id].reduce((sum, sign) => (sum * 61 + (sign.codePointAt(0) ?? 0)) % 360, 7);
  return el(
    "span",
    { class: "emblem", "aria-hidden": true, style: { "--hue": String(hue) } },
    SIGNS.charAt(hue % SIGNS.length),
    "\ufe0e",
  );
}

/** @typedef {Schemas["BotList"]["items"][number]} Bot */

/** @type {Map<string, Promise<Bot[]>>} */
const robots = new Map();

/** The bots of the service, as a reader calls them; the weakest first. @returns {Promise<Bot[]>} */
function bots() {
  const lang = language();
  const request = robots.get(lang) ?? get(at("/v1/bots", { lang })).then((page) => page.items);
  robots.set(lang, request);
  request.catch(() => robots.delete(lang));
  return request;
}

/** The bots to play against, where nobody has chosen one, in this order. */
const WORTHY = ["searcher", "greedy"];

/** Choose among bots: the one that was chosen last, if it is among them; else the strongest. @param {Bot[]} bots */
function best(bots) {
  const named = (/** @type {string} */ name) => bots.find((bot) => bot.name === name);
  return [read("opponent", ""), ...WORTHY].map(named).find(Boolean) ?? bots.at(-1);
}

/** @param {Bot[]} bots @param {string | undefined} ruleset */
const playing = (bots, ruleset) => bots.filter(({ rulesets }) => !ruleset || rulesets.some((each) => each === ruleset));

/** Choose the bot for a game; null where it is the one that was chosen for all games. @param {string} ruleset */
export const otherBot = async (ruleset) => {
  const [all, bot] = [best(await bots()), best(playing(await bots(), ruleset))];
  return bot && bot.name !== all?.name ? bot : null;
};

/** Choose the bot for a game. @param {string} ruleset */
export const bestBot = async (ruleset) => best(playing(await bots(), ruleset))?.name ?? "random";

/** Choose how strong bots are, of those that play a game; the browser remembers it. @param {{ruleset?: string, chosen?: (name: string) => void}} props */
export function Opponents({ ruleset, chosen }) {
  const { value = [] } = useLoaded(bots, [language()]);
  const [, choose] = useState("");
  const offered = playing(value, ruleset);
  return choice(
    t("opponents"),
    best(offered)?.name ?? "",
    offered.map(({ name, title }) => [name, title]),
    (name) => (write("opponent", name), choose(name), chosen?.(name)),
  );
}

/** Bots move at once for a player who wants to see moves at once; otherwise at the pace of the service. */
export const pacing = () => (now().settings.pace ? {} : { bot_pace: 0 });

const ANIMALS = 12;

/** The guest that is being made. @type {Promise<import("../page.js").Session> | null} */
let coming = null;

/** Have an account: the one of this browser, or else a new guest; two taps make one. @param {string} name */
export async function guest(name) {
  return now().session ?? (coming ??= newGuest(name).finally(() => (coming = null)));
}

/** @param {string} name @returns {Promise<import("../page.js").Session>} */
async function newGuest(name) {
  /** @type {Schemas["NewPlayerAnswer"]} */
  const player = await post("/v1/players", { name });
  const session = { token: player.token, id: player.id, name: player.name };
  enter(session);
  return session;
}

/** Make up a name, which the guest can change later. */
export function madeUpName() {
  const drawn = Math.floor(Math.random() * ANIMALS * 90);
  return t(`guest.${drawn % ANIMALS}`, { number: 10 + Math.floor(drawn / ANIMALS) });
}

/** Name who sits in a seat. @param {{name: string | null, tag: string | null}} seat */
export const called = (seat) =>
  seat.name === null ? t("nameless") : seat.tag ? `${seat.name} (${seat.tag})` : seat.name;

/** Say who sits in a game: names, bots and open seats. @param {Schemas["Seat"][]} seats */
export function company(seats) {
  const people = seats.flatMap((seat) => (seat.player ? [called(seat)] : []));
  const bots = seats.filter((seat) => seat.bot).length;
  const open = seats.filter((seat) => !seat.bot && !seat.player).length;
  return list([...people, ...(bots ? [t("bots", { n: bots })] : []), ...(open ? [t("open_seats", { n: open })] : [])]);
}

/** Say how much time a turn has. @param {Game} game */
export const pace = (game) => t(`speed.${game.speed}`);

const DAY_MS = 86_400_000;

/** Say when something is: the time of day, and the day unless it is near. @param {string} moment */
function when(moment) {
  const isNear = Math.abs(Date.parse(moment) - Date.now()) < DAY_MS / 2;
  /** @type {Intl.DateTimeFormatOptions} */
  const time = { hour: "numeric", minute: "2-digit" };
  return new Intl.DateTimeFormat(
    regional,
    isNear ? time : { weekday: "short", day: "numeric", month: "short", ...time },
  ).format(new Date(moment));
}

/** Say until when something must be done. @param {string | null} moment */
export const until = (moment) => (moment ? el("time", { dateTime: moment }, t("until", { when: when(moment) })) : null);

/** The address of a game: while it waits for players, it has a page of its own. @param {{id: string, status: string}} game */
export const address = (game) => `#/${game.status === "open" ? "waiting" : "game"}/${game.id}`;

/** Take what was created, or raise why it was refused. @param {import("../sending.js").Outcome} outcome @returns {Game} */
export function created(outcome) {
  if (outcome.state === "refused") throw outcome.problem;
  return outcome.answer;
}

/** Go to a game once it is there, unless the reader has gone elsewhere meanwhile. @param {Promise<{id: string, status: string}>} game */
export async function goTo(game) {
  const { name } = now().route;
  const result = await game;
  if (now().route.name === name) location.hash = address(result);
}

/** So many links are kept, the latest. */
const MOST_LINKS = 50;
/** The links to free seats that were made here: a seat such as "gm_….1", and the secret; "" is still to be made. */
const links = () => read("links", /** @type {[seat: string, secret: string][]} */ ([]));
/** @param {string} seat */
export const linkTo = (seat) => links().find(([each]) => each === seat)?.[1];
/** @param {string} seat @param {...string} secret none forgets it */
export const keepLink = (seat, ...secret) =>
  write(
    "links",
    [...links().filter(([each]) => each !== seat), ...secret.map((each) => [seat, each])].slice(-MOST_LINKS),
  );

/** A button for what takes a while; meanwhile, no other tap does it again. @param {{text: string, act: () => Promise<unknown>, class?: string}} props */
export function Once({ text, act, ...how }) {
  const [busy, work] = useState(false);
  const tap = () => (work(true), void act().finally(() => work(false)));
  return el("button", { type: "button", ...how, disabled: busy, onClick: tap }, text);
}

/**
 * Put a label and a sentence of help beside a control. They are no part of each other, so that a screen reader says
 * first the name, then the value, then the help.
 * @param {{label: string, help?: string | undefined, control: (names: {id: string, "aria-describedby": string | undefined}) => Children}} props
 */
function labelled({ label, help, control }) {
  const id = useId();
  const names = { id, "aria-describedby": help ? `${id}-help` : undefined };
  return el(
    "div",
    { class: "field" },
    el("label", { for: id }, label),
    control(names),
    help ? el("small", { id: `${id}-help` }, help) : null,
  );
}

/** @param {string} label @param {import("../page.js").Elements["input"]} input @param {string} [help] */
export const field = (label, input, help) =>
  part(labelled, { label, help, control: (names) => el("input", { ...input, ...names }) });

/**
 * Let the reader choose one of several values; one that does not fit now is shown and cannot be chosen.
 * @param {string} label @param {string} value @param {(readonly [value: string, text: string, unfit?: boolean] | string[])[]} values
 * @param {(value: string) => void} set @param {string} [help]
 */
export function choice(label, value, values, set, help) {
  const options = values.map(([each, text, unfit]) =>
    el("option", { key: each, value: each, disabled: Boolean(unfit) }, text),
  );
  return part(labelled, {
    label,
    help,
    control: (names) => el("select", { ...names, value, onChange: (event) => set(event.currentTarget.value) }, options),
  });
}

/** @param {{label: string, link: string}} props */
export function linkField({ label, link }) {
  const id = useId();
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [copied, done] = useState(false);
  const copy = async () => {
    input.current?.select();
    if (navigator.clipboard)
      await navigator.clipboard.writeText(link).then(
        () => done(true),
        () => {},
      );
  };
  return el(
    "p",
    { class: "link" },
    el("label", { for: id }, label),
    el("input", { id, ref: input, readOnly: true, value: link, onFocus: (event) => event.currentTarget.select() }),
    el(
      "button",
      { type: "button", onClick: () => void copy() },
      navigator.clipboard ? t(copied ? "copied" : "copy") : t("select"),
    ),
  );
}

/** Show games as a list of links. @param {Game[]} games @param {Map<string, string>} names of the rulesets @param {(game: Game) => Children} [more] */
export const gameList = (games, names, more = () => null) =>
  el(
    "ul",
    { class: "games" },
    games.map((game) =>
      el(
        "li",
        { key: game.id },
        emblem(game.ruleset),
        el(
          "a",
          { href: address(game) },
          el("strong", null, names.get(game.ruleset) ?? game.ruleset),
          el("span", null, company(game.seats)),
        ),
        more(game),
      ),
    ),
  );
