/** Without a connection: the worker that keeps the client in this browser, and the finished games that were opened here. */

import { script } from "./events.js";
import { language, now, read, write } from "./page.js";
import { storyOf } from "./recorded.js";
import { at, request } from "./sending.js";

/** @typedef {{id: string, name: string, owner: string}} Kept */

const GAMES = "plateau-games";
/** How many games are kept, the latest. */
const MOST = 20;
const PATIENCE_MS = 60_000;
const address = (/** @type {string} */ id) => `/kept/${id}`;

/** Neither exists on plain http, and a browser can refuse both. */
export const begin = () => void navigator.serviceWorker?.register(script(0)).catch(() => undefined);

/** The finished games that this player can read without a connection, the latest first. @returns {Kept[]} */
export const keptGames = () => {
  const owner = now().session?.id ?? "";
  return read("kept", /** @type {Kept[]} */ ([])).filter((each) => each.owner === owner);
};

/** Keep a finished game, as its viewer can look back on it: the file in which it can be saved. @param {string} id @param {string} name @param {number | null} seat */
export async function keep(id, name, seat) {
  const owner = now().session?.id ?? "";
  const isGone = () => (now().session?.id ?? "") !== owner;
  if (!("caches" in window) || keptGames().some((each) => each.id === id)) return;
  const as = seat ?? "spectator";
  const path = at(`/v1/games/${encodeURIComponent(id)}/export`, { format: "html", lang: language(), as });
  const answer = await request("GET", path, { accept: "text/html", patience: PATIENCE_MS });
  const text = await answer.text();
  /** @type {import("./views/replay.js").Story["audit"]} */
  const { events } = await block(text, "audit");
  // Its secrets are sealed until its deal set closes.
  if (Date.parse(events[0]?.data.deal?.closes) > Date.now() || isGone()) return;
  const kept = await caches.open(GAMES);
  await kept.put(address(id), new Response(text));
  if (isGone()) return void (await kept.delete(address(id)));
  const latest = [{ id, name, owner }, ...keptGames()].slice(0, MOST);
  write("kept", latest);
  for (const { url } of await kept.keys())
    if (!latest.some((each) => url.endsWith(address(each.id)))) await kept.delete(url);
}

/** @param {string} id @returns {Promise<import("./views/replay.js").Story | null>} null if it is not kept */
export async function keptStory(id) {
  if (!keptGames().some((each) => each.id === id)) return null;
  const text = await (await (await caches.open(GAMES)).match(address(id)))?.text();
  if (!text) return null;
  const [recording, audit] = await Promise.all([block(text, "game"), block(text, "audit")]);
  return storyOf(recording, audit);
}

/** Read a block of data of a game in one file. @param {string} text @param {string} id @returns {Promise<any>} */
function block(text, id) {
  const packed = new RegExp(`id="${id}">([^<]+)<`).exec(text)?.[1] ?? "";
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

/** Forget the games of the player who goes. */
export async function forget() {
  write("kept", null);
  // A browser can refuse to delete; what stays is not offered.
  if ("caches" in window) await caches.delete(GAMES).catch(() => undefined);
}
