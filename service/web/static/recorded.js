/** A recorded game: what each viewer saw of it, as changes from scene to scene, which `format=html` exports. */

import { refinement } from "./refine/index.js";

/** @typedef {import("./views/replay.js").Story} Story */
/** @typedef {any} Plain */
/** @typedef {null | [Plain] | {[key: string]: Plain}} Change */
/** @typedef {{game: Story["game"] & {ruleset: string}, name: string, lang: string, viewers: string[], versions: number[], parts: string[], changes: (Change | 0)[][], sentences: string[]}} Recording  0: the change of the viewer before */

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
function scenesOf({ viewers, versions, parts, changes }, viewer) {
  /** @type {Plain} */
  let last = {};
  const upTo = viewers.indexOf(viewer) + 1;
  const kept = changes.map((all) => (last = changed(last, all.slice(0, upTo).findLast((each) => each !== 0) || null)));
  return (version) => {
    const { rows, row, stage, ...scene } = kept[versions.findLastIndex((each) => each <= version)];
    return {
      ...scene,
      version,
      rows: rows.map((/** @type {string} */ id) => row[id]),
      stage: stage && { ...stage, svg: stage.svg.map((/** @type {number} */ each) => parts[each]).join("") },
    };
  };
}

/** A game to look back on, from its recording and its audit. @param {Recording} recording @param {Story["audit"]} audit @returns {Promise<Story>} */
export async function storyOf(recording, audit) {
  const { game, name, viewers, sentences } = recording;
  const scenes = new Map(viewers.map((each) => [each, scenesOf(recording, each)]));
  const refine = await refinement(game.ruleset);
  const table = async (/** @type {number} */ version, /** @type {string} */ viewer) => {
    const { state, ...scene } = scenes.get(viewer)?.(version);
    return { scene, ruleset: { name }, refine, leaves: [], view: { version, state: state ?? {} } };
  };
  return {
    game,
    name,
    viewers,
    audit,
    sentences: [undefined, ...sentences],
    table: /** @type {any} */ (table),
    failed: () => null,
  };
}
