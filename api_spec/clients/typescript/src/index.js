// A client of Plateau: plain ES modules for Node.js and browsers, without a build and without dependencies.

export { Client } from "./client.js";
export { newKey } from "./http.js";
export { NotFixed, PlateauError, RateLimited, Refused, Unavailable, WentBack, WrongMoment } from "./problems.js";
export { Table } from "./table.js";

/**
 * Every type of the interface, by its name in the OpenAPI document: `Schemas["PluteView"]`.
 * @typedef {import("../types/schema.js").components["schemas"]} Schemas
 */
/** @typedef {Schemas["Action"]} Action */
/** @typedef {Schemas["ActionAnswer"]} ActionAnswer */
/** @typedef {Schemas["Bot"]} Bot */
/** @typedef {EventPage["events"][number]} Event */
/** @typedef {Schemas["EventPage"]} EventPage */
/** @typedef {Schemas["Game"]} Game */
/** @typedef {Schemas["GameAtVersion"]} GameAtVersion */
/** @typedef {Schemas["Invitation"]} Invitation */
/** @typedef {Schemas["InvitationPreview"]} InvitationPreview */
/** @typedef {Schemas["LegalActions"]} LegalActions */
/** @typedef {Schemas["MyGame"]} MyGame */
/** @typedef {Schemas["MyInvitation"]} MyInvitation */
/** @typedef {Schemas["GameInput"]} GameInput */
/** @typedef {Schemas["ForkInput"]} ForkInput */
/** @typedef {Schemas["InvitationInput"]} InvitationInput */
/** @typedef {Schemas["NewInvitationAnswer"]} NewInvitationAnswer */
/** @typedef {Schemas["NewPlayerAnswer"]} NewPlayerAnswer */
/** @typedef {Schemas["SeatInput"]} SeatInput */
/** @typedef {Schemas["NewTokenAnswer"]} NewTokenAnswer */
/** @typedef {Schemas["PlanInput"]} PlanInput */
/** @typedef {Schemas["WebhookInput"]} WebhookInput */
/** @typedef {Schemas["Notice"]} Notice */
/** @typedef {Schemas["NoticePage"]} NoticePage */
/** @typedef {Schemas["Outcome"]} Outcome */
/** @typedef {Schemas["Plan"]} Plan */
/** @typedef {Schemas["Language"]} Language */
/** @typedef {Schemas["PhraseAnswer"]} PhraseAnswer */
/** @typedef {Schemas["PhraseIdChoice"]} PhraseIdChoice */
/** @typedef {Schemas["PhraseMenu"]} PhraseMenu */
/** @typedef {Schemas["Player"]} Player */
/** @typedef {Schemas["Problem"]} Problem */
/** @typedef {Schemas["ProposalKind"]} ProposalKind */
/** @typedef {Schemas["RematchAnswer"]} RematchAnswer */
/** @typedef {Schemas["Ruleset"]} Ruleset */
/** @typedef {Schemas["RulesetSummary"]} RulesetSummary */
/** @typedef {Schemas["SeatAnswer"]} SeatAnswer */
/** @typedef {Schemas["TakeByLink"]} TakeByLink */
/** @typedef {Schemas["TakeSeat"]} TakeSeat */
/** @typedef {Schemas["View"]} View */
/** @typedef {Schemas["Webhook"]} Webhook */
/** @typedef {Schemas["WebhookWithSecret"]} WebhookWithSecret */
/** @typedef {import("./client.js").ClientOptions} ClientOptions */
/** @typedef {import("./http.js").Fetch} Fetch */
/** @typedef {import("./http.js").RequestOptions} RequestOptions */
/**
 * @template T
 * @typedef {import("./http.js").Answer<T>} Answer
 */
