/** Settings of this browser, my name, and the link with which I am the same player elsewhere. */

import { call, get, post } from "../api.js";
import { el, part } from "../el.js";
import { change, enter, now, prefer } from "../store.js";
import { show } from "../turn.js";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { LANGUAGES, t } from "../words.js";
import { choice, field, linkField, trouble, useLoaded } from "./parts.js";

/** @typedef {import("../api.js").Schemas} Schemas */

export function settings() {
  const { session, settings: chosen } = now();
  useEffect(() => show(t("nav.settings"), 0), []);
  // a language is listed by its own name, which no translation changes
  const languages = LANGUAGES.map((each) => [each, new Intl.DisplayNames(each, { type: "language" }).of(each) ?? each]);
  return [
    el("h1", null, t("nav.settings")),
    el(
      "form",
      { class: "form", onSubmit: (event) => event.preventDefault() },
      choice(t("settings.language"), chosen.language, [["", t("settings.as_browser")], ...languages], (language) => prefer({ language })),
      choice(t("settings.theme"), chosen.theme, [["", t("settings.as_system")], ["light", t("settings.light")], ["dark", t("settings.dark")]], (theme) => prefer({ theme: /** @type {any} */ (theme) })),
      choice(t("settings.letters"), chosen.letters, [["RDCV", "R D C V"], ["KQNJ", "K Q N J"]], (letters) => prefer({ letters: /** @type {any} */ (letters) })),
      choice(t("settings.confirm"), chosen.confirm, [["", t("settings.confirm_touch")], ["yes", t("yes")], ["no", t("no")]], (confirm) => prefer({ confirm: /** @type {any} */ (confirm) })),
      choice(t("settings.sound"), chosen.sound ? "yes" : "no", [["yes", t("yes")], ["no", t("no")]], (sound) => prefer({ sound: sound === "yes" })),
      part(notifications, {}),
    ),
    session ? part(account, { session }) : null,
  ];
}

/** A button that asks the browser to allow notifications, while it has not been asked. */
function notifications() {
  const [answer, ask] = useState("Notification" in window ? Notification.permission : "denied");
  if (answer !== "default") return null;
  return el("button", { type: "button", onClick: () => void Notification.requestPermission().then(ask) }, t("settings.notify"));
}

/** @param {{session: import("../store.js").Session}} props */
function account({ session }) {
  const [name, write] = useState(session.name);
  const [link, make] = useState("");
  const [failure, fail] = useState(/** @type {unknown} */ (null));
  const rename = async () => {
    /** @type {Schemas["Me"]} */
    const me = await call("PATCH", "/v1/me", { body: { name } });
    enter({ ...session, name: me.name });
    change({ said: t("settings.renamed", { name: me.name }) });
    fail(null);
  };
  const keep = async () => {
    /** @type {Schemas["NewTokenAnswer"]} */
    const made = await post("/v1/me/tokens", { label: "link" });
    make(`${location.origin}/#/keep/${made.token}`);
  };
  return [
    el("h2", null, t("settings.me")),
    el(
      "form",
      { class: "form", onSubmit: (event) => (event.preventDefault(), void rename().catch(fail)) },
      field(t("settings.name"), { value: name, maxLength: 40, required: true, autoComplete: "nickname", onInput: (event) => write(event.currentTarget.value) }),
      el("button", { disabled: name === session.name }, t("settings.rename")),
    ),
    trouble(failure),
    el("h2", null, t("settings.keep")),
    el("p", null, t("settings.keep_why")),
    link ? part(linkField, { label: t("settings.keep"), link: link }) : el("button", { type: "button", onClick: () => void keep().catch(fail) }, t("settings.keep_make")),
    el("h2", null, t("settings.forget")),
    el("p", null, t("settings.forget_why")),
    el("button", { type: "button", class: "danger", disabled: !link, onClick: () => enter(null) }, t("settings.forget")),
  ];
}

/** @param {{args: string[]}} props */
export function keep({ args: [token = ""] }) {
  const { session } = now();
  /** @type {{value: Schemas["Me"] | undefined, problem: unknown, again: () => void}} */
  const found = useLoaded((signal) => get("/v1/me", { token, signal }), [token]);
  const me = found.value;
  const become = () => {
    if (!me) return;
    enter({ token, id: me.id, name: me.name });
    location.replace("#/");
  };
  useEffect(() => {
    if (me && (!session || session.id === me.id)) become();
  }, [me]);
  return [
    el("h1", null, t("settings.keep")),
    trouble(found.problem, found.again),
    me && session ? [el("p", null, t("keep.other", { mine: session.name, name: me.name })), el("button", { type: "button", class: "primary", onClick: become }, t("keep.become", { name: me.name }))] : null,
  ];
}
