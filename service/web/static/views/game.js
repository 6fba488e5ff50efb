/** A game as its viewer plays it: what was tapped, what it means, and what becomes of it. */

import { el, language, loading, now, part, read, show, styled, t } from "../page.js";
import { choice, fitting, picksOf, same } from "../picker.js";
import { at, resume, send, trouble, Unreached } from "../sending.js";
import { useTable } from "../table.js";
import { useEffect, useMemo, useRef, useState } from "../vendor/hooks.mjs";
import { Board, useAgreed, useMore } from "./board.js";
import { seatsOf, SETTLED_MS, useLater, useSince, useTouch } from "./table_elements.js";

/** @typedef {import("../picker.js").Choice} Choice */
/** @typedef {import("../picker.js").Step} Step */
/** @typedef {import("../sending.js").Progress} Progress */
/** @typedef {import("../sending.js").Schemas} Schemas */
/** @typedef {import("../slots.js").Action} Action */
/** @typedef {import("../table.js").Sent} Sent */
/** @typedef {import("../table.js").Table} Table */
/** @typedef {{detail: string, rule: string | null}} Why */
/**
 * @typedef {object} Turn
 * @property {Choice} choice
 * @property {Step[]} steps
 * @property {Progress | null} progress
 * @property {Why | null} why Why something cannot be chosen, or was refused.
 * @property {boolean} checked Whether the action that is ready is known to be legal.
 * @property {Set<string>} [shown] What is previewed: what the things touched or chosen would do.
 * @property {(pick: string) => string} [meant] What a tap on this chooses.
 * @property {(pick: string | null) => void} [touch] Where something follows from it.
 * @property {boolean} open Whether this seat can choose now.
 * @property {(...steps: Step[]) => void} take
 * @property {(...steps: Step[]) => void} instead Takes these in place of what is chosen.
 * @property {(steps: Step[]) => void} set Chooses these in place of what is chosen, and sends nothing.
 * @property {(pick: string) => void} tap
 * @property {() => void} back
 * @property {() => void} confirm
 * @property {() => void} understood
 */

const STALE = 412;
/** A response within so many milliseconds is shown at once: to show before it that the action is under way would only delay it. */
const AT_ONCE_MS = 100;
/** One list, so that what follows from it is found out once a decision. @type {Step[]} */
const NONE = [];
/** What concerns people, and what is refused, once it is needed. */
const people = () => import("./people.js");
const beside = () => import("./side_panel.js");
const kept = () => import("./kept.js").catch(() => null);
const endings = () => Promise.all([import("./ending.js"), styled("beside.css")]).then(([module]) => module);

