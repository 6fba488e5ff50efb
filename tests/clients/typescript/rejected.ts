// What the service would reject, the compiler rejects first: each line below a directive must be an error.

import type { components } from "./schema.js";

type Schemas = components["schemas"];

export const games: Schemas["GameInput"][] = [
  { ruleset: "plute", seats: [], options: { win_at: 2 } },
  // @ts-expect-error: Plute has no such option
  { ruleset: "plute", seats: [], options: { hands: 4 } },
  // @ts-expect-error: no such ruleset
  { ruleset: "chess", seats: [] },
  // @ts-expect-error: seats are missing
  { ruleset: "plateau" },
];

export const actions: Schemas["Action"][] = [
  { type: "play", card: "RH" },
  // @ts-expect-error: the card is missing
  { type: "play" },
];

export function winner(event: Schemas["PluteEvent"]): number {
  // @ts-expect-error: not every event has a winner
  void event.data.winner;
  return event.type === "trick_won" ? event.data.winner : -1;
}
