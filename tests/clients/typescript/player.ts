// Play a whole game of each ruleset with the generated types and nothing else: no cast, no `any`.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];

const baseUrl = process.argv[2];
if (!baseUrl) throw new Error("usage: node player.js URL");

const guest = createClient<paths>({ baseUrl });
const { data: me, error: refusal } = await guest.POST("/v1/players", { body: { name: "Ada" } });
if (!me) throw new Error(refusal.detail);
const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${me.token}` } });

const seats = (count: number): Schemas["SeatInput"][] => Array.from({ length: count }, () => ({ player: "me" }));

const wanted: Schemas["GameInput"][] = [
  { ruleset: "plute", seats: seats(6), sandbox: true, options: { early_stop: "claim" } },
  { ruleset: "plateau", seats: seats(2), sandbox: true },
  { ruleset: "le-plateau", seats: seats(4), sandbox: true, options: { hands: 4 } },
  { ruleset: "french-tarot", seats: seats(4), sandbox: true, options: { deals: 1 } },
];

/** Whatever a ruleset's own types say, once `ruleset` has told which they are. */
function facts(view: Schemas["View"]): string {
  switch (view.ruleset) {
    case "plute":
      return `trump ${view.state?.trump ?? "none"}`;
    case "plateau":
      return `plies ${view.state?.plies ?? 0}`;
    case "le-plateau":
      return `scores ${view.state?.scores.join(" ")}`;
    case "french-tarot":
      return `deals ${view.game.options.deals}`;
  }
}

async function choose(path: { game_id: string }, view: Schemas["View"], turn: number): Promise<Schemas["Action"]> {
  const listed = view.legal_actions?.actions;
  if (listed) {
    const action = listed[turn % listed.length];
    if (action) return action;
  }
  const { data } = await api.GET("/v1/games/{game_id}/legal-actions", { params: { path, query: { limit: 1 } } });
  const action = data?.actions[0];
  if (!action) throw new Error(`nothing to do at version ${view.version}`);
  return action;
}

for (const body of wanted) {
  const made = await api.POST("/v1/games", { body });
  if (!made.data) throw new Error(made.error.detail);
  const path = { game_id: made.data.id };
  for (let turn = 0; ; turn += 1) {
    if (turn > 5000) throw new Error(`${body.ruleset} does not end`);
    const { data: view, error } = await api.GET("/v1/games/{game_id}/view", { params: { path } });
    if (!view) throw new Error(error?.detail);
    if (view.game.status === "finished") {
      console.log(view.ruleset, turn, facts(view));
      break;
    }
    const action = await choose(path, view, turn);
    const done = await api.POST("/v1/games/{game_id}/actions", { params: { path }, body: action });
    if (!done.data) throw new Error(done.error.detail);
  }
}
