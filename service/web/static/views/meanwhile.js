/** What a player wants to know who comes back: what happened since their last move, and where else it is their turn. */

import { at, get } from "../api.js";
import { el, part } from "../el.js";
import { call } from "../signal.js";
import { now } from "../store.js";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { language, t } from "../words.js";

/** @typedef {import("../api.js").Schemas} Schemas */

export { Agreements } from "./agree.js";

const MOST = 40;

/**
 * What a player sees above the table; a turn that comes while the page is open is announced.
 * @param {{id: string, table: import("../table.js").Table, turn: import("../play.js").Turn}} props
 */
export function Meanwhile({ id, table: { view, ruleset }, turn }) {
  const decision = view.decision?.id;
  const [opened] = useState(decision);
  useEffect(() => {
    if (decision && decision !== opened) void call(`${id} ${decision}`, { title: t("your_turn"), text: ruleset.name, address: `#/game/${id}` });
  }, [decision]);
  if (view.viewer.seat === null) return null;
  return [part(Since, { id, version: view.version }), part(NextGame, { id, open: turn.open })];
}

/**
 * What happened since the viewer's last move, as it was when the page was opened.
 * @param {{id: string, version: number}} props
 */
function Since({ id, version }) {
  const [said, say] = useState(/** @type {string[]} */ ([]));
  useEffect(() => {
    const ended = new AbortController();
    const query = { since: "my-last-move", lang: language(), limit: MOST };
    get(at(`/v1/games/${encodeURIComponent(id)}/events`, query), { signal: ended.signal }).then(
      (page) => say(page.events.flatMap((/** @type {{sentence: {text: string} | null}} */ { sentence }) => (sentence ? [sentence.text] : []))),
      () => undefined,
    );
    return () => ended.abort();
  }, [id]);
  const [first] = useState(version);
  if (first !== version || said.length === 0) return null;
  return el(
    "details",
    { class: "since" },
    el("summary", null, t("since", { n: said.length })),
    el("ol", null, said.map((text, place) => el("li", { key: place }, text))),
    el("button", { type: "button", onClick: () => say([]) }, t("close")),
  );
}

/**
 * A way to the next game in which it is my turn, while it is not in this one.
 * @param {{id: string, open: boolean}} props
 */
function NextGame({ id, open }) {
  const [next, found] = useState(/** @type {Schemas["MyGame"] | null} */ (null));
  useEffect(() => {
    const ended = new AbortController();
    found(null);
    if (!open && now().session) {
      get("/v1/me/games?to_act=true&limit=2", { signal: ended.signal }).then(
        (page) => found(page.items.find((/** @type {Schemas["MyGame"]} */ game) => game.id !== id) ?? null),
        () => undefined,
      );
    }
    return () => ended.abort();
  }, [id, open]);
  return next && el("a", { class: "button next", href: `#/game/${next.id}` }, t("next_game"));
}
