/**
 * Keeps the client in this browser, so that its page opens without a connection; shows what the service pushes, and
 * opens its game on a tap. It answers no request to the interface.
 */

/** @typedef {{title: string, body?: string, url: string, game_id?: string}} Message */

/** What a message without content stands for; a browser demands that every message is shown. @type {Message} */
const NEWS = { title: "Plateau", url: location.origin };

const worker = /** @type {any} */ (self);

/** The files of the client below the path of its release; the service fills in both. @type {string[]} */
const FILES = [];
const PLACE = "/web/-/";
/** A slow service is waited for that long before the page that is kept is shown. */
const PAGE_MS = 4000;

worker.addEventListener("install", (/** @type {any} */ event) => {
  worker.skipWaiting();
  event.waitUntil(keepClient());
});
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(takeOver()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.mode === "navigate" && pathname === "/") event.respondWith(page(event.request));
  else if (pathname.startsWith("/web/")) event.respondWith(file(event.request));
});

async function keepClient() {
  const kept = await caches.open(PLACE);
  // A program gets links at the address of the page.
  const page = await fetch("/", { headers: { Accept: "text/html" }, cache: "no-cache" });
  if (!page.ok || !(await page.clone().text()).includes(PLACE)) throw new Error("another release");
  await Promise.all([kept.put("/", page), kept.addAll(FILES.map((name) => PLACE + name))]);
}

async function takeOver() {
  const old = (await caches.keys()).filter((name) => name.startsWith("/web/") && name !== PLACE);
  // Open tabs can still need files of the release before; caches are listed as they were made.
  await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** The page as the service has it, or else as it is kept. @param {Request} request */
async function page(request) {
  const late = new AbortController();
  // Only its headers must come in time.
  const timer = setTimeout(() => late.abort(), PAGE_MS);
  const sent = await fetch(request, { signal: late.signal }).catch(() => Response.error());
  clearTimeout(timer);
  // A proxy answers for a service that does not run. A redirect has the status 0.
  const isAnswered = sent.type !== "error" && sent.status < 500;
  return isAnswered ? sent : ((await keptAt("/", PLACE)) ?? sent);
}

/** A file of a release, which never changes. @param {Request} request */
const file = async (request) => (await keptAt(request)) ?? fetch(request);

/** What is kept, or undefined, also in a browser whose storage is broken. @param {Request | string} request @param {string} [cacheName] that of all releases, if it is not given */
const keptAt = (request, cacheName) =>
  caches.match(request, { ignoreVary: true, ...(cacheName && { cacheName }) }).catch(() => undefined);

worker.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(notify(event.data?.json() ?? NEWS)));
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(visit(event.notification.data, event.notification.tag));
});

/** The tabs of the client; other pages of the service are none. @returns {Promise<any[]>} */
async function tabs() {
  const all = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter((/** @type {{url: string}} */ { url }) => new URL(url).pathname === "/");
}

const PATIENCE_MS = 300;

/** Whether a tab shows a game: it is asked, for a worker knows only at which address it was opened. @param {any} tab @param {string} game */
const shows = (tab, game) =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), PATIENCE_MS);
    tab.postMessage(game, [port2]);
  });

/** Show a message, unless its game is before the player's eyes; it replaces an older one of the same game. @param {Message} message */
async function notify({ title, body = "", url, game_id = "news" }) {
  const seen = (await tabs()).filter((tab) => tab.visibilityState === "visible");
  if ((await Promise.all(seen.map((tab) => shows(tab, game_id)))).includes(true)) return;
  // On the host that this browser knows.
  const address = new URL(new URL(url).hash, location.origin).href;
  await worker.registration.showNotification(title, { body, tag: game_id, renotify: true, data: address });
}

/** Bring a tab that shows a game to the front, else another one that goes there, else a new one. @param {string} address @param {string} game */
async function visit(address, game) {
  const all = await tabs();
  const showing = await Promise.all(all.map((tab) => shows(tab, game)));
  const there = all[showing.indexOf(true)] ?? all[0];
  if (!there) return worker.clients.openWindow(address);
  await there.focus().catch(() => undefined);
  return showing.includes(true) ? there : there.navigate(address).catch(() => worker.clients.openWindow(address));
}