/** @param {string} id @param {Table} table @param {Sent} sent @returns {Turn} */
function useTurn(id, table, sent) {
  const decision = table.view.decision?.id ?? null;
  const [selection, setSelection] = useState({ decision, steps: NONE });
  const [progress, setProgress] = useState(/** @type {Progress | null} */ (null));
  const [why, say] = useWhy(decision);
  const [legal, setLegal] = useState(/** @type {Action | null} */ (null));
  const steps = selection.decision === decision ? selection.steps : NONE;
  const drawn = useMemo(() => picksOf(table), [table]);
  const chosen = useMemo(() => choice(table.leaves, steps, drawn), [table.leaves, steps, drawn]);
  const path = `/v1/games/${encodeURIComponent(id)}/actions`;
  const slot = `${id}.${table.view.viewer.seat}`;
  const trial = at(path, { as: table.as, dry_run: true });
  /** Whether an action is under way, also before that is shown. */
  const under = useRef(false);
  const waits = useRef(0);
  const busy = progress?.state === "sending" || progress?.state === "unsent";
  const open = decision !== null && !busy && reached(progress) <= table.view.version;
  const since = useSince(open ? `${decision} ${JSON.stringify(chosen.ready)}` : "");
  const touched = useTouch(table, chosen, open);
  const owner = now().session?.id ?? "";
  /** Show what becomes of an action; what is saved, together with the table that follows from it. @param {Progress} next @param {Step[]} [by] the steps that made it */
  const shown = (next, by) => {
    const show = () => {
      under.current = next.state === "sending" || next.state === "unsent";
      document.querySelector(".game")?.removeAttribute("aria-busy");
      setProgress(next);
      if (by && next.state !== "saved") setSelection({ decision, steps: by });
    };
    under.current = true;
    // Until what comes of it is shown.
    document.querySelector(".game")?.setAttribute("aria-busy", "true");
    clearTimeout(waits.current);
    if (next.state === "sending") waits.current = setTimeout(show, AT_ONCE_MS);
    else if (next.state !== "saved") show();
    sent(next, show);
  };

  useEffect(() => {
    resume(slot, { owner, shown });
  }, [slot]);
  useEffect(() => {
    if (progress?.state === "refused" && progress.problem.status !== STALE)
      say(beside().then(({ reason }) => reason(progress.problem)));
  }, [progress]);
  useEffect(() => {
    const action = chosen.ready;
    if (!action || chosen.exact) return;
    say(
      beside()
        .then(({ refusal }) => refusal(trial, action))
        .then((refused) => (refused || setLegal(action), refused)),
    );
  }, [chosen.ready]);

  /** @param {Action} action @param {Step[]} by */
  const act = (action, by) =>
    void send(
      slot,
      at(path, { as: table.as, lang: language(), with: "scene" }),
      { ...action, decision_id: decision },
      { owner, shown: (next) => shown(next, by) },
    );
  /** @param {Step[]} next @param {number} [before] how many of them were chosen before */
  const show = (next, before = steps.length) => {
    if (under.current) return;
    say(null);
    const fit = fitting(table.leaves, next);
    const then = choice(table.leaves, fit, drawn);
    const asks = confirms() || isGrave(then.ready, table.scene);
    if (then.finished && then.exact && then.ready && fit.length > before && !asks) act(then.ready, fit);
    else setSelection({ decision, steps: fit });
  };
  return {
    choice: chosen,
    steps,
    progress,
    why,
    checked: chosen.exact || legal === chosen.ready,
    ...touched,
    open,
    take: (...more) => show([...steps, ...more]),
    instead: (...next) => show(next, 0),
    set: (next) => under.current || (say(null), setSelection({ decision, steps: fitting(table.leaves, next) })),
    tap: (pick) => {
      if (under.current || (!open && decision !== null)) return;
      pick = touched.meant(pick);
      const mine = steps.find((step) => same(step, { pick }));
      // The only legal card is chosen by itself, and a finger chooses before it plays.
      if (chosen.ready && chosen.exact && chosen.finished && steps.length < 2 && chosen.chosen.has(pick)) {
        if (performance.now() - since.at > SETTLED_MS && !isGrave(chosen.ready, table.scene)) act(chosen.ready, steps);
      } else if (chosen.lit.has(pick)) show([...steps, { pick }]);
      else if (mine) show(steps.filter((step) => step !== mine));
      else if (!chosen.chosen.has(pick))
        say(beside().then(({ explained }) => explained(table, pick, open ? trial : null)));
    },
    back: () => show(steps.slice(0, -1)),
    confirm: () => chosen.ready && !under.current && act(chosen.ready, steps),
    understood: () => say(null),
  };
}

/** Why something cannot be chosen, once that is known. Whatever is asked or done later counts, and so does a new decision. @param {string | null} decision */
function useWhy(decision) {
  const [why, set] = useState(/** @type {Why | null} */ (null));
  const latest = useRef(/** @type {Promise<Why | null> | null} */ (null));
  /** @param {Promise<Why | null> | null} question */
  const say = (question) => {
    latest.current = question;
    if (question)
      question.then(
        (answer) => latest.current === question && set(answer),
        () => undefined,
      );
    else set(null);
  };
  useEffect(() => say(null), [decision]);
  return /** @type {const} */ ([why, say]);
}

/** The version that the game has reached, as far as the last answer shows. @param {Progress | null} progress @returns {number} */
function reached(progress) {
  if (progress?.state === "saved") return progress.answer.version;
  return progress?.state === "refused" ? Number(progress.problem.body["game_version"] ?? 0) : 0;
}

/** Whether an action is one that must not be sent by accident. @param {any} action @param {Schemas["Scene"]} scene */
function isGrave(action, { offers }) {
  return offers.some(({ path, value, grave }) => {
    const [kind, field] = path.split(".");
    return grave && (field ? action?.type === kind && action[field] === value : action?.type === value);
  });
}

/** Whether an action waits for a confirmation: the reader's wish, or else where the pointer is a finger. */
function confirms() {
  const { confirm } = now().settings;
  return confirm ? confirm === "yes" : matchMedia("(pointer: coarse)").matches;
}

