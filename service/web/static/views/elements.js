/** What the pages without a table share: rulesets and bots, fields of forms, and games in a line. */

import { el, enter, language, list, now, part, read, regional, styled, t, useLoaded, write } from "../page.js";
import { at, get, post, send } from "../sending.js";
import { useEffect, useId, useRef, useState } from "../vendor/hooks.mjs";

/** @typedef {import("../page.js").Children} Children */
/** @typedef {import("../sending.js").Game} Game */
/** @typedef {import("../sending.js").Schemas} Schemas */

// Before anything that it lays out.
await styled("pages.css");

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

const RANDOM = "random";

/** The bots that were chosen, by game. */
const opponents = () => read("opponents", /** @type {Record<string, string>} */ ({}));

/** @param {Bot[]} bots @param {string} ruleset */
const playing = (bots, ruleset) => bots.filter(({ rulesets }) => rulesets.some((each) => each === ruleset));

/** Choose among the bots of a game: the one that was chosen last, else the easiest that knows what it does. @param {Bot[]} bots @param {string} ruleset */
const preferred = (bots, ruleset) =>
  bots.find(({ name }) => name === opponents()[ruleset]) ?? bots.find(({ name }) => name !== RANDOM) ?? bots[0];

/** Choose the bot for a game. @param {string} ruleset */
export const botFor = async (ruleset) => preferred(playing(await bots(), ruleset), ruleset)?.name ?? RANDOM;

/** Choose how strong the bots of a game are; the browser remembers it. @param {{ruleset: string}} props */
export function Opponents({ ruleset }) {
  const { value = [] } = useLoaded(bots, [language()]);
  const [, choose] = useState("");
  const offered = playing(value, ruleset);
  return choice(
    t("opponents"),
    preferred(offered, ruleset)?.name ?? "",
    offered.map(({ name, title }) => [name, title]),
    (name) => (write("opponents", { ...opponents(), [ruleset]: name }), choose(name)),
  );
}

/** Create a game of mine with the same in all other seats. @param {string} ruleset @param {number} players @param {{bot: string} | {open: true}} other */
export async function playWith(ruleset, players, other) {
  // It is needed next.
  void import(`./${"bot" in other ? "game" : "lobby"}.js`).catch(() => null);
  const me = await guest(newcomer());
  const seats = [{ player: "me" }, ...Array.from({ length: players - 1 }, () => other)];
  const body = { ruleset, seats, visibility: "unlisted", clock: null, ...pacing() };
  return created(await send("new", "/v1/games", body, { owner: me.id }));
}

/** How many sit down to a game where nobody says so. @param {{min: number, max: number}} players */
export const usual = ({ min, max }) => Math.min(Math.max(4, min), max);

/** Bots move at once for a player who wants to see moves at once; otherwise at the pace of the service. */
export const pacing = () => (now().settings.pace ? {} : { bot_pace: "PT0S" });

/** The guest that is being made. @type {Promise<import("../page.js").Session> | null} */
let coming = null;

/** Have an account: the one of this browser, or else a new guest; two taps make one. @param {Newcomer} newcomer */
export async function guest(newcomer) {
  return now().session ?? (coming ??= newGuest(newcomer).finally(() => (coming = null)));
}

/** @param {Newcomer} newcomer @returns {Promise<import("../page.js").Session>} */
async function newGuest(newcomer) {
  /** @type {Schemas["NewPlayerAnswer"]} */
  const player = await post("/v1/players", newcomer);
  const session = { token: player.token, id: player.id, name: player.name };
  enter(session);
  return session;
}

/** @typedef {{name: string, portrait: string}} Newcomer */

/** Make up a name with its portrait, which the guest can change later. @returns {Newcomer} */
export function newcomer() {
  const drawn = Math.floor(Math.random() * PORTRAITS.length * 90);
  const animal = drawn % PORTRAITS.length;
  const number = 10 + Math.floor(drawn / PORTRAITS.length);
  return { name: t(`guest.${animal}`, { number }), portrait: /** @type {string} */ (PORTRAITS[animal]) };
}

/** The portraits of people, in the order of the names that are made up. */
const PORTRAITS = ["otter", "heron", "lynx", "magpie", "hare", "beaver", "robin", "marten"];

/** Let somebody choose a portrait. @param {{value: string, set: (portrait: string) => void}} props */
export const Portraits = ({ value, set }) =>
  el(
    "fieldset",
    { class: "portraits" },
    el("legend", null, t("settings.portrait")),
    PORTRAITS.map((each, animal) =>
      el(
        "label",
        { key: each },
        el("input", {
          type: "radio",
          name: "portrait",
          checked: each === value,
          "aria-label": t(`guest.${animal}`, { number: "" }).trim(),
          onChange: () => set(each),
        }),
        part(Head, { portrait: each }),
      ),
    ),
  );

/** The head of somebody, once the drawings are there. @param {{portrait: string | null}} props */
export function Head({ portrait }) {
  const [drawings, load] = useState(/** @type {typeof import("../portraits.js") | null} */ (null));
  useEffect(() => void import("../portraits.js").then(load, () => undefined), []);
  const temper = portrait && !PORTRAITS.includes(portrait) ? t(`temper.${portrait}`) : undefined;
  const drawn = drawings && portrait && drawings.portrait(portrait);
  return el("span", { class: "likeness", title: temper, "aria-hidden": true }, drawn);
}

/** Name who sits in a seat. @param {{name: string | null, tag: string | null}} seat */
export const called = (seat) =>
  seat.name === null ? t("nameless") : seat.tag ? `${seat.name} (${seat.tag})` : seat.name;

/** Say who sits in a game: names and open seats. @param {Schemas["Seat"][]} seats */
export function company(seats) {
  const taken = seats.filter((seat) => seat.bot || seat.player);
  const open = seats.length - taken.length;
  return list([...taken.map(called), ...(open ? [t("open_seats", { n: open })] : [])]);
}

/** Say how much time a turn has. @param {Game} game */
export const pace = (game) => t(`speed.${game.speed}`);

const DAY_MS = 86_400_000;

/** Say when something is: the time of day, and the day unless it is near. @param {string} moment */
export function when(moment) {
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

/** Go to a game once it is there, unless the reader has left the page before. @param {Promise<{id: string, status: string}>} game */
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

/** A button for what takes a while; until it is done, no other tap does it again. @param {{text: string, act: () => Promise<unknown>, class?: string}} props */
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
