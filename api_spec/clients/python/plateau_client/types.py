"""The types of the interface 0.1.0, written from its OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Union


class PlayerInput(TypedDict):
    """The guest to create."""

    name: str
    """The name to show: 1 to 40 visible characters as readers count them, blanks only between them."""
    operator: NotRequired[str | None]
    """For the account of a bot: who runs it, and where to reach them. Public."""
    portrait: NotRequired[Literal["otter", "heron", "lynx", "magpie", "hare", "beaver", "robin", "marten"] | None]
    """The head that a table shows beside the name. Public."""


class Nothing(TypedDict):
    """A request without fields."""


class VoteInput(TypedDict):
    """A vote on a proposal."""

    accept: bool
    """false closes the proposal."""


class Resignation(TypedDict):
    """The confirmation of a resignation; without it, an empty or truncated body could end a game."""

    confirm: Literal[True]
    """Must be true: a resignation cannot be taken back."""


class TakeSeat(TypedDict):
    """The seat to take; by default the first open one."""

    seat: NotRequired[int]
    client_seed: NotRequired[str]
    """Mixed into every draw of the game; public."""
    seed_commitment: NotRequired[str]
    """Instead of a seed: the SHA-256, in hex, of ["seed", game id, your id, seed] as canonical JSON. You open the seed once every seat is taken."""


class SeatTokenInput(TypedDict):
    """The seat token to create."""

    label: NotRequired[str]
    """A name to recognize it by: 1 to 40 visible characters as readers count them, blanks only between them. By default "seat"."""


class OpenSeed(TypedDict):
    """The seed to open."""

    seat: NotRequired[int]
    """By default the first of your seats whose seed is awaited."""
    client_seed: str
    """The seed that you committed to; public from now."""


class CosignatureInput(TypedDict):
    """A witness and what it has signed: the statement of the root, under a label of its own."""

    witness: str
    """The Ed25519 public key of the witness."""
    signature: str
    """The signature over `plateau-cosignature-v1`, a line feed, and the canonical form of the root's `at`, `key_id`, `root` and `size`."""


class TakeByLink(TypedDict):
    """Who takes the seat that a link opens."""

    name: NotRequired[str]
    """Needed without a token: the name to show. 1 to 40 visible characters as readers count them, blanks only between them."""
    client_seed: NotRequired[str]
    """Mixed into every draw of the game; public."""
    seed_commitment: NotRequired[str]
    """Instead of a seed: the SHA-256, in hex, of ["seed", game id, your id, seed] as canonical JSON. You open the seed once every seat is taken. Needs a token."""


class ShownPartsChange(TypedDict):
    """What others see of the player, part by part; parts that are omitted stay as they are."""

    language: NotRequired[bool]
    """Whether others see the language."""
    time_zone: NotRequired[bool]
    """Whether others see the time zone."""
    seen: NotRequired[bool]
    """Whether the day of the last request is kept, and others see it."""
    games: NotRequired[bool]
    """Whether others can list the player's public games."""


class QuietHoursInput(TypedDict):
    """Hours of each day, in the player's time zone; they pass midnight if they end before they start."""

    start: str
    """When they start."""
    end: str
    """When they end."""


class BrowserKeys(TypedDict):
    """The keys of a browser, as its subscription has them."""

    p256dh: str
    """The browser's public key."""
    auth: str
    """The secret that it shares."""


class TournamentActInput(TypedDict):
    """What the director does, and why."""

    act: Literal["adjust", "withdraw", "substitute", "cancel"]
    """`adjust` adds points to those of a player (a penalty, or a correction), `withdraw` takes a player out of later rounds, `substitute` gives the place to a reserve, `cancel` ends the tournament."""
    reason: str
    """The reason, permanently public in the log."""
    player: NotRequired[str]
    """The player, except with `cancel`."""
    points: NotRequired[int]
    """With `adjust`: how many to add."""
    by: NotRequired[str]
    """With `substitute`: the reserve."""


class Entry(TypedDict):
    """What a player brings to enter."""

    invitation: NotRequired[str]
    """What the director has given you, if the tournament asks."""


class Receipt(TypedDict):
    """A receipt, as the header Plateau-Receipt has it."""

    game: str
    """The id of the game."""
    version: int
    """The version."""
    hash: str
    """The hash of the event of that version."""
    at: str
    """The time of that event."""
    key_id: str
    """The id of the key that signed."""
    signature: str
    """The Ed25519 signature."""


class ProblemFault(TypedDict):
    """One fault of a request, and its place."""

    pointer: str
    code: str
    message: str


class Candidate(TypedDict):
    """A player who has the name, or one like it."""

    id: str
    name: str
    created_at: str


class OpenApiDocument(TypedDict):
    """An OpenAPI 3.1 document."""

    openapi: str


JsonSchema: TypeAlias = dict[str, Any]
"""A JSON Schema (2020-12)."""


OptionValue: TypeAlias = str | int | bool | None
"""A value of an option."""


class FieldForm(TypedDict):
    """A JSON Schema of the values that a field of an action can have."""

    type: NotRequired[str]
    const: NotRequired[Any]
    """The only value, which can be anything."""
    enum: NotRequired[list[OptionValue]]
    items: NotRequired[FieldForm]
    minItems: NotRequired[int]
    maxItems: NotRequired[int]
    uniqueItems: NotRequired[bool]
    pattern: NotRequired[str]
    description: NotRequired[str]
    properties: NotRequired[dict[str, FieldForm]]
    required: NotRequired[list[str]]


class Choice(TypedDict):
    """The possible values of an option for a number of players."""

    values: list[OptionValue] | None
    default: OptionValue
    needs: dict[str, dict[str, list[OptionValue]]]
    comes_with: dict[str, list[str]]
    note: str


class PlayerNumbers(TypedDict):
    """The possible numbers of players."""

    min: int
    max: int


class FieldWords(TypedDict):
    """An option, or a field of actions, in words: its name, and its values as JSON writes them, texts without quotes."""

    name: str
    values: dict[str, str]


class Bot(TypedDict):
    """A bot: its name in requests, its title, a sentence about it, and the ids of the rulesets that it plays."""

    name: str
    title: str
    summary: str
    rulesets: list[str]
    version: int
    playouts: int


class CribEntry(TypedDict):
    """What a player can look up during a game: a title, a text, beginnings of words that lead to it, and ``things``, a regular expression that matches the whole codes of the things of a scene that it concerns ("" for none)."""

    term: str
    says: str
    words: list[str]
    things: str


class Ruleset(TypedDict):
    """A ruleset in full. ``options`` and each of ``actions`` are JSON Schemas, ``proposals`` says what the players can agree on, ``has_resignation`` whether a seat can resign, ``bots`` lists the bots that play it, and ``rules`` is a page of Markdown. ``choices`` lists the possible values of each option for each number of players; all others are rejected. ``words`` has the name of each option and of its values in the requested language, for a form. ``action_words`` has the same for the kinds of actions, as the field ``type``, and for each of their fields by its path without places in lists: ``bid.team``, ``give.gifts.seat``. ``crib`` is the rules on one screen, in the requested language, for a look during a game."""

    id: str
    name: str
    summary: str
    rules_version: int
    players: PlayerNumbers
    has_tutorial: bool
    options: JsonSchema
    choices: dict[str, dict[str, Choice]]
    words: dict[str, FieldWords]
    action_words: dict[str, FieldWords]
    actions: dict[str, JsonSchema]
    proposals: dict[str, str]
    has_resignation: bool
    bots: list[Bot]
    crib: list[CribEntry]
    rules: str


Scalar: TypeAlias = str | float | bool | None
"""A plain value."""


class Equality(TypedDict):
    """Whether the value at a path equals another, or differs from it."""

    path: str
    """A JSON pointer into the view; a step * stands for every item, at most twice."""
    op: Literal["eq", "ne"]
    value: Scalar


class Order(TypedDict):
    """Whether the number at a path is less or more."""

    path: str
    """A JSON pointer into the view; a step * stands for every item, at most twice."""
    op: Literal["lt", "le", "gt", "ge"]
    value: float


class TextMatch(TypedDict):
    """How the text at a path begins or ends."""

    path: str
    """A JSON pointer into the view; a step * stands for every item, at most twice."""
    op: Literal["starts_with", "ends_with"]
    value: str


class Membership(TypedDict):
    """Whether the value at a path is one of several."""

    path: str
    """A JSON pointer into the view; a step * stands for every item, at most twice."""
    op: Literal["in"]
    value: list[Scalar]


class Existence(TypedDict):
    """Whether the path leads anywhere."""

    path: str
    """A JSON pointer into the view; a step * stands for every item, at most twice."""
    op: Literal["exists"]


class NoData(TypedDict):
    """An event that only its type describes."""


TextByPointer: TypeAlias = dict[str, str]
"""Texts by JSON pointer."""


class SeatTakenData(TypedDict):
    """A player took a seat, optionally with a seed for the draws, or with a commitment to a seed."""

    player: str
    client_seed: str | None
    joined_after: NotRequired[str]
    seed_commitment: NotRequired[str]


ThinkingChosen: TypeAlias = Literal["policy", "any_legal"]


SentenceParameterKind: TypeAlias = Literal["seat", "player", "number", "score", "card", "text", "list", "message"] | str


class SeatLeftData(TypedDict):
    """A player left a seat before the start."""

    player: str


class BotSeatedData(TypedDict):
    """A bot took an open seat, or took over from the player who held it."""

    bot: str


class SeedsAwaitedData(TypedDict):
    """Every seat is taken: the players of these seats open the seeds that they committed to, until a point in time."""

    seats: list[int]
    until: str


class SeedOpenedData(TypedDict):
    """A player opened the seed that they committed to."""

    client_seed: str


class SeedsClosedData(TypedDict):
    """Seeds can no longer be opened; the draws do not use those of the ``missing`` seats."""

    missing: list[int]


class GameStartedData(TypedDict):
    """Every seat is taken; the players by seat, null for a bot."""

    players: list[str | None]


class ProposalMadeData(TypedDict):
    """A seat proposed something that every seat must accept; it accepts itself by proposing."""

    proposal: str
    kind: str
    duration: NotRequired[str | None]
    to_version: NotRequired[int]


class VoteCastData(TypedDict):
    """A seat voted on a proposal."""

    proposal: str
    accept: bool


ProposalResult: TypeAlias = Literal["agreed", "declined", "lapsed"]


LapseReason: TypeAlias = Literal["disclosed", "taken_back"] | str


class ProposalClosedData(TypedDict):
    """A proposal was closed: every seat accepted it, one declined, or the game moved on."""

    proposal: str
    result: ProposalResult
    reason: NotRequired[LapseReason]


class TakenBackData(TypedDict):
    """Every seat agreed to go back: the game continues from the position that it had at ``to_version``."""

    to_version: int


TurnTimedOutBy: TypeAlias = Literal["bot", "loss", "resign"]


class TurnTimedOutData(TypedDict):
    """A seat's time was up: a bot decided for it, it lost the game, or it resigned; the next events are the result."""

    by: TurnTimedOutBy
    bot: str | None


class TimeoutClaimedData(TypedDict):
    """A seat claimed that another seat's time was up."""

    late: int


TimeCreditedData = TypedDict(
    "TimeCreditedData",
    {
        "from": str,
        "until": str,
    },
)


class GamePausedData(TypedDict):
    """All clocks stop, for a duration, or until the seats agree to resume."""

    duration: str


GameResumedReason: TypeAlias = Literal["over", "agreed"] | str


class GameResumedData(TypedDict):
    """The game was resumed: the pause was over, or the seats agreed."""

    reason: GameResumedReason


OperatorAct: TypeAlias = Literal["abort", "replace"] | str


class OperatorActedData(TypedDict):
    """The operator of the service intervened, for a reason in the operator's words; the next events are the result."""

    act: OperatorAct
    reason: str


class SecretRevealedData(TypedDict):
    """A deal is over, and the next one follows: the secret of the deal (hex) opens it and proves how it was dealt."""

    deal: int
    secret: str


AbortReason: TypeAlias = Literal["cancelled", "expired", "abandoned", "declined", "agreed", "operator", "unopened", "idle", "closed", "endless"] | str


class GameAbortedData(TypedDict):
    """A game ended without a result; the secret opens the commitment and every seal."""

    reason: AbortReason
    secret: str


LePlateauObjective: TypeAlias = Literal["bridge", "y", "fork", "five_sides", "six_sides"]


LePlateauTeamSize: TypeAlias = Literal["solo", "duo", "trio"]


class LePlateauBidAction(TypedDict):
    """Bid a contract that is worth more than every earlier bid."""

    type: Literal["bid"]
    exchange: NotRequired[bool]
    """Whether to exchange cards with the talon; left out where a bid has no such part (6 players, edition 2022)."""
    objective: LePlateauObjective
    """The formation to make."""
    team: LePlateauTeamSize
    """The team to play in; always solo with 2 or 3 players."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class LePlateauPassAction(TypedDict):
    """Pass in the bidding, permanently."""

    type: Literal["pass"]
    decision_id: NotRequired[str]
    """The decision that this action answers."""


LePlateauCard: TypeAlias = str


class LePlateauExchangeAction(TypedDict):
    """Discard as many cards as were taken from the talon."""

    type: Literal["exchange"]
    discard: list[LePlateauCard]
    """The cards to lay aside, in any order."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class LePlateauGift(TypedDict):
    """One card for another seat."""

    seat: int
    """The seat that receives the card."""
    card: LePlateauCard
    """The card given."""


class LePlateauGiveAction(TypedDict):
    """Give one card each to two different players (6 players)."""

    type: Literal["give"]
    gifts: list[LePlateauGift]
    """Two gifts, in any order."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class LePlateauChooseTalonAction(TypedDict):
    """Choose the group of talon cards to exchange with (4 players, full deck)."""

    type: Literal["choose_talon"]
    group: int
    """0 for the first three cards, 1 for the last three."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class LePlateauAnnounceAction(TypedDict):
    """Announce the highest card not held, to find a partner."""

    type: Literal["announce"]
    card: LePlateauCard
    """The card announced."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class LePlateauRaiseAction(TypedDict):
    """Raise the objective, and with it the value."""

    type: Literal["raise"]
    objective: LePlateauObjective
    """The new, higher objective."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class LePlateauKeepAction(TypedDict):
    """Leave the objective as it is."""

    type: Literal["keep"]
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class LePlateauAbdicateAction(TypedDict):
    """Hand the declarer's role to the partner who raised (5 players)."""

    type: Literal["abdicate"]
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class LePlateauPlayAction(TypedDict):
    """Play a card to the trick, from the hand or from the top of a pile."""

    type: Literal["play"]
    card: LePlateauCard
    """The card played."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


LePlateauAction: TypeAlias = LePlateauBidAction | LePlateauPassAction | LePlateauExchangeAction | LePlateauGiveAction | LePlateauChooseTalonAction | LePlateauAnnounceAction | LePlateauRaiseAction | LePlateauKeepAction | LePlateauAbdicateAction | LePlateauPlayAction
"""An action of Le Plateau."""


LePlateauEdition: TypeAlias = Literal["2023", "2022"]


LePlateauDeckSize: TypeAlias = Literal["standard", "full"]


LePlateauExcuseRole: TypeAlias = Literal["trump", "french"]


LePlateauBoardLayout: TypeAlias = Literal["standard", "random_game", "random_deal", "custom"]


LePlateauScoring: TypeAlias = Literal["zero_sum", "positive"]


LePlateauAbdication: TypeAlias = Literal["on", "off"]


LePlateauVoidHands: TypeAlias = Literal["count", "redeal"]


class LePlateauOptionsInput(TypedDict):
    """Options of Le Plateau. Those that are omitted have their defaults."""

    edition: NotRequired[LePlateauEdition]
    """Edition of the rules: in 2022 six players have no exchange, the talon's spaces go to the declarer's side if there was no exchange, and a Y makes a bridge."""
    deck: NotRequired[LePlateauDeckSize]
    """The standard deck for the number of players, or the larger one: 54 cards with 3 players, all 78 with 4 or 5."""
    excuse: NotRequired[LePlateauExcuseRole]
    """The excuse is the highest trump, or plays as in French Tarot: to any trick, and it never wins."""
    board: NotRequired[LePlateauBoardLayout]
    """How the tokens lie: as printed, at random for the whole game or for every deal, or as board_tokens says."""
    board_tokens: NotRequired[list[str] | None]
    """The 37 tokens of a custom board in ring order: rim, middle, inner, each clockwise from the top, centre."""
    scoring: NotRequired[LePlateauScoring]
    """Points change hands, or only winners score."""
    abdication: NotRequired[LePlateauAbdication | None]
    """Whether a declarer whose partner raised can abdicate; 5 players only."""
    void_hands: NotRequired[LePlateauVoidHands]
    """Whether a hand that all pass counts as one of the agreed hands."""
    hands: NotRequired[int]
    """Hands to play: one, or a multiple of the number of players, which is the default."""
    first_dealer: NotRequired[int | None]
    """The seat that deals first; drawn if not given."""


class LePlateauOptions(TypedDict):
    """The agreed options, all of them written out. None stands for "does not apply" or "drawn"."""

    edition: str
    """Edition of the rules: in 2022 six players have no exchange, the talon's spaces go to the declarer's side if there was no exchange, and a Y makes a bridge."""
    deck: str
    """The standard deck for the number of players, or the larger one: 54 cards with 3 players, all 78 with 4 or 5."""
    excuse: str
    """The excuse is the highest trump, or plays as in French Tarot: to any trick, and it never wins."""
    board: str
    """How the tokens lie: as printed, at random for the whole game or for every deal, or as board_tokens says."""
    board_tokens: list[str] | None
    """The 37 tokens of a custom board in ring order: rim, middle, inner, each clockwise from the top, centre."""
    scoring: str
    """Points change hands, or only winners score."""
    abdication: str | None
    """Whether a declarer whose partner raised can abdicate; 5 players only."""
    void_hands: str
    """Whether a hand that all pass counts as one of the agreed hands."""
    hands: int
    """Hands to play: one, or a multiple of the number of players, which is the default."""
    first_dealer: int | None
    """The seat that deals first; drawn if not given."""


LePlateauPhaseName: TypeAlias = Literal["deal", "bid", "exchange", "give", "choose_talon", "announce", "raise", "play", "over"]


LePlateauSide: TypeAlias = Literal["declarer", "opposing"]


class LePlateauPileView(TypedDict):
    """A pile: its card on top (null once played), whether a face-down card lies below, and what was played from it."""

    top: LePlateauCard | None
    under: bool
    under_card: NotRequired[LePlateauCard]
    played: list[LePlateauCard]


class LePlateauTalonDealtView(TypedDict):
    """A talon card dealt to a player (6 players); the card for its receiver only."""

    to: int
    card: LePlateauCard | None


class LePlateauDiscardView(TypedDict):
    """The discard; its cards for the exchanger only."""

    count: int
    cards: list[LePlateauCard] | None


LePlateauGiftView = TypedDict(
    "LePlateauGiftView",
    {
        "from": int,
        "to": int,
        "card": LePlateauCard | None,
    },
)


class LePlateauBidView(TypedDict):
    """What was bid; ``exchange`` is left out where a bid has no such part (6 players, edition 2022)."""

    exchange: NotRequired[bool]
    objective: LePlateauObjective
    team: LePlateauTeamSize


class LePlateauContract(TypedDict):
    """The contract as it stands; the exchanger keeps the knowledge of the exchange after an abdication."""

    declarer: int
    partners: list[int]
    exchanger: int | None
    exchange: bool
    objective: LePlateauObjective
    team: LePlateauTeamSize
    value: int


class LePlateauRaised(TypedDict):
    """One seat's chance to raise: the new objective, or null."""

    seat: int
    objective: LePlateauObjective | None
    abdicated: bool


class TrickCard(TypedDict):
    """A tarot card on the table, and the seat that played it."""

    seat: int
    card: str


class LePlateauTrickWon(TypedDict):
    """A finished trick."""

    number: int
    winner: int
    cards: list[TrickCard]


class LePlateauShownHand(TypedDict):
    """Cards of one seat, shown at the end of a hand."""

    seat: int
    cards: list[LePlateauCard]


class LePlateauShownPile(TypedDict):
    """A pile as dealt, shown at the end of a hand."""

    top: LePlateauCard
    under: LePlateauCard


LePlateauShownGiftView = TypedDict(
    "LePlateauShownGiftView",
    {
        "from": int,
        "to": int,
        "card": LePlateauCard,
    },
)


class LePlateauShownTalonCard(TypedDict):
    """A talon card that was dealt to a player, shown at the end of a hand."""

    to: int
    card: LePlateauCard


Visibility: TypeAlias = Literal["public", "unlisted", "private"]


OnTimeout: TypeAlias = Literal["bot", "resign", "wait"]


Knowledge: TypeAlias = Literal["own", "full"]


Unopened: TypeAlias = Literal["start", "abort"]


class SetDeal(TypedDict):
    """The deal of a deal set that a game plays, by its number from 1 on; the set closes at a time."""

    set: str
    number: int
    closes: str
    ranked: bool
    auction: NotRequired[str]


class LePlateauDealtHand(TypedDict):
    """The cards dealt into one hand, in deck order."""

    seat: int
    count: int
    cards: NotRequired[list[LePlateauCard]]


class LePlateauDealtPile(TypedDict):
    """A pile of two cards: the upper one face up, the lower one hidden from every seat."""

    top: LePlateauCard
    under: NotRequired[LePlateauCard]


class LePlateauDealtTalon(TypedDict):
    """The cards set aside, in the order dealt."""

    count: int
    cards: NotRequired[list[LePlateauCard]]


class LePlateauPhaseBeganData(TypedDict):
    """The hand enters a phase."""

    phase: LePlateauPhaseName


class LePlateauBidMadeData(TypedDict):
    """A seat bid; ``exchange`` is left out where a bid has no such part."""

    exchange: NotRequired[bool]
    objective: LePlateauObjective
    team: LePlateauTeamSize
    value: int


class LePlateauContractWonData(TypedDict):
    """The bidding is over; the highest bid is the contract."""

    declarer: int
    exchange: bool
    objective: LePlateauObjective
    team: LePlateauTeamSize
    value: int


class LePlateauTalonTurnedData(TypedDict):
    """The talon was turned face up in two groups (4 players, full deck)."""

    groups: list[list[LePlateauCard]]


class LePlateauTalonGroupChosenData(TypedDict):
    """The declarer chose a group of the talon to exchange with; the other group stays face up."""

    group: int


class LePlateauTalonTakenData(TypedDict):
    """The declarer took cards from the talon into the hand."""

    count: int
    cards: NotRequired[list[LePlateauCard]]


class LePlateauCardsDiscardedData(TypedDict):
    """The declarer discarded cards, face down."""

    count: int
    cards: NotRequired[list[LePlateauCard]]


class LePlateauCardGivenData(TypedDict):
    """The declarer gave a card, face down (6 players)."""

    to: int
    card: NotRequired[LePlateauCard]


class LePlateauTalonCardDealtData(TypedDict):
    """A talon card was dealt to a player (6 players)."""

    to: int
    card: NotRequired[LePlateauCard]


