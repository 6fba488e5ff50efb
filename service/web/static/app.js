/** The start: words, the address of the page, and the frame around the view that it names. */

import {
  change,
  el,
  elsewhere,
  EMBEDDED,
  language,
  load,
  now,
  part,
  read,
  supportedLanguage,
  t,
  watch,
} from "./page.js";
import { ask, pause, restart, rulesetOf, viewOf } from "./sending.js";
import { useEffect, useRef } from "./vendor/hooks.mjs";
import { render } from "./vendor/preact.mjs";

/** @typedef {import("./page.js").Children} Children */
/** @typedef {(props: {args: string[]}) => Children} View */

/** The views by the first part of the address. Each is loaded when it is first shown, so the first page comes soon. @type {Record<string, () => Promise<View>>} */
const VIEWS = {
  "": async () => (await import("./views/home.js")).home,
  day: async () => (await import("./views/contests.js")).day,
  game: async () => (await import("./views/game.js")).game,
  join: async () => (await import("./views/lobby.js")).join,
  embed: async () => (await import("./views/tutorial_embed.js")).embed,
  learn: async () => (await import("./views/tutorial_embed.js")).learn,
  keep: async () => (await import("./views/home.js")).keep,
  lobby: async () => (await import("./views/lobby.js")).lobby,
  new: async () => (await import("./views/new.js")).newGame,
  replay: async () => (await import("./views/watching.js")).replay,
  settings: async () => (await import("./views/home.js")).settings,
  tournament: async () => (await import("./views/contests.js")).tournament,
  tournaments: async () => (await import("./views/contests.js")).tournaments,
  waiting: async () => (await import("./views/lobby.js")).waiting,
};
const TABS = ["", "lobby", "settings"];

/** @param {string} part of an address, which anybody can have written */
function plain(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** @returns {import("./page.js").Route} */
function route() {
  if (EMBEDDED) return { name: "embed", args: [EMBEDDED] };
  const [place = "", query = ""] = location.hash.replace(/^#?\/?/, "").split("?");
  const [name = "", ...args] = place.split("/").map(plain);
  if (name === "game" && /\bat=/.test(query)) return { name: "replay", args: [...args, query] };
  return { name: Object.hasOwn(VIEWS, name) && name !== "embed" ? name : "", args };
}

function frame() {
  const { link, route, said } = now();
  const main = useRef(/** @type {HTMLElement | null} */ (null));
  const shown = [route.name, ...route.args].join("/");
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) (main.current?.focus({ preventScroll: true }), scrollTo(0, 0));
    first.current = false;
  }, [shown]);
  return [
    !EMBEDDED && [
      el(
        "a",
        { class: "skip", href: "#main", onClick: (event) => (event.preventDefault(), main.current?.focus()) },
        t("skip"),
      ),
      el("header", { class: "top" }, el("a", { class: "brand", href: "#/" }, "Plateau"), navigation(route.name)),
    ],
    el("p", { class: "lost", role: "status", hidden: !link }, t(link)),
    el(
      "main",
      { id: "main", ref: main, tabIndex: -1, class: `page page-${route.name || "home"}`, key: shown },
      part(view, { args: route.args, key: language() }),
    ),
    el("div", { class: "hearsay", role: "status", "aria-live": "polite" }, said),
  ];
}

/** @param {string} current */
const navigation = (current) =>
  el(
    "nav",
    { "aria-label": t("nav") },
    TABS.map((name) =>
      el("a", { href: `#/${name}`, "aria-current": name === current ? "page" : undefined }, t(`nav.${name || "home"}`)),
    ),
  );

/** The language that the reader wants. */
const wantedLanguage = () =>
  supportedLanguage(now().settings.language ? [now().settings.language] : navigator.languages);

/** Load the words that are wanted now; the words of before stay if these cannot be had. */
async function speak() {
  const { settings } = now();
  if (wantedLanguage() !== language() || !started) await load(wantedLanguage()).catch(() => load("en"));
  document.documentElement.dataset["theme"] = settings.theme;
}

/** @type {View} */
let view = () => null;
let started = false;

/** Load the view that the address names, and show it; what was there before stays until then. */
async function go() {
  const target = route();
  const next = await /** @type {() => Promise<View>} */ (VIEWS[target.name])().catch(() => null);
  if (JSON.stringify(target) !== JSON.stringify(route())) return;
  if (!next) return void restart();
  view = next;
  change({ route: target });
}

/** A table that comes within so many milliseconds is the first thing that is drawn. */
const SOON_MS = 150;

async function start() {
  let soon;
  const { name, args } = route();
  if (name === "game") {
    const links = /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[rel=table]"));
    for (const link of links) link.rel = "modulepreload";
    const lang = wantedLanguage();
    soon = Promise.race([
      ask(viewOf(args[0] ?? "", { lang }))
        ?.then((view) => view && rulesetOf(view.ruleset, lang))
        .catch(() => null),
      pause(SOON_MS),
    ]);
  }
  addEventListener("hashchange", go);
  await Promise.all([speak(), go(), soon]);
  started = true;
  elsewhere("session", () => {
    // Another tab has changed who plays here.
    if (read("session", /** @type {import("./page.js").Session | null} */ (null))?.id !== now().session?.id)
      location.reload();
  });
  elsewhere("settings", () => change({ settings: { ...now().settings, ...read("settings", {}) } }));
  let settings = now().settings;
  watch(async () => {
    if (settings === now().settings) return;
    settings = now().settings;
    await speak();
    change({});
  });
  watch(() => {
    // Not at once, for an effect of Preact can be the one that changes the store.
    if (!isDue) queueMicrotask(draw);
    isDue = true;
  });
  draw();
}

/** After so long, the page has what it needs first. */
const LATER_MS = 3000;
const offline = () => import("./offline.js");
if (!EMBEDDED)
  setTimeout(
    () =>
      offline().then(
        ({ begin }) => begin(),
        () => undefined,
      ),
    LATER_MS,
  );

let isDue = false;

/** Draw the page from the store; Preact changes what differs. */
function draw() {
  isDue = false;
  render(part(frame, {}), /** @type {HTMLElement} */ (document.getElementById("app")));
}

start();

addEventListener("forgotten", () => {
  void offline().then(({ forget }) => forget());
  if (now().settings.notify) void import("./views/people.js").then(({ quiet }) => quiet());
});
