export { Client } from "./client.js";
export { newKey } from "./http.js";
export { Table } from "./table.js";
/**
 * Every type of the interface, by its name in the OpenAPI document: `Schemas["PluteView"]`.
 */
export type Schemas = import("../types/schema.js").components["schemas"];
export type Action = Schemas["Action"];
export type ActionAnswer = Schemas["ActionAnswer"];
export type Event = EventPage["events"][number];
export type EventPage = Schemas["EventPage"];
export type Game = Schemas["Game"];
export type GameAtVersion = Schemas["GameAtVersion"];
export type Invitation = Schemas["Invitation"];
export type InvitationPreview = Schemas["InvitationPreview"];
export type LegalActions = Schemas["LegalActions"];
export type MyGame = Schemas["MyGame"];
export type MyInvitation = Schemas["MyInvitation"];
export type NewGame = Schemas["NewGame"];
export type NewInvitation = Schemas["NewInvitation"];
export type NewInvitationAnswer = Schemas["NewInvitationAnswer"];
export type NewPlayerAnswer = Schemas["NewPlayerAnswer"];
export type NewSeat = Schemas["NewSeat"];
export type NewTokenAnswer = Schemas["NewTokenAnswer"];
export type Outcome = Schemas["Outcome"];
export type Player = Schemas["Player"];
export type Problem = Schemas["Problem"];
export type ProposalKind = Schemas["ProposalKind"];
export type Ruleset = Schemas["Ruleset"];
export type RulesetSummary = Schemas["RulesetSummary"];
export type SeatAnswer = Schemas["SeatAnswer"];
export type TakeByLink = Schemas["TakeByLink"];
export type TakeSeat = Schemas["TakeSeat"];
export type View = Schemas["View"];
export type ClientOptions = import("./client.js").ClientOptions;
export type Fetch = import("./http.js").Fetch;
export type RequestOptions = import("./http.js").RequestOptions;
export type Answer<T> = import("./http.js").Answer<T>;
export { PlateauError, RateLimited, Refused, Unavailable, WrongMoment } from "./problems.js";
