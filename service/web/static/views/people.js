/** Company at a game: the curtain between those who share a device, how their player is called, and what a bot would do or have done. */

import { script } from "../events.js";
import { play } from "../sound.js";
import { el, language, now, prefer, read, show, t, write } from "../page.js";
import { at, call as request, get, pause, post, Problem, retreat, trouble } from "../sending.js";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";
import { hereCalled } from "./table_elements.js";
import { field } from "./elements.js";

/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {import("../table.js").Table} Table */

/** Hide the table until the next of those who share this device has it in their hands. @param {{seat: number, lift: () => void}} props */
export function Curtain({ seat, lift }) {
  const [name, rename] = useState(hereCalled(seat));
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const title = t("curtain.pass", { name: name.trim() || hereCalled(seat) });
  useEffect(() => show(title, 0), [title]);
  // Not its button, which a key pressed twice would press.
  useEffect(() => place.current?.focus(), []);
  /** @param {string} text */
  const named = (text) => {
    rename(text);
    write("names", { ...read("names", {}), [seat]: text.trim() });
  };
  return el(
    "section",
    { class: "curtain", ref: place, tabIndex: -1, "aria-labelledby": "curtain" },
    el("h1", { id: "curtain" }, title),
    el("p", null, t("curtain.why")),
    el(
      "button",
      { type: "button", class: "primary", onClick: lift },
      t("curtain.lift", { name: name.trim() || hereCalled(seat) }),
    ),
    field(t("curtain.name"), {
      value: name,
      maxLength: 40,
      autoComplete: "off",
      onInput: (event) => named(event.currentTarget.value),
    }),
  );
}

/** Whether this device tells its player of a turn while they look elsewhere; the browser is asked on a tap only. */
export function Notices() {
  const { notify } = now().settings;
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  const [busy, work] = useState(false);
  const isPushed = notify.startsWith("ps_");
  useEffect(() => {
    // The language can have changed.
    if (isPushed) speak().catch(() => undefined);
  }, []);
  const change = async () => {
    work(true);
    fail(null);
    await (notify ? quiet() : tell(fail)).catch(fail);
    work(false);
  };
  const cannot = !isSecureContext
    ? "insecure"
    : !("Notification" in window)
      ? "missing"
      : Notification.permission === "denied" && "denied";
  return [
    el("h2", null, t("notify")),
    el("p", { role: "status" }, t(`notify.${cannot || (isPushed ? "pushed" : notify || "off")}`)),
    trouble(failure),
    !cannot &&
      el(
        "button",
        { type: "button", disabled: busy, onClick: () => void change() },
        t(notify ? "notify.stop" : "notify.start"),
      ),
  ];
}

/** Have the player told: by push where this browser can, else while a tab is open. @param {(problem: unknown) => void} fail */
async function tell(fail) {
  if ((await Notification.requestPermission()) !== "granted") return;
  const subscription = await subscribed().catch((problem) => {
    if (problem instanceof Problem) fail(problem);
    return "page";
  });
  prefer({ notify: subscription });
}

/** Subscribe this browser, which has one subscription at most. @returns {Promise<string>} */
async function subscribed() {
  await navigator.serviceWorker.register(script(0));
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
  const { public_key } = await get("/v1/push-key");
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key });
  const { endpoint, keys } = subscription.toJSON();
  await speak();
  return (await post("/v1/me/push-subscriptions", { endpoint, keys })).id;
}

let renewing = /** @type {Promise<void> | null} */ (null);
/** Subscribe again where the browser or the service has lost the subscription, as both do now and then. */
export const renew = () => (renewing ??= renewed().finally(() => (renewing = null)));

async function renewed() {
  const {
    session,
    settings: { notify },
  } = now();
  const stillWanted = () => now().session?.id === session?.id && now().settings.notify === notify;
  if (!notify.startsWith("ps_") || Notification.permission !== "granted") return;
  const worker = await navigator.serviceWorker.getRegistration();
  const held = (await worker?.pushManager.getSubscription())?.toJSON().endpoint;
  /** @type {Schemas["PushSubscriptionList"]} */
  const { items } = await get("/v1/me/push-subscriptions");
  const registered = items.find(({ id }) => id === notify);
  if (registered && registered.endpoint === held) return;
  if (registered && stillWanted()) await request("DELETE", `/v1/me/push-subscriptions/${notify}`);
  if (!stillWanted()) return;
  const subscription = await subscribed();
  const late = !stillWanted();
  prefer({ notify: subscription });
  if (late) await quiet();
}

/** Have messages written in the language of the page. */
const speak = () => request("PATCH", "/v1/me", { body: { language: language() } });

/** End it. What the service does not hear of, it notices at the next message, which nobody takes any more. */
export async function quiet() {
  const { notify } = now().settings;
  prefer({ notify: "" });
  if (notify.startsWith("ps_")) await request("DELETE", `/v1/me/push-subscriptions/${notify}`).catch(() => undefined);
  const worker = await navigator.serviceWorker?.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
}

/** How many actions are named beside the best. */
const NEXT_BEST = 3;

