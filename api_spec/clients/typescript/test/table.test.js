import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";

import { Client } from "../src/index.js";
import { all, json, refused, service, silent, stream } from "./service.js";

const PASS = { type: "pass" };

const table = (fetch) => new Client("http://plateau", { token: "plt_1", fetch, retries: 0 }).table("gm_1");

/** The view of a game at a version, with a turn or without one. */
const view = (version, { turn = true, status = "active", actions = [PASS], waiting = [] } = {}) => ({
  version,
  ruleset: "plute",
  viewer: { seat: 2 },
  waiting_for: waiting,
  game: { status, outcome: status === "finished" ? { reason: "score", winners: [1], scores: [0, 1] } : null },
  ...(turn ? { decision: { id: `d${version}_2` }, legal_actions: { count: 1, actions } } : {}),
});
const shown = (version, what) => json(view(version, what), { headers: { ETag: `"${version}"` } });
const over = (version) => shown(version, { turn: false, status: "finished" });
const unchanged = () => new Response(null, { status: 304, headers: { ETag: '"x"' } });
const done = () => json({ events: [] }, { status: 201 });

test("an unchanged view is not sent again", async () => {
  const { fetch, requests } = service(shown(7), unchanged(), shown(3), shown(7));
  const game = table(fetch);
  const first = await game.view();
  assert.equal(await game.view(), first);
  assert.equal((await game.view({ at: 3 })).version, 3);
  await game.view({ seat: "spectator" });
  assert.deepEqual(
    requests.map(({ url, headers }) => [url.slice("http://plateau/v1/games/gm_1".length), headers["If-None-Match"]]),
    [
      ["/view", undefined],
      ["/view", '"7"'],
      ["/view?at=3", undefined],
      ["/view?as=spectator", undefined],
    ],
  );
});

test("an action carries a key, and the decision and the seat of the view that it was chosen from", async () => {
  const { fetch, requests } = service(done(), done(), done());
  await table(fetch).act(PASS, { view: view(7), key: "mine" });
  await table(fetch).act(PASS, { seat: 0 });
  await table(fetch).act(PASS);
  assert.deepEqual(
    requests.map(({ url, body }) => [url.split("gm_1")[1], body]),
    [
      ["/actions?as=2", '{"type":"pass","decision_id":"d7_2"}'],
      ["/actions?as=0", '{"type":"pass"}'],
      ["/actions", '{"type":"pass"}'],
    ],
  );
  const keys = requests.map(({ headers }) => headers["Idempotency-Key"]);
  assert.equal(keys[0], "mine");
  assert.equal(new Set(keys).size, 3);
});

test("seats, proposals and resignations go to their places", async () => {
  const nothing = () => new Response(null, { status: 204 });
  const { fetch, requests } = service(done(), nothing(), ...Array.from({ length: 6 }, done), json({}), json({}));
  const game = table(fetch);
  await game.join({ seat: 1, key: "mine" });
  await game.leave(1);
  await game.handOver(1, "random");
  await game.propose("pause", { duration: "P2D" });
  await game.propose("take_back", { to_version: 7 });
  await game.vote("pr_1", false);
  await game.claim();
  await game.resign({ seat: 3 });
  await game.cancel();
  await game.game();
  assert.deepEqual(
    requests.map(({ method, url, body }) => [method, url.slice("http://plateau/v1/games/gm_1".length), body]),
    [
      ["POST", "/seats", '{"seat":1}'],
      ["DELETE", "/seats/1", undefined],
      ["PUT", "/seats/1", '{"bot":"random"}'],
      ["POST", "/proposals", '{"kind":"pause","duration":"P2D"}'],
      ["POST", "/proposals", '{"kind":"take_back","to_version":7}'],
      ["POST", "/proposals/pr_1/votes", '{"accept":false}'],
      ["POST", "/claim", "{}"],
      ["POST", "/resign?as=3", '{"confirm":true}'],
      ["DELETE", "", undefined],
      ["GET", "", undefined],
    ],
  );
});