/** @param {{args: string[]}} props */
export function game({ args: [id = ""] }) {
  const [seat, sit] = useState(/** @type {number | null} */ (null));
  return part(Seated, { key: `${id} ${seat}`, id, seat, sit });
}

/** A game from one seat; before the next of several at this device, a curtain. @param {{id: string, seat: number | null, sit: (seat: number) => void}} props */
function Seated({ id, seat, sit }) {
  const { table, log, problem, again, sent, goOn, until } = useTable(id, seat, now().settings.phrases);
  const next = table && passesTo(table);
  const device = useLater(people, next !== null);
  const unreached = useLater(kept, !table && problem instanceof Unreached);
  const content = () =>
    next === null
      ? part(Playing, { id, table: /** @type {Table} */ (table), log, sent, goOn, until })
      : device
        ? part(device.Curtain, { key: next, seat: next, lift: () => sit(next) })
        : loading();
  return [
    /** @type {any} */ (problem)?.status === 404
      ? el(
          "div",
          { class: "none" },
          el("h1", null, "Plateau"),
          el("p", { role: "alert" }, t("game.hidden")),
          el("a", { class: "button", href: "#/" }, t("game.out")),
        )
      : unreached
        ? part(unreached.Kept, { id, otherwise: trouble(problem, again) })
        : trouble(problem, again),
    table ? content() : !problem && loading(),
  ];
}

/** The seat before which the device changes hands: one player has several, and it is the turn of another one. @param {Table} table */
function passesTo(table) {
  const { as = null, view } = table;
  const mine = seatsOf(table);
  const acting = mine.filter((seat) => view.to_act.includes(seat));
  if (mine.length < 2 || !["active", "paused"].includes(view.game.status)) return null;
  const voters = view.proposals.flatMap((/** @type {Schemas["Proposal"]} */ { accepted }) =>
    mine.filter((seat) => !accepted.includes(seat)),
  );
  const seats = [...voters, ...acting];
  if (as === null) return seats[0] ?? mine[0] ?? null;
  return seats.includes(as) ? null : (seats[0] ?? null);
}

/** @param {{id: string, table: Table, log: import("../table.js").Entry[], sent: Sent, goOn: () => void, until: number | null}} props */
function Playing({ id, table, log, sent, goOn, until }) {
  const turn = useTurn(id, table, sent);
  const { view, ruleset } = table;
  const more = useMore();
  const agreed = useAgreed();
  const [opened, open] = useState(false);
  const over = view.game.status === "finished";
  const ends = table.ends || over;
  const [seen, see] = useState(0);
  const ending = useLater(endings, ends);
  const curtain = ends && seen !== view.version;
  const [muted, mute] = useState(read("muted", []).includes(/** @type {never} */ (id)));
  useEffect(() => {
    show(ruleset.name, view.decision ? 1 : 0);
    if (view.game.status === "open") location.replace(`#/waiting/${id}`);
  }, [view.version, view.planned]);
  const audible = log.filter((each) => !each.said || !muted);
  const talks = view.viewer.seat !== null && now().settings.phrases;
  return part(Board, {
    table,
    turn,
    said: new Map(audible.flatMap(({ said }) => (said?.fresh ? [[said.seat, said.text]] : []))),
    beside: [
      more && [part(more.SidePanel, { id, table, turn }), part(more.Sounds, { table, open: turn.open })],
      agreed && part(agreed.Agreements, { id, table }),
      talks &&
        el(
          "details",
          { class: "agree talk", onToggle: () => open(true) },
          el("summary", null, t("talk")),
          opened && agreed && part(agreed.Talk, { id, table, muted, mute }),
        ),
      el("a", { class: "button", href: at(`#/game/${id}`, { at: view.version, as: table.as }) }, t("replay")),
    ],
    dock:
      view.game.status === "paused" && view.viewer.seat !== null
        ? agreed && part(agreed.Resume, { path: `/v1/games/${encodeURIComponent(id)}`, as: table.as ?? null })
        : ends &&
          !curtain && [
            el("button", { key: "result", type: "button", onClick: () => see(0) }, t("end.result")),
            table.ends && el("button", { key: "next", type: "button", class: "primary", onClick: goOn }, t("end.next")),
          ],
    over:
      curtain &&
      ending &&
      part(ending.Ending, {
        key: view.version,
        id,
        table,
        next: table.ends ? goOn : null,
        until,
        close: () => see(view.version),
      }),
    log: agreed ? audible.map((each) => agreed.quoted(each, table)) : audible,
  });
}
