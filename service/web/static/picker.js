/**
 * The picker: taps narrow what a seat can do until one action is left. It is pure, and knows no game.
 *
 * A tap on a thing ("card:RH") fills the first open slot of its kind; a button fills the slot at its path. What all the
 * actions left agree on fills itself.
 *
 * @typedef {import("./slots.js").Action} Action
 * @typedef {import("./slots.js").Filled} Filled
 * @typedef {import("./slots.js").Leaf} Leaf
 * @typedef {import("./slots.js").Scalar} Scalar
 * @typedef {import("./slots.js").Slot} Slot
 * @typedef {import("schema").components["schemas"]["Scene"]} Scene
 * @typedef {{pick: string} | {path: string, value: Scalar}} Step
 * @typedef {{leaf: Leaf, filled: Filled}} Branch
 * @typedef {{value: Scalar, branches: number, says: string | null}} Value  `says`: the only action left by it
 * @typedef {{path: string, kind: string | undefined, type: string | null, values: Value[]}} Group  buttons of which one is to be chosen
 * @typedef {{count: number, min: number, max: number}} Counter
 * @typedef {{
 *   lit: Set<string>, chosen: Set<string>, groups: Group[], counter: Counter | null, left: Leaf[],
 *   ready: Action | null, says: string | null, finished: boolean, exact: boolean
 * }} Choice  `left`: what the steps have left; `ready` can be sent, and is in words `says`; `finished`: nothing else is left; `exact`: it is known to be legal
 */

import { candidates, filling, finishedAction, isFull, isOpen, pickOf } from "./slots.js";

/** What is chosen after some steps, and what can be chosen next. `drawn` are the picks that can be tapped; other values become buttons. @param {Leaf[]} leaves @param {Step[]} steps @param {Set<string>} drawn @returns {Choice} */
export function choice(leaves, steps, drawn) {
  return shown(narrowed(leaves, steps).branches, drawn);
}

/** The steps that still mean something, in their order: after a step in the middle was taken back, those that do not fit without it are left out. @param {Leaf[]} leaves @param {Step[]} steps */
export function fitting(leaves, steps) {
  return narrowed(leaves, steps).fitting;
}

/** The picks that can be tapped on the page. @param {{scene: Scene}} table */
export function picksOf({ scene }) {
  const rows = scene.rows.flatMap((row) => [row.pick, ...row.things.map((thing) => thing.pick)]);
  const seats = scene.seats.map((seat) => seat.pick);
  const board = [...(scene.stage?.svg.matchAll(/data-pick="([^"]+)"/g) ?? [])].map(([, pick]) => pick);
  return new Set([...rows, ...seats, ...board].filter((pick) => typeof pick === "string"));
}

/** Whether a step does what another one does. @param {Step} one @param {Step} other */
export function same(one, other) {
  return "pick" in one
    ? "pick" in other && one.pick === other.pick
    : "path" in other && one.path === other.path && one.value === other.value;
}

/** @param {Leaf[]} leaves @param {Step[]} steps @returns {{branches: Branch[], fitting: Step[]}} */
function narrowed(leaves, steps) {
  let branches = agreed(leaves.map((leaf) => ({ leaf, filled: new Map() })));
  const fit = [];
  for (const step of steps) {
    const next = branches.flatMap((branch) => advanced(branch, step));
    if (next.length === 0) continue;
    branches = agreed(next);
    fit.push(step);
  }
  return { branches, fitting: fit };
}

/** @param {Branch} branch @param {Step} step @returns {Branch[]} */
function advanced({ leaf, filled }, step) {
  const slot =
    "pick" in step
      ? leaf.slots.find((each) => each.kind && step.pick.startsWith(`${each.kind}:`) && isOpen(each, filled))
      : leaf.slots.find((each) => each.path === step.path && isOpen(each, filled));
  if (!slot) return [];
  const value = candidates(slot, filled).find((each) =>
    "pick" in step ? pickOf(slot, each) === step.pick : each === step.value,
  );
  return value === undefined ? [] : [{ leaf, filled: filling(filled, slot.path, value) }];
}

/** Fill the slots for which all branches have the same and only value. @param {Branch[]} branches */
function agreed(branches) {
  const first = branches[0];
  if (!first) return branches;
  for (const slot of first.leaf.slots) {
    const only = onlyValue(slot, first.filled);
    if (only === null) continue;
    const same = branches.every(({ leaf, filled }) => {
      const other = leaf.slots.find((each) => each.path === slot.path);
      return other && onlyValue(other, filled) === only;
    });
    if (!same) continue;
    branches = branches.map(({ leaf, filled }) => ({
      leaf,
      filled: filling(filled, slot.path, ...candidates(slot, first.filled)),
    }));
  }
  return branches;
}

/** What an open slot must be filled with, in writing; null if there is a choice, or nothing to fill. @param {Slot} slot @param {Filled} filled */
function onlyValue(slot, filled) {
  if (!isOpen(slot, filled)) return null;
  const values = candidates(slot, filled);
  const needed = slot.bag ? slot.bag.min - (filled.get(slot.path) ?? []).length : 1;
  return values.length === needed && !slot.bag?.repeats ? JSON.stringify([...values].sort()) : null;
}

/** @param {Branch[]} branches @param {Set<string>} drawn @returns {Choice} */
function shown(branches, drawn) {
  const complete = branches.filter(({ leaf, filled }) => leaf.slots.every((slot) => isFull(slot, filled)));
  const [only] = complete;
  const ready = only && complete.length === 1 ? finishedAction(only.leaf, only.filled) : null;
  const open = branches.filter(({ leaf, filled }) => leaf.slots.some((slot) => isOpen(slot, filled)));
  return {
    lit: litBy(open, drawn),
    chosen: chosenIn(branches),
    groups: groupsOf(open, drawn),
    counter: counterOf(branches),
    left: branches.map(({ leaf }) => leaf),
    ready,
    says: saying(complete),
    finished: ready !== null && open.length === 0,
    exact: branches.every(({ leaf }) => leaf.action !== undefined),
  };
}

/** The slots that a tap can fill now: the first open one of each kind. @param {Branch} branch */
function tappable({ leaf, filled }) {
  /** @type {Map<string, Slot>} */
  const first = new Map();
  for (const slot of leaf.slots) {
    if (slot.kind && !first.has(slot.kind) && isOpen(slot, filled)) first.set(slot.kind, slot);
  }
  return [...first.values()];
}

/** @param {Branch[]} branches @param {Set<string>} drawn */
function litBy(branches, drawn) {
  /** @type {Set<string>} */
  const lit = new Set();
  for (const branch of branches) {
    for (const slot of tappable(branch)) {
      for (const value of candidates(slot, branch.filled)) {
        const pick = pickOf(slot, value);
        if (drawn.has(pick)) lit.add(pick);
      }
    }
  }
  return lit;
}

/** The picks that every branch has chosen. @param {Branch[]} branches */
function chosenIn(branches) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { leaf, filled } of branches) {
    const held = leaf.slots.flatMap((slot) =>
      slot.kind ? (filled.get(slot.path) ?? []).map((v) => pickOf(slot, v)) : [],
    );
    for (const pick of new Set(held)) counts.set(pick, (counts.get(pick) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count === branches.length).map(([pick]) => pick));
}

