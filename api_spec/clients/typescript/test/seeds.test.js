import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";

import { Client, NotFixed } from "../src/index.js";
import { commitmentTo } from "../src/seeds.js";
import { all, json, lost, refused, service } from "./service.js";

const client = (fetch) => new Client("http://plateau", { token: "plt_1", fetch, retries: 0 });
const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const commitment = (player, seed) => sha256(JSON.stringify(["seed", "gm_1", player, seed]));
const [MINE, THEIRS] = [commitment("pl_1", "luck"), commitment("pl_2", "chance")];

const sorted = (_, part) =>
  part && typeof part === "object" && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part;

/** Give the events of a log versions and hashes. */
function chained(events) {
  let head = "0".repeat(64);
  return events.map((event, index) => {
    const whole = {
      at: "2027-01-15T08:00:00.000Z",
      game_id: "gm_1",
      seat: null,
      data: {},
      sealed: {},
      version: index + 1,
      ...event,
    };
    head = sha256(head + JSON.stringify(whole, sorted));
    return { ...whole, salts: {}, hash: head };
  });
}

const taken = (seat, player, made) => ({
  type: "seat_taken",
  seat,
  data: { player, client_seed: null, seed_commitment: made },
});
const CREATED = { type: "game_created", data: { seats: 2, options: { b: 1, a: [2] } }, sealed: { "/secret": "5ea1" } };
const AWAITED = { type: "seeds_awaited", data: { seats: [0, 1], until: "2027-01-15T08:02:00.000Z" } };
const HONEST = [CREATED, taken(0, "pl_2", THEIRS), taken(1, "pl_1", MINE), AWAITED];

/** What a service shows that waits for seeds: the game, its log, and who asks. */
function waiting(events = HONEST, change = {}) {
  const log = chained(events);
  const game = { id: "gm_1", version: log.length, head: log.at(-1).hash, seeds_awaited: AWAITED.data, ...change };
  return [json(game), json({ events: log, next: null }), json({ id: "pl_1" })];
}

const done = () => json({ events: [] }, { status: 201 });

/** A table at which a player has committed to a seed. */
function committed(...responses) {
  const answers = service(...responses);
  const table = client(answers.fetch).table("gm_1");
  table.client.seeds.set(MINE, "luck");
  return { ...answers, table };
}

test("a player who is committed keeps the seed, and opens it once the log shows that all are fixed", async () => {
  const joined = [json({ head: "ab" }), json({ id: "pl_1" }), json({ seat: 1 })];
  const { fetch, requests, left } = service(...joined, ...waiting(), done(), json({ version: 9, head: "" }));
  const table = client(fetch).table("gm_1");
  await table.join({ seat: 1, client_seed: "luck", committed: true });
  assert.deepEqual(JSON.parse(requests[2].body), { seat: 1, seed_commitment: MINE });
  assert.equal(requests[2].headers["If-Match"], '"ab"');
  assert.deepEqual([...table.client.seeds], [[MINE, "luck"]]);
  assert.equal(await table.openSeeds(), true);
  assert.deepEqual([requests[6].url.split("gm_1")[1], requests[6].body], ["/seeds", '{"seat":1,"client_seed":"luck"}']);
  assert.deepEqual(table.openedAfter, { version: 4, head: chained(HONEST)[3].hash });
  assert.equal(await table.openSeeds(), false);
  assert.equal(left.length, 0);
});

const LIES = {
  "an open seat": [[CREATED, taken(1, "pl_1", MINE), AWAITED], {}, /all seats taken/],
  "a seat that does not exist": [[CREATED, taken(1, "pl_1", MINE), taken(7, "pl_2"), AWAITED], {}, /all seats taken/],
  "a seat that was left": [
    [...HONEST.slice(0, 3), { type: "seat_left", seat: 0, data: { player: "pl_2" } }, AWAITED],
    {},
    /all seats/,
  ],
  "nothing of it in the log": [HONEST.slice(0, 3), {}, /seeds are awaited/],
  "another commitment": [
    [...HONEST.slice(0, 2), taken(1, "pl_1", THEIRS), AWAITED],
    {},
    /another commitment than yours in seat 1/,
  ],
  "another head": [HONEST, { head: "0".repeat(64) }, /does not lead to version 4/],
  "a later version": [HONEST, { version: 5 }, /does not lead to version 5/],
  "another game": [HONEST, { id: "gm_2" }, /broken at version 1/],
};

