/** The start of a game in one file: it reads what stands in the page, and shows it as the client shows games that are over. */

import { el, part, speak, watch } from "./page.js";
import { storyOf } from "./recorded.js";
import { useEffect, useState } from "./vendor/hooks.mjs";
import { render } from "./vendor/preact.mjs";
import "./views/choosing.js";
import "./views/proof.js";
import "./views/side_panel.js";
import { Paper, Replay } from "./views/replay.js";

/** @typedef {import("./views/replay.js").Story} Story */
/** @param {{story: Story}} props */
function Page({ story }) {
  const [viewer, look] = useState(story.viewers[0] ?? "");
  const [, draw] = useState({});
  // The order of a hand.
  useEffect(() => watch(() => draw({})), []);
  return [
    el(
      "main",
      { class: "page page-replay" },
      part(Replay, { story, from: story.audit.draws[0]?.version ?? 1, viewer, look, checks: true }),
    ),
    part(Paper, { story, viewer }),
  ];
}

async function start() {
  const app = /** @type {HTMLElement} */ (document.getElementById("app"));
  const [words, recording, audit] = await Promise.all(["words", "game", "audit"].map(async (id) => block(id).json()));
  speak(recording.lang, words);
  const story = await storyOf(recording, audit);
  app.replaceChildren();
  render(part(Page, { story }), app);
}

/** It fails if something in the file is damaged. */
export const started = start();