/** The buttons: which kind of action, where taps do not tell; then the fields whose turn it is and that have no picks. @param {Branch[]} branches @param {Set<string>} drawn @returns {Group[]} */
function groupsOf(branches, drawn) {
  /** @type {Map<string, {kind: string | undefined, type: string | null, values: Map<Scalar, Branch[]>}>} */
  const groups = new Map();
  const undecided = branches.some(({ leaf, filled }) => leaf.slots.some((s) => s.path === "type" && isOpen(s, filled)));
  for (const branch of branches) {
    for (const { slot, values } of undecided ? kindOfAction(branch, drawn) : byButton(branch, drawn)) {
      const type = /** @type {string | null} */ (undecided ? null : (branch.filled.get("type")?.[0] ?? null));
      const group = groups.get(slot.path) ?? { kind: slot.kind, type, values: new Map() };
      groups.set(slot.path, group);
      for (const value of values) group.values.set(value, [...(group.values.get(value) ?? []), branch]);
    }
  }
  return [...groups].map(([path, { kind, type, values }]) => ({
    path,
    kind,
    type,
    values: [...values].map(([value, those]) => ({ value, branches: those.length, says: saying(those) })),
  }));
}

/** @param {Branch[]} branches */
function saying(branches) {
  return branches.length === 1 ? (branches[0]?.leaf.says ?? null) : null;
}

/** @param {Branch} branch @param {Set<string>} drawn */
function kindOfAction(branch, drawn) {
  const isTapped = tappable(branch).some((slot) => allDrawn(slot, branch.filled, drawn));
  return isTapped ? [] : branch.leaf.slots.slice(0, 1).map((slot) => ({ slot, values: slot.values }));
}

/** The slots of buttons: those before the next slot that is filled by taps. @param {Branch} branch @param {Set<string>} drawn */
function byButton({ leaf, filled }, drawn) {
  /** @type {{slot: Slot, values: Scalar[]}[]} */
  const found = [];
  const seen = new Set();
  for (const slot of leaf.slots) {
    if (!isOpen(slot, filled)) continue;
    const isNext = !slot.kind || !seen.has(slot.kind);
    if (slot.kind) seen.add(slot.kind);
    const values = candidates(slot, filled);
    if (slot.kind && allDrawn(slot, filled, drawn)) break;
    if (isNext)
      found.push({ slot, values: slot.kind ? values.filter((value) => !drawn.has(pickOf(slot, value))) : values });
  }
  return found;
}

/** @param {Slot} slot @param {Filled} filled @param {Set<string>} drawn */
function allDrawn(slot, filled, drawn) {
  return candidates(slot, filled).every((value) => drawn.has(pickOf(slot, value)));
}

/** How many things are in the bag, if there is one that all branches have. @param {Branch[]} branches @returns {Counter | null} */
function counterOf(branches) {
  const bags = branches.map(({ leaf, filled }) => {
    const slot = leaf.slots.find((each) => each.bag);
    return slot?.bag ? { count: (filled.get(slot.path) ?? []).length, ...slot.bag } : null;
  });
  const [first] = bags;
  if (!first || !bags.every((bag) => bag !== null)) return null;
  const sizes = bags.flatMap((bag) => (bag ? [bag.min, bag.max] : []));
  return { count: first.count, min: Math.min(...sizes), max: Math.max(...sizes) };
}
