// Follow games that continue, and print what each way of following gave.

import { Client, PlateauError } from "@plateau/client";
import type { Event, Fetch, Table } from "@plateau/client";

const [, , service = "", cutting = "", holding = "", receiver = ""] = process.argv;
const ada = await Client.guest(service, "Ada");

async function sandbox(): Promise<Table> {
  return ada.create({
    ruleset: "plateau",
    seats: [{ player: "me" }, { player: "me" }],
    sandbox: true,
    options: { max_plies: 16 },
  });
}

async function played(table: Table, pause = 60): Promise<void> {
  for await (const view of table.turns()) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const [action] = await table.choices(view);
    if (action) await table.act(action, { view });
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Follow a game over an address while it is played; count the streams that were opened. */
async function followed(url: string, pause?: number, silence?: number): Promise<[boolean, number, Event[]]> {
  const table = await sandbox();
  let streams = 0;
  const counting: Fetch = (address, init) => {
    if (new Headers(init.headers).get("Accept") === "application/x-ndjson") streams += 1;
    return fetch(address, init);
  };
  const client = new Client(url, { token: ada.token, fetch: counting, silence });
  const [events] = await Promise.all([all(client.table(table.id).follow({ lang: "en" })), played(table, pause)]);
  const whole = await all(table.events());
  const same = JSON.stringify(events.map(({ version }) => version)) === JSON.stringify(whole.map((each) => each.version));
  return [same, streams, events];
}

const [whole, streams, events] = await followed(service);
console.log("whole", whole, streams, events.every(({ sentence }) => sentence?.text));
const [resumed, reopened] = await followed(cutting, 300);
console.log("cut", resumed, reopened > 1);
const [waited, tried] = await followed(holding, 60, 0.3);
console.log("held", waited, tried);

const table = await sandbox();
const [views] = await Promise.all([all(table.views({ seat: 0 })), played(table)]);
const versions = views.map(({ version }) => version);
const last = await table.view({ seat: 0 });
console.log("views", views.length > 5, new Set(versions).size === versions.length, versions.at(-1) === last.version);

try {
  await all(ada.table("gm_missing").follow());
} catch (error) {
  console.log("missing", error instanceof PlateauError && error.code);
}

try {
  await all((await sandbox()).follow({ signal: AbortSignal.timeout(300) }));
} catch (error) {
  console.log("stopped", error instanceof DOMException && error.name);
}

const hook = await ada.addWebhook({ url: receiver, types: ["game_started"] });
console.log("hooked", (await all(ada.webhooks())).some((each) => each.id === hook.id), hook.secret);
const heard: string[] = [];
const open = await ada.create({ ruleset: "plateau", seats: [{ player: "me" }, { open: true }] });
await (await Client.guest(service, "Ben")).table(open.id).join();
for await (const notice of ada.follow({ signal: AbortSignal.timeout(60_000) })) {
  heard.push(notice.type);
  if (heard.length === 2) break;
}
console.log("heard", heard.sort().join(" "), (await all(ada.myEvents())).length >= 2, open.id.startsWith("gm_"));
const turns = await all(ada.myEvents({ types: ["your_turn"] }));
for await (const notice of ada.follow({ types: ["your_turn"], signal: AbortSignal.timeout(60_000) })) {
  console.log("turns", turns.length, notice.id === turns[0]?.id);
  break;
}
const deliveries = `/v1/webhooks/${hook.id}/deliveries`;
while (!(await all(ada.items<{ status: string }>(deliveries))).some((each) => each.status === "delivered")) {
  await new Promise((resolve) => setTimeout(resolve, 50));
}
await ada.removeWebhook(hook.id);
console.log("unhooked", (await all(ada.webhooks())).length);
const plan = await open.plan({ steps: [], forced: true });
await open.dropPlan();
console.log("planned", plan.forced, (await open.planned()).forced);
const forced = await ada.create({
  ruleset: "le-plateau",
  seats: [{ player: "me" }, { player: "me" }],
  sandbox: true,
  options: { hands: 2 },
});
for (const seat of [0, 1]) await forced.plan({ steps: [], forced: true }, { seat });
const numbers: number[] = [];
await forced.play(({ viewer, waiting_for }, actions) => {
  if (viewer.seat === null || !waiting_for.includes(viewer.seat)) return null;
  numbers.push(actions.length);
  return actions[0];
});
console.log("forced", numbers.length > 0, numbers.includes(1));
const said = await open.say("hello");
const { phrases } = await open.phrases({ lang: "ja" });
console.log("said", phrases.map((each) => each.id).includes(said.id), phrases[0]?.text);
