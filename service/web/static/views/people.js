/** People around a game: what they say, the curtain between those who share a device, and how it calls its player. */

import { el, language, loading, now, part, prefer, read, t, useLoaded, workerScript, write } from "../page.js";
import { at, call, get, newKey, post, Problem, trouble } from "../sending.js";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";
import { hereCalled, seatLines } from "./board.js";
import { field } from "./parts.js";

/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {import("../table.js").Table} Table */

/** What the viewer can say at a table: set phrases, which everyone reads in their own language. @param {{id: string, table: Table, muted: boolean, mute: () => void}} props */
function Phrases({ id, table: { view }, muted, mute }) {
  const path = `/v1/games/${encodeURIComponent(id)}/phrases`;
  /** @type {{value: Schemas["Phrases"] | undefined, problem: unknown, again: () => void}} */
  const { value, problem, again } = useLoaded((signal) => get(at(path, { lang: language() }), { signal }), [id, view.game.status]);
  const [refusal, refuse] = useState(/** @type {unknown} */ (null));
  if (!value) return problem ? trouble(problem, again) : loading();
  /** @param {string} phrase */
  const say = (phrase) => void post(at(path, { as: view.viewer.seat }), { phrase }, { key: newKey() }).then(() => refuse(null), refuse);
  return [
    value.silence
      ? el("p", { class: "quiet" }, value.silence)
      : el("div", { class: "phrases" }, value.choices.map(({ phrase, words }) => el("button", { type: "button", key: phrase, onClick: () => say(phrase) }, words))),
    trouble(refusal),
    el("button", { type: "button", class: "mute", "aria-pressed": muted, onClick: mute }, t("talk.mute")),
  ];
}

/**
 * Hide the table until the next of those who share this device has it in their hands.
 * @param {{seat: number, lift: () => void}} props
 */
export function Curtain({ seat, lift }) {
  const [name, call] = useState(hereCalled(seat));
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => place.current?.focus(), []); // not its button, which a key pressed twice would press
  /** @param {string} text */
  const rename = (text) => {
    call(text);
    write("names", { ...read("names", {}), [seat]: text.trim() });
  };
  return el("section", { class: "curtain", ref: place, tabIndex: -1, "aria-labelledby": "curtain" },
    el("h1", { id: "curtain" }, t("curtain.pass", { name: name.trim() || hereCalled(seat) })),
    el("p", null, t("curtain.why")),
    el("button", { type: "button", class: "primary", onClick: lift }, t("curtain.lift", { name: name.trim() || hereCalled(seat) })),
    field(t("curtain.name"), { value: name, maxLength: 40, autoComplete: "off", onInput: (event) => rename(event.currentTarget.value) }),
  );
}

/** Whether this device tells its player of a turn while they look elsewhere; the browser is asked on a tap only. */
export function Notices() {
  const { notify } = now().settings;
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  const [busy, work] = useState(false);
  const isPushed = notify.startsWith("ps_");
  useEffect(() => {
    if (isPushed) speak().catch(() => undefined); // the language can have changed
  }, []);
  const change = async () => {
    work(true);
    fail(null);
    await (notify ? quiet() : tell(fail)).catch(fail);
    work(false);
  };
  const cannot = !isSecureContext ? "insecure" : !("Notification" in window) ? "missing" : Notification.permission === "denied" && "denied";
  return [
    el("h2", null, t("notify")),
    el("p", { role: "status" }, t(`notify.${cannot || (isPushed ? "pushed" : notify || "off")}`)),
    trouble(failure),
    !cannot && el("button", { type: "button", disabled: busy, onClick: () => void change() }, t(notify ? "notify.stop" : "notify.start")),
  ];
}

/** Have the player told: by push where this browser can, else while a tab is open. @param {(problem: unknown) => void} fail */
async function tell(fail) {
  if ((await Notification.requestPermission()) !== "granted") return;
  const found = await subscribed().catch((problem) => {
    if (problem instanceof Problem) fail(problem);
    return "page";
  });
  prefer({ notify: found });
}

/** Subscribe this browser, which has one subscription at most. @returns {Promise<string>} */
async function subscribed() {
  await navigator.serviceWorker.register(workerScript());
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
  const { public_key } = await get("/v1/push-key");
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key });
  const { endpoint, keys } = made.toJSON();
  await speak();
  return (await post("/v1/me/push-subscriptions", { endpoint, keys })).id;
}

/** Have messages written in the language of the page. */
const speak = () => call("PATCH", "/v1/me", { body: { language: language() } });

/** End it. What the service does not hear of, it notices at the next message, which nobody takes any more. */
export async function quiet() {
  const { notify } = now().settings;
  prefer({ notify: "" });
  if (notify.startsWith("ps_")) await call("DELETE", `/v1/me/push-subscriptions/${notify}`).catch(() => undefined);
  const worker = await navigator.serviceWorker?.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
  await worker?.unregister();
}

const MOST_MUTED = 50;

/** What can be said, loaded once it is opened. @param {{id: string, table: Table, muted: boolean, mute: (muted: boolean) => void}} props */
export function Talk({ id, table, muted, mute }) {
  const [opened, open] = useState(false);
  const turn = () => {
    const others = read("muted", /** @type {string[]} */ ([])).filter((each) => each !== id);
    write("muted", (muted ? others : [...others, id]).slice(-MOST_MUTED));
    mute(!muted);
  };
  return el("details", { class: "agree talk", onToggle: () => open(true) }, el("summary", null, t("talk")), opened && part(Phrases, { id, table, muted, mute: turn }));
}

/** Put what was said into the log, with who said it. @param {import("../table.js").Told} told @param {Table} table @returns {import("../table.js").Line} */
export function quoted(told, table) {
  if (!told.said) return told;
  const { seat, words } = told.said;
  return { version: told.version, sentence: { text: t("talk.said", { name: seatLines(table)[seat]?.name ?? "", words }) } };
}
