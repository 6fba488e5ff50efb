// A strict user of the package: plays a whole game of each ruleset, alone at the table.

import { Client, PlateauError, type NewGame, type NewSeat, type Table } from "@plateau/client";

const client = await Client.guest(process.argv[2] ?? "", "Ada");

const seats = (count: number): NewSeat[] => Array.from({ length: count }, () => ({ player: "me" }));

const wanted: NewGame[] = [
  { ruleset: "plute", seats: seats(6), sandbox: true },
  { ruleset: "plateau", seats: seats(2), sandbox: true },
  { ruleset: "le-plateau", seats: seats(2), sandbox: true },
  { ruleset: "french-tarot", seats: seats(3), sandbox: true, options: { deals: 1 } },
];

for (const game of wanted) {
  const table = await client.create(game);
  const outcome = await table.play(({ version }, actions) => actions[version % actions.length], { every: 0.05 });
  let last = "";
  for await (const event of table.events()) last = event.type;
  const view = await table.view();
  console.log(view.ruleset, last, outcome?.reason === view.game.outcome?.reason);
}

try {
  await client.create({ ruleset: "plateau", seats: seats(2), sandbox: true, options: { max_plies: 1 } });
} catch (error) {
  if (error instanceof PlateauError) console.log(error.status, error.code, error.pointer);
}

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
