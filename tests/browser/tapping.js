async ({ seed, most, until }) => {
  // Somebody who taps at random on whatever the page offers, where a finger reaches it, and can do nothing else.
  const OFFERED = ".game:not([aria-busy]) :is(.lit, .choices .buttons button, .choices .primary[aria-disabled=false])";
  const PATIENCE_MS = 20_000;
  const SETTLES_MS = 600;
  const number = (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const next = () => new Promise((resolve) => setTimeout(resolve, 4));
  const status = () => document.querySelector(".game")?.dataset.status;
  const offers = () => [...document.querySelectorAll(OFFERED)];

  /** Wait until there is something to tap on, or nothing more to do. */
  async function waited() {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await next()) {
      if (status() === "finished" || offers().length > 0 || (until && document.querySelector(until))) return;
    }
    throw new Error(`stuck: ${document.querySelector(".game")?.innerText ?? document.body.innerText}`);
  }

  /** The part of an element that is under the finger at some point of it, scrolled here or there; null if things cover it. */
  const reached = (element) => under(element, "center") ?? under(element, "start");

  function under(element, block) {
    element.scrollIntoView({ block, behavior: "instant" });
    const { x, y, width, height } = element.getBoundingClientRect();
    for (const [right, down] of [[0.5, 0.5], [0.25, 0.25], [0.15, 0.15], [0.5, 0.15], [0.85, 0.15], [0.15, 0.85]]) {
      const at = document.elementFromPoint(x + width * right, y + height * down);
      if (at && element.contains(at)) return at;
    }
    return null;
  }

  const taken = { taps: 0, covered: [] };
  for (; taken.taps < most && status() !== "finished"; taken.taps += 1) {
    await waited();
    if (until && document.querySelector(until)) break;
    const ready = document.querySelector(".choices .deciding .primary");
    const offered = offers();
    const chosen = ready && number(4) > 0 ? ready : offered[number(offered.length)];
    if (!chosen) continue;
    // What has just been chosen can be sent a moment later.
    for (const end = Date.now() + SETTLES_MS; chosen.ariaDisabled === "true" && Date.now() < end; ) await next();
    if (chosen.ariaDisabled === "true") continue;
    const under = reached(chosen);
    if (!under) taken.covered.push(chosen.outerHTML.slice(0, 200));
    (under ?? chosen).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    await next();
  }
  return { ...taken, status: status(), width: document.documentElement.scrollWidth };
}
