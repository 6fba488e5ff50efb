/** Without a connection: a finished game that was opened here before, and the list of those. */

import { el, part, t } from "../page.js";
import { keptGames, keptStory } from "../offline.js";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { Replay } from "./replay.js";

/** A game as it is kept in this browser, or else what is wrong. @param {{id: string, otherwise: import("../page.js").Children}} props */
export function Kept({ id, otherwise }) {
  const [story, show] = useState(/** @type {import("./replay.js").Story | null} */ (null));
  useEffect(() => void keptStory(id).then(show, () => undefined), [id]);
  const [viewer, look] = useState("");
  return story
    ? part(Replay, { story, from: story.audit.version, viewer: viewer || (story.viewers[0] ?? ""), look })
    : otherwise;
}

/** The games that can be read now. */
export function KeptGames() {
  const games = keptGames();
  return (
    games.length > 0 && [
      el("h2", null, t("kept")),
      el(
        "ul",
        { class: "list" },
        games.map(({ id, name }) => el("li", { key: id }, el("a", { href: `#/game/${id}` }, name))),
      ),
    ]
  );
}
