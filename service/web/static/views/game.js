/** A game as its viewer sees it, as it goes on, and as the viewer plays it. */

import { el, part } from "../el.js";
import { useTurn } from "../play.js";
import { inWords, useTable } from "../table.js";
import { show } from "../turn.js";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { t } from "../words.js";
import { Log } from "./beside.js";
import { Board } from "./board.js";

/** @typedef {import("../table.js").Table} Table */

/** @param {{args: string[]}} props */
export function game({ args: [id = ""] }) {
  const { table, told, problem, again } = useTable(id);
  return [
    Boolean(problem) && el("p", { class: "trouble", role: "alert" }, inWords(problem), el("button", { type: "button", onClick: again }, t("again"))),
    table ? part(Playing, { id, table, told }) : !problem && el("p", { class: "loading", role: "status" }, t("loading")),
  ];
}

/** @param {{id: string, table: Table, told: import("../table.js").Told[]}} props */
function Playing({ id, table, told }) {
  const turn = useTurn(id, table);
  const { view, ruleset } = table;
  const [more, load] = useState(/** @type {typeof import("./meanwhile.js") | null} */ (null));
  useEffect(() => show(ruleset.name, view.decision ? 1 : 0), [view.version]);
  useEffect(() => void import("./meanwhile.js").then(load, () => undefined), []);
  return part(Board, {
    table, turn,
    above: more && part(more.Meanwhile, { id, table, turn }),
    beside: [more && part(more.Agreements, { id, table }), el("a", { class: "button", href: `#/game/${id}?at=${view.version}` }, t("replay")), part(Log, { told })],
  });
}
