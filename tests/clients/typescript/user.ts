// A strict user of the package: plays a whole game of each ruleset, alone at the table.

import { Client, PlateauError, Refused, WrongMoment } from "@plateau/client";
import type { Fetch, GameInput, SeatInput, Table } from "@plateau/client";

const url = process.argv[2] ?? "";
const client = await Client.guest(url, "Ada");

const seats = (count: number): SeatInput[] => Array.from({ length: count }, () => ({ player: "me" }));

const wanted: GameInput[] = [
  { ruleset: "plute", seats: seats(6), sandbox: true },
  { ruleset: "plateau", seats: seats(2), sandbox: true },
  { ruleset: "le-plateau", seats: seats(2), sandbox: true },
  { ruleset: "french-tarot", seats: seats(3), sandbox: true, options: { deals: 1 } },
];

for (const game of wanted) {
  const table = await client.create(game);
  const outcome = await table.play(({ version }, actions) => actions[version % actions.length]);
  let last = "";
  for await (const event of table.events()) last = event.type;
  const view = await table.view();
  console.log(view.ruleset, last, outcome?.reason === view.game.outcome?.reason);
}

try {
  await client.create({ ruleset: "plateau", seats: seats(2), sandbox: true, options: { max_plies: 1 } });
} catch (error) {
  if (!(error instanceof PlateauError)) throw error;
  if (error instanceof WrongMoment) throw new Error("that was a matter of time", { cause: error });
  console.log(error.status, error.code, error.pointer, error instanceof Refused);
}

// Every second response to a write is lost: without keys, the repeated action would be rejected as late.
let writes = 0;
let lost = 0;
const lossy: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  if (init.method !== "POST" || (writes += 1) % 2) return response;
  lost += 1;
  throw new TypeError("lost");
};
const again = new Client(url, { token: client.token, fetch: lossy });
const table = await again.create({ ruleset: "plateau", seats: seats(2), sandbox: true, options: { max_plies: 12 } });
for await (const view of table.turns()) {
  const [action] = await table.choices(view);
  if (action) await table.act(action, { view });
}
console.log("lost", lost > 5, (await table.view()).game.status);

export async function rejected(table: Table): Promise<void> {
  // @ts-expect-error: Plute has no such option
  await client.create({ ruleset: "plute", seats: [], options: { hands: 4 } });
  // @ts-expect-error: a card is missing
  await table.act({ type: "play" });
  // @ts-expect-error: no such filter
  client.games({ rulesets: "plute" });
  // @ts-expect-error: no such action
  await table.play(() => ({ type: "win" }));
}
