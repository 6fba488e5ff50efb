/** What the viewer can say at a table: set phrases, which everyone reads in their own language. */

import { el, language, loading, t, useLoaded } from "../page.js";
import { at, get, newKey, post, trouble } from "../sending.js";
import { useState } from "../vendor/hooks.mjs";

/** @typedef {import("../sending.js").Schemas} Schemas */

/** @param {{id: string, table: import("../table.js").Table, muted: boolean, mute: () => void}} props */
export function Phrases({ id, table: { view }, muted, mute }) {
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
