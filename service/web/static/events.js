/** Where events arrive: all tabs of a browser share what `streams.js` reads, so that together they need one connection. */

import { change, language, now } from "./page.js";
import { get, newKey, Problem } from "./sending.js";

/** @typedef {import("./streams.js").Call} Call */
/** @typedef {import("./streams.js").News} News */
/** @typedef {import("./streams.js").Wish} Wish */
/** `cursor` is the field of an event after which to go on; what is said comes if `phrases` in the query asks for it. @typedef {Pick<Wish, "path" | "cursor" | "after"> & {query?: Record<string, any>, happened: (events: any[]) => void, said?: (phrases: any[]) => void, signal: AbortSignal}} Feed */

const BESIDE = ["/sw.js", new URL("./streams.js", import.meta.url).href];
const policy = /** @type {any} */ (window).trustedTypes?.createPolicy("beside", {
  createScriptURL: (/** @type {number} */ which) => BESIDE[which],
});

/** The two scripts that run beside the page, the service worker and the shared one; the policy lets in no other. @param {number} which @returns {string} */
export const script = (which) => policy?.createScriptURL(which) ?? BESIDE[which];

const tab = newKey();
/** How often a tab says that it is there, and what it follows. */
const HERE_MS = 20_000;

/** @type {Map<string, {wish: Wish, hear: (news: News) => void}>} */
const readers = new Map();
/** How to speak to where streams are read. @type {Promise<(call: Call) => void> | undefined} */
let line;

/** Say what this tab follows. @param {{persisted?: boolean}} [event] */
const say = async (event) =>
  (await (line ??= connected()))({
    tab,
    hidden: document.hidden,
    wishes: event?.persisted === undefined ? [...readers.values()].map(({ wish }) => wish) : [],
  });

/** @param {News} news */
function hear(news) {
  if (news.lost && !now().link) change({ link: "lost" });
  if (news.lost === false && now().link === "lost") change({ link: "" });
  readers.get(news.id ?? "")?.hear(news);
}

/** Find where streams are read: in a shared worker, or else in a page. @returns {Promise<(call: Call) => void>} */
async function connected() {
  addEventListener("visibilitychange", () => void say());
  addEventListener("pagehide", say);
  addEventListener("pageshow", () => void say());
  setInterval(say, HERE_MS);
  const inPage = async () => (await import("./streams.js")).inPage(hear, say);
  try {
    const worker = new SharedWorker(script(1), { type: "module" });
    worker.port.onmessage = ({ data }) => hear(data);
    worker.onerror = () => ((line = inPage()), say());
    return (call) => worker.port.postMessage(call);
  } catch {
    return inPage();
  }
}

/** Follow until the signal ends it; raise a `Problem` that stays. @param {Feed} feed */
export async function follow({
  path,
  query: { phrases = null, ...query } = {},
  cursor,
  after,
  happened,
  said,
  signal,
}) {
  const id = newKey();
  /** @type {Wish} */
  const wish = {
    id,
    path,
    query,
    cursor,
    after,
    phrases: phrases && `${phrases}`,
    token: now().session?.token ?? null,
    language: language(),
  };
  try {
    await new Promise((/** @type {(value?: unknown) => void} */ end, fail) => {
      /** @param {News} news */
      const hear = ({ events, phrases, failure, over }) => {
        if (events) happened(((wish.after = events.at(-1)[cursor]), events));
        if (phrases) said?.(((wish.phrases = phrases.at(-1).id), phrases));
        if (failure) fail(new Problem(failure.status, failure.body, failure.after));
        if (over) end();
      };
      signal.addEventListener("abort", end);
      if (signal.aborted) return end();
      readers.set(id, { wish, hear });
      void say();
    });
  } catch (/** @type {any} */ problem) {
    // A request of the page finds out that the service does not know the player any more.
    if (problem.status === 401) get("/v1/me").catch(() => null);
    throw problem;
  } finally {
    readers.delete(id);
    void say();
  }
}
