// Play a game of Le Plateau against two bots, choosing at random.
//
//     npm install PLATEAU/api_spec/clients/typescript
//     node player.ts http://127.0.0.1:8000
//
// Node.js 22.18 or newer runs this file as it is; with an older one, compile it first.

import { Client, PlateauError } from "@plateau/client";

const url = process.argv[2] ?? "http://127.0.0.1:8000";

try {
  const client = await Client.guest(url, "Ada");
  const table = await client.create({
    ruleset: "le-plateau",
    seats: [{ player: "me" }, { bot: "random" }, { bot: "random" }],
  });
  console.log(`Game ${table.id}: watch it at ${url}/v1/games/${table.id}/board.svg`);
  const outcome = await table.play((_view, actions) => actions[Math.floor(Math.random() * actions.length)]);
  for await (const event of table.events()) {
    if (event.type === "hand_scored") console.log(`Version ${event.version}: ${event.data.scores.join(" ")}`);
  }
  console.log(`Over (${outcome?.reason}), scores ${outcome?.scores.join(" ")}`);
} catch (error) {
  if (!(error instanceof PlateauError)) throw error;
  console.error(`${error.code} at ${error.pointer ?? "the request"}: ${error.message}`);
  process.exitCode = 1;
}