class LePlateauCardAnnouncedData(TypedDict):
    """The declarer announced a card, to find a partner."""

    card: LePlateauCard


class LePlateauAnnouncementAnsweredData(TypedDict):
    """The holder of an announced card showed up; ``holder`` is null if no hand has the card."""

    card: LePlateauCard
    holder: int | None


class LePlateauPartnerFoundData(TypedDict):
    """The holder of an announced card joined the declarer's team."""

    partner: int


class LePlateauObjectiveRaisedData(TypedDict):
    """A seat raised the objective."""

    objective: LePlateauObjective
    value: int


class LePlateauDeclarerAbdicatedData(TypedDict):
    """The declarer and the partner swapped roles for scoring."""

    declarer: int
    partner: int


class LePlateauCardPlayedData(TypedDict):
    """A seat played a card, from the hand (``pile`` is null) or from the top of one of its piles."""

    card: LePlateauCard
    pile: int | None


class LePlateauTrickWonData(TypedDict):
    """A finished trick."""

    number: int
    winner: int
    cards: list[TrickCard]


class LePlateauCountersPlacedData(TypedDict):
    """A side claimed spaces of the board, listed in ring order."""

    team: LePlateauSide
    spaces: list[str]


class LePlateauPileCardTurnedData(TypedDict):
    """The lower card of a pile was turned up (2 players)."""

    owner: int
    pile: int
    card: LePlateauCard


class LePlateauDiscardRevealedData(TypedDict):
    """The discard was turned face up after the last trick."""

    cards: list[LePlateauCard]


class LePlateauTalonRevealedData(TypedDict):
    """The talon was turned face up after the last trick."""

    cards: list[LePlateauCard]


class LePlateauHandWonData(TypedDict):
    """A side won the hand: the objective was made (``path`` is the group, in ring order) or became impossible."""

    by: LePlateauSide
    objective: LePlateauObjective
    path: list[str]


LePlateauShownGift = TypedDict(
    "LePlateauShownGift",
    {
        "from": int,
        "to": int,
        "card": LePlateauCard,
    },
)


class LePlateauHandScoredData(TypedDict):
    """The value of the hand, and the points that each seat won or lost."""

    value: int
    scores: list[int]


GameStatus: TypeAlias = Literal["open", "active", "paused", "finished", "aborted"]


class Seat(TypedDict):
    """A seat, and who holds it: a player or a bot; both null while it is open."""

    seat: int
    player: str | None
    bot: str | None
    name: str | None
    tag: str | None
    portrait: str | None
    account: NotRequired[Literal["bot"]]


class Clock(TypedDict):
    """How long players have to move, as ISO 8601 durations, and what happens at a timeout."""

    per_move: str | None
    bank: str | None
    increment: str | None
    on_timeout: OnTimeout
    bot: str


class Outcome(TypedDict):
    """How a game ended: why, who won (ties share), and the final scores by seat."""

    reason: str
    winners: list[int]
    scores: list[int]


class SeedsAwaited(TypedDict):
    """The seats whose players have yet to open the seeds that they committed to, and until when."""

    seats: list[int]
    until: str


class LePlateauGameInView(TypedDict):
    """The game that a view shows, as it was at the view's version."""

    ruleset: Literal["le-plateau"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: LePlateauOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]


class LePlateauAdvisedAction(TypedDict):
    """An action in words, its estimated score, and how far that is below the score of the best action."""

    action: LePlateauAction
    says: str
    score: int
    error: int
    behind: int
    behind_error: int


Speed: TypeAlias = Literal["none", "live", "daily", "slow"]


class LePlateauGame(TypedDict):
    """The public data of a game; ``creator_name`` is null if the creator has deleted their name."""

    ruleset: Literal["le-plateau"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: LePlateauOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]
    speed: Speed
    visibility: Visibility
    creator: str
    creator_name: str | None
    creator_tag: str | None
    created_at: str
    rematch_of: str | None


class Opening(TypedDict):
    """How long players have to open the seeds that they committed to, and what happens if one is missing."""

    within: str
    unopened: Unopened


class Rematch(TypedDict):
    """The rematch of a finished game, and the old seats whose players have joined it."""

    game_id: str
    accepted: list[int]


class ForkedFrom(TypedDict):
    """The origin of a fork: a version of a game, with the knowledge of a seat (null: a spectator), or of everything (``full``)."""

    game_id: str
    version: int
    seat: int | None
    knowledge: Knowledge
    events: int


class SeatDeadline(TypedDict):
    """A seat's deadline."""

    seat: int
    at: str


class LePlateauMyGame(TypedDict):
    """A game that you created or play in, whether it is your turn, and the deadline of that turn."""

    ruleset: Literal["le-plateau"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: LePlateauOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]
    speed: Speed
    visibility: Visibility
    creator: str
    creator_name: str | None
    creator_tag: str | None
    created_at: str
    rematch_of: str | None
    your_turn: bool
    deadline: str | None


class MyDeals(TypedDict):
    """What you have played of a set: how many deals you have opened and finished, and the game to continue."""

    opened: int
    finished: int
    game: str | None
    scores: list[int | None]
    par: list[int | None]


class LePlateauDaily(TypedDict):
    """The set of a day: the same deals for everyone, against the same bots, between two times."""

    ruleset: Literal["le-plateau"]
    id: str
    seats: int
    date: str
    deals: int
    bot: str
    auction: str | None
    options: LePlateauOptions
    opens: str
    closes: str
    mine: MyDeals | None


Pairing: TypeAlias = Literal["lots", "swiss", "round_robin"] | str


TournamentStatus: TypeAlias = Literal["open", "closed", "running", "ended"]


class Entrant(TypedDict):
    """A player of a tournament; the name is null if they have deleted their account."""

    player: str
    name: str | None


class TournamentStanding(TypedDict):
    """What a player reached so far, by rank; ``opponents`` are the points of those whom they met."""

    player: str
    name: str | None
    rank: int
    points: int
    opponents: int


TournamentEnding: TypeAlias = Literal["played", "too_few", "cancelled"] | str


class MyEntry(TypedDict):
    """Your part in a tournament: whether you are a ``reserve``, and the game of yours that is played now, if any."""

    reserve: bool
    game: str | None


class Viewer(TypedDict):
    """Who a view is for; a null seat is a spectator."""

    seat: int | None
    knowledge: NotRequired[Literal["full"]]


class Proposal(TypedDict):
    """An open proposal, and the seats that have accepted it; it is carried once every player has."""

    id: str
    kind: str
    seat: int
    accepted: list[int]
    duration: str | None
    to_version: NotRequired[int]


class TakeBack(TypedDict):
    """The versions that the viewer can propose to go back to; ``own`` is the one before the seat's last action."""

    versions: list[int]
    own: int | None


class Decision(TypedDict):
    """The viewer's pending decision."""

    id: str
    deadline: str | None


class SceneStage(TypedDict):
    """A board as an SVG without style or ids, with ``data-pick`` on what can be chosen; ``says``: the same in words."""

    svg: str
    says: list[str]
    text: list[str]


class SceneThing(TypedDict):
    """A card or a piece as it lies."""

    pick: str | None
    face: str | None
    name: str
    note: str
    seat: int | None
    winning: bool
    covers: bool
    svg: str | None
    refused: str | None


Side: TypeAlias = Literal["first", "second"]


class SceneSheetLine(TypedDict):
    """A finished hand, and what each seat won or lost."""

    name: str
    scores: list[int]
    cells: list[str]
    steps: list[str]


class SceneGoal(TypedDict):
    """How far a side has come: ``done`` of the ``target``, where ``most`` is all that there is."""

    side: Side | None
    done: int
    target: int
    most: int
    says: str
    reached: bool
    svg: str | None


class SceneOffer(TypedDict):
    """How a value of a field is offered, by the path of the field as in ``action_words``, such as ``bid.contract``."""

    path: str
    value: str
    note: str
    svg: str | None
    grave: bool


PhraseId: TypeAlias = Literal["hello", "good_luck", "well_played", "thank_you", "sorry", "one_moment", "back_soon", "my_mistake", "good_game", "again", "take_your_time", "congratulations"] | str


class DrawnNumbers(TypedDict):
    """Numbers from 0 to ``below`` - 1, with ``plus`` added, which the event shows at the JSON pointer ``to``."""

    below: int
    to: str
    plus: int
    count: int
    sorted: bool


class Apart(TypedDict):
    """Single items that are taken out of the order before the packets; another draw chooses their places."""

    label: str
    number: int
    of: list[int]
    count: int
    to: str


class Packet(TypedDict):
    """The next ``count`` items of the order, which the event shows at the JSON pointer ``to``."""

    to: str
    count: int
    sorted: bool


class AdvisingBot(TypedDict):
    """The bot that was asked: its name, its version, and its maximum number of playouts; 0 if it does not search."""

    name: str
    version: int
    playouts: int


PlateauSquare: TypeAlias = Literal["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3", "c3", "d3", "a4", "b4", "c4", "d4"]


PlateauKind: TypeAlias = Literal["A", "TW", "RM", "BM", "R", "B", "M"]


PlateauFace: TypeAlias = Literal["r", "b", "o", "x"]


class PlateauOnboardAction(TypedDict):
    """Place a piece out of the reserve."""

    type: Literal["onboard"]
    square: PlateauSquare
    """Where to."""
    height: int
    """How many pieces will lie below it."""
    piece: PlateauKind
    """The piece, out of your reserve."""
    up: PlateauFace
    """The face that lies up."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class PlateauStop(TypedDict):
    """A square on the route where pieces are left behind or picked up."""

    square: PlateauSquare
    """Which square of the route."""
    carry: int
    """How many pieces continue from there; not as many as arrived."""


PlateauMoveAction = TypedDict(
    "PlateauMoveAction",
    {
        "type": Literal["move"],
        "from": PlateauSquare,
        "flip": NotRequired[bool],
        "lift": int,
        "stops": NotRequired[list[PlateauStop]],
        "to": PlateauSquare,
        "decision_id": NotRequired[str],
    },
)


class PlateauStompAction(TypedDict):
    """Capture below a unit without moving it."""

    type: Literal["stomp"]
    square: PlateauSquare
    """Where."""
    flip: NotRequired[bool]
    """Whether the top piece is turned over first."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class PlateauTenderAction(TypedDict):
    """Offer prisoners for exchange."""

    type: Literal["tender"]
    pieces: list[PlateauKind]
    """The prisoners, in any order."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class PlateauRespondAction(TypedDict):
    """Respond to a tender: give prisoners, or refuse."""

    type: Literal["respond"]
    pieces: NotRequired[list[PlateauKind]]
    """The prisoners given, in any order; none to refuse."""
    refuse: NotRequired[bool]
    """Whether the tender is refused."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class PlateauPassAction(TypedDict):
    """Forfeit the turn, when no other action is legal."""

    type: Literal["pass"]
    decision_id: NotRequired[str]
    """The decision that this action answers."""


PlateauPin: TypeAlias = Literal["any", "weapons"]


class PlateauOptionsInput(TypedDict):
    """Options of Plateau. Those that are omitted have their defaults."""

    onboard_under_enemy: NotRequired[bool]
    """Whether a piece can be put under a stack whose lowest piece is not yours."""
    pin: NotRequired[PlateauPin]
    """Whether any pieces can be left on an enemy piece at a stop, or only with a marker uppermost."""
    merged_strength: NotRequired[bool]
    """Whether a unit that lands on your own captures with the strength of both, or of those that arrived."""
    refused_tender_keeps_turn: NotRequired[bool]
    """Whether you continue your turn after your tender was refused, or lose it."""
    repetition: NotRequired[int]
    """How many times a position must have stood at the start of a turn for a draw."""
    no_progress_plies: NotRequired[int]
    """After how many turns in a row without an onboarding, a capture or an exchange the game is drawn."""
    max_plies: NotRequired[int]
    """After how many turns the game is drawn."""


class PlateauOptions(TypedDict):
    """The agreed options, all of them written out."""

    onboard_under_enemy: bool
    """Whether a piece can be put under a stack whose lowest piece is not yours."""
    pin: str
    """Whether any pieces can be left on an enemy piece at a stop, or only with a marker uppermost."""
    merged_strength: bool
    """Whether a unit that lands on your own captures with the strength of both, or of those that arrived."""
    refused_tender_keeps_turn: bool
    """Whether you continue your turn after your tender was refused, or lose it."""
    repetition: int
    """How many times a position must have stood at the start of a turn for a draw."""
    no_progress_plies: int
    """After how many turns in a row without an onboarding, a capture or an exchange the game is drawn."""
    max_plies: int
    """After how many turns the game is drawn."""


PlateauPhaseName: TypeAlias = Literal["opening", "play", "response", "over"]


class PlateauPieceView(TypedDict):
    """A piece on the board; null is what the viewer does not know. ``turned``: the other side up than it was placed."""

    owner: int
    token: str
    piece: PlateauKind | None
    top: PlateauFace | None
    bottom: PlateauFace | None
    turned: bool


class PlateauReserveView(TypedDict):
    """The pieces that a player has not placed: how many, and which (own ones only)."""

    seat: int
    count: int
    pieces: list[PlateauKind] | None


class PlateauPrisonersView(TypedDict):
    """The enemy pieces that a player holds."""

    seat: int
    pieces: list[PlateauKind]


class PlateauPrisonersTendered(TypedDict):
    """A player offered prisoners, worth ``total``, to the other for exchange."""

    seat: int
    to: int
    pieces: list[PlateauKind]
    total: int


class PlateauCapturedPiece(TypedDict):
    """A piece taken off the board, as it lay; ``turned``: the other side up than it was placed."""

    token: str
    piece: PlateauKind
    top: PlateauFace
    bottom: PlateauFace
    turned: bool


PlateauReason: TypeAlias = Literal["prisoners", "unit", "resign", "time", "agreement", "repetition", "no_progress", "max_plies", "mutual_pass"]


class PlateauGameCreatedData(TypedDict):
    """A game was created; the commitment binds the server to the secret of every draw."""

    ruleset: Literal["plateau"]
    rules_version: int
    options: PlateauOptions
    seats: int
    visibility: Visibility
    sandbox: bool
    creator: str
    commitment: str
    secret: NotRequired[str]
    clock: NotRequired[Clock | None]
    rematch_of: NotRequired[str]
    forked_from: NotRequired[ForkedFrom]
    bot_pace: NotRequired[str]
    opening: NotRequired[Opening]
    deal_anchor: NotRequired[str]
    deal: NotRequired[SetDeal]
    deal_secret: NotRequired[str]
    mask: NotRequired[str]


class PlateauPieceOnboardedData(TypedDict):
    """A player placed a piece out of the reserve, with ``height`` pieces below it, the face ``top`` up."""

    square: PlateauSquare
    height: int
    token: str
    top: PlateauFace
    uncovered: list[str]
    piece: NotRequired[PlateauKind]


PlateauUnitMovedData = TypedDict(
    "PlateauUnitMovedData",
    {
        "from": PlateauSquare,
        "flipped": bool,
        "unit": int,
        "lift": int,
        "stops": list[PlateauStop],
        "to": PlateauSquare,
        "landed": int,
        "uncovered": list[str],
    },
)


class PlateauUnitStompedData(TypedDict):
    """A player captured below a unit of ``unit`` pieces, without moving it."""

    square: PlateauSquare
    flipped: bool
    unit: int
    uncovered: list[str]


class PlateauShownFace(TypedDict):
    """The upper face of a piece, which is public from now on."""

    square: PlateauSquare
    token: str
    face: PlateauFace


class PlateauFacesShownData(TypedDict):
    """Faces became public when pieces were handled."""

    faces: list[PlateauShownFace]


class PlateauPiecesCapturedData(TypedDict):
    """Pieces were taken prisoner, from the top down; ``shown`` are the faces that this laid bare."""

    by: int
    square: PlateauSquare
    pieces: list[PlateauCapturedPiece]
    shown: list[PlateauShownFace]


class PlateauPrisonersTenderedData(TypedDict):
    """A player offered prisoners, worth ``total``, to the other for exchange."""

    to: int
    pieces: list[PlateauKind]
    total: int


class PlateauPrisonersExchangedData(TypedDict):
    """A player answered a tender: ``given`` went home to the initiator, ``tendered`` to the player."""

    initiator: int
    tendered: list[PlateauKind]
    given: list[PlateauKind]


class PlateauTenderRefusedData(TypedDict):
    """A player refused a tender."""

    initiator: int
    total: int


class PlateauTurnBeganData(TypedDict):
    """It is a player's turn, after ``ply`` turns."""

    player: int
    phase: PlateauPhaseName
    ply: int
    quiet_plies: int
    forfeits: int
    min_tender: list[int]
    position: str | None
    occurrence: int


class PlateauTurnResumedData(TypedDict):
    """A player whose tender was refused continues the turn."""

    player: int
    min_tender: list[int]


PlateauWin: TypeAlias = Literal["prisoners", "unit", "resign", "time"]


class PlateauGameWonData(TypedDict):
    """A player won, after ``ply`` turns; the counts are those after the last of them."""

    winner: int
    reason: PlateauWin
    ply: int
    quiet_plies: int
    min_tender: list[int]


PlateauDraw: TypeAlias = Literal["agreement", "repetition", "no_progress", "max_plies", "mutual_pass"]


class PlateauGameDrawnData(TypedDict):
    """The game ended without a winner."""

    reason: PlateauDraw


class PlateauRevealedPiece(TypedDict):
    """A piece on the board, shown at the end; ``turned``: the other side up than it was placed."""

    owner: int
    token: str
    piece: PlateauKind
    top: PlateauFace
    bottom: PlateauFace
    turned: bool


class PlateauRevealedReserve(TypedDict):
    """A reserve, shown at the end."""

    seat: int
    pieces: list[PlateauKind]


class PlateauGameInView(TypedDict):
    """The game that a view shows, as it was at the view's version."""

    ruleset: Literal["plateau"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: PlateauOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]


class PlateauGame(TypedDict):
    """The public data of a game; ``creator_name`` is null if the creator has deleted their name."""

    ruleset: Literal["plateau"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: PlateauOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]
    speed: Speed
    visibility: Visibility
    creator: str
    creator_name: str | None
    creator_tag: str | None
    created_at: str
    rematch_of: str | None


class PlateauMyGame(TypedDict):
    """A game that you created or play in, whether it is your turn, and the deadline of that turn."""

    ruleset: Literal["plateau"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: PlateauOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]
    speed: Speed
    visibility: Visibility
    creator: str
    creator_name: str | None
    creator_tag: str | None
    created_at: str
    rematch_of: str | None
    your_turn: bool
    deadline: str | None


class PlateauDaily(TypedDict):
    """The set of a day: the same deals for everyone, against the same bots, between two times."""

    ruleset: Literal["plateau"]
    id: str
    seats: int
    date: str
    deals: int
    bot: str
    auction: str | None
    options: PlateauOptions
    opens: str
    closes: str
    mine: MyDeals | None


FrenchTarotContractName: TypeAlias = Literal["petite", "garde", "garde_sans", "garde_contre"]


class FrenchTarotBidAction(TypedDict):
    """Bid a contract that is higher than every earlier bid."""

    type: Literal["bid"]
    contract: FrenchTarotContractName
    """The contract."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class FrenchTarotPassAction(TypedDict):
    """Pass in the bidding; or show no poignée, where all are shown before the first lead."""

    type: Literal["pass"]
    decision_id: NotRequired[str]
    """The decision that this action answers."""


FrenchTarotCard: TypeAlias = str


class FrenchTarotCallAction(TypedDict):
    """Call a card whose holder becomes the partner (5 players)."""

    type: Literal["call"]
    card: FrenchTarotCard
    """A king; a queen from a hand with all kings, and so on downwards."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class FrenchTarotDiscardAction(TypedDict):
    """Lay cards aside: the écart."""

    type: Literal["discard"]
    cards: list[FrenchTarotCard]
    """As many cards as the chien had, in any order."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class FrenchTarotAnnounceSlamAction(TypedDict):
    """Announce that the attack will win every trick."""

    type: Literal["announce_slam"]
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class FrenchTarotAnnouncePetitChelemAction(TypedDict):
    """Announce that the attack will win every trick but one."""

    type: Literal["announce_petit_chelem"]
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class FrenchTarotNoSlamAction(TypedDict):
    """Announce no slam."""

    type: Literal["no_slam"]
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class FrenchTarotShowPoigneeAction(TypedDict):
    """Show trumps to all players: a poignée."""

    type: Literal["show_poignee"]
    cards: list[FrenchTarotCard]
    """Exactly as many cards as a level asks for, in any order."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


FrenchTarotMisere: TypeAlias = Literal["no_trumps", "no_courts"]


class FrenchTarotAnnounceMisereAction(TypedDict):
    """Announce a hand without trumps, or without court cards."""

    type: Literal["announce_misere"]
    kind: FrenchTarotMisere
    """No trump and no Excuse; or no king, queen, knight or jack."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class FrenchTarotPlayAction(TypedDict):
    """Play a card to the trick."""

    type: Literal["play"]
    card: FrenchTarotCard
    """The card played."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


FrenchTarotAction: TypeAlias = FrenchTarotBidAction | FrenchTarotPassAction | FrenchTarotCallAction | FrenchTarotDiscardAction | FrenchTarotAnnounceSlamAction | FrenchTarotAnnouncePetitChelemAction | FrenchTarotNoSlamAction | FrenchTarotShowPoigneeAction | FrenchTarotAnnounceMisereAction | FrenchTarotPlayAction
"""An action of French Tarot."""


FrenchTarotBidding: TypeAlias = Literal["one_round", "open"]


FrenchTarotMinimumContract: TypeAlias = Literal["petite", "garde"]


FrenchTarotPetitSec: TypeAlias = Literal["cancel", "imprenable", "play_on"]


FrenchTarotDealPacket3p: TypeAlias = Literal[4, 3]


FrenchTarotChienExcluded: TypeAlias = Literal["first_last", "first3_last3"]


FrenchTarotExcuseLastTrick: TypeAlias = Literal["changes_side", "goes_to_trick_winner"]


FrenchTarotExcuseWinsLastTrick: TypeAlias = Literal["announced_only", "announcing_side", "any_slam", "never"]


FrenchTarotCalledSuitLead: TypeAlias = Literal["only_called_card", "free"]


FrenchTarotFivePlayerSplit: TypeAlias = Literal["two_thirds_one_third", "equal"]


FrenchTarotFivePlayerMode: TypeAlias = Literal["call_king", "dead_dealer"]


FrenchTarotHalfPointShort: TypeAlias = Literal["lost", "zero", "won"]


FrenchTarotPoigneeScale: TypeAlias = Literal["fft_20_30_40", "20_40_60", "10_20_40"]


FrenchTarotPoignee5pTriple: TypeAlias = Literal[13, 15]


FrenchTarotPoigneeTiming: TypeAlias = Literal["before_own_first_card", "before_first_lead"]


FrenchTarotOptionsMisere: TypeAlias = Literal["off", "on"]


FrenchTarotPetitChelem: TypeAlias = Literal["off", "300/-150"]


FrenchTarotScoreRounding: TypeAlias = Literal["none", "5", "10"]


