import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";

import { Client, PlateauError, RateLimited, Refused, Unavailable, newKey } from "../src/index.js";
import { all, json, lost, refused, service } from "./service.js";

const GAME = { ruleset: "plute", seats: [{ player: "me" }] };
const PROBLEM = {
  status: 422,
  code: "wrong-options",
  detail: "These options do not fit together.",
  errors: [{ pointer: "/options/hands", code: "unknown-option", message: "…" }],
};

const client = (fetch, options = {}) => new Client("http://plateau/", { token: "plt_1", fetch, ...options });

test("a guest is made once, and the client then sends their token", async () => {
  const { fetch, requests } = service(json({ id: "pl_1", name: "Ada", token: "plt_1" }, { status: 201 }), json({}));
  const ada = await Client.guest("http://plateau/", "Ada", { fetch });
  await ada.me();
  assert.equal(ada.token, "plt_1");
  assert.deepEqual(
    requests.map(({ method, url, body, headers }) => [method, url, body, headers.Authorization]),
    [
      ["POST", "http://plateau/v1/players", '{"name":"Ada"}', undefined],
      ["GET", "http://plateau/v1/me", undefined, "Bearer plt_1"],
    ],
  );
  assert.equal(requests[0].headers["Content-Type"], "application/json");
});

test("a problem becomes an error with its status, code and pointer", async () => {
  const { fetch } = service(json(PROBLEM, { status: 422 }));
  await assert.rejects(client(fetch).create(GAME), (error) => {
    assert(error instanceof Refused && error instanceof PlateauError && error instanceof Error);
    assert.deepEqual([error.status, error.code, error.pointer], [422, "wrong-options", "/options/hands"]);
    assert.equal(error.message, "These options do not fit together. (wrong-options)");
    assert.deepEqual([error.detail, error.problem, error.after], [PROBLEM.detail, PROBLEM, 0]);
    return true;
  });
});

test("a page of a proxy becomes an error, too", async () => {
  const { fetch } = service(new Response("<h1>Forbidden</h1>", { status: 403 }));
  await assert.rejects(client(fetch).me(), { name: "Refused", status: 403, code: "http-403", pointer: null });
});

test("a creation whose response is lost is repeated with the same key and body", async () => {
  const unavailable = refused(503, "unavailable", { "Retry-After": "0" });
  const { fetch, requests } = service(lost(), unavailable, json({ id: "gm_1" }, { status: 201 }));
  const table = await client(fetch).create(GAME);
  assert.equal(table.id, "gm_1");
  assert.equal(requests.length, 3);
  assert.equal(new Set(requests.map(({ body }) => body)).size, 1);
  const keys = new Set(requests.map(({ headers }) => headers["Idempotency-Key"]));
  assert.equal(keys.size, 1);
  assert.match([...keys][0], /^[0-9a-z]{16,28}$/);
});

test("each creation has a key of its own, or yours", async () => {
  const { fetch, requests } = service(json({ id: "a" }), json({ id: "b" }), json({ id: "c" }));
  for (const key of [undefined, undefined, "mine"]) await client(fetch).create(GAME, { key });
  const keys = requests.map(({ headers }) => headers["Idempotency-Key"]);
  assert.equal(new Set(keys).size, 3);
  assert.equal(keys[2], "mine");
});

test("what can happen twice is not repeated", async () => {
  const calls = [
    (ada) => ada.call("POST", "/v1/me/tokens", { body: {} }),
    (ada) => ada.table("gm_1").leave(0),
    (ada) => ada.table("gm_1").handOver(0, "random"),
  ];
  for (const call of calls) {
    for (const failure of [lost(), refused(503, "unavailable")]) {
      const { fetch, requests } = service(failure);
      await assert.rejects(call(client(fetch)), Unavailable);
      assert.equal(requests.length, 1);
    }
  }
});

test("a request that a limit has rejected is repeated when the service says", async () => {
  const limited = refused(429, "too-many-requests", { "Retry-After": "0.05" });
  const { fetch, requests } = service(limited, json({ id: "pl_1", token: "plt_1" }));
  const start = performance.now();
  await Client.guest("http://plateau", "Ada", { fetch });
  assert.equal(requests.length, 2);
  assert(performance.now() - start >= 45);
});

test("nobody waits for an hour", async () => {
  const { fetch, requests } = service(refused(429, "too-many-requests", { "Retry-After": "3600" }));
  await assert.rejects(client(fetch).me(), (error) => error instanceof RateLimited && error.after === 3600);
  assert.equal(requests.length, 1);
});

test("a service that stays away is asked as often as `retries` says, and the last failure is thrown", async () => {
  const failure = lost();
  const { fetch, requests } = service(new Response("", { status: 502 }), failure);
  await assert.rejects(client(fetch, { retries: 1 }).me(), (error) => {
    assert(error instanceof Unavailable);
    assert.deepEqual([error.status, error.code, error.cause], [0, "no-response", failure]);
    return true;
  });
  assert.equal(requests.length, 2);
});

test("other errors are not repeated", async () => {
  for (const status of [400, 401, 404, 409, 412, 422, 500]) {
    const { fetch, requests } = service(refused(status, "no"));
    await assert.rejects(client(fetch).me(), { status, code: "no" });
    assert.equal(requests.length, 1);
  }
});

test("keys do not repeat themselves", () => {
  const keys = Array.from({ length: 1000 }, newKey);
  assert.equal(new Set(keys).size, 1000);
});

