/** What a bot would do in a seat, and why: in sandboxes, and in games that are over. */

import { el, language, t } from "../page.js";
import { at as query, post, trouble } from "../sending.js";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";

/** @typedef {import("../sending.js").Schemas} Schemas */

/** How many actions are named beside the best. */
const NEXT_BEST = 3;

/** A button that asks for a hint; what it brings is read out. @param {{id: string, as: number, at?: number}} props */
export function Hint({ id, as, at }) {
  const [asked, set] = useState(/** @type {{busy?: boolean, hint?: Schemas["Hint"], problem?: unknown}} */ ({}));
  const shown = useRef(true);
  useEffect(() => () => void (shown.current = false), []);
  const ask = () => {
    const done = (/** @type {typeof asked} */ next) => shown.current && set(next);
    set({ busy: true });
    const path = query(`/v1/games/${encodeURIComponent(id)}/hints`, { as, at, lang: language() });
    post(path, {}).then((hint) => done({ hint }), (problem) => done({ problem }));
  };
  const { busy = false, hint, problem } = asked;
  const [best, ...others] = hint?.weighed ?? [];
  return el("div", { class: "hint" },
    el("button", { type: "button", "aria-disabled": busy, onClick: () => busy || ask() }, t("hint")),
    el("div", { role: "status" }, busy && el("p", null, t("hint.wait")), hint && [
      best && el("p", { class: "best" }, t("hint.best", { what: best.says })),
      el("p", null, t("hint.why", { reason: hint.reason.text })),
      others.length > 0 && el("p", { class: "quiet" }, t("hint.others", { what: others.slice(0, NEXT_BEST).map(({ says }) => says).join(" · ") })),
    ]),
    trouble(problem));
}