FrenchTarotDirection: TypeAlias = Literal["counter_clockwise", "clockwise"]


class FrenchTarotOptionsInput(TypedDict):
    """Options of French Tarot. Those that are omitted have their defaults."""

    bidding: NotRequired[FrenchTarotBidding]
    """One turn each, or rounds until all but one have passed."""
    minimum_contract: NotRequired[FrenchTarotMinimumContract]
    """The lowest contract that can be bid."""
    petit_sec: NotRequired[FrenchTarotPetitSec]
    """A hand whose only trump is the petit, without the Excuse: the deal is cancelled, or the petit is played as a second Excuse, or nothing special happens."""
    deal_packet_3p: NotRequired[FrenchTarotDealPacket3p | None]
    """Cards dealt at a time; 3 players only."""
    chien_excluded: NotRequired[FrenchTarotChienExcluded]
    """Which cards of the pack cannot go to the chien: the first and the last, or three at each end."""
    excuse_last_trick: NotRequired[FrenchTarotExcuseLastTrick]
    """An Excuse played in the last trick goes to the opponents of its player, or to the winners of the trick."""
    excuse_wins_last_trick: NotRequired[FrenchTarotExcuseWinsLastTrick]
    """Whether the Excuse wins the last trick for a side that won all others: for the player who announced the slam only, with 5 players for a partner too, after any slam, or never."""
    call_self: NotRequired[bool | None]
    """Whether a taker can call a card of their own hand; 5 players only."""
    called_suit_lead: NotRequired[FrenchTarotCalledSuitLead | None]
    """Whether the first lead can be of the called suit, other than the called card itself; 5 players only."""
    called_suit_ban_after_excuse: NotRequired[bool | None]
    """Whether that ban holds for the second player too when the Excuse was led; 5 players only."""
    five_player_split: NotRequired[FrenchTarotFivePlayerSplit | None]
    """How taker and partner share: two thirds and one third, or equally; 5 players only."""
    five_player_mode: NotRequired[FrenchTarotFivePlayerMode | None]
    """Five play and the taker calls a partner, or the dealer sits out a deal for four; 5 players only."""
    half_point_short: NotRequired[FrenchTarotHalfPointShort | None]
    """A contract short by half a point is lost by 1, is worth nothing (no poignée is paid then), or is just made; where half points arise, with 3 or 5 players."""
    poignee_scale: NotRequired[FrenchTarotPoigneeScale]
    """Bonus of a simple, double and triple poignée."""
    poignee_5p_triple: NotRequired[FrenchTarotPoignee5pTriple | None]
    """Trumps of a triple poignée; 5 players only."""
    poignee_timing: NotRequired[FrenchTarotPoigneeTiming]
    """Poignées are shown by each seat before its own first card, or by all seats in turn before the first lead."""
    misere: NotRequired[FrenchTarotOptionsMisere]
    """Whether a hand without trumps, or without court cards, can be announced: 10 points from each other player."""
    petit_chelem: NotRequired[FrenchTarotPetitChelem]
    """Whether the taker can announce all tricks but one: 300 points if made, -150 if not."""
    score_rounding: NotRequired[FrenchTarotScoreRounding]
    """Round the points that a contract is made or lost by to the nearest 5 or 10."""
    thrown_in: NotRequired[Literal["count"]]
    """Whether a deal that is thrown in counts as one of the agreed deals, for nothing."""
    direction: NotRequired[FrenchTarotDirection]
    """The direction of dealing, bidding and play; seats are numbered counter-clockwise."""
    deals: NotRequired[int]
    """Deals to play, those thrown in not counted: by default 12, or 15 with 5 players; a multiple of 5 if the dealer sits out."""
    first_dealer: NotRequired[int | None]
    """The seat that deals first; drawn if not given."""


class FrenchTarotOptions(TypedDict):
    """The agreed options, all of them written out. null stands for "does not apply" or "drawn"."""

    bidding: str
    """One turn each, or rounds until all but one have passed."""
    minimum_contract: str
    """The lowest contract that can be bid."""
    petit_sec: str
    """A hand whose only trump is the petit, without the Excuse: the deal is cancelled, or the petit is played as a second Excuse, or nothing special happens."""
    deal_packet_3p: int | None
    """Cards dealt at a time; 3 players only."""
    chien_excluded: str
    """Which cards of the pack cannot go to the chien: the first and the last, or three at each end."""
    excuse_last_trick: str
    """An Excuse played in the last trick goes to the opponents of its player, or to the winners of the trick."""
    excuse_wins_last_trick: str
    """Whether the Excuse wins the last trick for a side that won all others: for the player who announced the slam only, with 5 players for a partner too, after any slam, or never."""
    call_self: bool | None
    """Whether a taker can call a card of their own hand; 5 players only."""
    called_suit_lead: str | None
    """Whether the first lead can be of the called suit, other than the called card itself; 5 players only."""
    called_suit_ban_after_excuse: bool | None
    """Whether that ban holds for the second player too when the Excuse was led; 5 players only."""
    five_player_split: str | None
    """How taker and partner share: two thirds and one third, or equally; 5 players only."""
    five_player_mode: str | None
    """Five play and the taker calls a partner, or the dealer sits out a deal for four; 5 players only."""
    half_point_short: str | None
    """A contract short by half a point is lost by 1, is worth nothing (no poignée is paid then), or is just made; where half points arise, with 3 or 5 players."""
    poignee_scale: str
    """Bonus of a simple, double and triple poignée."""
    poignee_5p_triple: int | None
    """Trumps of a triple poignée; 5 players only."""
    poignee_timing: str
    """Poignées are shown by each seat before its own first card, or by all seats in turn before the first lead."""
    misere: str
    """Whether a hand without trumps, or without court cards, can be announced: 10 points from each other player."""
    petit_chelem: str
    """Whether the taker can announce all tricks but one: 300 points if made, -150 if not."""
    score_rounding: str
    """Round the points that a contract is made or lost by to the nearest 5 or 10."""
    thrown_in: NotRequired[Literal["count"]]
    """Whether a deal that is thrown in counts as one of the agreed deals, for nothing."""
    direction: str
    """The direction of dealing, bidding and play; seats are numbered counter-clockwise."""
    deals: int
    """Deals to play, those thrown in not counted: by default 12, or 15 with 5 players; a multiple of 5 if the dealer sits out."""
    first_dealer: int | None
    """The seat that deals first; drawn if not given."""


FrenchTarotPhaseName: TypeAlias = Literal["deal", "bid", "call", "discard", "slam", "poignee", "play", "over"]


class FrenchTarotHandView(TypedDict):
    """One seat's cards: how many, and which (own ones only, in deck order)."""

    seat: int
    count: int
    cards: list[FrenchTarotCard] | None


class FrenchTarotChienView(TypedDict):
    """The chien: how many cards lie there, and which they were once it was turned up, or with full knowledge."""

    count: int
    cards: list[FrenchTarotCard] | None


class FrenchTarotEcartView(TypedDict):
    """The écart: how many cards, which (for the taker only), and the trumps in it, which were shown."""

    count: int
    cards: list[FrenchTarotCard] | None
    trumps: list[FrenchTarotCard]


class FrenchTarotSpoken(TypedDict):
    """One turn in the bidding; a null contract is a pass."""

    seat: int
    contract: FrenchTarotContractName | None


class FrenchTarotContractWon(TypedDict):
    """The bidding is over: what the taker, the highest bidder, plays for."""

    taker: int
    contract: FrenchTarotContractName
    multiplier: int


class FrenchTarotCalled(TypedDict):
    """The called card; once it is ``revealed``, its holder (null: the taker plays alone)."""

    card: FrenchTarotCard
    revealed: bool
    partner: int | None


FrenchTarotSlamAnswer: TypeAlias = Literal["slam", "petit_chelem", "none"]


FrenchTarotLevel: TypeAlias = Literal["simple", "double", "triple"]


class FrenchTarotMisereAnnounced(TypedDict):
    """A seat announced a hand without trumps, or without court cards."""

    seat: int
    kind: FrenchTarotMisere


class FrenchTarotTrickView(TypedDict):
    """The trick on the table."""

    number: int
    leader: int
    cards: list[TrickCard]


class FrenchTarotTrickWon(TypedDict):
    """A full trick, and its winner."""

    number: int
    winner: int
    cards: list[TrickCard]


class FrenchTarotShownHand(TypedDict):
    """Cards of one seat, shown at the end of a deal."""

    seat: int
    cards: list[FrenchTarotCard]


FrenchTarotAside: TypeAlias = Literal["ecart", "chien"]


FrenchTarotSide: TypeAlias = Literal["attack", "defence"]


class FrenchTarotContractCounted(TypedDict):
    """What the contract is worth: ``points`` is (25 + the difference) times the multiplier, negative if lost."""

    target: int
    rounded_points: int
    difference: int
    paid_difference: int
    won_by: FrenchTarotSide | None
    multiplier: int
    points: int


class FrenchTarotPetitAuBout(TypedDict):
    """The side that has the bonus, and its worth to the attack."""

    side: FrenchTarotSide | None
    points: int


class FrenchTarotPoigneePaid(TypedDict):
    """A poignée that was shown, and its worth to the attack."""

    seat: int
    level: FrenchTarotLevel
    points: int


FrenchTarotSlam: TypeAlias = Literal["slam", "petit_chelem"]


FrenchTarotRole: TypeAlias = Literal["taker", "partner", "defender", "sits_out"]


class FrenchTarotGameCreatedData(TypedDict):
    """A game was created; the commitment binds the server to the secret of every draw."""

    ruleset: Literal["french-tarot"]
    rules_version: int
    options: FrenchTarotOptions
    seats: int
    visibility: Visibility
    sandbox: bool
    creator: str
    commitment: str
    secret: NotRequired[str]
    clock: NotRequired[Clock | None]
    rematch_of: NotRequired[str]
    forked_from: NotRequired[ForkedFrom]
    bot_pace: NotRequired[str]
    opening: NotRequired[Opening]
    deal_anchor: NotRequired[str]
    deal: NotRequired[SetDeal]
    deal_secret: NotRequired[str]
    mask: NotRequired[str]


class FrenchTarotDealtHand(TypedDict):
    """The cards dealt into one hand, in deck order."""

    seat: int
    count: int
    cards: NotRequired[list[FrenchTarotCard]]


class FrenchTarotDealtChien(TypedDict):
    """The cards of the chien, in deck order."""

    count: int
    cards: NotRequired[list[FrenchTarotCard]]


class FrenchTarotCardsDealtData(TypedDict):
    """A new deal: the dealer, the players (in turn, the first to bid first), and where every card went."""

    deal_number: int
    dealer: int
    players: list[int]
    hands: list[FrenchTarotDealtHand]
    chien: FrenchTarotDealtChien


class FrenchTarotPhaseBeganData(TypedDict):
    """The deal enters a phase."""

    phase: FrenchTarotPhaseName


class FrenchTarotPetitSecShownData(TypedDict):
    """A hand with the petit as its only trump was shown, as the rules require."""

    holder: int
    cards: list[FrenchTarotCard]


class FrenchTarotPetitImprenableDeclaredData(TypedDict):
    """A seat was dealt the petit as its only trump and plays it as a second Excuse."""

    holder: int


FrenchTarotThrownInReason: TypeAlias = Literal["petit_sec", "all_passed"]


class FrenchTarotDealThrownInData(TypedDict):
    """The deal is not played; the next cards are dealt."""

    reason: FrenchTarotThrownInReason


class FrenchTarotBidMadeData(TypedDict):
    """A seat bid."""

    contract: FrenchTarotContractName


class FrenchTarotContractWonData(TypedDict):
    """The bidding is over: what the taker, the highest bidder, plays for."""

    taker: int
    contract: FrenchTarotContractName
    multiplier: int


class FrenchTarotCardCalledData(TypedDict):
    """The taker called a card; its holder is secretly the partner (5 players)."""

    card: FrenchTarotCard


class FrenchTarotPartnerRevealedData(TypedDict):
    """The called card came to light: its holder is the partner; null if the taker plays alone."""

    card: FrenchTarotCard
    partner: int | None


class FrenchTarotChienTurnedData(TypedDict):
    """The chien was turned face up, and the taker took it into the hand."""

    taker: int
    cards: list[FrenchTarotCard]


class FrenchTarotCardsDiscardedData(TypedDict):
    """The taker laid cards aside, face down: the écart."""

    count: int
    cards: NotRequired[list[FrenchTarotCard]]


class FrenchTarotTrumpsShownData(TypedDict):
    """The taker had to lay trumps aside and showed them."""

    taker: int
    cards: list[FrenchTarotCard]


class FrenchTarotPoigneeShownData(TypedDict):
    """A seat showed trumps, and perhaps the Excuse, in deck order."""

    level: FrenchTarotLevel
    cards: list[FrenchTarotCard]


class FrenchTarotMisereAnnouncedData(TypedDict):
    """A seat announced a hand without trumps, or without court cards."""

    kind: FrenchTarotMisere


class FrenchTarotCardPlayedData(TypedDict):
    """A seat played a card."""

    card: FrenchTarotCard


class FrenchTarotTrickWonData(TypedDict):
    """A full trick, and its winner."""

    number: int
    winner: int
    cards: list[TrickCard]


class FrenchTarotExcuseKeptData(TypedDict):
    """The Excuse (or a petit played like it) lost its trick and stays with the side of its player."""

    card: FrenchTarotCard
    player: int


class FrenchTarotExcuseSettledData(TypedDict):
    """An Excuse was played to the last trick; ``owner`` is the side that has it in the end."""

    card: FrenchTarotCard
    player: int
    owner: FrenchTarotSide


class FrenchTarotDealRevealedData(TypedDict):
    """Everything of the deal made public: the partner, the hands as dealt, the chien and the écart."""

    partner: int | None
    dealt: list[FrenchTarotShownHand]
    chien: list[FrenchTarotCard]
    ecart: list[FrenchTarotCard]


class FrenchTarotGameInView(TypedDict):
    """The game that a view shows, as it was at the view's version."""

    ruleset: Literal["french-tarot"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: FrenchTarotOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]


class FrenchTarotAdvisedAction(TypedDict):
    """An action in words, its estimated score, and how far that is below the score of the best action."""

    action: FrenchTarotAction
    says: str
    score: int
    error: int
    behind: int
    behind_error: int


class FrenchTarotGame(TypedDict):
    """The public data of a game; ``creator_name`` is null if the creator has deleted their name."""

    ruleset: Literal["french-tarot"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: FrenchTarotOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]
    speed: Speed
    visibility: Visibility
    creator: str
    creator_name: str | None
    creator_tag: str | None
    created_at: str
    rematch_of: str | None


class FrenchTarotMyGame(TypedDict):
    """A game that you created or play in, whether it is your turn, and the deadline of that turn."""

    ruleset: Literal["french-tarot"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: FrenchTarotOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]
    speed: Speed
    visibility: Visibility
    creator: str
    creator_name: str | None
    creator_tag: str | None
    created_at: str
    rematch_of: str | None
    your_turn: bool
    deadline: str | None


class FrenchTarotDaily(TypedDict):
    """The set of a day: the same deals for everyone, against the same bots, between two times."""

    ruleset: Literal["french-tarot"]
    id: str
    seats: int
    date: str
    deals: int
    bot: str
    auction: str | None
    options: FrenchTarotOptions
    opens: str
    closes: str
    mine: MyDeals | None


class PluteBidAction(TypedDict):
    """Bid how many of the seven points your team will win."""

    type: Literal["bid"]
    points: int
    """How many points; more than every earlier bid."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class PlutePassAction(TypedDict):
    """Pass in the bidding."""

    type: Literal["pass"]
    decision_id: NotRequired[str]
    """The decision that this action answers."""


PluteCard: TypeAlias = str


PluteTrumpSuit: TypeAlias = Literal["S", "H", "D", "C"]


class PlutePlayAction(TypedDict):
    """Play a card to the trick; the first card of a hand names trump."""

    type: Literal["play"]
    card: PluteCard
    """The card played."""
    trump: NotRequired[PluteTrumpSuit]
    """The suit that a joker makes trump when it leads the first trick; left out with every card that names its own."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


class PluteClaimAction(TypedDict):
    """Stop the hand, because its bid is decided and each team has taken a trick."""

    type: Literal["claim"]
    decision_id: NotRequired[str]
    """The decision that this action answers."""


PluteAction: TypeAlias = PluteBidAction | PlutePassAction | PlutePlayAction | PluteClaimAction
"""An action of Plute."""


PluteJokerOrder: TypeAlias = Literal["first_played_high", "marked"]


PluteEarlyStop: TypeAlias = Literal["claim", "auto", "off"]


PluteLow: TypeAlias = Literal["holder", "taker"]


class PluteOptionsInput(TypedDict):
    """Options of Plute. Those that are omitted have their defaults."""

    joker_order: NotRequired[PluteJokerOrder]
    """Which joker is high: the one played first in a hand, or always X1."""
    early_stop: NotRequired[PluteEarlyStop]
    """Whether a decided hand stops when a player claims it, by itself, or never."""
    stuck_dealer_may_raise: NotRequired[bool]
    """Whether the dealer can bid more than 4 after all the others have passed."""
    dealer_may_steal: NotRequired[bool]
    """Whether the dealer can bid as much as the highest bid."""
    declare_off_jack_lead: NotRequired[bool]
    """Whether a jack that leads the first trick can be declared the off-jack of the other suit of its colour."""
    win_at: NotRequired[int]
    """The made bids that win the game."""
    lose_at: NotRequired[int]
    """The sets that lose the game."""
    low: NotRequired[PluteLow]
    """Whether Low goes to the team that was dealt the deuce of trump, or to the one that takes it."""
    show_points: NotRequired[bool]
    """Whether the points of the other team are recorded too."""
    chat_in_hand: NotRequired[bool]
    """Whether players can say set phrases during a hand, too."""


class PluteOptions(TypedDict):
    """The agreed options, all of them written out."""

    joker_order: str
    """Which joker is high: the one played first in a hand, or always X1."""
    early_stop: str
    """Whether a decided hand stops when a player claims it, by itself, or never."""
    stuck_dealer_may_raise: bool
    """Whether the dealer can bid more than 4 after all the others have passed."""
    dealer_may_steal: bool
    """Whether the dealer can bid as much as the highest bid."""
    declare_off_jack_lead: bool
    """Whether a jack that leads the first trick can be declared the off-jack of the other suit of its colour."""
    win_at: int
    """The made bids that win the game."""
    lose_at: int
    """The sets that lose the game."""
    low: str
    """Whether Low goes to the team that was dealt the deuce of trump, or to the one that takes it."""
    show_points: bool
    """Whether the points of the other team are recorded too."""
    chat_in_hand: bool
    """Whether players can say set phrases during a hand, too."""


PlutePhaseName: TypeAlias = Literal["deal", "bid", "play", "over"]


class PluteHandView(TypedDict):
    """One seat's cards: how many, and which (own ones only, in pack order)."""

    seat: int
    count: int
    cards: list[PluteCard] | None


class PluteSpoken(TypedDict):
    """One turn in the bidding; null points are a pass."""

    seat: int
    points: int | None


PluteTeam: TypeAlias = Literal["even", "odd"]


class PluteJokersView(TypedDict):
    """Which joker is the high one and which the low one; null while that is not known."""

    high: PluteCard | None
    low: PluteCard | None


class PluteTrickCard(TypedDict):
    """A card on the table, and the seat that played it."""

    seat: int
    card: PluteCard


class PluteTrickWon(TypedDict):
    """A full trick, and who took it."""

    number: int
    winner: int
    team: PluteTeam
    cards: list[PluteTrickCard]


PlutePoint: TypeAlias = Literal["high", "low", "jack", "off_jack", "high_joker", "low_joker", "game"]


class PluteTally(TypedDict):
    """How often a team has made its bid, and how often it was set."""

    made: int
    set: int


class PluteTrickCounts(TypedDict):
    """Numbers of tricks by team."""

    even: int
    odd: int


class PlutePointsCounted(TypedDict):
    """The points that a team has won, and what its tricks count for Game."""

    team: PluteTeam
    points: list[PlutePoint]
    game_value: int


class PluteGameCreatedData(TypedDict):
    """A game was created; the commitment binds the server to the secret of every draw."""

    ruleset: Literal["plute"]
    rules_version: int
    options: PluteOptions
    seats: int
    visibility: Visibility
    sandbox: bool
    creator: str
    commitment: str
    secret: NotRequired[str]
    clock: NotRequired[Clock | None]
    rematch_of: NotRequired[str]
    forked_from: NotRequired[ForkedFrom]
    bot_pace: NotRequired[str]
    opening: NotRequired[Opening]
    deal_anchor: NotRequired[str]
    deal: NotRequired[SetDeal]
    deal_secret: NotRequired[str]
    mask: NotRequired[str]


class PluteDealtHand(TypedDict):
    """The cards dealt to one seat, in pack order."""

    seat: int
    count: int
    cards: NotRequired[list[PluteCard]]


class PluteHandDealtData(TypedDict):
    """A new hand: who deals, and where every card went."""

    hand_number: int
    dealer: int
    hands: list[PluteDealtHand]


class PlutePhaseBeganData(TypedDict):
    """The hand enters a phase."""

    phase: PlutePhaseName


class PluteBidMadeData(TypedDict):
    """A seat bid."""

    points: int


class PluteContractWonData(TypedDict):
    """The bidding is over; the highest bid is the contract of the bidder's team."""

    bidder: int
    team: PluteTeam
    points: int


class PluteCardPlayedData(TypedDict):
    """A seat played a card."""

    card: PluteCard


class PluteTrumpNamedData(TypedDict):
    """The first card of the hand named trump: its own suit, or the one declared with it."""

    trump: PluteTrumpSuit


PluteJokerName: TypeAlias = Literal["high", "low"]


class PluteJokerNamedData(TypedDict):
    """A joker was played, and is the high or the low one for the rest of the hand."""

    card: PluteCard
    name: PluteJokerName


class PluteTrickWonData(TypedDict):
    """A full trick, and who took it."""

    number: int
    winner: int
    team: PluteTeam
    cards: list[PluteTrickCard]


class PluteHandStoppedData(TypedDict):
    """The hand ends after this many tricks, because its bid is decided."""

    tricks: int


class PlutePointsCountedData(TypedDict):
    """The points that a team has won, and what its tricks count for Game."""

    team: PluteTeam
    points: list[PlutePoint]
    game_value: int


class PlutePluteMadeData(TypedDict):
    """A team took all the tricks of the hand."""

    team: PluteTeam


class PluteBidMadeGoodData(TypedDict):
    """The bidding team won at least the points it had bid; ``made`` counts its made bids, this one included."""

    team: PluteTeam
    bid: int
    points: int
    made: int


class PluteTeamSetData(TypedDict):
    """The bidding team won fewer points than it had bid; ``set`` counts its sets, this one included."""

    team: PluteTeam
    bid: int
    points: int
    set: int


class PluteGameInView(TypedDict):
    """The game that a view shows, as it was at the view's version."""

    ruleset: Literal["plute"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: PluteOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]


