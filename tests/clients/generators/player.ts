import { act, createGame, createPlayer, defaults, showView } from "./api.js";

defaults.baseUrl = process.argv[2] ?? "";
const player = await createPlayer({ name: "Ada" });
if (player.status !== 201) throw new Error(JSON.stringify(player));
defaults.headers = { authorization: `Bearer ${player.data.token}` };
const bots = Array.from({ length: 5 }, () => ({ bot: "random" as const }));
const made = await createGame({
  ruleset: "plute", seats: [{ player: "me" }, ...bots], options: { win_at: 3, lose_at: 3 },
});
if (made.status !== 201) throw new Error(JSON.stringify(made));
for (let turns = 0; ; ) {
  const shown = await showView(made.data.id);
  if (shown.status !== 200 || shown.data.ruleset !== "plute") throw new Error(JSON.stringify(shown));
  const { game, version, decision, legal_actions } = shown.data;
  if (game.status !== "active") {
    console.log(made.data.id, turns);
    break;
  }
  const action = legal_actions?.actions?.[0];
  if (!decision || !action) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    continue;
  }
  const done = await act(made.data.id, action, { ifMatch: `"${version}"` });
  if (done.status !== 201) throw new Error(JSON.stringify(done));
  turns += 1;
}
