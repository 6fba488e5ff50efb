// The laws of the picker, in states of which each is a line. In Node.js, they stand on standard input, and what breaks the
// laws is printed as JSON; a browser calls `judge` and reads `results`.

import {choice, fitting} from "../../service/web/static/picker.js";
import {kindsIn, leavesOf, leavesOfSchema} from "../../service/web/static/slots.js";

let seed = 1;
/** A number from 0 to `below`, exclusive; the same ones in every run. */
function number(below) {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

/** Write an action so that equal ones look equal: lists of scalars have no order. */
function written(value) {
  if (Array.isArray(value)) {
    const parts = value.map(written);
    return `[${value.some((each) => typeof each === "object") ? parts : parts.sort()}]`;
  }
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${key}:${written(value[key])}`)}}`;
}

function offered(now) {
  const taps = [...now.lit].map((pick) => ({pick}));
  return [...taps, ...now.groups.flatMap(({path, values}) => values.map(({value}) => ({path, value})))];
}

/** Choose an action by what is offered; return what is wrong on the way. */
function reached(leaves, goal, drawn) {
  const all = leaves.includes(goal) ? leaves : [...leaves, goal];
  const steps = [];
  for (let taken = 0; taken < 40; taken += 1) {
    const now = choice(leaves, steps, drawn);
    if (now.ready && written(now.ready) === written(goal.action)) return null;
    const next = offered(now);
    const first = number(next.length);
    const turned = [...next.slice(first), ...next.slice(0, first)];
    const fit = turned.find((step) => choice(all, [...steps, step], drawn).left.includes(goal));
    if (!fit) return "out of reach";
    steps.push(fit);
  }
  return "no end";
}

/** Choose anything that is offered until nothing is; return the action, or what is wrong. */
function wandered(leaves, drawn) {
  const steps = [];
  for (let taken = 0; taken < 40; taken += 1) {
    const now = choice(leaves, steps, drawn);
    const next = offered(now);
    if (now.finished) return next.length ? {wrong: "offers after the end"} : {action: now.ready, steps};
    if (next.length === 0) return {wrong: "stuck"};
    const step = next[number(next.length)];
    if (fitting(leaves, [...steps, step]).length !== steps.length + 1) return {wrong: "offers what does not fit"};
    steps.push(step);
  }
  return {wrong: "no end"};
}

function picksOf(leaves) {
  return [...new Set(leaves.flatMap(({slots}) =>
    slots.flatMap(({kind, values}) => kind ? values.map((value) => `${kind}:${value}`) : [])))];
}

export const results = [];
const kindsOf = {};

export function judge(line) {
  const {ruleset, schemas, name, actions, schema} = JSON.parse(line);
  if (schemas) {
    kindsOf[ruleset] = kindsIn(schemas);
    return;
  }
  const kinds = kindsOf[ruleset];
  const listed = leavesOf(actions, kinds);
  const leaves = schema ? leavesOfSchema(schema, kinds) : listed;
  const legal = new Set(actions.map(written));
  const picks = picksOf(leaves);
  const taken = [];
  for (const share of [2, 1, 0]) {
    const drawn = new Set(picks.filter(() => number(2) < share));
    for (let goals = 0; goals < Math.min(2, listed.length); goals += 1) {
      const goal = listed[number(listed.length)];
      const wrong = reached(leaves, goal, drawn);
      if (wrong) results.push({name, wrong, action: goal.action, drawn: [...drawn]});
    }
    const {wrong, action, steps} = wandered(leaves, drawn);
    if (wrong) results.push({name, wrong, drawn: [...drawn]});
    else if (schema) taken.push(action);
    else if (!legal.has(written(action))) results.push({name, wrong: "illegal", action});
    if (steps) {
      const shorter = fitting(leaves, steps.slice(1));
      if (choice(leaves, shorter, drawn).left.length < 1) results.push({name, wrong: "nothing is left after a step back"});
    }
  }
  for (const action of taken) results.push({name, taken: action});
}

if (globalThis.process) {
  const {createInterface} = await import("node:readline");
  for await (const line of createInterface({input: process.stdin})) judge(line);
  process.stdout.write(JSON.stringify(results));
}