class PluteAdvisedAction(TypedDict):
    """An action in words, its estimated score, and how far that is below the score of the best action."""

    action: PluteAction
    says: str
    score: int
    error: int
    behind: int
    behind_error: int


class PluteGame(TypedDict):
    """The public data of a game; ``creator_name`` is null if the creator has deleted their name."""

    ruleset: Literal["plute"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: PluteOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]
    speed: Speed
    visibility: Visibility
    creator: str
    creator_name: str | None
    creator_tag: str | None
    created_at: str
    rematch_of: str | None


class PluteMyGame(TypedDict):
    """A game that you created or play in, whether it is your turn, and the deadline of that turn."""

    ruleset: Literal["plute"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: PluteOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]
    speed: Speed
    visibility: Visibility
    creator: str
    creator_name: str | None
    creator_tag: str | None
    created_at: str
    rematch_of: str | None
    your_turn: bool
    deadline: str | None


class PluteDaily(TypedDict):
    """The set of a day: the same deals for everyone, against the same bots, between two times."""

    ruleset: Literal["plute"]
    id: str
    seats: int
    date: str
    deals: int
    bot: str
    auction: str | None
    options: PluteOptions
    opens: str
    closes: str
    mine: MyDeals | None


Game: TypeAlias = LePlateauGame | PlateauGame | FrenchTarotGame | PluteGame
"""The public data of a game; ``creator_name`` is null if the creator has deleted their name."""


MyGame: TypeAlias = LePlateauMyGame | PlateauMyGame | FrenchTarotMyGame | PluteMyGame
"""A game that you created or play in, whether it is your turn, and the deadline of that turn."""


Daily: TypeAlias = LePlateauDaily | PlateauDaily | FrenchTarotDaily | PluteDaily
"""The set of a day: the same deals for everyone, against the same bots, between two times."""


class DryRun(TypedDict):
    """The action would be accepted."""

    legal: Literal[True]


class SetCreatedData(TypedDict):
    """A deal set was announced; the commitment binds the server to the secret that all its deals follow from."""

    ruleset: str
    rules_version: int
    options: dict[str, Any]
    """The options of each game."""
    seats: int
    deals: int
    date: str
    bot: str
    bot_version: int
    opens: str
    closes: str
    commitment: str
    secret: NotRequired[str]
    tournament: NotRequired[str]
    auction: NotRequired[str]


class SetSealedData(TypedDict):
    """The deals are fixed: by the secret, and by the first signed root of the log of heads that is over this set."""

    size: int
    root: str
    deals: list[str]


class DealVoidedData(TypedDict):
    """A deal does not count, for a reason in the operator's words."""

    number: int
    reason: str


class SetClosedData(TypedDict):
    """The time is over: the secret opens every deal; ``results`` is the SHA-256 of the results in canonical form."""

    secret: str
    results: str


class Conditions(TypedDict):
    """What a player needs to enter: an account of so many days, so many finished games, and perhaps an invitation."""

    account_days: int
    finished_games: int
    invited: bool


class TournamentCreatedData(TypedDict):
    """A tournament was announced by its director (``creator``)."""

    name: str
    creator: str
    ruleset: str
    rules_version: int
    options: dict[str, Any]
    """The options of each game."""
    seats: int
    deals: int
    rounds: int
    pairing: Pairing
    bot: str | None
    bot_version: int | None
    clock: Clock
    round_time: str
    entries_close: str
    starts: str
    most: int
    conditions: Conditions
    auction: NotRequired[str]


class EnteredData(TypedDict):
    """A player entered: for a place, or as a ``reserve``, who can take over the place of another."""

    player: str
    reserve: bool


class WithdrawnData(TypedDict):
    """A player withdrew, or the director withdrew them, for a reason; later rounds do without them."""

    player: str
    reason: str | None


class SubstitutedData(TypedDict):
    """The director gave the place of a player to a reserve (``by``), with its points, from the next round on."""

    player: str
    by: str
    reason: str


class RoundPairedData(TypedDict):
    """The tables of a round were drawn by lot: the players by seat, null for a bot; those with a bye have no table."""

    round: int
    set: str
    tables: list[list[str | None]]
    byes: list[str]
    closes: str


class TableResult(TypedDict):
    """The games of a table in order, and the scores of each by seat; null for one that was not finished in time."""

    games: list[str]
    scores: list[list[int] | None]


class RoundClosedData(TypedDict):
    """A round ended; ``tables`` are in the order in which they were drawn."""

    round: int
    tables: list[TableResult]


class PointsAdjustedData(TypedDict):
    """The director added points to those of a player, or took some away: a penalty, or a correction."""

    player: str
    points: int
    reason: str


class TournamentCancelledData(TypedDict):
    """The director cancelled it, for a reason; the round that is played ends at once."""

    reason: str


class FinalStanding(TypedDict):
    """What a player reached, by rank; ``opponents`` are the points of those whom they met in games without deals."""

    rank: int
    player: str
    points: int
    opponents: int


class TournamentEndedData(TypedDict):
    """All rounds were ``played``, ``too_few`` players were left, or the director had it ``cancelled``."""

    how: TournamentEnding
    standings: list[FinalStanding]


class InvitedNoticeData(TypedDict):
    """The invitation, who made it, and the seat that it is for; a null seat is any."""

    invitation: str
    by: str
    by_name: str | None
    seat: int | None
    expires_at: str


class InvitedNotice(TypedDict):
    """You are invited to a game."""

    id: str
    type: Literal["invited"]
    at: str
    game_id: str
    version: int
    data: InvitedNoticeData


class SeedsAwaitedNoticeData(TypedDict):
    """Your seat, and until when the seed that you committed to can be opened."""

    seat: int
    until: str


class SeedsAwaitedNotice(TypedDict):
    """Every seat is taken, and the seed that you committed to is awaited."""

    id: str
    type: Literal["seeds_awaited"]
    at: str
    game_id: str
    version: int
    data: SeedsAwaitedNoticeData


class GameStartedNoticeData(TypedDict):
    """Your seat."""

    seat: int


class GameStartedNotice(TypedDict):
    """A game in which you have a seat has started."""

    id: str
    type: Literal["game_started"]
    at: str
    game_id: str
    version: int
    data: GameStartedNoticeData


class TurnNoticeData(TypedDict):
    """Your seat, the decision that you have to make, and until when; null without a clock."""

    seat: int
    decision_id: str
    deadline: str | None


class YourTurnNotice(TypedDict):
    """It is your turn, after another player's move."""

    id: str
    type: Literal["your_turn"]
    at: str
    game_id: str
    version: int
    data: TurnNoticeData


class DeadlineNearNotice(TypedDict):
    """It is your turn, and little of your time is left."""

    id: str
    type: Literal["deadline_near"]
    at: str
    game_id: str
    version: int
    data: TurnNoticeData


class ProposalMadeNoticeData(TypedDict):
    """The proposal on which you can vote, and who made it."""

    proposal: str
    kind: str
    seat: int
    by: str
    by_name: str | None
    duration: str | None
    to_version: int | None


class ProposalMadeNotice(TypedDict):
    """Another player has made a proposal on which you can vote."""

    id: str
    type: Literal["proposal_made"]
    at: str
    game_id: str
    version: int
    data: ProposalMadeNoticeData


GameEndedNoticeDataStatus: TypeAlias = Literal["finished", "aborted"]


class PlanDroppedNotice(TypedDict):
    """Your plan does not fit your turn, so its steps were dropped; `your_turn` follows."""

    id: str
    type: Literal["plan_dropped"]
    at: str
    game_id: str
    version: int
    data: TurnNoticeData


Portrait: TypeAlias = Literal["otter", "heron", "lynx", "magpie", "hare", "beaver", "robin", "marten"] | str


PlayerKind: TypeAlias = Literal["person", "bot"]


class Home(TypedDict):
    """The main resources, and the seconds that a client must wait between two polling requests."""

    name: Literal["Plateau"]
    version: str
    polling_seconds: int
    links: dict[str, str]


SigningKey = TypedDict(
    "SigningKey",
    {
        "key_id": str,
        "algorithm": Literal["Ed25519"],
        "public_key": str,
        "from": str,
        "until": str | None,
    },
)


class Health(TypedDict):
    """The process is running."""

    status: Literal["ok"]
    version: str


class ActDone(TypedDict):
    """The act of an operator, and the version and the status of the game after it."""

    game_id: str
    act: OperatorAct
    version: int
    status: GameStatus


AdminAct: TypeAlias = Literal["abort", "replace", "token", "import"] | str


class BotList(TypedDict):
    """All bots."""

    items: list[Bot]
    next_cursor: str | None


class DailyList(TypedDict):
    """The sets that are open now, the latest first; ``next_cursor`` is always null."""

    items: list[Daily]
    next_cursor: str | None


class Card(TypedDict):
    """Your day, to be shared: as text, and as a picture; it tells nothing of the cards."""

    text: str
    svg: str


class Standing(TypedDict):
    """What a player reached: points against the mean of the field, and the percentage of the field that they beat."""

    rank: int | None
    player: str
    name: str | None
    points: int
    percent: int
    deals: int
    games: list[str]


class Deal(TypedDict):
    """A deal that counts: its secret (hex), the score of the bots' own table, and the mean of the field."""

    number: int
    secret: str
    par: int | None
    mean: int | None


class GameList(TypedDict):
    """A page of public games, newest first."""

    items: list[Game]
    next_cursor: str | None


class Commitments(TypedDict):
    """The end of the chain of a game, its time, and the inputs of the draws."""

    ruleset: str
    rules_version: int
    game_id: str
    version: int
    head: str
    at: str
    commitment: str
    seeds: list[str | None]
    seed_commitments: list[str | None]
    secret: str | None
    deal_anchor: str | None
    deal_secrets: list[str]


class BoardLink(TypedDict):
    """A link to a player's own board without a token, relative to the service's address, and its expiry."""

    url: str
    expires_at: str


class Root(TypedDict):
    """The root of the tree of the first ``size`` leaves (64 hex digits), as the service signed it at a time."""

    size: int
    root: str
    at: str
    key_id: str
    signature: str


InvitationKind: TypeAlias = Literal["link", "player"]


InvitationStatus: TypeAlias = Literal["open", "accepted", "declined", "revoked", "expired"]


class Invitation(TypedDict):
    """An invitation to a game, to one of its seats or (null) to any, from a player (``by``)."""

    id: str
    game_id: str
    kind: InvitationKind
    seat: int | None
    player: str | None
    player_name: str | None
    by: str
    by_name: str | None
    created_at: str
    expires_at: str
    status: InvitationStatus


class DealLuck(TypedDict):
    """A deal: the points that each seat scored, and in thousandths of a point its mean in the replays and the error."""

    number: int
    baseline: list[int]
    error: list[int]
    score: list[int]


class PhraseChoice(TypedDict):
    """A phrase that can be said, in the reader's language."""

    phrase: PhraseId
    text: str


class PhraseAnswer(TypedDict):
    """A phrase that you said."""

    game_id: str
    id: str
    seat: int
    phrase: PhraseId
    at: str


TokenScope: TypeAlias = Literal["games:read", "games:play", "games:create", "webhooks", "tournaments", "admin"] | str


class Cosignature(TypedDict):
    """A witness (public key, 64 hex digits) and its signature (128 hex digits) under a root."""

    witness: str
    signature: str
    listed: bool


class Consistency(TypedDict):
    """The proof (RFC 9162, section 2.1.4) that the tree of the size ``to`` begins with that of the size ``from_size``."""

    from_size: int
    to: Root
    proof: list[str]


class LeafPage(TypedDict):
    """The hashes of leaves (64 hex digits each), in order; ``root`` is the latest root."""

    leaves: list[str]
    next: int | None
    root: Root


class InvitationPreview(TypedDict):
    """The target of a link: the game, the seat or (null) any, and the inviting player, by id and name."""

    game: Game
    head: str
    seat: int | None
    by: str
    by_name: str | None
    expires_at: str


class SeatAnswer(TypedDict):
    """The seat that was taken, and for a new guest their token, which is shown only once."""

    game_id: str
    seat: int
    player: str
    token: str | None


class ShownParts(TypedDict):
    """What others see of a player: three parts of the profile, and the list of the player's public games."""

    language: bool
    time_zone: bool
    seen: bool
    games: bool


class Token(TypedDict):
    """A token, without the secret; a seat token opens only one seat of one game, others have null for both."""

    id: str
    scopes: list[TokenScope]
    label: str
    created_at: str
    game_id: str | None
    seat: int | None
    made_by: str | None


MailStatus: TypeAlias = Literal["unconfirmed", "confirmed", "rejected"]


NoticeKind: TypeAlias = Literal["invited", "seeds_awaited", "game_started", "your_turn", "deadline_near", "proposal_made", "game_ended", "plan_dropped"] | str


class QuietHours(TypedDict):
    """Hours of each day in which nothing is sent, in your time zone, or UTC without one."""

    start: str
    end: str


class PushSubscription(TypedDict):
    """A browser of yours that gets push messages, and what they carry."""

    id: str
    endpoint: str
    types: list[NoticeKind]
    quiet_hours: QuietHours | None
    created_at: str


WebhookDisabled: TypeAlias = Literal["gone", "failing", "not-allowed", "player"] | str


DeliveryType: TypeAlias = Literal["invited", "seeds_awaited", "game_started", "your_turn", "deadline_near", "proposal_made", "game_ended", "plan_dropped", "test"] | str


DeliveryStatus: TypeAlias = Literal["pending", "delivered", "failed"]


DeliveryProblem: TypeAlias = Literal["no-address", "not-reached", "tls", "too-slow", "broken-off"] | str


class MyInvitation(TypedDict):
    """An open invitation to you, and the public data of its game."""

    id: str
    seat: int | None
    by: str
    by_name: str | None
    created_at: str
    expires_at: str
    game: Game


class KeptGame(TypedDict):
    """A game that you created or play in, and your seats in it; its log is at `GET /v1/games/{id}/export`."""

    game_id: str
    is_creator: bool
    seats: list[int]


class PhraseAtTable(TypedDict):
    """A phrase, and the game in which it was said."""

    id: str
    seat: int
    phrase: PhraseId
    text: str
    at: str
    game_id: str


class MyGames(TypedDict):
    """A page of your games."""

    items: list[MyGame]
    next_cursor: str | None


class MyInvitations(TypedDict):
    """A page of your open invitations, newest first; it can be short, or empty, even if more follow."""

    items: list[MyInvitation]
    next_cursor: str | None


class PushSubscriptionList(TypedDict):
    """All your push subscriptions, oldest first; ``next_cursor`` is always null."""

    items: list[PushSubscription]
    next_cursor: str | None


class StreamTicket(TypedDict):
    """A ticket that opens streams without the token, and its expiry."""

    ticket: str
    expires_at: str


class TokenList(TypedDict):
    """A page of a player's tokens, oldest first."""

    items: list[Token]
    next_cursor: str | None


class Player(TypedDict):
    """The public data of a player, with those parts of the profile that the player shows; ``seen`` is a day in UTC."""

    id: str
    name: str
    portrait: Portrait | None
    kind: PlayerKind
    created_at: str
    operator: NotRequired[str]
    language: NotRequired[str]
    time_zone: NotRequired[str]
    seen: NotRequired[str]


class PushKey(TypedDict):
    """The public key of this service (VAPID), in base64url: the ``applicationServerKey`` to subscribe with."""

    public_key: str


class RulesetSummary(TypedDict):
    """A game that this server hosts; ``has_tutorial`` is whether there is one to learn it by."""

    id: str
    name: str
    summary: str
    rules_version: int
    players: PlayerNumbers
    has_tutorial: bool


class TournamentSummary(TypedDict):
    """A tournament as lists show it, with the numbers of its entrants and of the ``round`` that was begun last."""

    id: str
    name: str
    ruleset: str
    seats: int
    rounds: int
    pairing: Pairing
    status: TournamentStatus
    starts: str
    entrants: int
    round: int


InLog: TypeAlias = Literal["matches", "contradicts", "unknown"]


class WebhookWithSecret(TypedDict):
    """A webhook with its new secret, which is shown only once."""

    id: str
    url: str
    types: list[NoticeKind] | None
    created_at: str
    enabled: bool
    disabled_because: WebhookDisabled | None
    disabled_at: str | None
    old_secret_until: str | None
    secret: str


class Webhook(TypedDict):
    """A webhook without its secrets. ``types`` null means all."""

    id: str
    url: str
    types: list[NoticeKind] | None
    created_at: str
    enabled: bool
    disabled_because: WebhookDisabled | None
    disabled_at: str | None
    old_secret_until: str | None


OperatorActChoice: TypeAlias = Literal["abort", "replace"]


BotName: TypeAlias = Literal["random", "greedy-novice", "greedy", "searcher-club", "searcher"]


RulesetId: TypeAlias = Literal["le-plateau", "plateau", "french-tarot", "plute"]


PhraseIdChoice: TypeAlias = Literal["hello", "good_luck", "well_played", "thank_you", "sorry", "one_moment", "back_soon", "my_mistake", "good_game", "again", "take_your_time", "congratulations"]


ProposalKind: TypeAlias = Literal["draw", "stop_after_hand", "pause", "resume", "abort", "take_back"]


PortraitChoice: TypeAlias = Literal["otter", "heron", "lynx", "magpie", "hare", "beaver", "robin", "marten"]


NoticeKindChoice: TypeAlias = Literal["invited", "seeds_awaited", "game_started", "your_turn", "deadline_near", "proposal_made", "game_ended", "plan_dropped"]


Scope: TypeAlias = Literal["games:read", "games:play", "games:create", "webhooks"]


PairingChoice: TypeAlias = Literal["lots", "swiss", "round_robin"]


Language: TypeAlias = Literal["en", "fr", "ja"]


class SeatForMe(TypedDict):
    """Who has a seat when the game is created: exactly one of the fields."""

    player: Literal["me"]
    """The creator."""


class OpenSeat(TypedDict):
    """Who has a seat when the game is created: exactly one of the fields."""

    open: Literal[True]
    """Open to any player."""


class SeatForBot(TypedDict):
    """Who has a seat when the game is created: exactly one of the fields."""

    bot: BotName
    """The name of a bot."""


SeatInput: TypeAlias = SeatForMe | OpenSeat | SeatForBot
"""Who has a seat when the game is created: exactly one of the fields."""


class ForkSeatForMe(TypedDict):
    """Who has a seat of a fork: exactly one of the fields."""

    player: Literal["me"]
    """The maker of the fork."""


class ForkSeatForBot(TypedDict):
    """Who has a seat of a fork: exactly one of the fields."""

    bot: BotName
    """The name of a bot."""


ForkSeat: TypeAlias = ForkSeatForMe | ForkSeatForBot
"""Who has a seat of a fork: exactly one of the fields."""


class InvitationOfPlayer(TypedDict):
    """The invitation to make: for a player, by id or by name, or for anyone who has the link."""

    player: str
    """The id of the player to invite."""
    seat: NotRequired[int]
    """The seat; by default any."""
    expires_in: NotRequired[str]
    """How long it is open, from PT1M to P30D. By default "P7D"."""


class InvitationByName(TypedDict):
    """The invitation to make: for a player, by id or by name, or for anyone who has the link."""

    name: str
    """The name of the player to invite: 1 to 40 visible characters as readers count them, blanks only between them."""
    seat: NotRequired[int]
    """The seat; by default any."""
    expires_in: NotRequired[str]
    """How long it is open, from PT1M to P30D. By default "P7D"."""


class InvitationByLink(TypedDict):
    """The invitation to make: for a player, by id or by name, or for anyone who has the link."""

    link: Literal[True]
    """For anyone who has the link."""
    seat: NotRequired[int]
    """The seat; by default any."""
    expires_in: NotRequired[str]
    """How long it is open, from PT1M to P30D. By default "P7D"."""


InvitationInput: TypeAlias = InvitationOfPlayer | InvitationByName | InvitationByLink
"""The invitation to make: for a player, by id or by name, or for anyone who has the link."""


class GameFilters(TypedDict):
    status: NotRequired[GameStatus]
    """Only games of this status."""
    ruleset: NotRequired[RulesetId]
    """Only games of this ruleset."""
    open: NotRequired[bool]
    """Only games with an open seat."""
    open_seats: NotRequired[int]
    """Only games with at least this many open seats."""
    speed: NotRequired[Speed]
    """Only games in which a turn has ten minutes (live), a day (daily), more (slow), or no clock (none)."""
    player: NotRequired[str]
    """Only games that this player created or plays in; none unless the player shows their games or is you."""
    sort: NotRequired[Literal["newest", "oldest"]]
    """Which games come first, by time of creation; by default the newest."""


class MyGameFilters(TypedDict):
    status: NotRequired[GameStatus]
    """Only games of this status."""
    ruleset: NotRequired[RulesetId]
    """Only games of this ruleset."""
    speed: NotRequired[Speed]
    """Only games in which a turn has ten minutes (live), a day (daily), more (slow), or no clock (none)."""
    to_act: NotRequired[bool]
    """Only games in which it is your turn, most urgent first; a turn that your plan plays is also listed briefly."""


class OperatorActInput(TypedDict):
    """What the operator does to a game, and why; with `replace`, also to which seat, and the bot that takes it."""

    act: OperatorActChoice
    """`abort` ends the game without a result, `replace` puts a bot on a player's seat."""
    reason: str
    """The reason, permanently public in the log. Do not name anyone in it."""
    seat: NotRequired[int]
    """With `replace`: the seat of the player."""
    bot: NotRequired[BotName]
    """With `replace`: the bot to put there."""


class ClockInput(TypedDict):
    """How long players have to move, as durations (P3D, PT90S), and what happens at a timeout."""

    per_move: NotRequired[str | None]
    """Free time for each decision."""
    bank: NotRequired[str | None]
    """A seat's total for time beyond the time per move."""
    increment: NotRequired[str | None]
    """Added to the bank after each decision."""
    on_timeout: NotRequired[OnTimeout]
    """A bot decides, the seat loses (if the rules have resignation), or all wait for a claim. By default "bot"."""
    bot: NotRequired[BotName]
    """The bot that decides for a seat whose time is up. By default "random"."""


class OpeningInput(TypedDict):
    """How seeds that players commit to are opened, once every seat is taken."""

    within: NotRequired[str]
    """The time in which players must open them, from PT5S to P14D. By default "PT2M"."""
    unopened: NotRequired[Unopened]
    """If one is not opened in time, the game starts without it, or ends (`abort`). By default "start"."""


ForkInput = TypedDict(
    "ForkInput",
    {
        "at": NotRequired[int],
        "as": NotRequired[int | None],
        "seats": NotRequired[list[ForkSeat]],
        "visibility": NotRequired[Visibility],
    },
)


class PhraseInput(TypedDict):
    """A phrase to say."""

    phrase: PhraseIdChoice
    """The phrase, from `choices`."""


class ProposalInput(TypedDict):
    """A proposal that every seat must accept."""

    kind: ProposalKind
    """What to agree on; the ruleset's 'proposals' lists what is possible."""
    duration: NotRequired[str | None]
    """The length of a pause, as an ISO 8601 duration; two weeks by default."""
    to_version: NotRequired[int | None]
    """The version that a take-back returns to, one of the view's `take_back`; by default the one before the proposer's last action."""