for (const [name, [events, change, why]] of Object.entries(LIES)) {
  test(`a seed is not sent to a service that shows ${name}`, async () => {
    const { table, requests } = committed(...waiting(events, change));
    await assert.rejects(
      table.openSeeds(),
      (error) => error instanceof NotFixed && error.code === "seeds-not-fixed" && why.test(error.message),
    );
    assert.equal(table.openedAfter, null);
    assert.deepEqual(
      requests.filter(({ method }) => method === "POST"),
      [],
    );
  });
}

test("a seed is not sent if an event was changed behind its hash", async () => {
  const log = chained(HONEST);
  log[1].data = { ...log[1].data, player: "pl_9" };
  const [game, , me] = waiting();
  const { table } = committed(game, json({ events: log, next: null }), me);
  await assert.rejects(table.openSeeds(), /broken at version 2/);
});

test("a seed whose response is lost can still be opened", async () => {
  const { fetch, requests } = service(
    json({ head: "ab" }),
    json({ id: "pl_1" }),
    lost(),
    json({ head: "ab" }),
    json({ id: "pl_1" }),
    lost(),
  );
  const table = client(fetch).table("gm_1");
  for (let time = 0; time < 2; time += 1)
    await assert.rejects(table.join({ committed: true }), { name: "Unavailable" });
  const sent = requests.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(body).seed_commitment);
  assert.deepEqual([...table.client.seeds.keys()], sent);
  assert.match([...table.client.seeds.values()].join(), /^[0-9a-f]{32},[0-9a-f]{32}$/);
  assert.equal(new Set(table.client.seeds.values()).size, 2);
});

test("a seat by link can be taken with a commitment, whose seed the client keeps, also if the response is lost", async () => {
  const preview = json({ head: "ab", game: { id: "gm_1" } });
  const { fetch, requests } = service(preview, json({ id: "pl_1" }), lost());
  const player = client(fetch);
  await assert.rejects(player.accept("s1", { client_seed: "luck", committed: true }), { name: "Unavailable" });
  assert.deepEqual(JSON.parse(requests[2].body), { seed_commitment: MINE });
  assert.equal(requests[2].headers["If-Match"], '"ab"');
  assert.deepEqual([...player.seeds], [[MINE, "luck"]]);
});

test("a player who waits for a turn opens their seed, also if they come too late", async () => {
  const view = (status, change) =>
    json({ version: 4, game: { status, ...change }, viewer: { seat: 1 } }, { headers: { ETag: `"${status}"` } });
  const waits = view("open", { seeds_awaited: AWAITED.data });
  const { table, requests, left } = committed(waits, ...waiting(), refused(409, "no-seeds-awaited"), view("finished"));
  assert.deepEqual(await all(table.turns()), []);
  assert.equal(requests[4].body, '{"seat":1,"client_seed":"luck"}');
  assert.equal(left.length, 0);
});

test("a seed that is refused for another reason is an error", async () => {
  const { table } = committed(...waiting(), refused(422, "invalid-options"));
  await assert.rejects(table.openSeeds(), { status: 422 });
});

test("no seed is committed to that the service might refuse when it is opened", async () => {
  for (const seed of ["", "x".repeat(65), "línea", "a\nb", "a\n", "\u200b", "\ud800", "\u2800"]) {
    await assert.rejects(commitmentTo(seed, "gm_1", "pl_1"), RangeError);
  }
  assert.equal(await commitmentTo(" luck ~", "gm_1", "pl_1"), commitment("pl_1", " luck ~"));
});
