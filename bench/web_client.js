// Notes what a page does, from its first moment on; bench/web_client.py reads it.
"use strict";
{
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const OFFERED = ".game .lit, .choices .buttons button, .choices .primary:not([disabled])";
  const PATIENCE_MS = 15_000;
  const LOOKS_MS = 30; // to look at every frame would have the page draw every frame
  const offers = () => [...document.querySelectorAll(OFFERED)].filter((each) => each.getClientRects().length > 0);
  const version = () => Number(document.querySelector(".game")?.dataset.version ?? 0);
  const when = new Map(); // version → the time at which a frame showed it
  const own = [], taps = [], tasks = [], longest = new Map(), windows = [];
  let clicked = null, acting = null, since = 0, seen = 0, versions = 0;

  // The click that sent an action; until its move is shown, nobody taps.
  const fetched = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const acts = init?.method === "POST" && /\/actions\?(?!.*dry_run)/.test(String(input?.url ?? input));
    if (acts) acting = clicked;
    const answer = await fetched(input, init);
    if (acts && !answer.ok) acting = null;
    return answer;
  };

  const look = () => {
    const now = version();
    if (now === seen) return;
    const [at, mine] = [acting, since];
    if (seen) versions += 1;
    seen = now;
    requestAnimationFrame(() => {
      when.set(now, Date.now());
      if (at !== null) own.push(performance.now() - at);
      if (at !== null) taps.push(mine);
    });
    acting = null;
    since = 0;
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-version"] });
  addEventListener("click", (event) => {
    clicked = event.timeStamp;
    since += 1;
  }, { capture: true });
  const note = (type, each, more) => new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, ...more });
  note("event", (entry) => entry.interactionId && longest.set(entry.interactionId, Math.max(entry.duration, longest.get(entry.interactionId) ?? 0)), { durationThreshold: 16 });
  note("longtask", ({ duration }) => tasks.push(duration));
  note("layout-shift", ({ value, startTime, hadRecentInput }) => {
    if (hadRecentInput) return;
    const last = windows.at(-1);
    if (last && startTime - last.end < 1000 && startTime - last.begin < 5000) Object.assign(last, { end: startTime, sum: last.sum + value });
    else windows.push({ begin: startTime, end: startTime, sum: value });
  });

  const waited = async (done, looks = LOOKS_MS) => {
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await new Promise((next) => setTimeout(next, looks))) if (done()) return true;
    return false;
  };

  globalThis.noted = {
    /** After how many ms since the navigation began somebody can tap. */
    async playable() {
      if (!await waited(() => offers().length > 0, 1)) throw new Error("nothing to tap on");
      return performance.now();
    },
    /** Where to tap next; null when the game is over. */
    async offer(chance) {
      await frame();
      await waited(() => (acting === null && offers().length > 0) || document.querySelector(".game")?.dataset.status === "finished");
      const offered = offers();
      if (offered.length === 0) return null;
      const chosen = document.querySelector(".choices .deciding .primary:not([disabled])") ?? offered[Math.floor(chance * offered.length)];
      chosen.scrollIntoView({ block: "nearest", behavior: "instant" });
      await frame();
      const { x, y, width, height } = chosen.getBoundingClientRect();
      return { x: x + width * 0.25, y: y + height * 0.25 };
    },
    /** The time, in ms since 1970, at which a version or a later one was on the screen. */
    async shown(wanted) {
      await waited(() => when.has(wanted) || version() > wanted);
      return when.get(wanted) ?? Math.min(...[...when].filter(([each]) => each > wanted).map(([, at]) => at));
    },
    all: () => ({ own, taps, tasks, versions, interactions: [...longest.values()], shifts: Math.max(0, ...windows.map(({ sum }) => sum)) }),
  };
}