class HandOver(TypedDict):
    """The bot to put on a seat."""

    bot: BotName


class PlayerChange(TypedDict):
    """The change to a player; fields that are omitted stay as they are."""

    name: NotRequired[str]
    """The name to show: 1 to 40 visible characters as readers count them, blanks only between them."""
    portrait: NotRequired[PortraitChoice]
    """The head that a table shows beside the name. Public."""
    language: NotRequired[str | None]
    """The player's language as a BCP 47 tag, null for none."""
    time_zone: NotRequired[str | None]
    """The player's time zone by its IANA name, such as Europe/Paris; null for none."""
    shows: NotRequired[ShownPartsChange]
    operator: NotRequired[str]
    """Who runs the bot; only the account of a bot has one."""


class MailSetUp(TypedDict):
    """Where mails go, what they carry, and when."""

    types: NotRequired[list[NoticeKindChoice]]
    """The types of notices to send; by default your_turn and deadline_near."""
    quiet_hours: NotRequired[QuietHoursInput | None]
    """Hours without messages; notices that still matter are sent afterwards."""
    address: str
    """The mail address."""
    interval: NotRequired[str]
    """How long a mail waits for further notices, from PT1M to P1D. By default "PT10M"."""


class PushSubscriptionInput(TypedDict):
    """The browser to subscribe: its PushSubscription as JSON, and choices."""

    types: NotRequired[list[NoticeKindChoice]]
    """The types of notices to send; by default your_turn and deadline_near."""
    quiet_hours: NotRequired[QuietHoursInput | None]
    """Hours without messages; notices that still matter are sent afterwards."""
    endpoint: str
    """The address of the push service for this browser."""
    keys: BrowserKeys
    expirationTime: NotRequired[int | None]
    """When the subscription ends according to the browser, in ms since 1970. It has no effect: the push service decides."""


class TokenInput(TypedDict):
    """The token to create; by default with every scope that a guest has."""

    scopes: NotRequired[list[Scope]]
    """The scopes of the token."""
    label: NotRequired[str]
    """A name to recognize it by: 1 to 40 visible characters as readers count them, blanks only between them. By default "token"."""


class WebhookInput(TypedDict):
    """The webhook to make."""

    url: str
    """The receiver: https, a public address, port 443 or from 1024 on."""
    types: NotRequired[list[NoticeKindChoice] | None]
    """Which notices to send; null for all."""


class WebhookChange(TypedDict):
    """The change to a webhook; fields that are omitted stay as they are."""

    types: NotRequired[list[NoticeKindChoice] | None]
    """Which notices to send; null for all."""
    enabled: NotRequired[bool]
    """Whether messages are sent."""


class Problem(TypedDict):
    """Why a request was rejected (RFC 9457), with a stable code and links to help."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    errors: NotRequired[list[ProblemFault]]
    game_version: NotRequired[int]
    head: NotRequired[str]
    rule: NotRequired[str]
    legal_actions: NotRequired[str]
    events: NotRequired[str]
    bucket: NotRequired[str]
    candidates: NotRequired[list[Candidate]]


class ActionForm(TypedDict):
    """A JSON Schema of legal actions of one type; no other properties are allowed."""

    type: Literal["object"]
    properties: dict[str, FieldForm]
    required: list[str]


class Thinking(TypedDict):
    """The seed, the playouts done, and how the action was chosen: by the bot's ``policy``, or at random (``any_legal``)."""

    seed: int
    done: int
    chosen: ThinkingChosen


class GameFinishedData(TypedDict):
    """The game is over; the secret opens every seal and lets anyone recompute every draw."""

    outcome: Outcome
    secret: str


class LePlateauBoardView(TypedDict):
    """The tokens in ring order (rim, middle, inner, centre), and the side that owns each claimed space."""

    tokens: list[str]
    owners: dict[str, LePlateauSide]


class LePlateauHandView(TypedDict):
    """One seat's cards: how many in the hand, which (own ones only, in deck order), and the piles."""

    seat: int
    count: int
    cards: list[LePlateauCard] | None
    piles: list[LePlateauPileView]


class LePlateauTalonView(TypedDict):
    """The talon: cards that still lie there, what the exchanger took (for the exchanger), and what was dealt out."""

    count: int
    cards: list[LePlateauCard] | None
    taken: list[LePlateauCard] | None
    dealt: list[LePlateauTalonDealtView]
    groups: list[list[LePlateauCard]] | None
    chosen: int | None


class LePlateauSpoken(TypedDict):
    """One turn in the bidding; a null bid is a pass, with value null."""

    seat: int
    bid: LePlateauBidView | None
    value: int | None


class LePlateauTrickView(TypedDict):
    """The trick on the table."""

    number: int
    leader: int
    cards: list[TrickCard]


class LePlateauShownPiles(TypedDict):
    """The piles of one seat as dealt, shown at the end of a hand."""

    seat: int
    piles: list[LePlateauShownPile]


class LePlateauGameCreatedData(TypedDict):
    """A game was created; the commitment binds the server to the secret of every draw."""

    ruleset: Literal["le-plateau"]
    rules_version: int
    options: LePlateauOptions
    seats: int
    visibility: Visibility
    sandbox: bool
    creator: str
    commitment: str
    secret: NotRequired[str]
    clock: NotRequired[Clock | None]
    rematch_of: NotRequired[str]
    forked_from: NotRequired[ForkedFrom]
    bot_pace: NotRequired[str]
    opening: NotRequired[Opening]
    deal_anchor: NotRequired[str]
    deal: NotRequired[SetDeal]
    deal_secret: NotRequired[str]
    mask: NotRequired[str]


class LePlateauDealtPiles(TypedDict):
    """The piles of one seat."""

    seat: int
    piles: list[LePlateauDealtPile]


class LePlateauHandDealtData(TypedDict):
    """A new hand: the dealer, the tokens of the board, and the place of every card."""

    hand_number: int
    deal_number: int
    dealer: int
    board: list[str]
    hands: list[LePlateauDealtHand]
    piles: list[LePlateauDealtPiles]
    talon: LePlateauDealtTalon


class LePlateauHandRevealedData(TypedDict):
    """The whole hand became public: the deal, the exchange, and the cards left unplayed or unturned."""

    dealt: list[LePlateauShownHand]
    piles: list[LePlateauShownPiles]
    talon: list[LePlateauCard]
    taken: list[LePlateauCard]
    discard: list[LePlateauCard]
    gifts: list[LePlateauShownGift]
    talon_dealt: list[LePlateauShownTalonCard]
    unplayed: list[LePlateauShownHand]
    unturned: list[LePlateauShownHand]


class Times(TypedDict):
    """The clocks after the last event: deadlines, banks by seat, and when a pause ends."""

    deadlines: list[SeatDeadline]
    banks: list[str] | None
    resumes: str | None


class LePlateauGameAtVersion(TypedDict):
    """A game, the version of its log, the seats that it waits for, and its clocks."""

    ruleset: Literal["le-plateau"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: LePlateauOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]
    speed: Speed
    visibility: Visibility
    creator: str
    creator_name: str | None
    creator_tag: str | None
    created_at: str
    rematch_of: str | None
    version: int
    head: str
    expires_at: str | None
    aborted_because: AbortReason | None
    bot_pace: str | None
    opening: Opening | None
    rematch: Rematch | None
    forked_from: ForkedFrom | None
    waiting_for: list[int]
    times: Times


class Ending(TypedDict):
    """How a tournament ended: its rounds were ``played``, ``too_few`` had entered, or the director cancelled it."""

    how: TournamentEnding
    reason: str | None


class LePlateauTournament(TypedDict):
    """A tournament: its director, its terms, who plays, and the standings after the last round that has closed."""

    ruleset: Literal["le-plateau"]
    id: str
    name: str
    seats: int
    rounds: int
    pairing: Pairing
    status: TournamentStatus
    starts: str
    entrants: int
    round: int
    creator: str
    options: LePlateauOptions
    deals: int
    bot: str | None
    auction: str | None
    clock: Clock
    round_time: str
    entries_close: str
    most: int
    conditions: Conditions
    closes: str | None
    players: list[Entrant]
    reserves: list[Entrant]
    standings: list[TournamentStanding]
    ended: Ending | None
    invitation: str | None
    mine: MyEntry | None


class SceneRow(TypedDict):
    """Things that lie together. ``id`` stays the same from version to version."""

    id: str
    name: str
    seat: int | None
    mine: bool
    pick: str | None
    things: list[SceneThing]


class SceneSeat(TypedDict):
    """A seat: its side, its player's name, its bid or role, its number of cards, its score."""

    seat: int
    pick: str
    name: str | None
    side: Side | None
    note: str
    cards: int | None
    score: int | None
    to_act: bool
    viewer: bool
    dealer: bool


class SaidPhrase(TypedDict):
    """A phrase that was said at a seat, in the reader's language."""

    id: str
    seat: int
    phrase: PhraseId
    text: str
    at: str


class DrawnOrder(TypedDict):
    """A permutation of ``of``, which is dealt completely in packets, after single items are taken apart."""

    of: list[str]
    apart: Apart | None
    packets: list[Packet]


class PlateauPlaced(TypedDict):
    """A piece to be placed, and the face that it shows."""

    piece: PlateauKind
    """The piece, out of your reserve."""
    up: PlateauFace
    """The face that lies up."""


class PlateauOpenAction(TypedDict):
    """Place the first two pieces, as one unit on an empty square at the edge."""

    type: Literal["open"]
    square: PlateauSquare
    """Where to."""
    pieces: list[PlateauPlaced]
    """Two pieces: the lower one, then the upper one."""
    decision_id: NotRequired[str]
    """The decision that this action answers."""


PlateauAction: TypeAlias = PlateauOpenAction | PlateauOnboardAction | PlateauMoveAction | PlateauStompAction | PlateauTenderAction | PlateauRespondAction | PlateauPassAction
"""An action of Plateau."""


class PlateauLineView(TypedDict):
    """What a player did, in the notation: hidden faces are ``?`` but for its own player; and what it captured."""

    seat: int
    line: str
    captured: list[PlateauCapturedPiece]


class PlateauEnd(TypedDict):
    """How the game ended; a draw has no winner."""

    reason: PlateauReason
    winner: int | None


class PlateauState(TypedDict):
    """The ``state`` of a view. ``board``: the stacks by square, the lowest piece first; empty squares are left out."""

    phase: PlateauPhaseName
    to_move: int | None
    board: dict[str, list[PlateauPieceView]]
    reserves: list[PlateauReserveView]
    prisoners: list[PlateauPrisonersView]
    tender: PlateauPrisonersTendered | None
    min_tender: list[int]
    plies: int
    quiet_plies: int
    forfeits: int
    repetition: int
    history: list[PlateauLineView]
    end: PlateauEnd | None


class PlateauUnitOpenedData(TypedDict):
    """A player placed the first two pieces; only the upper face of the upper one shows."""

    square: PlateauSquare
    lower_token: str
    upper_token: str
    top: PlateauFace
    lower: NotRequired[PlateauPlaced]
    upper: NotRequired[PlateauKind]


class PlateauRevealedStack(TypedDict):
    """A stack, shown at the end, the lowest piece first."""

    square: PlateauSquare
    pieces: list[PlateauRevealedPiece]


class PlateauEverythingRevealedData(TypedDict):
    """The game is over: all that was hidden on the board and beside it."""

    stacks: list[PlateauRevealedStack]
    reserves: list[PlateauRevealedReserve]


class PlateauAdvisedAction(TypedDict):
    """An action in words, its estimated score, and how far that is below the score of the best action."""

    action: PlateauAction
    says: str
    score: int
    error: int
    behind: int
    behind_error: int


class PlateauGameAtVersion(TypedDict):
    """A game, the version of its log, the seats that it waits for, and its clocks."""

    ruleset: Literal["plateau"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: PlateauOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]
    speed: Speed
    visibility: Visibility
    creator: str
    creator_name: str | None
    creator_tag: str | None
    created_at: str
    rematch_of: str | None
    version: int
    head: str
    expires_at: str | None
    aborted_because: AbortReason | None
    bot_pace: str | None
    opening: Opening | None
    rematch: Rematch | None
    forked_from: ForkedFrom | None
    waiting_for: list[int]
    times: Times


class PlateauTournament(TypedDict):
    """A tournament: its director, its terms, who plays, and the standings after the last round that has closed."""

    ruleset: Literal["plateau"]
    id: str
    name: str
    seats: int
    rounds: int
    pairing: Pairing
    status: TournamentStatus
    starts: str
    entrants: int
    round: int
    creator: str
    options: PlateauOptions
    deals: int
    bot: str | None
    auction: str | None
    clock: Clock
    round_time: str
    entries_close: str
    most: int
    conditions: Conditions
    closes: str | None
    players: list[Entrant]
    reserves: list[Entrant]
    standings: list[TournamentStanding]
    ended: Ending | None
    invitation: str | None
    mine: MyEntry | None


class FrenchTarotPoigneeShown(TypedDict):
    """A seat showed trumps, and perhaps the Excuse, in deck order."""

    seat: int
    level: FrenchTarotLevel
    cards: list[FrenchTarotCard]


class FrenchTarotExcuseCounted(TypedDict):
    """An Excuse that was played: the side that has it, the side that won its trick, and its worth to the attack."""

    card: FrenchTarotCard
    player: int
    owner: FrenchTarotSide
    trick_winner: FrenchTarotSide
    half_points: int


class FrenchTarotSlamCounted(TypedDict):
    """What was announced, the side that won every trick, and the worth of both to the attack."""

    announced: FrenchTarotSlam | None
    made_by: FrenchTarotSide | None
    points: int


class FrenchTarotShare(TypedDict):
    """What a seat wins or loses: ``times`` the unit ("3", "-1", "1.5"), and the misères."""

    seat: int
    role: FrenchTarotRole
    times: str
    points: int
    misere_points: int
    score: int


class FrenchTarotGameAtVersion(TypedDict):
    """A game, the version of its log, the seats that it waits for, and its clocks."""

    ruleset: Literal["french-tarot"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: FrenchTarotOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]
    speed: Speed
    visibility: Visibility
    creator: str
    creator_name: str | None
    creator_tag: str | None
    created_at: str
    rematch_of: str | None
    version: int
    head: str
    expires_at: str | None
    aborted_because: AbortReason | None
    bot_pace: str | None
    opening: Opening | None
    rematch: Rematch | None
    forked_from: ForkedFrom | None
    waiting_for: list[int]
    times: Times


class FrenchTarotTournament(TypedDict):
    """A tournament: its director, its terms, who plays, and the standings after the last round that has closed."""

    ruleset: Literal["french-tarot"]
    id: str
    name: str
    seats: int
    rounds: int
    pairing: Pairing
    status: TournamentStatus
    starts: str
    entrants: int
    round: int
    creator: str
    options: FrenchTarotOptions
    deals: int
    bot: str | None
    auction: str | None
    clock: Clock
    round_time: str
    entries_close: str
    most: int
    conditions: Conditions
    closes: str | None
    players: list[Entrant]
    reserves: list[Entrant]
    standings: list[TournamentStanding]
    ended: Ending | None
    invitation: str | None
    mine: MyEntry | None


class PluteContractWon(TypedDict):
    """The bidding is over; the highest bid is the contract of the bidder's team."""

    bidder: int
    team: PluteTeam
    points: int


class PluteTrickView(TypedDict):
    """The trick on the table."""

    number: int
    leader: int
    cards: list[PluteTrickCard]


class PluteStanding(TypedDict):
    """What a team has for certain: its tricks and their points (Game is one from 41 on), and their value for Game."""

    tricks: int
    points: list[PlutePoint]
    game_value: int


class PluteTallies(TypedDict):
    """The tallies by team."""

    even: PluteTally
    odd: PluteTally


class PluteHandResult(TypedDict):
    """A finished hand: the bid and its result. ``points`` are of the bidding team first."""

    hand_number: int
    dealer: int
    contract: PluteContractWon
    trump: PluteTrumpSuit
    tricks: PluteTrickCounts
    stopped: bool
    points: list[PlutePointsCounted]
    made: bool
    plute: PluteTeam | None


class PluteGameAtVersion(TypedDict):
    """A game, the version of its log, the seats that it waits for, and its clocks."""

    ruleset: Literal["plute"]
    id: str
    rules_version: int
    status: GameStatus
    sandbox: bool
    options: PluteOptions
    seats: list[Seat]
    clock: Clock | None
    outcome: Outcome | None
    seeds_awaited: NotRequired[SeedsAwaited]
    speed: Speed
    visibility: Visibility
    creator: str
    creator_name: str | None
    creator_tag: str | None
    created_at: str
    rematch_of: str | None
    version: int
    head: str
    expires_at: str | None
    aborted_because: AbortReason | None
    bot_pace: str | None
    opening: Opening | None
    rematch: Rematch | None
    forked_from: ForkedFrom | None
    waiting_for: list[int]
    times: Times


class PluteTournament(TypedDict):
    """A tournament: its director, its terms, who plays, and the standings after the last round that has closed."""

    ruleset: Literal["plute"]
    id: str
    name: str
    seats: int
    rounds: int
    pairing: Pairing
    status: TournamentStatus
    starts: str
    entrants: int
    round: int
    creator: str
    options: PluteOptions
    deals: int
    bot: str | None
    auction: str | None
    clock: Clock
    round_time: str
    entries_close: str
    most: int
    conditions: Conditions
    closes: str | None
    players: list[Entrant]
    reserves: list[Entrant]
    standings: list[TournamentStanding]
    ended: Ending | None
    invitation: str | None
    mine: MyEntry | None


GameAtVersion: TypeAlias = LePlateauGameAtVersion | PlateauGameAtVersion | FrenchTarotGameAtVersion | PluteGameAtVersion
"""A game, the version of its log, the seats that it waits for, and its clocks."""


Tournament: TypeAlias = LePlateauTournament | PlateauTournament | FrenchTarotTournament | PluteTournament
"""A tournament: its director, its terms, who plays, and the standings after the last round that has closed."""


Action: TypeAlias = LePlateauBidAction | LePlateauPassAction | LePlateauExchangeAction | LePlateauGiveAction | LePlateauChooseTalonAction | LePlateauAnnounceAction | LePlateauRaiseAction | LePlateauKeepAction | LePlateauAbdicateAction | LePlateauPlayAction | PlateauOpenAction | PlateauOnboardAction | PlateauMoveAction | PlateauStompAction | PlateauTenderAction | PlateauRespondAction | PlateauPassAction | FrenchTarotBidAction | FrenchTarotPassAction | FrenchTarotCallAction | FrenchTarotDiscardAction | FrenchTarotAnnounceSlamAction | FrenchTarotAnnouncePetitChelemAction | FrenchTarotNoSlamAction | FrenchTarotShowPoigneeAction | FrenchTarotAnnounceMisereAction | FrenchTarotPlayAction | PluteBidAction | PlutePassAction | PlutePlayAction | PluteClaimAction
"""An action of one of the rulesets."""


class GameEndedNoticeData(TypedDict):
    """How the game ended; ``reason`` is that of its outcome, or why it was aborted."""

    status: GameEndedNoticeDataStatus
    reason: str


class GameEndedNotice(TypedDict):
    """A game in which you have a seat, or that you created, has ended."""

    id: str
    type: Literal["game_ended"]
    at: str
    game_id: str
    version: int
    data: GameEndedNoticeData


Notice: TypeAlias = InvitedNotice | SeedsAwaitedNotice | GameStartedNotice | YourTurnNotice | DeadlineNearNotice | ProposalMadeNotice | GameEndedNotice | PlanDroppedNotice
"""An event in one of your games."""


class NewPlayerAnswer(TypedDict):
    """A new player, and the token, which is shown only once."""

    id: str
    name: str
    portrait: Portrait | None
    kind: PlayerKind
    created_at: str
    operator: NotRequired[str]
    token: str


class SigningKeys(TypedDict):
    """All keys that have signed receipts here, the oldest first."""

    keys: list[SigningKey]


class AdminEntry(TypedDict):
    """A request of an operator: by whom, with which token (both null: on the host), when, and why."""

    id: str
    at: str
    act: AdminAct
    by: str | None
    token: str | None
    game_id: str | None
    seat: int | None
    bot: str | None
    reason: str | None
    player: str | None


class DailyResults(TypedDict):
    """A page of the results of a set, best first, with its deals."""

    items: list[Standing]
    deals: list[Deal]
    next_cursor: str | None


class Inclusion(TypedDict):
    """The proof (RFC 9162, section 2.1.3) that the head of a game at a version is the leaf at an index."""

    game_id: str
    version: int
    hash: str
    index: int
    proof: list[str]
    root: Root
    since: Root


class NewInvitationAnswer(TypedDict):
    """A new invitation, and for a link its secret and its address, which are shown only once."""

    id: str
    game_id: str
    kind: InvitationKind
    seat: int | None
    player: str | None
    player_name: str | None
    by: str
    by_name: str | None
    created_at: str
    expires_at: str
    status: InvitationStatus
    secret: str | None
    url: str | None


class InvitationList(TypedDict):
    """The latest invitations to a game, oldest first."""

    items: list[Invitation]
    next_cursor: str | None


class Luck(TypedDict):
    """What the deals of a finished game were worth to each seat: ``bot`` replayed each so many times in every seat."""

    ruleset: str
    game_id: str
    bot: str
    version: int
    replays: int
    deals: list[DealLuck]


class PhraseMenu(TypedDict):
    """The phrases of a game, oldest first, the possible phrases, and why players cannot talk now (null if they can)."""

    game_id: str
    phrases: list[SaidPhrase]
    choices: list[PhraseChoice]
    silence: str | None


class RematchAnswer(TypedDict):
    """The new game, and your seat in it."""

    game: GameAtVersion
    seat: int


class NewTokenAnswer(TypedDict):
    """A new token, shown only once."""

    id: str
    scopes: list[TokenScope]
    label: str
    created_at: str
    game_id: str | None
    seat: int | None
    made_by: str | None
    token: str


class CosignedRoot(TypedDict):
    """A root with the co-signatures of witnesses, those listed by the operator first."""

    size: int
    root: str
    at: str
    key_id: str
    signature: str
    cosignatures: list[Cosignature]


class Me(TypedDict):
    """Your account; ``seen`` is the day of your last request in UTC, kept only while you show it."""

    id: str
    name: str
    portrait: Portrait | None
    kind: PlayerKind
    created_at: str
    operator: NotRequired[str]
    language: str | None
    time_zone: str | None
    seen: str | None
    shows: ShownParts


class NoticePage(TypedDict):
    """Your events, oldest first; ``next`` is the id to continue after, null if these are the latest."""

    events: list[Notice]
    next: str | None


class Mail(TypedDict):
    """Your mail address, whether you have confirmed it, and the content of mails."""

    address: str
    status: MailStatus
    reason: str | None
    types: list[NoticeKind]
    quiet_hours: QuietHours | None
    interval: str


class DeliveryAttempt(TypedDict):
    """An attempt: the status and the first bytes of the response, or the problem if there was none."""

    at: str
    milliseconds: int
    status: int | None
    problem: DeliveryProblem | None
    response: str


