/** The faces of cards, drawn from their codes: the tarot pack, the French pack and jokers. Other codes are written. */

import { el, letters } from "./page.js";

/** @typedef {import("./page.js").Children} Children */

/** The suits around an origin, about 14 units wide. @type {Record<string, string>} */
const SUITS = {
  S: "M0-7C6-2 7.5 0 7 2.6 6.4 5.2 2.8 5.4.8 3 .8 5 1.6 6.3 3 7H-3C-1.6 6.3-.8 5-.8 3-2.8 5.4-6.4 5.2-7 2.6-7.5 0-6-2 0-7Z",
  H: "M0 7C-8.5.6-7.8-6.2-3.8-6.2-1.8-6.2-.4-4.9 0-3.4.4-4.9 1.8-6.2 3.8-6.2 7.8-6.2 8.5.6 0 7Z",
  D: "M0-7.5Q2.2-3 5.8 0 2.2 3 0 7.5-2.2 3-5.8 0-2.2-3 0-7.5Z",
  C: "M0-7A3.3 3.3 0 0 1 2.5-1.5 3.4 3.4 0 1 1 .8 2.9C.8 5 1.6 6.3 3 7H-3C-1.6 6.3-.8 5-.8 2.9A3.4 3.4 0 1 1-2.5-1.5 3.3 3.3 0 0 1 0-7Z",
  star: "M0-7.6 2-2.4 7.4-2.3 3.1 1.1 4.6 6.4 0 3.3-4.6 6.4-3.1 1.1-7.4-2.3-2-2.4Z",
};

/** Where the suits of a number lie: columns to the left, in the middle and to the right. @type {Record<string, number[][]>} */
const PIPS = {
  2: [
    [30, 20],
    [30, 70],
  ],
  3: [
    [30, 20],
    [30, 45],
    [30, 70],
  ],
  4: [
    [22, 22],
    [38, 22],
    [22, 68],
    [38, 68],
  ],
  5: [
    [22, 22],
    [38, 22],
    [30, 45],
    [22, 68],
    [38, 68],
  ],
  6: [
    [22, 21],
    [38, 21],
    [22, 45],
    [38, 45],
    [22, 69],
    [38, 69],
  ],
  7: [
    [22, 21],
    [38, 21],
    [30, 33],
    [22, 45],
    [38, 45],
    [22, 69],
    [38, 69],
  ],
  8: [
    [22, 21],
    [38, 21],
    [30, 33],
    [22, 45],
    [38, 45],
    [30, 57],
    [22, 69],
    [38, 69],
  ],
  9: [
    [22, 19],
    [38, 19],
    [22, 36],
    [38, 36],
    [30, 45],
    [22, 54],
    [38, 54],
    [22, 71],
    [38, 71],
  ],
  10: [
    [22, 19],
    [38, 19],
    [30, 27],
    [22, 36],
    [38, 36],
    [22, 54],
    [38, 54],
    [30, 63],
    [22, 71],
    [38, 71],
  ],
};

const HEAD = "M24.4 23.5C24.4 31 27 33.6 30 33.6S35.6 31 35.6 23.5C35.6 18 24.4 18 24.4 23.5Z";
const LOOK = "M27.4 25.4v.9M32.6 25.4v.9M28.8 30.6q1.2.8 2.4 0";
const ROBE = "M15.5 44.6C15.5 37.5 21 34.6 26.6 33.8L30 37 33.4 33.8C39 34.6 44.5 37.5 44.5 44.6Z";
/** What each court wears: paths and the classes that colour them, from back to front. @type {Record<string, string[][]>} */
const COURTS = {
  king: [
    ["M23.8 23C21.6 35 25.5 40.5 30 40.5S38.4 35 36.2 23C36 28.4 33 28.6 30 28.6S24 28.4 23.8 23Z", "hair"],
    ["M22.8 20.8 21.2 11 25.6 14.8 30 8.8 34.4 14.8 38.8 11 37.2 20.8C33 19.4 27 19.4 22.8 20.8Z", "gold"],
  ],
  queen: [
    [
      "M30 15C20.6 15 22 26 21 33.5 20.6 36 22.4 37.6 25.4 36.4L34.6 36.4C37.6 37.6 39.4 36 39 33.5 38 26 39.4 15 30 15Z",
      "hair back",
    ],
    ["M24 20C26 23.4 29.4 21.4 30 18.8 30.6 21.4 34 23.4 36 20L35.4 17H24.6Z", "hair"],
    ["M23.6 18.4 22.6 12.8 26.4 15.2 30 10.6 33.6 15.2 37.4 12.8 36.4 18.4C32.4 17 27.6 17 23.6 18.4Z", "gold"],
  ],
  knight: [
    ["M30 13C27 5.4 37.6 4.4 42.6 12.6 38 10.4 33.8 10.8 30 13Z", "robe"],
    [
      "M22.8 29.6C21.4 18 24.6 12.6 30 12.6S38.6 18 37.2 29.6L34.9 29C35.4 25.4 34.8 23.6 33.6 23.6H26.4C25.2 23.6 24.6 25.4 25.1 29Z",
      "steel",
    ],
  ],
  jack: [
    ["M23.6 20.6C22 25.6 22.4 30.4 24 33L26 30 25.6 21ZM36.4 20.6C38 25.6 37.6 30.4 36 33L34 30 34.4 21Z", "hair"],
    ["M37.6 16.6C43.6 15.4 44.8 10.6 43.6 6.6 39 8.2 36 11.4 35 16Z", "gold"],
    ["M20.8 21.4C18.8 14.2 25.6 11.4 31 12 38.6 12.4 41 17.6 39.2 21.4 34 18.8 26 18.8 20.8 21.4Z", "robe"],
  ],
};
/** @type {Record<string, keyof typeof COURTS>} */
const COURT_OF = { R: "king", K: "king", D: "queen", Q: "queen", C: "knight", V: "jack", J: "jack" };

