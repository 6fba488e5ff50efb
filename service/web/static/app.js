/** The start: words, the address of the page, and the frame around the view that it names. */

import { el, part } from "./el.js";
import { change, now, watch } from "./store.js";
import { elsewhere } from "./kept.js";
import { render } from "./vendor/preact.mjs";
import { useEffect, useReducer, useRef } from "./vendor/hooks.mjs";
import { chosen, language, load, t } from "./words.js";
import { game } from "./views/game.js";
import { home } from "./views/home.js";

/** @typedef {import("./el.js").Children} Children */

/** @type {Record<string, (props: {args: string[]}) => Children>} */
const VIEWS = { "": home, game };
const TABS = ["", "lobby", "settings"];

/** @returns {import("./store.js").Route} */
function route() {
  const [name = "", ...args] = location.hash.replace(/^#?\/?/, "").split("/").map(decodeURIComponent);
  return { name: name in VIEWS ? name : "", args };
}

function frame() {
  const [, redraw] = useReducer((/** @type {number} */ count) => count + 1, 0);
  useEffect(() => watch(() => redraw(0)), []);
  const { link, route, said } = now();
  const main = useRef(/** @type {HTMLElement | null} */ (null));
  const shown = [route.name, ...route.args].join("/");
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) main.current?.focus({ preventScroll: true });
    if (!first.current) scrollTo(0, 0);
    first.current = false;
  }, [shown]);
  const view = VIEWS[route.name] ?? home;
  return [
    el("a", { class: "skip", href: "#main", onClick: (event) => (event.preventDefault(), main.current?.focus()) }, t("skip")),
    el("header", { class: "top" }, el("a", { class: "brand", href: "#/" }, "Plateau"), navigation(route.name)),
    el("p", { class: "lost", role: "status", hidden: link === "here" }, link === "here" ? "" : t("lost")),
    el("main", { id: "main", ref: main, tabIndex: -1, class: `page page-${route.name || "home"}`, key: shown }, part(view, { args: route.args, key: `${shown} ${language()}` })),
    el("div", { class: "hearsay", role: "status", "aria-live": "polite" }, said),
  ];
}

/** @param {string} current */
const navigation = (current) =>
  el(
    "nav",
    { "aria-label": t("nav") },
    TABS.filter((name) => name in VIEWS).map((name) =>
      el("a", { key: name, href: `#/${name}`, "aria-current": name === current ? "page" : undefined }, t(`nav.${name || "home"}`)),
    ),
  );

/** Load the words that are wanted now; the words of before stay if these cannot be had. */
async function speak() {
  const { settings } = now();
  const wanted = chosen(settings.language ? [settings.language] : navigator.languages);
  if (wanted !== language() || !started) await load(wanted).catch(() => load("en"));
  document.documentElement.dataset["theme"] = settings.theme;
}

let started = false;

async function start() {
  await speak();
  started = true;
  change({ route: route() });
  addEventListener("hashchange", () => change({ route: route() }));
  elsewhere("session", () => location.reload()); // another tab has changed who plays here
  let settings = now().settings;
  watch(async () => {
    if (settings === now().settings) return;
    settings = now().settings;
    await speak();
    change({});
  });
  render(part(frame, {}), /** @type {HTMLElement} */ (document.getElementById("app")));
}

start();