class RulesetList(TypedDict):
    """All games that this server hosts."""

    items: list[RulesetSummary]
    next_cursor: str | None


class TournamentList(TypedDict):
    """A page of tournaments, the last to start first."""

    items: list[TournamentSummary]
    next_cursor: str | None


class VerifiedReceipt(TypedDict):
    """Whether this server signed a receipt, and whether the log of its game has that hash at that version."""

    signed: bool
    log: InLog


class WebhookList(TypedDict):
    """Your webhooks, oldest first."""

    items: list[Webhook]
    next_cursor: str | None


class LePlateauGameInput(TypedDict):
    """The game to create."""

    ruleset: Literal["le-plateau"]
    options: NotRequired[LePlateauOptionsInput]
    seats: list[SeatInput]
    """By seat."""
    visibility: NotRequired[Visibility]
    """By default "public"."""
    sandbox: NotRequired[bool]
    """Whether one player can hold several seats. By default false."""
    clock: NotRequired[ClockInput | None]
    """null for no clock; by default three days a move (in a sandbox, no clock)."""
    bot_pace: NotRequired[str | None]
    """How long a bot waits before it moves while a player is at the table, so that players can follow; by default that of the service. Except in a sandbox, it waits at least long enough to hide how long it thinks. A duration, from PT0S to PT10S."""
    opening: NotRequired[OpeningInput | None]
    """How seeds are opened; by default within two minutes, else the game starts without."""


class PlateauGameInput(TypedDict):
    """The game to create."""

    ruleset: Literal["plateau"]
    options: NotRequired[PlateauOptionsInput]
    seats: list[SeatInput]
    """By seat."""
    visibility: NotRequired[Visibility]
    """By default "public"."""
    sandbox: NotRequired[bool]
    """Whether one player can hold several seats. By default false."""
    clock: NotRequired[ClockInput | None]
    """null for no clock; by default three days a move (in a sandbox, no clock)."""
    bot_pace: NotRequired[str | None]
    """How long a bot waits before it moves while a player is at the table, so that players can follow; by default that of the service. Except in a sandbox, it waits at least long enough to hide how long it thinks. A duration, from PT0S to PT10S."""
    opening: NotRequired[OpeningInput | None]
    """How seeds are opened; by default within two minutes, else the game starts without."""


class FrenchTarotGameInput(TypedDict):
    """The game to create."""

    ruleset: Literal["french-tarot"]
    options: NotRequired[FrenchTarotOptionsInput]
    seats: list[SeatInput]
    """By seat."""
    visibility: NotRequired[Visibility]
    """By default "public"."""
    sandbox: NotRequired[bool]
    """Whether one player can hold several seats. By default false."""
    clock: NotRequired[ClockInput | None]
    """null for no clock; by default three days a move (in a sandbox, no clock)."""
    bot_pace: NotRequired[str | None]
    """How long a bot waits before it moves while a player is at the table, so that players can follow; by default that of the service. Except in a sandbox, it waits at least long enough to hide how long it thinks. A duration, from PT0S to PT10S."""
    opening: NotRequired[OpeningInput | None]
    """How seeds are opened; by default within two minutes, else the game starts without."""


class PluteGameInput(TypedDict):
    """The game to create."""

    ruleset: Literal["plute"]
    options: NotRequired[PluteOptionsInput]
    seats: list[SeatInput]
    """By seat."""
    visibility: NotRequired[Visibility]
    """By default "public"."""
    sandbox: NotRequired[bool]
    """Whether one player can hold several seats. By default false."""
    clock: NotRequired[ClockInput | None]
    """null for no clock; by default three days a move (in a sandbox, no clock)."""
    bot_pace: NotRequired[str | None]
    """How long a bot waits before it moves while a player is at the table, so that players can follow; by default that of the service. Except in a sandbox, it waits at least long enough to hide how long it thinks. A duration, from PT0S to PT10S."""
    opening: NotRequired[OpeningInput | None]
    """How seeds are opened; by default within two minutes, else the game starts without."""


GameInput: TypeAlias = LePlateauGameInput | PlateauGameInput | FrenchTarotGameInput | PluteGameInput
"""The game to create."""


class LePlateauTournamentInput(TypedDict):
    """The tournament to create; you become its director."""

    ruleset: Literal["le-plateau"]
    options: NotRequired[LePlateauOptionsInput]
    name: str
    """What it is called: 1 to 40 visible characters as readers count them, blanks only between them."""
    seats: int
    """Seats of a table."""
    deals: NotRequired[int]
    """Deals a round, by default 4; 0, the default, for a game without deals."""
    rounds: int
    pairing: NotRequired[PairingChoice]
    """How tables are drawn; for games with deals, by `lots`. By default "lots"."""
    bot: NotRequired[BotName]
    """The bot for seats that are left over, by default greedy; without deals, none: a bye."""
    auction: NotRequired[BotName]
    """The bot that bids for every seat, so that taker and contract are given."""
    clock: ClockInput
    round_time: NotRequired[str]
    """How long a round lasts at most, from PT10M to P90D. By default "P7D"."""
    starts: str
    """When the first round begins, in UTC, such as 2026-11-28T20:00:00Z."""
    most: NotRequired[int]
    """How many players have places; more are reserves."""
    account_days: NotRequired[int]
    """How old an account must be."""
    finished_games: NotRequired[int]
    """How many games to have finished."""
    invited: NotRequired[bool]
    """Whether players must bring the invitation. By default false."""


class PlateauTournamentInput(TypedDict):
    """The tournament to create; you become its director."""

    ruleset: Literal["plateau"]
    options: NotRequired[PlateauOptionsInput]
    name: str
    """What it is called: 1 to 40 visible characters as readers count them, blanks only between them."""
    seats: int
    """Seats of a table."""
    deals: NotRequired[int]
    """Deals a round, by default 4; 0, the default, for a game without deals."""
    rounds: int
    pairing: NotRequired[PairingChoice]
    """How tables are drawn; for games with deals, by `lots`. By default "lots"."""
    bot: NotRequired[BotName]
    """The bot for seats that are left over, by default greedy; without deals, none: a bye."""
    auction: NotRequired[BotName]
    """The bot that bids for every seat, so that taker and contract are given."""
    clock: ClockInput
    round_time: NotRequired[str]
    """How long a round lasts at most, from PT10M to P90D. By default "P7D"."""
    starts: str
    """When the first round begins, in UTC, such as 2026-11-28T20:00:00Z."""
    most: NotRequired[int]
    """How many players have places; more are reserves."""
    account_days: NotRequired[int]
    """How old an account must be."""
    finished_games: NotRequired[int]
    """How many games to have finished."""
    invited: NotRequired[bool]
    """Whether players must bring the invitation. By default false."""


class FrenchTarotTournamentInput(TypedDict):
    """The tournament to create; you become its director."""

    ruleset: Literal["french-tarot"]
    options: NotRequired[FrenchTarotOptionsInput]
    name: str
    """What it is called: 1 to 40 visible characters as readers count them, blanks only between them."""
    seats: int
    """Seats of a table."""
    deals: NotRequired[int]
    """Deals a round, by default 4; 0, the default, for a game without deals."""
    rounds: int
    pairing: NotRequired[PairingChoice]
    """How tables are drawn; for games with deals, by `lots`. By default "lots"."""
    bot: NotRequired[BotName]
    """The bot for seats that are left over, by default greedy; without deals, none: a bye."""
    auction: NotRequired[BotName]
    """The bot that bids for every seat, so that taker and contract are given."""
    clock: ClockInput
    round_time: NotRequired[str]
    """How long a round lasts at most, from PT10M to P90D. By default "P7D"."""
    starts: str
    """When the first round begins, in UTC, such as 2026-11-28T20:00:00Z."""
    most: NotRequired[int]
    """How many players have places; more are reserves."""
    account_days: NotRequired[int]
    """How old an account must be."""
    finished_games: NotRequired[int]
    """How many games to have finished."""
    invited: NotRequired[bool]
    """Whether players must bring the invitation. By default false."""


class PluteTournamentInput(TypedDict):
    """The tournament to create; you become its director."""

    ruleset: Literal["plute"]
    options: NotRequired[PluteOptionsInput]
    name: str
    """What it is called: 1 to 40 visible characters as readers count them, blanks only between them."""
    seats: int
    """Seats of a table."""
    deals: NotRequired[int]
    """Deals a round, by default 4; 0, the default, for a game without deals."""
    rounds: int
    pairing: NotRequired[PairingChoice]
    """How tables are drawn; for games with deals, by `lots`. By default "lots"."""
    bot: NotRequired[BotName]
    """The bot for seats that are left over, by default greedy; without deals, none: a bye."""
    auction: NotRequired[BotName]
    """The bot that bids for every seat, so that taker and contract are given."""
    clock: ClockInput
    round_time: NotRequired[str]
    """How long a round lasts at most, from PT10M to P90D. By default "P7D"."""
    starts: str
    """When the first round begins, in UTC, such as 2026-11-28T20:00:00Z."""
    most: NotRequired[int]
    """How many players have places; more are reserves."""
    account_days: NotRequired[int]
    """How old an account must be."""
    finished_games: NotRequired[int]
    """How many games to have finished."""
    invited: NotRequired[bool]
    """Whether players must bring the invitation. By default false."""


TournamentInput: TypeAlias = LePlateauTournamentInput | PlateauTournamentInput | FrenchTarotTournamentInput | PluteTournamentInput
"""The tournament to create; you become its director."""


LegalActionsForm = TypedDict(
    "LegalActionsForm",
    {
        "$comment": NotRequired[str],
        "oneOf": NotRequired[list[ActionForm]],
        "not": NotRequired[JsonSchema],
    },
)


class LessonMove(TypedDict):
    """The move that the learner makes: the action, and what it does in words."""

    action: Action
    says: str


class BotMove(TypedDict):
    """The bot that moved, its version, its maximum number of playouts, and, once the game is over, its ``thought``."""

    name: str
    version: int
    playouts: int
    thought: NotRequired[Thinking]


class LePlateauHandResult(TypedDict):
    """A finished hand: its result, and everything that its end made public. ``by`` is null if it was void."""

    hand_number: int
    deal_number: int
    dealer: int
    contract: LePlateauContract | None
    by: LePlateauSide | None
    path: list[str]
    value: int
    scores: list[int]
    dealt: list[LePlateauShownHand]
    piles: list[LePlateauShownPiles]
    talon: list[LePlateauCard]
    taken: list[LePlateauCard]
    discard: list[LePlateauCard]
    gifts: list[LePlateauShownGiftView]
    talon_dealt: list[LePlateauShownTalonCard]
    unplayed: list[LePlateauShownHand]
    unturned: list[LePlateauShownHand]


class LePlateauState(TypedDict):
    """The ``state`` of a view."""

    phase: LePlateauPhaseName
    hand_number: int
    deal_number: int
    hands_total: int
    dealer: int
    board: LePlateauBoardView
    hands: list[LePlateauHandView]
    talon: LePlateauTalonView
    discard: LePlateauDiscardView
    gifts: list[LePlateauGiftView]
    bids: list[LePlateauSpoken]
    contract: LePlateauContract | None
    raises: list[LePlateauRaised]
    announced: list[LePlateauCard]
    holders: dict[str, int | None]
    trick: LePlateauTrickView | None
    tricks: list[LePlateauTrickWon]
    stops_after_hand: bool
    scores: list[int]
    hand_results: list[LePlateauHandResult]


class LePlateauListedActions(TypedDict):
    """The viewer's legal actions: how many, each while there are at most 200, in words in a language; else a schema."""

    count: int
    actions: list[LePlateauAction] | None
    says: NotRequired[list[str]]
    schema: NotRequired[LegalActionsForm]


class Scene(TypedDict):
    """A view in words and drawn, for a client that does not know the game, in reading order."""

    game_id: str
    version: int
    viewer: Viewer
    lang: str
    title: str
    lines: list[str]
    stage: SceneStage | None
    rows: list[SceneRow]
    seats: list[SceneSeat]
    sheet: list[SceneSheetLine]
    totals: list[str]
    goals: list[SceneGoal]
    offers: list[SceneOffer]
    counterclockwise: bool


class LePlateauView(TypedDict):
    """What one viewer is allowed to see of a game at one version; ``state`` is the ruleset's, null before the start."""

    ruleset: Literal["le-plateau"]
    game: LePlateauGameInView
    version: int
    viewer: Viewer
    state: LePlateauState | None
    to_act: list[int]
    waiting_for: list[int]
    proposals: list[Proposal]
    times: Times
    take_back: NotRequired[TakeBack]
    decision: NotRequired[Decision]
    legal_actions: NotRequired[LePlateauListedActions]
    planned: NotRequired[bool]
    scene: NotRequired[Scene]


class Draw(TypedDict):
    """A random decision in the event of a version: either numbers, or an order; the other is null."""

    version: int
    label: str
    number: int
    numbers: DrawnNumbers | None
    order: DrawnOrder | None


class LePlateauLegalActions(TypedDict):
    """A page of the legal actions of a seat now (in words too in a language), with the number and schema of all."""

    ruleset: Literal["le-plateau"]
    game_id: str
    version: int
    seat: int
    decision: Decision | None
    count: int
    actions: list[LePlateauAction]
    says: NotRequired[list[str]]
    schema: LegalActionsForm
    next_cursor: str | None


class PlateauListedActions(TypedDict):
    """The viewer's legal actions: how many, each while there are at most 200, in words in a language; else a schema."""

    count: int
    actions: list[PlateauAction] | None
    says: NotRequired[list[str]]
    schema: NotRequired[LegalActionsForm]


class PlateauView(TypedDict):
    """What one viewer is allowed to see of a game at one version; ``state`` is the ruleset's, null before the start."""

    ruleset: Literal["plateau"]
    game: PlateauGameInView
    version: int
    viewer: Viewer
    state: PlateauState | None
    to_act: list[int]
    waiting_for: list[int]
    proposals: list[Proposal]
    times: Times
    take_back: NotRequired[TakeBack]
    decision: NotRequired[Decision]
    legal_actions: NotRequired[PlateauListedActions]
    planned: NotRequired[bool]
    scene: NotRequired[Scene]


class PlateauLegalActions(TypedDict):
    """A page of the legal actions of a seat now (in words too in a language), with the number and schema of all."""

    ruleset: Literal["plateau"]
    game_id: str
    version: int
    seat: int
    decision: Decision | None
    count: int
    actions: list[PlateauAction]
    says: NotRequired[list[str]]
    schema: LegalActionsForm
    next_cursor: str | None


class FrenchTarotCount(TypedDict):
    """The pile of the attack: its tricks without any Excuse, the écart or the chien, and each Excuse."""

    tricks_half_points: int
    laid_aside: FrenchTarotAside | None
    laid_aside_half_points: int
    excuses: list[FrenchTarotExcuseCounted]
    half_points: int
    card_points: str
    oudlers: list[FrenchTarotCard]


class FrenchTarotListedActions(TypedDict):
    """The viewer's legal actions: how many, each while there are at most 200, in words in a language; else a schema."""

    count: int
    actions: list[FrenchTarotAction] | None
    says: NotRequired[list[str]]
    schema: NotRequired[LegalActionsForm]


class FrenchTarotLegalActions(TypedDict):
    """A page of the legal actions of a seat now (in words too in a language), with the number and schema of all."""

    ruleset: Literal["french-tarot"]
    game_id: str
    version: int
    seat: int
    decision: Decision | None
    count: int
    actions: list[FrenchTarotAction]
    says: NotRequired[list[str]]
    schema: LegalActionsForm
    next_cursor: str | None


class PluteStandings(TypedDict):
    """The standings by team."""

    even: PluteStanding
    odd: PluteStanding


class PluteState(TypedDict):
    """The ``state`` of a view."""

    phase: PlutePhaseName
    hand_number: int
    dealer: int
    hands: list[PluteHandView]
    bids: list[PluteSpoken]
    contract: PluteContractWon | None
    trump: PluteTrumpSuit | None
    jokers: PluteJokersView
    trick: PluteTrickView | None
    tricks: list[PluteTrickWon]
    standing: PluteStandings
    may_claim: bool
    tally: PluteTallies
    hand_results: list[PluteHandResult]


class PluteListedActions(TypedDict):
    """The viewer's legal actions: how many, each while there are at most 200, in words in a language; else a schema."""

    count: int
    actions: list[PluteAction] | None
    says: NotRequired[list[str]]
    schema: NotRequired[LegalActionsForm]


class PluteView(TypedDict):
    """What one viewer is allowed to see of a game at one version; ``state`` is the ruleset's, null before the start."""

    ruleset: Literal["plute"]
    game: PluteGameInView
    version: int
    viewer: Viewer
    state: PluteState | None
    to_act: list[int]
    waiting_for: list[int]
    proposals: list[Proposal]
    times: Times
    take_back: NotRequired[TakeBack]
    decision: NotRequired[Decision]
    legal_actions: NotRequired[PluteListedActions]
    planned: NotRequired[bool]
    scene: NotRequired[Scene]


class PluteLegalActions(TypedDict):
    """A page of the legal actions of a seat now (in words too in a language), with the number and schema of all."""

    ruleset: Literal["plute"]
    game_id: str
    version: int
    seat: int
    decision: Decision | None
    count: int
    actions: list[PluteAction]
    says: NotRequired[list[str]]
    schema: LegalActionsForm
    next_cursor: str | None


LegalActions: TypeAlias = LePlateauLegalActions | PlateauLegalActions | FrenchTarotLegalActions | PluteLegalActions
"""A page of the legal actions of a seat now (in words too in a language), with the number and schema of all."""


class AdminEntries(TypedDict):
    """A page of the admin log, newest first."""

    items: list[AdminEntry]
    next_cursor: str | None


class Delivery(TypedDict):
    """A delivery: its number in the webhook, the id that all attempts carry, and the latest of these, oldest first."""

    number: int
    id: str
    type: DeliveryType
    at: str
    status: DeliveryStatus
    attempts: list[DeliveryAttempt]
    next_attempt_at: str | None


class DeliveryList(TypedDict):
    """A page of the latest deliveries, newest first."""

    items: list[Delivery]
    next_cursor: str | None


class FrenchTarotCalculation(TypedDict):
    """The whole calculation. ``unit`` is what each defender pays the attack; ``steps`` explains it in words."""

    count: FrenchTarotCount
    contract: FrenchTarotContractCounted
    petit_au_bout: FrenchTarotPetitAuBout
    poignees: list[FrenchTarotPoigneePaid]
    slam: FrenchTarotSlamCounted
    unit: int
    shares: list[FrenchTarotShare]
    steps: list[str]


class FrenchTarotDealScoredData(TypedDict):
    """What each seat won or lost in the deal, and the calculation."""

    calculation: FrenchTarotCalculation
    scores: list[int]


class KeptWebhook(TypedDict):
    """A webhook, and its latest deliveries, newest first."""

    id: str
    url: str
    types: list[NoticeKind] | None
    created_at: str
    enabled: bool
    disabled_because: WebhookDisabled | None
    disabled_at: str | None
    old_secret_until: str | None
    deliveries: list[Delivery]


class FrenchTarotDealResult(TypedDict):
    """A finished deal: how it was calculated, and everything that its end made public."""

    deal_number: int
    dealer: int
    contract: FrenchTarotContractWon
    called: FrenchTarotCard | None
    partner: int | None
    dealt: list[FrenchTarotShownHand]
    chien: list[FrenchTarotCard]
    ecart: list[FrenchTarotCard]
    calculation: FrenchTarotCalculation
    scores: list[int]


class FrenchTarotState(TypedDict):
    """The ``state`` of a view."""

    phase: FrenchTarotPhaseName
    deal_number: int
    deals_played: int
    deals_total: int
    dealer: int
    players: list[int]
    petit_imprenable: int | None
    hands: list[FrenchTarotHandView]
    chien: FrenchTarotChienView
    ecart: FrenchTarotEcartView
    bids: list[FrenchTarotSpoken]
    contract: FrenchTarotContractWon | None
    called: FrenchTarotCalled | None
    slam: FrenchTarotSlamAnswer | None
    poignees: list[FrenchTarotPoigneeShown]
    poignees_declined: list[int]
    miseres: list[FrenchTarotMisereAnnounced]
    trick: FrenchTarotTrickView | None
    tricks: list[FrenchTarotTrickWon]
    scores: list[int]
    deal_results: list[FrenchTarotDealResult]


class FrenchTarotView(TypedDict):
    """What one viewer is allowed to see of a game at one version; ``state`` is the ruleset's, null before the start."""

    ruleset: Literal["french-tarot"]
    game: FrenchTarotGameInView
    version: int
    viewer: Viewer
    state: FrenchTarotState | None
    to_act: list[int]
    waiting_for: list[int]
    proposals: list[Proposal]
    times: Times
    take_back: NotRequired[TakeBack]
    decision: NotRequired[Decision]
    legal_actions: NotRequired[FrenchTarotListedActions]
    planned: NotRequired[bool]
    scene: NotRequired[Scene]


View: TypeAlias = LePlateauView | PlateauView | FrenchTarotView | PluteView
"""What one viewer is allowed to see of a game at one version; ``state`` is the ruleset's, null before the start."""


class LessonStep(TypedDict):
    """A position of the lesson, as the learner's seat sees it."""

    comment: str
    happened: list[str]
    view: View
    scene: Scene
    move: LessonMove | None


class Tutorial(TypedDict):
    """A recorded game in which a learner makes the moves of one seat, with comments."""

    ruleset: str
    lang: str
    learner: int
    steps: list[LessonStep]


Condition: TypeAlias = Union[Equality, Order, TextMatch, Membership, Existence, "AllOf", "AnyOf", "Negation"]
"""A condition on your view: a comparison of the value at a path, or a combination of other conditions."""


class PlanStep(TypedDict):
    """What to do on a turn: an action, if the condition holds in your view, and the steps of the turn after it."""

    when: NotRequired[Condition]
    action: Action
    then: NotRequired[list[PlanStep]]


class PlanInput(TypedDict):
    """The plan of a seat, in place of the one that it has."""

    steps: NotRequired[list[PlanStep]]
    """The alternatives for your next turn; the first that fits is carried out."""
    forced: NotRequired[bool]
    """Whether to play your only legal action for you. By default false."""


class Plan(TypedDict):
    """The plan of your seat: the steps for your next turn (the first that fits is carried out), and a switch."""

    game_id: str
    seat: int
    steps: list[PlanStep]
    forced: bool


class AllOf(TypedDict):
    """All of some conditions."""

    all: list[Condition]


class AnyOf(TypedDict):
    """Any of some conditions."""

    any: list[Condition]


Negation = TypedDict(
    "Negation",
    {
        "not": Condition
    },
)


class Sentence(TypedDict):
    """A sentence about an event: ``text`` in words, with current names; the rest for clients with their own words."""

    id: str
    params: dict[str, SentenceParameter]
    text: str