const JESTER = [
  ["M30 24C24 12 13 15 12.6 29 17 23 21 25.4 22.6 31.6H37.4C39 25.4 43 23 47.4 29 47 15 36 12 30 24Z", "robe"],
  ["M22.6 31.6C21 26 24 20 30 14.6 36 20 39 26 37.4 31.6Z", "gold"],
  ["M24.2 32.4C24.2 39.6 27 43 30 43S35.8 39.6 35.8 32.4Z", "skin"],
  ["M21.6 30.6H38.4V33.8H21.6Z", "robe"],
  [
    "M10.6 29.4A2.1 2.1 0 1 1 14.8 29.4 2.1 2.1 0 1 1 10.6 29.4ZM45.2 29.4A2.1 2.1 0 1 1 49.4 29.4 2.1 2.1 0 1 1 45.2 29.4ZM28 13.4A2 2 0 1 1 32 13.4 2 2 0 1 1 28 13.4Z",
    "gold",
  ],
];

/** @param {string[][]} paths */
const drawn = (paths) => paths.map(([d, style]) => el("path", { d, class: style }));

/** @param {string} suit @param {number} x @param {number} y @param {number} size */
const mark = (suit, x, y, size) => el("path", { d: SUITS[suit], transform: `translate(${x} ${y}) scale(${size})` });

/** Draw parts twice, the second time upside down. @param {() => Children} half */
const twice = (half) => [el("g", null, half()), el("g", { transform: "rotate(180 30 45)" }, half())];

/** @param {string} text @param {string} suit */
const index = (text, suit) => [
  el("text", { x: 9.5, y: 19, class: text.length > 1 ? "index narrow" : "index" }, text),
  suit && mark(suit, 9.5, 28.5, 0.78),
];

/** @param {keyof typeof COURTS} court */
const figure = (court) => [
  drawn((COURTS[court] ?? []).filter(([, style]) => style?.includes("back"))),
  drawn([
    [ROBE, "robe"],
    ["M26.2 33.9 30 44.6 33.8 33.9 30 37Z", "gold"],
    [HEAD, "skin"],
  ]),
  drawn((COURTS[court] ?? []).filter(([, style]) => !style?.includes("back"))),
  el("path", { class: "look", d: LOOK }),
];

/** @param {string} rank @param {string} suit */
function ofSuit(rank, suit) {
  const court = COURT_OF[rank];
  const pips = PIPS[rank];
  return [
    twice(() => index(letters()["RDCVKQ J".indexOf(rank) % 4] ?? rank, suit)),
    court && twice(() => figure(court)),
    pips?.map(([x = 0, y = 0]) =>
      el(
        "g",
        { transform: y > 45 ? `rotate(180 ${x} ${y})` : undefined },
        mark(suit, x, y, pips.length > 8 ? 0.68 : 0.8),
      ),
    ),
    !court && !pips && mark(suit, 30, 45, 2.1),
  ];
}

/** @param {string} number */
function trump(number) {
  const noble = number === "1" || number === "21";
  return [
    twice(() => index(number, "")),
    el("rect", { x: 18.5, y: 7, width: 23, height: 76, rx: 2.5, class: "frame" }),
    twice(() => [
      mark("star", 30, noble ? 17.5 : 16.5, noble ? 0.9 : 0.5),
      el("path", { class: "vine", d: "M21.5 27.5Q25.7 23 30 27.5T38.5 27.5M23.5 30.8H36.5" }),
    ]),
    el("text", { x: 30, y: 53.2, class: "number" }, number),
  ];
}

/** @param {string} style @param {string} sign */
const jester = (style, sign) => [
  twice(() => mark(sign, 9.5, 13, 0.95)),
  el(
    "g",
    { class: style },
    twice(() => [drawn(JESTER), el("path", { class: "look", d: "M27.6 36.4v.8M32.4 36.4v.8M28 39.6q2 1.4 4 0" })]),
  ),
];

/** The faces that were drawn: Preact sees that one has not changed without looking into it. @type {Map<string, Children>} */
const faces = new Map();

/** The face of a card, with the letters of the reader. @param {string} code */
export function face(code) {
  const key = code + letters();
  if (!faces.has(key)) faces.set(key, draw(code));
  return faces.get(key);
}

/** @param {string} code */
function draw(code) {
  const [, rank = "", suit = ""] = /^([RDCVKQJA1-9]|10)([SHDC])$/.exec(code) ?? [];
  const [, number = ""] = /^T(\d+)$/.exec(code) ?? [];
  const [, joker = ""] = /^X(\d)$/.exec(code) ?? [];
  const red = suit ? "HD".includes(suit) : joker === "1";
  const style = number || code === "EX" ? "trump" : red ? "red" : "black";
  const content = rank
    ? ofSuit(rank, suit)
    : number
      ? trump(number)
      : code === "EX" || joker
        ? jester(style, "star")
        : el("text", { x: 30, y: 52, class: "number plain" }, code);
  return el("svg", { viewBox: "0 0 60 90", class: `face ${style}`, "aria-hidden": true, focusable: "false" }, content);
}