/** A button that asks what a bot would do in a seat, in sandboxes and in games that are over; the answer is read out. @param {{id: string, as: number, version?: number}} props */
export function Hint({ id, as, version }) {
  const [request, set] = useState(/** @type {{busy?: boolean, hint?: Schemas["Hint"], problem?: unknown}} */ ({}));
  const isShown = useRef(true);
  useEffect(() => () => void (isShown.current = false), []);
  const ask = () => {
    const done = (/** @type {typeof request} */ next) => isShown.current && set(next);
    set({ busy: true });
    const path = at(`/v1/games/${encodeURIComponent(id)}/hints`, { as, at: version, lang: language() });
    post(path, {}).then(
      (hint) => done({ hint }),
      (problem) => done({ problem }),
    );
  };
  const { busy = false, hint, problem } = request;
  const [best, ...others] = hint?.weighed ?? [];
  return el(
    "div",
    { class: "hint" },
    el("button", { type: "button", "aria-disabled": busy, onClick: () => busy || ask() }, t("hint")),
    el(
      "div",
      { role: "status" },
      busy && el("p", null, t("hint.wait")),
      hint && [
        best && el("p", { class: "best" }, t("hint.best", { what: best.says })),
        el("p", null, t("hint.why", { reason: hint.reason.text })),
        others.length > 0 &&
          el(
            "p",
            { class: "quiet" },
            t("hint.others", {
              what: others
                .slice(0, NEXT_BEST)
                .map(({ says }) => says)
                .join(" · "),
            }),
          ),
      ],
    ),
    trouble(problem),
  );
}

/** How often to look how far it is; after how many looks at the same state it is asked for again, as one stops if its worker is killed; and how long a refusal is waited out. */
const [LOOKS_MS, STILL, PATIENCE_S] = [2000, 15, 30];

/** @param {Schemas["Analysis"]} found */
const isOver = ({ done, failed, all }) => all !== null && done + failed >= all;

/** The moves that cost most, of the seat whose eyes are looked through or else of all, as workers find them; a tap leads to where one was decided. @param {{id: string, as: number | null, go: (version: number) => void}} props */
export function Analysis({ id, as, go }) {
  const [attempt, ask] = useState(0);
  const [analysis, set] = useState(/** @type {Schemas["Analysis"] | null} */ (null));
  const [problem, fail] = useState(/** @type {unknown} */ (null));
  const posted = useRef(0);
  useEffect(() => {
    if (!attempt) return undefined;
    const left = new AbortController(),
      { signal } = left;
    const address = at(`/v1/games/${encodeURIComponent(id)}/analysis`, { as, lang: language() });
    const follow = async () => {
      fail(null);
      for (
        let still = posted.current === attempt ? 0 : STILL, tries = 0, before = -1;
        ;
        await pause(LOOKS_MS, signal)
      ) {
        if (document.hidden) continue;
        try {
          const next = await (still < STILL ? get(address, { signal }) : post(address, {}, { signal }));
          posted.current = attempt;
          set(next);
          if (isOver(next)) return;
          still = next.done + next.failed === before && still < STILL ? still + 1 : 0;
          [before, tries] = [next.done + next.failed, 0];
        } catch (/** @type {any} */ error) {
          signal.throwIfAborted();
          if (!error.passes || error.after > PATIENCE_S) throw error;
          await retreat(tries++, error.after, signal);
        }
      }
    };
    follow().catch((error) => signal.aborted || fail(error));
    return () => left.abort();
  }, [attempt, id, as]);
  const ended = analysis && isOver(analysis) ? analysis : null;
  const goes = attempt > 0 && !problem && !ended;
  return el(
    "section",
    { class: "analysis" },
    el("h2", null, t("analysis")),
    el("button", { type: "button", "aria-disabled": goes, onClick: () => goes || ask(attempt + 1) }, t("analysis.ask")),
    el(
      "div",
      { role: "status" },
      goes &&
        el(
          "p",
          null,
          analysis?.all
            ? t("analysis.wait", { done: analysis.done + analysis.failed, all: analysis.all })
            : t("hint.wait"),
        ),
      ended && ended.moves.length === 0 && el("p", null, t(ended.searched ? "analysis.none" : "analysis.unsearched")),
      ended && ended.failed > 0 && el("p", null, t("analysis.failed", { n: ended.failed })),
    ),
    goes &&
      el("progress", {
        max: analysis?.all ?? 1,
        value: analysis?.all ? analysis.done + analysis.failed : undefined,
        "aria-label": t("analysis"),
      }),
    analysis &&
      el(
        "ol",
        null,
        analysis.moves.map(({ version, says: [cost, ...more] }) =>
          el(
            "li",
            { key: version },
            el("button", { type: "button", onClick: () => go(version - 1) }, cost),
            more.map((line, place) => el("p", { key: place }, line)),
          ),
        ),
      ),
    trouble(problem),
  );
}

const HELD_MS = 5000;
const HEAD_START_MS = 300;
/** @typedef {{title: string, text: string, address: string}} Message */

/** Call the player to a turn, unless it comes before their eyes; only one of the tabs does so. @param {string} key  what is announced once @param {Message} message */
export async function call(key, message) {
  const seen = document.hasFocus();
  // A tab that the player looks at comes first.
  if (!seen) await pause(HEAD_START_MS);
  const first = () => seen || announce(message);
  if (navigator.locks) {
    await navigator.locks.request(`turn ${key}`, { ifAvailable: true }, (lock) =>
      lock ? (first(), pause(HELD_MS)) : undefined,
    );
  } else if (read("called", "") !== key) {
    // On plain http there are no locks.
    write("called", key);
    first();
  }
}

/** @param {Message} message */
function announce({ title, text, address }) {
  play("turn");
  // A push comes by itself.
  if (now().settings.notify !== "page" || Notification.permission !== "granted") return;
  try {
    const notification = new Notification(title, { body: text });
    notification.onclick = () => {
      focus();
      location.hash = address;
      notification.close();
    };
  } catch {
    // phones show notifications only from a service worker
  }
}