test("a seed goes with the head of the game, the given one or that of this moment", async () => {
  const { fetch, requests } = service(json({ head: "ab" }), done(), done());
  await table(fetch).join({ client_seed: "luck" });
  await table(fetch).join({ client_seed: "more luck", head: "cd" });
  assert.deepEqual(
    requests.map(({ method, body, headers }) => [method, body, headers["If-Match"]]),
    [
      ["GET", undefined, undefined],
      ["POST", '{"client_seed":"luck"}', '"ab"'],
      ["POST", '{"client_seed":"more luck"}', '"cd"'],
    ],
  );
});

test("invitations and seat tokens go to their places", async () => {
  const list = json({ items: [1], next_cursor: null });
  const { fetch, requests } = service(done(), list, new Response(null, { status: 204 }), done(), done());
  const game = table(fetch);
  await game.invite({ player: "pl_2", seat: 1 });
  assert.deepEqual(await all(game.invitations()), [1]);
  await game.endInvitation("in_1");
  await game.seatToken(0, "phone");
  await game.seatToken(0);
  assert.deepEqual(
    requests.map(({ method, url, body }) => [method, url.split("gm_1")[1], body]),
    [
      ["POST", "/invitations", '{"player":"pl_2","seat":1}'],
      ["GET", "/invitations", undefined],
      ["DELETE", "/invitations/in_1", undefined],
      ["POST", "/seats/0/tokens", '{"label":"phone"}'],
      ["POST", "/seats/0/tokens", "{}"],
    ],
  );
});

test("a rematch is another table of the same player", async () => {
  const { fetch, requests } = service(json({ game: { id: "gm_2" }, seat: 1 }, { status: 201 }), json({}));
  await (await table(fetch).rematch()).game();
  assert.deepEqual(
    requests.map(({ method, url, headers }) => [method, url.split("games/")[1], headers.Authorization]),
    [
      ["POST", "gm_1/rematch", "Bearer plt_1"],
      ["GET", "gm_2", "Bearer plt_1"],
    ],
  );
});

test("a game can be read as text and as a picture, and an action tried", async () => {
  const { fetch, requests } = service(new Response("notation: 1"), new Response("<svg/>"), json({ legal: true }));
  const game = table(fetch);
  assert.equal(await game.text({ seat: "spectator" }), "notation: 1");
  assert.equal(await game.picture({ at: 3 }), "<svg/>");
  await game.check(PASS, { seat: 0 });
  assert.deepEqual(
    requests.map(({ url, body }) => [url.split("gm_1")[1], body]),
    [
      ["/export?format=text&as=spectator", undefined],
      ["/board.svg?at=3", undefined],
      ["/actions?as=0&dry_run=true", '{"type":"pass"}'],
    ],
  );
});

test("any open seat is taken if no seat is named", async () => {
  const { fetch, requests } = service(done());
  await table(fetch).join();
  assert.equal(requests[0].body, "{}");
});

test("legal actions and events come from all pages", async () => {
  const legal = [json({ actions: [1, 2], next_cursor: "c" }), json({ actions: [3], next_cursor: null })];
  const events = [json({ events: [4, 5], next: 5 }), json({ events: [6], next: null })];
  const { fetch, requests } = service(...legal, ...events);
  assert.deepEqual(await all(table(fetch).legalActions({ limit: 2 })), [1, 2, 3]);
  assert.deepEqual(await all(table(fetch).events({ after: 3, seat: "spectator" })), [4, 5, 6]);
  assert.deepEqual(
    requests.map(({ url }) => url.split("gm_1")[1]),
    [
      "/legal-actions?limit=2",
      "/legal-actions?limit=2&cursor=c",
      "/events?after=3&as=spectator&limit=1000",
      "/events?after=5&as=spectator&limit=1000",
    ],
  );
});

test("a turn is each new position in which you can act, until the game is over", async () => {
  const news = stream(...[4, 5, 6, 9, 12].map((version) => ({ version, type: "passed" })), {
    end: { code: "game-over" },
  });
  const seen = [shown(5, { turn: false }), news, shown(6), unchanged(), shown(9), unchanged(), over(12)];
  const { fetch, requests, left } = service(...seen);
  const turns = await all(table(fetch).turns());
  assert.deepEqual(
    turns.map(({ version }) => version),
    [6, 9],
  );
  assert.equal(left.length, 0);
  assert.deepEqual(
    [requests[1].url.split("gm_1")[1], requests[1].headers.Accept],
    ["/events?after=5", "application/x-ndjson"],
  );
});

