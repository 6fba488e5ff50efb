/** Shows what the service pushes to this browser, and opens its game on a tap. It keeps nothing and answers no request. */

/** @typedef {{title: string, body?: string, url: string, game_id?: string}} Message */

/** What a message without content stands for; a browser demands that every message is shown. @type {Message} */
const NEWS = { title: "Plateau", url: location.origin };

const worker = /** @type {any} */ (self);

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
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
