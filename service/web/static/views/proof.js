/** The proof of a log: this browser verifies it, and shows what it has found. */

import { el, t } from "../page.js";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";

/** @typedef {import("./replay.js").Story} Story */

/** @typedef {{done: number, found?: import("../verify_bundle.mjs").Report, wrong?: import("../verify_bundle.mjs").Wrong, changed?: ReturnType<typeof import("../verify_bundle.mjs").forged> | null}} Outcome */

/** Verify the log in this browser, and show what is found. @param {{story: Story, checks: boolean}} props */
export function Proof({ story, checks }) {
  const { audit } = story;
  const [outcome, set] = useState(/** @type {Outcome | null} */ (null));
  const latest = useRef(audit);
  latest.current = audit;
  const check = async (/** @type {boolean} */ forges) => {
    const { Wrong, forged, fromAudit, verifyInSteps } = await import("../verify_bundle.mjs");
    const changed = forges ? forged(audit) : null;
    const report = (/** @type {Outcome} */ result) => latest.current === audit && set({ ...result, changed });
    report({ done: 0 });
    await verifyInSteps(fromAudit(changed?.audit ?? audit), (done) => report({ done }), await story.known?.()).then(
      (found) => report({ done: 1, found }),
      (error) => report({ done: 1, wrong: error instanceof Wrong ? error : new Wrong("shape", 1, "", "", "") }),
    );
  };
  useEffect(() => void (checks ? check(false) : set(null)), [audit]);
  const { found, wrong, changed } = outcome ?? {};
  return el(
    "section",
    { class: "proof", "aria-live": "polite" },
    el("h2", null, t("proof")),
    el("p", null, t("proof.so_far", { n: audit.version, head: audit.head.slice(0, 8) })),
    el("button", { type: "button", onClick: () => check(false) }, t("proof.verify")),
    outcome && outcome.done < 1 && el("progress", { value: outcome.done, "aria-label": t("proof.verify") }),
    changed && el("p", null, t("proof.changed", { version: changed.version, was: changed.was, is: changed.is })),
    wrong &&
      el(
        "p",
        { class: "trouble" },
        changed
          ? t("proof.caught", { version: wrong.version ?? 1 })
          : t("proof.broken", { version: wrong.version ?? audit.version }),
        " ",
        t(`fault.${wrong.kind}`),
        " ",
        el("code", null, wrong.field),
      ),
    found && findings(found),
    found && found.opened > 0 && el("button", { type: "button", onClick: () => check(true) }, t("proof.forge")),
  );
}

/** @param {import("../verify_bundle.mjs").Report} found */
const findings = ({ events, head, sealed, opened, commitment, draws, unchecked }) => [
  el(
    "ul",
    { class: "ticks" },
    el("li", null, t("proof.chain", { n: events })),
    sealed > 0 && el("li", null, t("proof.seals", { opened, n: sealed })),
    draws.length > 0 && el("li", null, t("proof.draws", { n: draws.length })),
    commitment
      ? draws.length === 0 && el("li", null, t("proof.secret"))
      : el("li", { class: "open" }, t("proof.later")),
  ),
  // Of a game that is still played, one sentence says what the line above does.
  unchecked.length > (commitment ? 0 : 1) &&
    el(
      "div",
      { class: "unchecked" },
      el("p", null, t("proof.unchecked")),
      el(
        "ul",
        { lang: "en" },
        unchecked.map((sentence) => el("li", { key: sentence }, sentence)),
      ),
    ),
  el(
    "details",
    null,
    el("summary", null, t("proof.details")),
    el("p", null, t("proof.head"), " ", el("code", null, head)),
    commitment && el("p", null, t("proof.commitment"), " ", el("code", null, commitment)),
    el(
      "ul",
      null,
      draws.map(({ version, label, number, numbers, order }) =>
        el(
          "li",
          { key: `${version} ${label}` },
          el("code", null, `${version}: ${label} ${number}`),
          " ",
          numbers
            ? t("proof.numbers", { n: numbers.count, below: numbers.below })
            : t("proof.order", { n: order?.of.length ?? 0, packets: order?.packets.length ?? 0 }),
        ),
      ),
    ),
  ),
];
