/** The start of a game in one file: it reads what stands in the page, and shows it as the client shows games that are over. */

import { el, part, speak } from "./page.js";
import { hex, sha256, utf8 } from "./sha256.js";
import { useState } from "./vendor/hooks.mjs";
import { render } from "./vendor/preact.mjs";
import "./verify.js";
import { Paper, Replay } from "./views/replay.js";

/** @typedef {import("./views/replay.js").Story} Story */
/** @typedef {any} Plain */
/** @typedef {null | [Plain] | {[key: string]: Plain}} Change */
/** @typedef {{game: Story["game"], name: string, lang: string, viewers: string[], versions: number[], changes: Change[][], sentences: string[]}} Recording */

/** Read a block of data, unless it is not what was saved. @param {string} id @returns {Promise<any>} */
async function block(id) {
  const holder = document.getElementById(id);
  const text = holder?.textContent ?? "";
  if (hex(sha256(utf8(text))) !== holder?.dataset["sha256"]) throw new Error(`${id} is damaged`);
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

/** Make something new of what was there before. @param {Plain} old @param {Change | undefined} change @returns {Plain} */
function changed(old, change) {
  if (!change) return old;
  if (Array.isArray(change)) return change[0];
  const made = Array.isArray(old) ? [...old] : { ...old };
  const { "": cut, ...inner } = change;
  if (cut) made.splice(...cut);
  for (const [key, each] of Object.entries(inner)) made[key] = changed(old?.[key], each);
  return made;
}

/** The scenes that one viewer saw. @param {Recording} recording @param {string} viewer @returns {(version: number) => Plain} */
function scenesOf({ viewers, versions, changes }, viewer) {
  /** @type {Plain} */
  let last = {};
  const kept = changes.map((all) => (last = changed(last, all[viewers.indexOf(viewer)])));
  return (version) => {
    const { rows, row, stage, ...scene } = kept[versions.findLastIndex((each) => each <= version)];
    return { ...scene, sheet: [], version, rows: rows.map((/** @type {string} */ id) => row[id]), stage: stage && { ...stage, svg: stage.svg.join("") } };
  };
}

/** @param {{story: Story}} props */
function Page({ story }) {
  const [viewer, look] = useState(story.viewers[0] ?? "");
  return [
    el("main", { class: "page page-replay" }, part(Replay, { story, from: story.audit.draws[0]?.version ?? 1, viewer, look, checks: true })),
    part(Paper, { story, viewer }),
  ];
}

async function start() {
  const app = /** @type {HTMLElement} */ (document.getElementById("app"));
  try {
    const [words, recording, audit] = await Promise.all(["words", "game", "audit"].map(block));
    speak(recording.lang, words);
    const { game, name, viewers, sentences } = /** @type {Recording} */ (recording);
    const scenes = new Map(viewers.map((each) => [each, scenesOf(recording, each)]));
    const table = async (/** @type {number} */ version, /** @type {string} */ viewer) => ({ scene: scenes.get(viewer)?.(version), ruleset: { name }, leaves: [], view: { version } });
    app.replaceChildren();
    render(part(Page, { story: { game, name, viewers, audit, sentences: [undefined, ...sentences], table: /** @type {any} */ (table), failed: () => null } }), app);
  } catch (error) {
    for (const each of app.children) if (each instanceof HTMLElement) each.hidden = !each.hidden;
    console.warn(error);
  }
}

start();
