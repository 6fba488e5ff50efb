/** A game as its viewer sees it, and as it goes on. */

import { get } from "../api.js";
import { el } from "../el.js";
import { follow } from "../live.js";
import { show } from "../turn.js";
import { useEffect } from "../vendor/hooks.mjs";
import { trouble, useLoaded } from "./parts.js";

/** @param {{args: string[]}} props */
export function game({ args: [id = ""] }) {
  const path = `/v1/games/${encodeURIComponent(id)}`;
  const view = useLoaded((signal) => get(`${path}/view`, { signal }), [id]);
  const version = view.value?.version;
  useEffect(() => {
    if (version === undefined) return undefined;
    const ended = new AbortController();
    follow({ path: `${path}/events`, cursor: "version", after: version, happened: view.again, signal: ended.signal });
    return () => ended.abort();
  }, [id, version === undefined]);
  useEffect(() => show("", view.value?.decision ? 1 : 0), [view.value]);
  return [
    el("h1", null, view.value?.game.ruleset ?? ""),
    trouble(view.problem, view.again),
    el("pre", null, JSON.stringify(view.value?.state, null, 1)),
  ];
}
