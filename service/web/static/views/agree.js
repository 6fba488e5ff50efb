/** What the players of a game can agree on, and how to leave it; loaded once the table is shown. */

import { newKey, post } from "../api.js";
import { el, part } from "../el.js";
import { inWords } from "../table.js";
import { useState } from "../vendor/hooks.mjs";
import { list, t } from "../words.js";

/** @typedef {import("../api.js").Schemas} Schemas */
/** @typedef {import("../table.js").Table} Table */

/** @param {{id: string, table: Table}} props */
export function Agreements({ id, table }) {
  const [problem, setProblem] = useState(/** @type {unknown} */ (null));
  const [asked, setAsked] = useState(false);
  const { view, ruleset } = table;
  const { seat } = view.viewer;
  if (seat === null) return null;
  const path = `/v1/games/${encodeURIComponent(id)}`;
  /** @param {string} to @param {unknown} body */
  const send = (to, body) => {
    setProblem(null);
    return post(`${path}/${to}`, body, { key: newKey() }).catch(setProblem);
  };
  const running = view.game.status === "active" || view.game.status === "paused";
  return [
    Boolean(problem) && el("p", { class: "trouble", role: "alert" }, inWords(problem)),
    view.proposals.map((/** @type {Schemas["Proposal"]} */ made) => part(ProposalView, { key: made.id, made, table, vote: (accept) => void send(`proposals/${made.id}/votes`, { accept }) })),
    view.game.status === "finished" && el("button", { type: "button", class: "primary again", onClick: async () => {
      const next = await send("rematch", {});
      if (next?.id) location.hash = `#/game/${next.id}`;
    } }, t("rematch")),
    running && el(
      "details",
      { class: "agree" },
      el("summary", null, t("agree")),
      el("ul", null, Object.entries(ruleset.proposals).filter(([kind]) => isPossible(kind, view)).map(([kind, text]) =>
        el("li", { key: kind }, el("button", { type: "button", onClick: () => send("proposals", { kind }) }, t(`agree.${kind}`)), el("span", null, text)))),
      el("div", { class: "leaving" }, asked
        ? [
            el("p", { role: "alert" }, t("resign.sure")),
            el("button", { type: "button", class: "grave", onClick: () => send("resign", { confirm: true }) }, t("resign.yes")),
            el("button", { type: "button", onClick: () => setAsked(false) }, t("back")),
          ]
        : el("button", { type: "button", onClick: () => setAsked(true) }, t("resign"))),
    ),
  ];
}

/** @param {string} kind @param {any} view */
function isPossible(kind, view) {
  if (view.proposals.some((/** @type {{kind: string}} */ made) => made.kind === kind)) return false;
  if (kind === "take_back") return Boolean(view.take_back?.own);
  return (kind === "resume") === (view.game.status === "paused");
}

/** @param {{made: Schemas["Proposal"], table: Table, vote: (accept: boolean) => void}} props */
function ProposalView({ made, table: { view, seats }, vote }) {
  const name = (/** @type {number} */ seat) => seats.find((each) => each.seat === seat)?.name ?? "";
  const voted = made.accepted.includes(view.viewer.seat);
  return el(
    "section",
    { class: "proposal", role: "alert" },
    el("p", null, t("proposed", { name: name(made.seat), what: t(`agree.${made.kind}`), others: list(made.accepted.map(name)) })),
    !voted && el("div", { class: "deciding" },
      el("button", { type: "button", onClick: () => vote(false) }, t("decline")),
      el("button", { type: "button", class: "primary", onClick: () => vote(true) }, t("accept"))),
  );
}