class SentenceParameter(TypedDict):
    """A parameter of a sentence: its kind, and its value by that name, but ``items`` of a list, ``number`` of a score."""

    kind: SentenceParameterKind
    seat: NotRequired[int]
    player: NotRequired[str | None]
    bot: NotRequired[str | None]
    name: NotRequired[str | None]
    tag: NotRequired[str | None]
    number: NotRequired[int]
    card: NotRequired[str]
    text: NotRequired[str]
    items: NotRequired[list[SentenceParameter]]
    message: NotRequired[Message]


class Message(TypedDict):
    """A message in no particular language: ``id`` determines the possible ``params``."""

    id: str
    params: dict[str, SentenceParameter]


class SeatTakenEvent(TypedDict):
    """A player took a seat, optionally with a seed for the draws, or with a commitment to a seed."""

    game_id: str
    version: int
    type: Literal["seat_taken"]
    at: str
    seat: int
    data: SeatTakenData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class SeatLeftEvent(TypedDict):
    """A player left a seat before the start."""

    game_id: str
    version: int
    type: Literal["seat_left"]
    at: str
    seat: int
    data: SeatLeftData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class BotSeatedEvent(TypedDict):
    """A bot took an open seat, or took over from the player who held it."""

    game_id: str
    version: int
    type: Literal["bot_seated"]
    at: str
    seat: int
    data: BotSeatedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class SeedsAwaitedEvent(TypedDict):
    """Every seat is taken: the players of these seats open the seeds that they committed to, until a point in time."""

    game_id: str
    version: int
    type: Literal["seeds_awaited"]
    at: str
    seat: int | None
    data: SeedsAwaitedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class SeedOpenedEvent(TypedDict):
    """A player opened the seed that they committed to."""

    game_id: str
    version: int
    type: Literal["seed_opened"]
    at: str
    seat: int
    data: SeedOpenedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class SeedsClosedEvent(TypedDict):
    """Seeds can no longer be opened; the draws do not use those of the ``missing`` seats."""

    game_id: str
    version: int
    type: Literal["seeds_closed"]
    at: str
    seat: int | None
    data: SeedsClosedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class GameStartedEvent(TypedDict):
    """Every seat is taken; the players by seat, null for a bot."""

    game_id: str
    version: int
    type: Literal["game_started"]
    at: str
    seat: int | None
    data: GameStartedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class ProposalMadeEvent(TypedDict):
    """A seat proposed something that every seat must accept; it accepts itself by proposing."""

    game_id: str
    version: int
    type: Literal["proposal_made"]
    at: str
    seat: int
    data: ProposalMadeData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class VoteCastEvent(TypedDict):
    """A seat voted on a proposal."""

    game_id: str
    version: int
    type: Literal["vote_cast"]
    at: str
    seat: int
    data: VoteCastData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class ProposalClosedEvent(TypedDict):
    """A proposal was closed: every seat accepted it, one declined, or the game moved on."""

    game_id: str
    version: int
    type: Literal["proposal_closed"]
    at: str
    seat: int | None
    data: ProposalClosedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class TakenBackEvent(TypedDict):
    """Every seat agreed to go back: the game continues from the position that it had at ``to_version``."""

    game_id: str
    version: int
    type: Literal["taken_back"]
    at: str
    seat: int | None
    data: TakenBackData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class TurnTimedOutEvent(TypedDict):
    """A seat's time was up: a bot decided for it, it lost the game, or it resigned; the next events are the result."""

    game_id: str
    version: int
    type: Literal["turn_timed_out"]
    at: str
    seat: int
    data: TurnTimedOutData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class TimeoutClaimedEvent(TypedDict):
    """A seat claimed that another seat's time was up."""

    game_id: str
    version: int
    type: Literal["timeout_claimed"]
    at: str
    seat: int
    data: TimeoutClaimedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class TimeCreditedEvent(TypedDict):
    """The service was down: clocks get the time of the downtime back."""

    game_id: str
    version: int
    type: Literal["time_credited"]
    at: str
    seat: int | None
    data: TimeCreditedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class GamePausedEvent(TypedDict):
    """All clocks stop, for a duration, or until the seats agree to resume."""

    game_id: str
    version: int
    type: Literal["game_paused"]
    at: str
    seat: int | None
    data: GamePausedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class GameResumedEvent(TypedDict):
    """The game was resumed: the pause was over, or the seats agreed."""

    game_id: str
    version: int
    type: Literal["game_resumed"]
    at: str
    seat: int | None
    data: GameResumedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class OperatorActedEvent(TypedDict):
    """The operator of the service intervened, for a reason in the operator's words; the next events are the result."""

    game_id: str
    version: int
    type: Literal["operator_acted"]
    at: str
    seat: int | None
    data: OperatorActedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class SecretRevealedEvent(TypedDict):
    """A deal is over, and the next one follows: the secret of the deal (hex) opens it and proves how it was dealt."""

    game_id: str
    version: int
    type: Literal["secret_revealed"]
    at: str
    seat: int | None
    data: SecretRevealedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class GameFinishedEvent(TypedDict):
    """The game is over; the secret opens every seal and lets anyone recompute every draw."""

    game_id: str
    version: int
    type: Literal["game_finished"]
    at: str
    seat: int | None
    data: GameFinishedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class GameAbortedEvent(TypedDict):
    """A game ended without a result; the secret opens the commitment and every seal."""

    game_id: str
    version: int
    type: Literal["game_aborted"]
    at: str
    seat: int | None
    data: GameAbortedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauGameCreatedEvent(TypedDict):
    """A game was created; the commitment binds the server to the secret of every draw."""

    game_id: str
    version: int
    type: Literal["game_created"]
    at: str
    seat: int | None
    data: LePlateauGameCreatedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauHandDealtEvent(TypedDict):
    """A new hand: the dealer, the tokens of the board, and the place of every card."""

    game_id: str
    version: int
    type: Literal["hand_dealt"]
    at: str
    seat: int | None
    data: LePlateauHandDealtData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauPhaseBeganEvent(TypedDict):
    """The hand enters a phase."""

    game_id: str
    version: int
    type: Literal["phase_began"]
    at: str
    seat: int | None
    data: LePlateauPhaseBeganData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauBidMadeEvent(TypedDict):
    """A seat bid; ``exchange`` is left out where a bid has no such part."""

    game_id: str
    version: int
    type: Literal["bid_made"]
    at: str
    seat: int
    data: LePlateauBidMadeData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class LePlateauPassedEvent(TypedDict):
    """A seat passed and is out of the bidding."""

    game_id: str
    version: int
    type: Literal["passed"]
    at: str
    seat: int
    data: NoData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class LePlateauContractWonEvent(TypedDict):
    """The bidding is over; the highest bid is the contract."""

    game_id: str
    version: int
    type: Literal["contract_won"]
    at: str
    seat: int | None
    data: LePlateauContractWonData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauHandPassedOutEvent(TypedDict):
    """Every seat passed."""

    game_id: str
    version: int
    type: Literal["hand_passed_out"]
    at: str
    seat: int | None
    data: NoData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauTalonTurnedEvent(TypedDict):
    """The talon was turned face up in two groups (4 players, full deck)."""

    game_id: str
    version: int
    type: Literal["talon_turned"]
    at: str
    seat: int | None
    data: LePlateauTalonTurnedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauTalonGroupChosenEvent(TypedDict):
    """The declarer chose a group of the talon to exchange with; the other group stays face up."""

    game_id: str
    version: int
    type: Literal["talon_group_chosen"]
    at: str
    seat: int
    data: LePlateauTalonGroupChosenData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class LePlateauTalonTakenEvent(TypedDict):
    """The declarer took cards from the talon into the hand."""

    game_id: str
    version: int
    type: Literal["talon_taken"]
    at: str
    seat: int
    data: LePlateauTalonTakenData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class LePlateauCardsDiscardedEvent(TypedDict):
    """The declarer discarded cards, face down."""

    game_id: str
    version: int
    type: Literal["cards_discarded"]
    at: str
    seat: int
    data: LePlateauCardsDiscardedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class LePlateauCardGivenEvent(TypedDict):
    """The declarer gave a card, face down (6 players)."""

    game_id: str
    version: int
    type: Literal["card_given"]
    at: str
    seat: int
    data: LePlateauCardGivenData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class LePlateauTalonCardDealtEvent(TypedDict):
    """A talon card was dealt to a player (6 players)."""

    game_id: str
    version: int
    type: Literal["talon_card_dealt"]
    at: str
    seat: int | None
    data: LePlateauTalonCardDealtData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauCardAnnouncedEvent(TypedDict):
    """The declarer announced a card, to find a partner."""

    game_id: str
    version: int
    type: Literal["card_announced"]
    at: str
    seat: int
    data: LePlateauCardAnnouncedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class LePlateauAnnouncementAnsweredEvent(TypedDict):
    """The holder of an announced card showed up; ``holder`` is null if no hand has the card."""

    game_id: str
    version: int
    type: Literal["announcement_answered"]
    at: str
    seat: int | None
    data: LePlateauAnnouncementAnsweredData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauPartnerFoundEvent(TypedDict):
    """The holder of an announced card joined the declarer's team."""

    game_id: str
    version: int
    type: Literal["partner_found"]
    at: str
    seat: int | None
    data: LePlateauPartnerFoundData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauObjectiveRaisedEvent(TypedDict):
    """A seat raised the objective."""

    game_id: str
    version: int
    type: Literal["objective_raised"]
    at: str
    seat: int
    data: LePlateauObjectiveRaisedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class LePlateauObjectiveKeptEvent(TypedDict):
    """A seat left the objective as it is."""

    game_id: str
    version: int
    type: Literal["objective_kept"]
    at: str
    seat: int
    data: NoData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class LePlateauDeclarerAbdicatedEvent(TypedDict):
    """The declarer and the partner swapped roles for scoring."""

    game_id: str
    version: int
    type: Literal["declarer_abdicated"]
    at: str
    seat: int
    data: LePlateauDeclarerAbdicatedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class LePlateauCardPlayedEvent(TypedDict):
    """A seat played a card, from the hand (``pile`` is null) or from the top of one of its piles."""

    game_id: str
    version: int
    type: Literal["card_played"]
    at: str
    seat: int
    data: LePlateauCardPlayedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class LePlateauTrickWonEvent(TypedDict):
    """A finished trick."""

    game_id: str
    version: int
    type: Literal["trick_won"]
    at: str
    seat: int | None
    data: LePlateauTrickWonData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauCountersPlacedEvent(TypedDict):
    """A side claimed spaces of the board, listed in ring order."""

    game_id: str
    version: int
    type: Literal["counters_placed"]
    at: str
    seat: int | None
    data: LePlateauCountersPlacedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauPileCardTurnedEvent(TypedDict):
    """The lower card of a pile was turned up (2 players)."""

    game_id: str
    version: int
    type: Literal["pile_card_turned"]
    at: str
    seat: int | None
    data: LePlateauPileCardTurnedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauDiscardRevealedEvent(TypedDict):
    """The discard was turned face up after the last trick."""

    game_id: str
    version: int
    type: Literal["discard_revealed"]
    at: str
    seat: int | None
    data: LePlateauDiscardRevealedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauTalonRevealedEvent(TypedDict):
    """The talon was turned face up after the last trick."""

    game_id: str
    version: int
    type: Literal["talon_revealed"]
    at: str
    seat: int | None
    data: LePlateauTalonRevealedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauHandWonEvent(TypedDict):
    """A side won the hand: the objective was made (``path`` is the group, in ring order) or became impossible."""

    game_id: str
    version: int
    type: Literal["hand_won"]
    at: str
    seat: int | None
    data: LePlateauHandWonData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauHandRevealedEvent(TypedDict):
    """The whole hand became public: the deal, the exchange, and the cards left unplayed or unturned."""

    game_id: str
    version: int
    type: Literal["hand_revealed"]
    at: str
    seat: int | None
    data: LePlateauHandRevealedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauHandScoredEvent(TypedDict):
    """The value of the hand, and the points that each seat won or lost."""

    game_id: str
    version: int
    type: Literal["hand_scored"]
    at: str
    seat: int | None
    data: LePlateauHandScoredData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class LePlateauStopAgreedEvent(TypedDict):
    """Every player agreed that this hand is the last."""

    game_id: str
    version: int
    type: Literal["stop_agreed"]
    at: str
    seat: int | None
    data: NoData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


LePlateauEvent: TypeAlias = SeatTakenEvent | SeatLeftEvent | BotSeatedEvent | SeedsAwaitedEvent | SeedOpenedEvent | SeedsClosedEvent | GameStartedEvent | ProposalMadeEvent | VoteCastEvent | ProposalClosedEvent | TakenBackEvent | TurnTimedOutEvent | TimeoutClaimedEvent | TimeCreditedEvent | GamePausedEvent | GameResumedEvent | OperatorActedEvent | SecretRevealedEvent | GameFinishedEvent | GameAbortedEvent | LePlateauGameCreatedEvent | LePlateauHandDealtEvent | LePlateauPhaseBeganEvent | LePlateauBidMadeEvent | LePlateauPassedEvent | LePlateauContractWonEvent | LePlateauHandPassedOutEvent | LePlateauTalonTurnedEvent | LePlateauTalonGroupChosenEvent | LePlateauTalonTakenEvent | LePlateauCardsDiscardedEvent | LePlateauCardGivenEvent | LePlateauTalonCardDealtEvent | LePlateauCardAnnouncedEvent | LePlateauAnnouncementAnsweredEvent | LePlateauPartnerFoundEvent | LePlateauObjectiveRaisedEvent | LePlateauObjectiveKeptEvent | LePlateauDeclarerAbdicatedEvent | LePlateauCardPlayedEvent | LePlateauTrickWonEvent | LePlateauCountersPlacedEvent | LePlateauPileCardTurnedEvent | LePlateauDiscardRevealedEvent | LePlateauTalonRevealedEvent | LePlateauHandWonEvent | LePlateauHandRevealedEvent | LePlateauHandScoredEvent | LePlateauStopAgreedEvent
"""An event of a game of Le Plateau."""


class Reason(TypedDict):
    """Why an action is good: ``text`` in words, the rest for clients with their own words."""

    id: str
    params: dict[str, SentenceParameter]
    text: str


class LePlateauCostlyMove(TypedDict):
    """A decision of a finished game: the move, the bot's choice and its reason, and the cost of the move."""

    version: int
    seat: int
    played: LePlateauAction
    played_says: str
    best: LePlateauAction
    best_says: str
    cost: int
    error: int
    measure: str
    playouts: int
    reason: Reason
    says: list[str]


class LePlateauEventPage(TypedDict):
    """Events in order; ``next`` is the version to continue after, null at the end of the log."""

    ruleset: Literal["le-plateau"]
    events: list[LePlateauEvent]
    next: int | None
    view: NotRequired[View]
    phrases: NotRequired[list[SaidPhrase]]


class LePlateauAudit(TypedDict):
    """A whole log, the end of its chain, and every draw; the secret, revealed at the end, repeats each draw."""

    ruleset: Literal["le-plateau"]
    game_id: str
    version: int
    head: str
    events: list[LePlateauEvent]
    draws: list[Draw]


class LePlateauActionAnswer(TypedDict):
    """The result of an action: the events that it caused, as the seat can see them now."""

    ruleset: Literal["le-plateau"]
    game_id: str
    version: int
    seat: int
    status: GameStatus
    to_act: list[int]
    waiting_for: list[int]
    events: list[LePlateauEvent]
    view: NotRequired[View]


class LePlateauHint(TypedDict):
    """What a bot would do in a seat at a version, and why: the actions that it ``weighed``, best first."""

    ruleset: Literal["le-plateau"]
    game_id: str
    version: int
    seat: int
    bot: AdvisingBot
    playouts: int
    measure: str | None
    weighed: list[LePlateauAdvisedAction]
    reason: Reason


class LePlateauAnalysis(TypedDict):
    """An analysis: how many decisions of ``all`` are done, and the moves that cost most, in descending order."""

    ruleset: Literal["le-plateau"]
    game_id: str
    bot: AdvisingBot
    done: int
    failed: int
    all: int | None
    searched: int
    moves: list[LePlateauCostlyMove]


class PlateauGameCreatedEvent(TypedDict):
    """A game was created; the commitment binds the server to the secret of every draw."""

    game_id: str
    version: int
    type: Literal["game_created"]
    at: str
    seat: int | None
    data: PlateauGameCreatedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PlateauUnitOpenedEvent(TypedDict):
    """A player placed the first two pieces; only the upper face of the upper one shows."""

    game_id: str
    version: int
    type: Literal["unit_opened"]
    at: str
    seat: int
    data: PlateauUnitOpenedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PlateauPieceOnboardedEvent(TypedDict):
    """A player placed a piece out of the reserve, with ``height`` pieces below it, the face ``top`` up."""

    game_id: str
    version: int
    type: Literal["piece_onboarded"]
    at: str
    seat: int
    data: PlateauPieceOnboardedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PlateauUnitMovedEvent(TypedDict):
    """A player moved the upper ``lift`` pieces of a unit of ``unit`` pieces; ``landed`` of them came to the end."""

    game_id: str
    version: int
    type: Literal["unit_moved"]
    at: str
    seat: int
    data: PlateauUnitMovedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PlateauUnitStompedEvent(TypedDict):
    """A player captured below a unit of ``unit`` pieces, without moving it."""

    game_id: str
    version: int
    type: Literal["unit_stomped"]
    at: str
    seat: int
    data: PlateauUnitStompedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PlateauFacesShownEvent(TypedDict):
    """Faces became public when pieces were handled."""

    game_id: str
    version: int
    type: Literal["faces_shown"]
    at: str
    seat: int | None
    data: PlateauFacesShownData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PlateauPiecesCapturedEvent(TypedDict):
    """Pieces were taken prisoner, from the top down; ``shown`` are the faces that this laid bare."""

    game_id: str
    version: int
    type: Literal["pieces_captured"]
    at: str
    seat: int | None
    data: PlateauPiecesCapturedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PlateauPrisonersTenderedEvent(TypedDict):
    """A player offered prisoners, worth ``total``, to the other for exchange."""

    game_id: str
    version: int
    type: Literal["prisoners_tendered"]
    at: str
    seat: int
    data: PlateauPrisonersTenderedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PlateauPrisonersExchangedEvent(TypedDict):
    """A player answered a tender: ``given`` went home to the initiator, ``tendered`` to the player."""

    game_id: str
    version: int
    type: Literal["prisoners_exchanged"]
    at: str
    seat: int
    data: PlateauPrisonersExchangedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PlateauTenderRefusedEvent(TypedDict):
    """A player refused a tender."""

    game_id: str
    version: int
    type: Literal["tender_refused"]
    at: str
    seat: int
    data: PlateauTenderRefusedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PlateauTurnForfeitedEvent(TypedDict):
    """A player had no legal action."""

    game_id: str
    version: int
    type: Literal["turn_forfeited"]
    at: str
    seat: int
    data: NoData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PlateauTurnBeganEvent(TypedDict):
    """It is a player's turn, after ``ply`` turns."""

    game_id: str
    version: int
    type: Literal["turn_began"]
    at: str
    seat: int | None
    data: PlateauTurnBeganData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PlateauTurnResumedEvent(TypedDict):
    """A player whose tender was refused continues the turn."""

    game_id: str
    version: int
    type: Literal["turn_resumed"]
    at: str
    seat: int | None
    data: PlateauTurnResumedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PlateauResignedEvent(TypedDict):
    """A player resigned."""

    game_id: str
    version: int
    type: Literal["resigned"]
    at: str
    seat: int
    data: NoData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PlateauTimeLostEvent(TypedDict):
    """A player's time was up, which loses the game."""

    game_id: str
    version: int
    type: Literal["time_lost"]
    at: str
    seat: int
    data: NoData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PlateauGameWonEvent(TypedDict):
    """A player won, after ``ply`` turns; the counts are those after the last of them."""

    game_id: str
    version: int
    type: Literal["game_won"]
    at: str
    seat: int | None
    data: PlateauGameWonData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PlateauGameDrawnEvent(TypedDict):
    """The game ended without a winner."""

    game_id: str
    version: int
    type: Literal["game_drawn"]
    at: str
    seat: int | None
    data: PlateauGameDrawnData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PlateauEverythingRevealedEvent(TypedDict):
    """The game is over: all that was hidden on the board and beside it."""

    game_id: str
    version: int
    type: Literal["everything_revealed"]
    at: str
    seat: int | None
    data: PlateauEverythingRevealedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


PlateauEvent: TypeAlias = SeatTakenEvent | SeatLeftEvent | BotSeatedEvent | SeedsAwaitedEvent | SeedOpenedEvent | SeedsClosedEvent | GameStartedEvent | ProposalMadeEvent | VoteCastEvent | ProposalClosedEvent | TakenBackEvent | TurnTimedOutEvent | TimeoutClaimedEvent | TimeCreditedEvent | GamePausedEvent | GameResumedEvent | OperatorActedEvent | SecretRevealedEvent | GameFinishedEvent | GameAbortedEvent | PlateauGameCreatedEvent | PlateauUnitOpenedEvent | PlateauPieceOnboardedEvent | PlateauUnitMovedEvent | PlateauUnitStompedEvent | PlateauFacesShownEvent | PlateauPiecesCapturedEvent | PlateauPrisonersTenderedEvent | PlateauPrisonersExchangedEvent | PlateauTenderRefusedEvent | PlateauTurnForfeitedEvent | PlateauTurnBeganEvent | PlateauTurnResumedEvent | PlateauResignedEvent | PlateauTimeLostEvent | PlateauGameWonEvent | PlateauGameDrawnEvent | PlateauEverythingRevealedEvent
"""An event of a game of Plateau."""


class PlateauCostlyMove(TypedDict):
    """A decision of a finished game: the move, the bot's choice and its reason, and the cost of the move."""

    version: int
    seat: int
    played: PlateauAction
    played_says: str
    best: PlateauAction
    best_says: str
    cost: int
    error: int
    measure: str
    playouts: int
    reason: Reason
    says: list[str]


class PlateauEventPage(TypedDict):
    """Events in order; ``next`` is the version to continue after, null at the end of the log."""

    ruleset: Literal["plateau"]
    events: list[PlateauEvent]
    next: int | None
    view: NotRequired[View]
    phrases: NotRequired[list[SaidPhrase]]


class PlateauAudit(TypedDict):
    """A whole log, the end of its chain, and every draw; the secret, revealed at the end, repeats each draw."""

    ruleset: Literal["plateau"]
    game_id: str
    version: int
    head: str
    events: list[PlateauEvent]
    draws: list[Draw]


class PlateauActionAnswer(TypedDict):
    """The result of an action: the events that it caused, as the seat can see them now."""

    ruleset: Literal["plateau"]
    game_id: str
    version: int
    seat: int
    status: GameStatus
    to_act: list[int]
    waiting_for: list[int]
    events: list[PlateauEvent]
    view: NotRequired[View]


class PlateauHint(TypedDict):
    """What a bot would do in a seat at a version, and why: the actions that it ``weighed``, best first."""

    ruleset: Literal["plateau"]
    game_id: str
    version: int
    seat: int
    bot: AdvisingBot
    playouts: int
    measure: str | None
    weighed: list[PlateauAdvisedAction]
    reason: Reason