test("an aborted call ends at once, even between two attempts", async () => {
  const stop = new AbortController();
  const { fetch, requests } = service(refused(429, "too-many-requests", { "Retry-After": "20" }));
  const call = client(fetch).call("GET", "/v1/me", { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 5);
  await assert.rejects(call, { message: "enough" });
  assert.equal(requests.length, 1);
});

test("a response that takes too long is given up", async () => {
  const never = ({ signal }) =>
    new Promise((_, reject) => {
      const alive = setTimeout(() => {}, 10_000);
      signal.addEventListener("abort", () => {
        clearTimeout(alive);
        reject(signal.reason);
      });
    });
  const { fetch } = service(never);
  await assert.rejects(client(fetch, { timeout: 0.02, retries: 0 }).me(), { code: "no-response" });
});

test("a list goes through all pages with its filters, and reads no further than needed", async () => {
  const pages = [json({ items: [1, 2], next_cursor: "a b" }), json({ items: [3], next_cursor: null })];
  const { fetch, requests } = service(...pages.map((page) => page.clone()));
  assert.deepEqual(await all(client(fetch).games({ ruleset: "plute", open: true, status: undefined })), [1, 2, 3]);
  assert.deepEqual(
    requests.map(({ url }) => url),
    ["http://plateau/v1/games?ruleset=plute&open=true", "http://plateau/v1/games?ruleset=plute&open=true&cursor=a+b"],
  );
  const second = service(...pages);
  for await (const game of client(second.fetch).myGames({ to_act: true })) if (game === 2) break;
  assert.deepEqual(
    second.requests.map(({ url }) => url),
    ["http://plateau/v1/me/games?to_act=true"],
  );
});

test("a guest who takes a seat by a link uses the token in the answer, if there is one", async () => {
  const taken = (token) => json({ game_id: "gm_1", seat: 1, player: "pl_1", token }, { status: 201 });
  const { fetch, requests } = service(taken("plt_seat"), json({}), json({ head: "ab" }), taken(null), json({}));
  const theirs = await new Client("http://plateau", { fetch }).accept("/v1/invitations/s1", { name: "Ben" });
  await theirs.game();
  const mine = await client(fetch).accept("s2", { client_seed: "luck" });
  await mine.game();
  assert.deepEqual(
    requests.map(({ url, body, headers }) => [url.slice("http://plateau/v1".length), body, headers.Authorization]),
    [
      ["/invitations/s1/seat", '{"name":"Ben"}', undefined],
      ["/games/gm_1", undefined, "Bearer plt_seat"],
      ["/invitations/s2", undefined, "Bearer plt_1"],
      ["/invitations/s2/seat", '{"client_seed":"luck"}', "Bearer plt_1"],
      ["/games/gm_1", undefined, "Bearer plt_1"],
    ],
  );
  assert.equal(theirs.client.token, "plt_seat");
  const keys = requests.map(({ headers }) => headers["Idempotency-Key"]);
  assert.deepEqual([keys[0], typeof keys[3]], [undefined, "string"]);
  assert.equal(requests[3].headers["If-Match"], '"ab"');
});

test("a seed that is sent twice by a link is bound to one head", async () => {
  const taken = json({ game_id: "gm_1", seat: 1, player: "pl_1", token: null }, { status: 201 });
  const { fetch, requests } = service(json({ head: "ab" }), taken, taken.clone(), json({ head: "cd" }), taken.clone());
  const mine = client(fetch);
  await mine.accept("s2", { client_seed: "luck" });
  await mine.accept("/v1/invitations/s2", { client_seed: "luck" });
  await mine.accept("s2", { client_seed: "other luck" });
  const sent = requests.filter(({ method }) => method === "POST");
  assert.deepEqual(
    sent.map(({ body, headers }) => [JSON.parse(body).client_seed, headers["If-Match"]]),
    [
      ["luck", '"ab"'],
      ["luck", '"ab"'],
      ["other luck", '"cd"'],
    ],
  );
});

test("every operation is within reach", async () => {
  const svg = new Response("<svg/>", { headers: { "Content-Type": "image/svg+xml" } });
  const { fetch, requests } = service(svg, new Response(null, { status: 204 }));
  const ada = client(fetch);
  assert.equal(await ada.call("GET", "/v1/games/gm_1/board.svg", { query: { at: 3 } }), "<svg/>");
  const gone = await ada.request("DELETE", "/v1/me");
  assert.deepEqual([gone.status, gone.body], [204, null]);
  assert.deepEqual(
    requests.map(({ url }) => url),
    ["http://plateau/v1/games/gm_1/board.svg?at=3", "http://plateau/v1/me"],
  );
});

test("without `fetch`, the global one is used, and a web page's own service has no address", async (t) => {
  const { fetch, requests } = service(json({}));
  t.mock.method(globalThis, "fetch", fetch);
  await new Client("").ruleset("le plateau");
  assert.equal(requests[0].url, "/v1/rulesets/le%20plateau");
});

test("values of another version are taken, wherever lists can get new ones", async () => {
  const notice = { id: "1-1", type: "eclipse", game_id: "gm_1", version: 3, data: {} };
  const aborted = { version: 3, viewer: {}, game: { status: "aborted", aborted_because: "eclipse", outcome: null } };
  const { fetch } = service(
    json({ id: "pl_1", portrait: "yeti" }),
    json({ events: [notice], next: null }),
    json({ phrases: [{ id: "ph_1", phrase: "eclipse", text: "…" }], choices: [] }),
    json(aborted),
    json(aborted),
  );
  const ada = client(fetch);
  assert.equal((await ada.me()).portrait, "yeti");
  assert.deepEqual(await all(ada.myEvents()), [notice]);
  assert.equal((await ada.table("gm_1").phrases()).phrases[0].phrase, "eclipse");
  assert.equal(await ada.table("gm_1").play(() => null), null);
});
