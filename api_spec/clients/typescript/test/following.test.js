import assert from "node:assert/strict";
import test from "node:test";

import { Client, WentBack } from "../src/index.js";
import { all, json, lost, refused, service, silent, stream } from "./service.js";

const END = { end: { code: "game-over" } };

const event = (version) => ({ version, type: "passed" });
const page = (...versions) => json({ events: versions.map(event), next: null });
const game = (status) => json({ status, version: 1 });

/** Follow a game over these responses; return the versions, and what was asked for. */
async function followed(responses, options = {}) {
  const { fetch, requests, left } = service(...responses);
  const table = new Client("http://plateau", { fetch, retries: 0, silence: 0.05, ...options }).table("gm_1");
  const versions = (await all(table.follow())).map(({ version }) => version);
  assert.equal(left.length, 0);
  const asked = requests.map(({ url, headers }) => {
    const query = new URL(url).searchParams;
    return headers.Accept === "application/x-ndjson" ? `stream ${query.get("after")}` : query.get("wait");
  });
  return { versions, asked };
}

/** Follow a game whose service has these streams, and between them these pages, then empty ones. */
async function reopened(streams, pages) {
  const asked = [];
  const fetch = async (url, { headers }) => {
    const isStream = headers.Accept === "application/x-ndjson";
    if (isStream) asked.push(new URL(url).searchParams.get("after"));
    const response = isStream ? streams.shift() : !url.includes("/events") ? game("active") : (pages.shift() ?? page());
    if (response instanceof Error) throw response;
    return response;
  };
  const events = await all(new Client("http://plateau", { fetch, retries: 0 }).table("gm_1").follow());
  return { versions: events.map(({ version }) => version), asked };
}

test("a stream that was cut, even inside a line, is opened again after a page", async () => {
  const torn = new Response('{"version":1,"type":"passed"}\n{"vers', {
    headers: { "Content-Type": "application/x-ndjson" },
  });
  const { versions, asked } = await reopened([torn, stream(event(3), END)], [page(2)]);
  assert.deepEqual(versions, [1, 2, 3]);
  assert.deepEqual(asked, ["0", "2"]);
});

test("while too many streams are open, pages do not wait either", async () => {
  const full = refused(429, "too-many-requests", { "Retry-After": "60" });
  const { versions, asked } = await followed([full, page(1), page(2), page(), game("finished")]);
  assert.deepEqual(versions, [1, 2]);
  assert.deepEqual(asked, ["stream 0", "0", "0", "0", null]);
});

test("a page that finds no room to wait comes at once", async () => {
  const full = refused(429, "too-many-requests", { "Retry-After": "0.05" });
  const { versions, asked } = await followed([lost(), page(1), full, page(2), page(), game("finished")]);
  assert.deepEqual(versions, [1, 2]);
  assert.deepEqual(asked, ["stream 0", "0", "25", "0", "25", null]);
});

test("pages take the place of a stream that is silent, or something else", async () => {
  const blocked = [
    silent,
    new Response("<h1>Please sign in</h1>", { headers: { "Content-Type": "text/html" } }),
    new Response("<h1>Bad gateway</h1>", { status: 502 }),
    lost(),
  ];
  for (const failure of blocked) {
    const { versions, asked } = await followed([failure, page(1), page(2), page(), game("finished")]);
    assert.deepEqual(versions, [1, 2]);
    assert.deepEqual(asked, ["stream 0", "0", "25", "25", null]);
  }
});

test("a page waits no longer than the client does", async () => {
  const { asked } = await followed([lost(), page(1), page(), game("finished")], { timeout: 8 });
  assert.deepEqual(asked, ["stream 0", "0", "3", null]);
});

test("a service that restarts is waited for, once it has responded", async () => {
  const restarts = stream(event(1), { reconnect: { code: "restarting" } });
  const { versions, asked } = await reopened([restarts, stream(event(3), END)], [lost(), page(2)]);
  assert.deepEqual(versions, [1, 2, 3]);
  assert.deepEqual(asked, ["0", "2"]);
});

test("a game that went back ends what follows with an error of its own", async () => {
  const end = stream({ end: { code: "game-went-back" } });
  await assert.rejects(followed([end, refused(412, "game-went-back")]), WentBack);
});

test("what is wrong is thrown", async () => {
  await assert.rejects(followed([refused(404, "no-such-game"), refused(404, "no-such-game")]), {
    code: "no-such-game",
  });
  await assert.rejects(followed([lost(), lost()]), { name: "Unavailable" });
  const revoked = [stream(event(1), { end: { code: "invalid-token" } }), refused(401, "invalid-token")];
  await assert.rejects(followed(revoked), { code: "invalid-token" });
});