class PlateauAnalysis(TypedDict):
    """An analysis: how many decisions of ``all`` are done, and the moves that cost most, in descending order."""

    ruleset: Literal["plateau"]
    game_id: str
    bot: AdvisingBot
    done: int
    failed: int
    all: int | None
    searched: int
    moves: list[PlateauCostlyMove]


class FrenchTarotGameCreatedEvent(TypedDict):
    """A game was created; the commitment binds the server to the secret of every draw."""

    game_id: str
    version: int
    type: Literal["game_created"]
    at: str
    seat: int | None
    data: FrenchTarotGameCreatedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class FrenchTarotCardsDealtEvent(TypedDict):
    """A new deal: the dealer, the players (in turn, the first to bid first), and where every card went."""

    game_id: str
    version: int
    type: Literal["cards_dealt"]
    at: str
    seat: int | None
    data: FrenchTarotCardsDealtData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class FrenchTarotPhaseBeganEvent(TypedDict):
    """The deal enters a phase."""

    game_id: str
    version: int
    type: Literal["phase_began"]
    at: str
    seat: int | None
    data: FrenchTarotPhaseBeganData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class FrenchTarotPetitSecShownEvent(TypedDict):
    """A hand with the petit as its only trump was shown, as the rules require."""

    game_id: str
    version: int
    type: Literal["petit_sec_shown"]
    at: str
    seat: int | None
    data: FrenchTarotPetitSecShownData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class FrenchTarotPetitImprenableDeclaredEvent(TypedDict):
    """A seat was dealt the petit as its only trump and plays it as a second Excuse."""

    game_id: str
    version: int
    type: Literal["petit_imprenable_declared"]
    at: str
    seat: int | None
    data: FrenchTarotPetitImprenableDeclaredData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class FrenchTarotDealThrownInEvent(TypedDict):
    """The deal is not played; the next cards are dealt."""

    game_id: str
    version: int
    type: Literal["deal_thrown_in"]
    at: str
    seat: int | None
    data: FrenchTarotDealThrownInData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class FrenchTarotBidMadeEvent(TypedDict):
    """A seat bid."""

    game_id: str
    version: int
    type: Literal["bid_made"]
    at: str
    seat: int
    data: FrenchTarotBidMadeData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class FrenchTarotPassedEvent(TypedDict):
    """A seat passed in the bidding."""

    game_id: str
    version: int
    type: Literal["passed"]
    at: str
    seat: int
    data: NoData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class FrenchTarotContractWonEvent(TypedDict):
    """The bidding is over: what the taker, the highest bidder, plays for."""

    game_id: str
    version: int
    type: Literal["contract_won"]
    at: str
    seat: int | None
    data: FrenchTarotContractWonData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class FrenchTarotCardCalledEvent(TypedDict):
    """The taker called a card; its holder is secretly the partner (5 players)."""

    game_id: str
    version: int
    type: Literal["card_called"]
    at: str
    seat: int
    data: FrenchTarotCardCalledData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class FrenchTarotPartnerRevealedEvent(TypedDict):
    """The called card came to light: its holder is the partner; null if the taker plays alone."""

    game_id: str
    version: int
    type: Literal["partner_revealed"]
    at: str
    seat: int | None
    data: FrenchTarotPartnerRevealedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class FrenchTarotChienTurnedEvent(TypedDict):
    """The chien was turned face up, and the taker took it into the hand."""

    game_id: str
    version: int
    type: Literal["chien_turned"]
    at: str
    seat: int | None
    data: FrenchTarotChienTurnedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class FrenchTarotCardsDiscardedEvent(TypedDict):
    """The taker laid cards aside, face down: the écart."""

    game_id: str
    version: int
    type: Literal["cards_discarded"]
    at: str
    seat: int
    data: FrenchTarotCardsDiscardedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class FrenchTarotTrumpsShownEvent(TypedDict):
    """The taker had to lay trumps aside and showed them."""

    game_id: str
    version: int
    type: Literal["trumps_shown"]
    at: str
    seat: int | None
    data: FrenchTarotTrumpsShownData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class FrenchTarotSlamAnnouncedEvent(TypedDict):
    """The taker announced that the attack will win every trick, and leads the first one."""

    game_id: str
    version: int
    type: Literal["slam_announced"]
    at: str
    seat: int
    data: NoData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class FrenchTarotPetitChelemAnnouncedEvent(TypedDict):
    """The taker announced that the attack will win every trick but one."""

    game_id: str
    version: int
    type: Literal["petit_chelem_announced"]
    at: str
    seat: int
    data: NoData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class FrenchTarotSlamDeclinedEvent(TypedDict):
    """The taker announced no slam."""

    game_id: str
    version: int
    type: Literal["slam_declined"]
    at: str
    seat: int
    data: NoData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class FrenchTarotPoigneeShownEvent(TypedDict):
    """A seat showed trumps, and perhaps the Excuse, in deck order."""

    game_id: str
    version: int
    type: Literal["poignee_shown"]
    at: str
    seat: int
    data: FrenchTarotPoigneeShownData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class FrenchTarotPoigneeDeclinedEvent(TypedDict):
    """A seat showed no poignée before the first lead."""

    game_id: str
    version: int
    type: Literal["poignee_declined"]
    at: str
    seat: int
    data: NoData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class FrenchTarotMisereAnnouncedEvent(TypedDict):
    """A seat announced a hand without trumps, or without court cards."""

    game_id: str
    version: int
    type: Literal["misere_announced"]
    at: str
    seat: int
    data: FrenchTarotMisereAnnouncedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class FrenchTarotCardPlayedEvent(TypedDict):
    """A seat played a card."""

    game_id: str
    version: int
    type: Literal["card_played"]
    at: str
    seat: int
    data: FrenchTarotCardPlayedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class FrenchTarotTrickWonEvent(TypedDict):
    """A full trick, and its winner."""

    game_id: str
    version: int
    type: Literal["trick_won"]
    at: str
    seat: int | None
    data: FrenchTarotTrickWonData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class FrenchTarotExcuseKeptEvent(TypedDict):
    """The Excuse (or a petit played like it) lost its trick and stays with the side of its player."""

    game_id: str
    version: int
    type: Literal["excuse_kept"]
    at: str
    seat: int | None
    data: FrenchTarotExcuseKeptData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class FrenchTarotExcuseSettledEvent(TypedDict):
    """An Excuse was played to the last trick; ``owner`` is the side that has it in the end."""

    game_id: str
    version: int
    type: Literal["excuse_settled"]
    at: str
    seat: int | None
    data: FrenchTarotExcuseSettledData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class FrenchTarotDealRevealedEvent(TypedDict):
    """Everything of the deal made public: the partner, the hands as dealt, the chien and the écart."""

    game_id: str
    version: int
    type: Literal["deal_revealed"]
    at: str
    seat: int | None
    data: FrenchTarotDealRevealedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class FrenchTarotDealScoredEvent(TypedDict):
    """What each seat won or lost in the deal, and the calculation."""

    game_id: str
    version: int
    type: Literal["deal_scored"]
    at: str
    seat: int | None
    data: FrenchTarotDealScoredData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


FrenchTarotEvent: TypeAlias = SeatTakenEvent | SeatLeftEvent | BotSeatedEvent | SeedsAwaitedEvent | SeedOpenedEvent | SeedsClosedEvent | GameStartedEvent | ProposalMadeEvent | VoteCastEvent | ProposalClosedEvent | TakenBackEvent | TurnTimedOutEvent | TimeoutClaimedEvent | TimeCreditedEvent | GamePausedEvent | GameResumedEvent | OperatorActedEvent | SecretRevealedEvent | GameFinishedEvent | GameAbortedEvent | FrenchTarotGameCreatedEvent | FrenchTarotCardsDealtEvent | FrenchTarotPhaseBeganEvent | FrenchTarotPetitSecShownEvent | FrenchTarotPetitImprenableDeclaredEvent | FrenchTarotDealThrownInEvent | FrenchTarotBidMadeEvent | FrenchTarotPassedEvent | FrenchTarotContractWonEvent | FrenchTarotCardCalledEvent | FrenchTarotPartnerRevealedEvent | FrenchTarotChienTurnedEvent | FrenchTarotCardsDiscardedEvent | FrenchTarotTrumpsShownEvent | FrenchTarotSlamAnnouncedEvent | FrenchTarotPetitChelemAnnouncedEvent | FrenchTarotSlamDeclinedEvent | FrenchTarotPoigneeShownEvent | FrenchTarotPoigneeDeclinedEvent | FrenchTarotMisereAnnouncedEvent | FrenchTarotCardPlayedEvent | FrenchTarotTrickWonEvent | FrenchTarotExcuseKeptEvent | FrenchTarotExcuseSettledEvent | FrenchTarotDealRevealedEvent | FrenchTarotDealScoredEvent
"""An event of a game of French Tarot."""


class FrenchTarotCostlyMove(TypedDict):
    """A decision of a finished game: the move, the bot's choice and its reason, and the cost of the move."""

    version: int
    seat: int
    played: FrenchTarotAction
    played_says: str
    best: FrenchTarotAction
    best_says: str
    cost: int
    error: int
    measure: str
    playouts: int
    reason: Reason
    says: list[str]


class FrenchTarotEventPage(TypedDict):
    """Events in order; ``next`` is the version to continue after, null at the end of the log."""

    ruleset: Literal["french-tarot"]
    events: list[FrenchTarotEvent]
    next: int | None
    view: NotRequired[View]
    phrases: NotRequired[list[SaidPhrase]]


class FrenchTarotAudit(TypedDict):
    """A whole log, the end of its chain, and every draw; the secret, revealed at the end, repeats each draw."""

    ruleset: Literal["french-tarot"]
    game_id: str
    version: int
    head: str
    events: list[FrenchTarotEvent]
    draws: list[Draw]


class FrenchTarotActionAnswer(TypedDict):
    """The result of an action: the events that it caused, as the seat can see them now."""

    ruleset: Literal["french-tarot"]
    game_id: str
    version: int
    seat: int
    status: GameStatus
    to_act: list[int]
    waiting_for: list[int]
    events: list[FrenchTarotEvent]
    view: NotRequired[View]


class FrenchTarotHint(TypedDict):
    """What a bot would do in a seat at a version, and why: the actions that it ``weighed``, best first."""

    ruleset: Literal["french-tarot"]
    game_id: str
    version: int
    seat: int
    bot: AdvisingBot
    playouts: int
    measure: str | None
    weighed: list[FrenchTarotAdvisedAction]
    reason: Reason


class FrenchTarotAnalysis(TypedDict):
    """An analysis: how many decisions of ``all`` are done, and the moves that cost most, in descending order."""

    ruleset: Literal["french-tarot"]
    game_id: str
    bot: AdvisingBot
    done: int
    failed: int
    all: int | None
    searched: int
    moves: list[FrenchTarotCostlyMove]


class PluteGameCreatedEvent(TypedDict):
    """A game was created; the commitment binds the server to the secret of every draw."""

    game_id: str
    version: int
    type: Literal["game_created"]
    at: str
    seat: int | None
    data: PluteGameCreatedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PluteHandDealtEvent(TypedDict):
    """A new hand: who deals, and where every card went."""

    game_id: str
    version: int
    type: Literal["hand_dealt"]
    at: str
    seat: int | None
    data: PluteHandDealtData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PlutePhaseBeganEvent(TypedDict):
    """The hand enters a phase."""

    game_id: str
    version: int
    type: Literal["phase_began"]
    at: str
    seat: int | None
    data: PlutePhaseBeganData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PluteBidMadeEvent(TypedDict):
    """A seat bid."""

    game_id: str
    version: int
    type: Literal["bid_made"]
    at: str
    seat: int
    data: PluteBidMadeData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PlutePassedEvent(TypedDict):
    """A seat passed."""

    game_id: str
    version: int
    type: Literal["passed"]
    at: str
    seat: int
    data: NoData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PluteContractWonEvent(TypedDict):
    """The bidding is over; the highest bid is the contract of the bidder's team."""

    game_id: str
    version: int
    type: Literal["contract_won"]
    at: str
    seat: int | None
    data: PluteContractWonData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PluteCardPlayedEvent(TypedDict):
    """A seat played a card."""

    game_id: str
    version: int
    type: Literal["card_played"]
    at: str
    seat: int
    data: PluteCardPlayedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PluteTrumpNamedEvent(TypedDict):
    """The first card of the hand named trump: its own suit, or the one declared with it."""

    game_id: str
    version: int
    type: Literal["trump_named"]
    at: str
    seat: int
    data: PluteTrumpNamedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PluteJokerNamedEvent(TypedDict):
    """A joker was played, and is the high or the low one for the rest of the hand."""

    game_id: str
    version: int
    type: Literal["joker_named"]
    at: str
    seat: int
    data: PluteJokerNamedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PluteTrickWonEvent(TypedDict):
    """A full trick, and who took it."""

    game_id: str
    version: int
    type: Literal["trick_won"]
    at: str
    seat: int | None
    data: PluteTrickWonData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PluteHandClaimedEvent(TypedDict):
    """A seat claimed, rightly, that the bid is decided."""

    game_id: str
    version: int
    type: Literal["hand_claimed"]
    at: str
    seat: int
    data: NoData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[Sentence]


class PluteHandStoppedEvent(TypedDict):
    """The hand ends after this many tricks, because its bid is decided."""

    game_id: str
    version: int
    type: Literal["hand_stopped"]
    at: str
    seat: int | None
    data: PluteHandStoppedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PlutePointsCountedEvent(TypedDict):
    """The points that a team has won, and what its tricks count for Game."""

    game_id: str
    version: int
    type: Literal["points_counted"]
    at: str
    seat: int | None
    data: PlutePointsCountedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PlutePluteMadeEvent(TypedDict):
    """A team took all the tricks of the hand."""

    game_id: str
    version: int
    type: Literal["plute_made"]
    at: str
    seat: int | None
    data: PlutePluteMadeData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PluteBidMadeGoodEvent(TypedDict):
    """The bidding team won at least the points it had bid; ``made`` counts its made bids, this one included."""

    game_id: str
    version: int
    type: Literal["bid_made_good"]
    at: str
    seat: int | None
    data: PluteBidMadeGoodData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PluteTeamSetEvent(TypedDict):
    """The bidding team won fewer points than it had bid; ``set`` counts its sets, this one included."""

    game_id: str
    version: int
    type: Literal["team_set"]
    at: str
    seat: int | None
    data: PluteTeamSetData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


PluteEvent: TypeAlias = SeatTakenEvent | SeatLeftEvent | BotSeatedEvent | SeedsAwaitedEvent | SeedOpenedEvent | SeedsClosedEvent | GameStartedEvent | ProposalMadeEvent | VoteCastEvent | ProposalClosedEvent | TakenBackEvent | TurnTimedOutEvent | TimeoutClaimedEvent | TimeCreditedEvent | GamePausedEvent | GameResumedEvent | OperatorActedEvent | SecretRevealedEvent | GameFinishedEvent | GameAbortedEvent | PluteGameCreatedEvent | PluteHandDealtEvent | PlutePhaseBeganEvent | PluteBidMadeEvent | PlutePassedEvent | PluteContractWonEvent | PluteCardPlayedEvent | PluteTrumpNamedEvent | PluteJokerNamedEvent | PluteTrickWonEvent | PluteHandClaimedEvent | PluteHandStoppedEvent | PlutePointsCountedEvent | PlutePluteMadeEvent | PluteBidMadeGoodEvent | PluteTeamSetEvent
"""An event of a game of Plute."""


class PluteCostlyMove(TypedDict):
    """A decision of a finished game: the move, the bot's choice and its reason, and the cost of the move."""

    version: int
    seat: int
    played: PluteAction
    played_says: str
    best: PluteAction
    best_says: str
    cost: int
    error: int
    measure: str
    playouts: int
    reason: Reason
    says: list[str]


class PluteEventPage(TypedDict):
    """Events in order; ``next`` is the version to continue after, null at the end of the log."""

    ruleset: Literal["plute"]
    events: list[PluteEvent]
    next: int | None
    view: NotRequired[View]
    phrases: NotRequired[list[SaidPhrase]]


class PluteAudit(TypedDict):
    """A whole log, the end of its chain, and every draw; the secret, revealed at the end, repeats each draw."""

    ruleset: Literal["plute"]
    game_id: str
    version: int
    head: str
    events: list[PluteEvent]
    draws: list[Draw]


class PluteActionAnswer(TypedDict):
    """The result of an action: the events that it caused, as the seat can see them now."""

    ruleset: Literal["plute"]
    game_id: str
    version: int
    seat: int
    status: GameStatus
    to_act: list[int]
    waiting_for: list[int]
    events: list[PluteEvent]
    view: NotRequired[View]


class PluteHint(TypedDict):
    """What a bot would do in a seat at a version, and why: the actions that it ``weighed``, best first."""

    ruleset: Literal["plute"]
    game_id: str
    version: int
    seat: int
    bot: AdvisingBot
    playouts: int
    measure: str | None
    weighed: list[PluteAdvisedAction]
    reason: Reason


class PluteAnalysis(TypedDict):
    """An analysis: how many decisions of ``all`` are done, and the moves that cost most, in descending order."""

    ruleset: Literal["plute"]
    game_id: str
    bot: AdvisingBot
    done: int
    failed: int
    all: int | None
    searched: int
    moves: list[PluteCostlyMove]


EventPage: TypeAlias = LePlateauEventPage | PlateauEventPage | FrenchTarotEventPage | PluteEventPage
"""Events in order; ``next`` is the version to continue after, null at the end of the log."""


Audit: TypeAlias = LePlateauAudit | PlateauAudit | FrenchTarotAudit | PluteAudit
"""A whole log, the end of its chain, and every draw; the secret, revealed at the end, repeats each draw."""


ActionAnswer: TypeAlias = LePlateauActionAnswer | PlateauActionAnswer | FrenchTarotActionAnswer | PluteActionAnswer
"""The result of an action: the events that it caused, as the seat can see them now."""


Hint: TypeAlias = LePlateauHint | PlateauHint | FrenchTarotHint | PluteHint
"""What a bot would do in a seat at a version, and why: the actions that it ``weighed``, best first."""


Analysis: TypeAlias = LePlateauAnalysis | PlateauAnalysis | FrenchTarotAnalysis | PluteAnalysis
"""An analysis: how many decisions of ``all`` are done, and the moves that cost most, in descending order."""


ActionResult: TypeAlias = DryRun | LePlateauActionAnswer | PlateauActionAnswer | FrenchTarotActionAnswer | PluteActionAnswer
"""That the action would be accepted (`dry_run`), or what it caused."""


class SetCreatedEvent(TypedDict):
    """A deal set was announced; the commitment binds the server to the secret that all its deals follow from."""

    game_id: str
    version: int
    type: Literal["set_created"]
    at: str
    seat: int | None
    data: SetCreatedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class SetSealedEvent(TypedDict):
    """The deals are fixed: by the secret, and by the first signed root of the log of heads that is over this set."""

    game_id: str
    version: int
    type: Literal["set_sealed"]
    at: str
    seat: int | None
    data: SetSealedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class DealVoidedEvent(TypedDict):
    """A deal does not count, for a reason in the operator's words."""

    game_id: str
    version: int
    type: Literal["deal_voided"]
    at: str
    seat: int | None
    data: DealVoidedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class SetClosedEvent(TypedDict):
    """The time is over: the secret opens every deal; ``results`` is the SHA-256 of the results in canonical form."""

    game_id: str
    version: int
    type: Literal["set_closed"]
    at: str
    seat: int | None
    data: SetClosedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


SetEvent: TypeAlias = SetCreatedEvent | SetSealedEvent | DealVoidedEvent | SetClosedEvent
"""An event of a deal set."""


class SetEventPage(TypedDict):
    """Events of a set in order; ``next`` is the version to continue after, null at the end of the log."""

    events: list[SetEvent]
    next: int | None


class TournamentCreatedEvent(TypedDict):
    """A tournament was announced by its director (``creator``)."""

    game_id: str
    version: int
    type: Literal["tournament_created"]
    at: str
    seat: int | None
    data: TournamentCreatedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class EnteredEvent(TypedDict):
    """A player entered: for a place, or as a ``reserve``, who can take over the place of another."""

    game_id: str
    version: int
    type: Literal["entered"]
    at: str
    seat: int | None
    data: EnteredData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class WithdrawnEvent(TypedDict):
    """A player withdrew, or the director withdrew them, for a reason; later rounds do without them."""

    game_id: str
    version: int
    type: Literal["withdrawn"]
    at: str
    seat: int | None
    data: WithdrawnData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class SubstitutedEvent(TypedDict):
    """The director gave the place of a player to a reserve (``by``), with its points, from the next round on."""

    game_id: str
    version: int
    type: Literal["substituted"]
    at: str
    seat: int | None
    data: SubstitutedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class RoundPairedEvent(TypedDict):
    """The tables of a round were drawn by lot: the players by seat, null for a bot; those with a bye have no table."""

    game_id: str
    version: int
    type: Literal["round_paired"]
    at: str
    seat: int | None
    data: RoundPairedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class RoundClosedEvent(TypedDict):
    """A round ended; ``tables`` are in the order in which they were drawn."""

    game_id: str
    version: int
    type: Literal["round_closed"]
    at: str
    seat: int | None
    data: RoundClosedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class PointsAdjustedEvent(TypedDict):
    """The director added points to those of a player, or took some away: a penalty, or a correction."""

    game_id: str
    version: int
    type: Literal["points_adjusted"]
    at: str
    seat: int | None
    data: PointsAdjustedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class TournamentCancelledEvent(TypedDict):
    """The director cancelled it, for a reason; the round that is played ends at once."""

    game_id: str
    version: int
    type: Literal["tournament_cancelled"]
    at: str
    seat: int | None
    data: TournamentCancelledData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


class TournamentEndedEvent(TypedDict):
    """All rounds were ``played``, ``too_few`` players were left, or the director had it ``cancelled``."""

    game_id: str
    version: int
    type: Literal["tournament_ended"]
    at: str
    seat: int | None
    data: TournamentEndedData
    sealed: TextByPointer
    salts: TextByPointer
    hash: str
    sentence: NotRequired[Sentence]


TournamentEvent: TypeAlias = TournamentCreatedEvent | EnteredEvent | WithdrawnEvent | SubstitutedEvent | RoundPairedEvent | RoundClosedEvent | PointsAdjustedEvent | TournamentCancelledEvent | TournamentEndedEvent
"""An event of a tournament."""


class TournamentEventPage(TypedDict):
    """Events of a tournament in order; ``next`` is the version to continue after, null at the end of the log."""

    events: list[TournamentEvent]
    next: int | None


class MyData(TypedDict):
    """A page of all that the service keeps about you, except secrets (hashes of tokens, and keys that sign messages)."""

    account: Me
    tokens: list[Token]
    mail: Mail | None
    push_subscriptions: list[PushSubscription]
    webhooks: list[KeptWebhook]
    events: list[Notice]
    invitations: list[MyInvitation]
    games: list[KeptGame]
    plans: list[Plan]
    phrases: list[PhraseAtTable]
    next_cursor: str | None


Event: TypeAlias = LePlateauEvent | PlateauEvent | FrenchTarotEvent | PluteEvent
"""An event of a game of one of the rulesets."""