test("waiting for a turn can be aborted", async () => {
  const stop = new AbortController();
  const { fetch } = service(shown(5, { turn: false }), (init) => {
    setTimeout(() => stop.abort(new Error("enough")), 10);
    return silent(init);
  });
  await assert.rejects(all(table(fetch).turns({ signal: stop.signal })), { message: "enough" });
});

test("a player acts on each turn, in the position that they saw", async () => {
  const { fetch, requests } = service(shown(6), done(), shown(9), done(), over(12), unchanged());
  const outcome = await table(fetch).play(async (_, [first]) => first);
  assert.deepEqual(outcome.winners, [1]);
  const actions = requests.filter(({ method }) => method === "POST");
  assert.deepEqual(
    actions.map(({ url, body }) => [url.split("gm_1")[1], JSON.parse(body)]),
    [
      ["/actions?as=2", { type: "pass", decision_id: "d6_2" }],
      ["/actions?as=2", { type: "pass", decision_id: "d9_2" }],
    ],
  );
});

test("a player reads on if the position has changed meanwhile, and can leave it to the others", async () => {
  const gone = [refused(412, "stale-decision"), refused(409, "not-your-turn")];
  const seen = [
    shown(6),
    gone[0],
    shown(7),
    gone[1],
    shown(8),
    unchanged(),
    stream({ version: 9 }),
    over(9),
    unchanged(),
  ];
  const { fetch, requests } = service(...seen);
  await table(fetch).play(({ version }) => (version === 8 ? null : PASS));
  assert.equal(requests.filter(({ method }) => method === "POST").length, 2);
});

test("a player hears of a wrong action", async () => {
  const { fetch } = service(shown(6), refused(422, "not-held"));
  await assert.rejects(
    table(fetch).play(() => PASS),
    { status: 422, code: "not-held" },
  );
});

test("a player whom the game waits for must choose", async () => {
  const { fetch } = service(shown(6, { waiting: [2] }));
  await assert.rejects(
    table(fetch).play(() => null),
    /nothing was chosen, but the game waits for seat 2/,
  );
});

test("a player chooses from the first page of a list that is too long for a view", async () => {
  const page = json({ decision: { id: "d6_2" }, actions: Array(2000).fill(PASS), next_cursor: "c" });
  const { fetch, requests } = service(shown(6, { actions: null }), page, done(), over(7), unchanged());
  await table(fetch).play((_, actions) => actions[1999]);
  assert.equal(requests[1].url.split("gm_1")[1], "/legal-actions?as=2");
  assert.equal(requests[2].body, '{"type":"pass","decision_id":"d6_2"}');
});

test("a player looks again if a plan has played the turn before the choices were read", async () => {
  const none = json({ decision: null, actions: [], next_cursor: null });
  const others = json({ decision: { id: "d9_2" }, actions: [PASS], next_cursor: null });
  const [first, second] = [shown(6, { actions: null }), shown(8, { actions: null })];
  const { fetch, left } = service(first, none, second, others, shown(9), done(), over(10), unchanged());
  const chosen = [];
  await table(fetch).play(({ version }, [action]) => chosen.push(version) && action);
  assert.deepEqual(chosen, [9]);
  assert.equal(left.length, 0);
});

test("a turn comes again whose plan, made between look and act, was removed", async () => {
  const planned = json({ ...view(6), planned: true }, { headers: { ETag: '"6p"' } });
  const nothing = json({ events: [], next: null });
  const seen = [shown(6), refused(412, "stale-decision"), planned, nothing, shown(6), done(), over(7), unchanged()];
  const { fetch, left } = service(...seen);
  const chosen = [];
  await table(fetch).play(({ version }, [action]) => chosen.push(version) && action);
  assert.deepEqual(chosen, [6, 6]);
  assert.equal(left.length, 0);
});
