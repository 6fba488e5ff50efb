"""The game aggregate: one playing of a ruleset, from the first seat to the last event.

``act`` decides, as do ``seating`` (who sits where), ``proposals`` and ``timeouts`` (whose time is up); each returns the
events and the game after them, which ``history`` writes into the log. ``evolve`` records. What the events mean for the
table is up to the ruleset; what they mean for the game (who sits where, whether it runs, which decisions are pending
since when) is here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Literal, NamedTuple, TypeAlias

from domain import events as ev
from domain.chance import Chance, Draws
from domain.errors import wrong_moment
from domain.game.durations import instant
from domain.game.parts import Awaited, Held, Proposal, Sitter
from domain.game.time_control import Times, actors
from domain.game.unmasked import Unmasked
from domain.log import chain
from domain.log.secrets import DEALS, OF_THE_SET, DealSecrets, Secrets, of_deals, of_set
from domain.recording import replaced
from domain.ruleset import AnyRuleset, starts_of_deals
from domain.sentences.message import AtSeat, Items, Message, Number, seat_number
from domain.serialization import changed, from_plain
from domain.symmetries import Mask, masked
from domain.table import Outcome, Seat
from domain.wellformed import is_whole, shown

MOST_POSITIONS = 32
"""How many positions are kept when a seat acts. This can be raised, but never lowered: stored games rely on it."""


class Position(NamedTuple):
    """The ruleset's state at a version at which a seat was to act, and the seats whose events led to it."""

    version: int
    state: object
    acted: tuple[Seat, ...]


Positions: TypeAlias = tuple[Position, ...]
"""The latest positions, from the earliest to the latest, to which a take-back can return.

A position is kept from the end of one request to the first event that is not open (``Ruleset.open_events``). What is
kept follows from the log and the ruleset alone, so every fold of a log keeps the same.
"""


def with_latest_position(positions: Positions, version: int, state: object, acted: Set[Seat | None]) -> Positions:
    """Add the position at the end of a request, by the seats that acted in it; how the first came about is the past."""
    seats = tuple(sorted(seat for seat in acted if seat is not None)) if positions else ()
    return (*positions, Position(version, state, seats))


def kept_positions(positions: Positions, kinds: Set[type], open_events: Set[type]) -> Positions:
    """Return the positions that are kept after events of some kinds of the ruleset."""
    return positions[-MOST_POSITIONS:] if positions and kinds <= open_events else ()


def positions_up_to(positions: Positions, version: int) -> Positions:
    """Return the positions up to a version at which there is one; raise ``LookupError`` if there is none."""
    for index, position in enumerate(positions):
        if position.version == version:
            return positions[: index + 1]
    raise LookupError(f"there is no position at version {version}")


Status = Literal["open", "active", "paused", "finished", "aborted"]

MOST_EVENTS = 20_000
"""A game ends without a result once its log has so many events; no ruleset's longest game comes near, unless its
players do nothing but begin again: by passing, by taking back, by proposals."""


@dataclass(frozen=True)
class Game:
    """A game after ``version`` events. ``state`` is the ruleset's, None until the start."""

    id: str
    version: int
    head: str
    created_at: str
    at: str
    ruleset: AnyRuleset
    rules_version: int
    options: object
    visibility: ev.Visibility
    sandbox: bool
    creator: str
    commitment: str
    secret: bytes = field(repr=False)
    sitters: tuple[Sitter | None, ...]
    had_players: bool = False
    """Whether a player has ever held a seat."""
    status: Status = "open"
    state: object = field(default=None, repr=False)
    positions: Positions = field(default=(), repr=False)
    """The latest positions, up to the current one, to which a take-back can return."""
    pending: Mapping[Seat, int] = field(default_factory=dict)
    """The version at which each seat to act got its decision."""
    waiting_for: tuple[Seat, ...] = ()
    """The seats to act that the game waits for, lowest first: their clocks run."""
    bidder: str | None = None
    """The name of the bot that bids for every seat now, in an auction that the deal set gives."""
    proposals: tuple[Proposal, ...] = ()
    outcome: Outcome | None = None
    aborted_because: ev.AbortReason | None = None
    clock: ev.Clock | None = None
    rematch_of: str | None = None
    forked_from: ev.ForkedFrom | None = None
    bot_pace: str | None = None
    opening: ev.Opening | None = None
    awaited: Awaited | None = None
    """The seeds that are being opened, between the last seat and the start."""
    times: Times = field(default_factory=Times)
    deals: DealSecrets | None = field(default=None, repr=False)
    """The secrets of the deals, if each has one of its own."""
    deal: ev.SetDeal | None = None
    """The deal of a deal set that it plays, and nothing else."""
    sealed: bool = False
    """Whether the set of its deal has not closed: until then, the game exists for its own player only."""
    dealt: int = 0
    """The number of deals that have begun, counted where each has a secret of its own."""
    revealed: tuple[int, ...] = ()
    """The versions at which the secrets of deals were revealed."""
    former: tuple[Held, ...] = ()
    """Who held seats in play until a bot took them over, in the order of their leaving."""
    mask: Mask | None = None
    """The symmetry under which a deal of a set is played; None for other games, '' if the ruleset has none."""
    unmasked: Unmasked | None = field(default=None, repr=False)
    """What a deal of a set is at all its tables, from the start on."""

    @property
    def draws(self) -> Draws:
        """Return the source of this game's draws: in a deal set, the same for all who play the deal."""
        if self.deal is not None:
            return Draws(self.secret, self.deal.set, (None,) * len(self.sitters), self.deals)
        return Draws(self.secret, self.id, tuple(s.client_seed if s else None for s in self.sitters), self.deals)

    @property
    def secrets(self) -> Secrets:
        """Return what seals the hidden parts of this game's log; the secret of a set's deal is withheld."""
        withheld = OF_THE_SET if self.sealed else ()
        return Secrets(self.id, self.secret, self.deals, self.revealed, withheld)

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self.status in ("finished", "aborted")

    def seats_of(self, player: str | None) -> tuple[Seat, ...]:
        """List the seats that a player holds, lowest first."""
        if player is None:
            return ()
        return tuple(seat for seat, sitter in enumerate(self.sitters) if sitter and sitter.player == player)

    def holder(self, seat: Seat, version: int) -> Sitter | None:
        """Return who held a seat at a version since the start, also if a bot has taken it over since."""
        earlier = (held.sitter for held in self.former if held.seat == seat and version <= held.until)
        return next(earlier, self.sitters[seat])

    @property
    def unopened(self) -> tuple[Seat, ...]:
        """List the seats whose seeds are to be opened and have not been, lowest first; those of bots are never."""
        seats = self.awaited.seats if self.awaited else ()
        held = ((seat, self.sitters[seat]) for seat in seats)
        return tuple(seat for seat, sitter in held if sitter and sitter.player and sitter.client_seed is None)

    @property
    def has_players(self) -> bool:
        """Return whether a player holds a seat."""
        return any(sitter and sitter.player for sitter in self.sitters)

    def bot_of(self, seat: Seat) -> str | None:
        """Return the name of the bot that plays a seat; None for an open seat or a player's."""
        sitter = self.sitters[seat]
        return sitter.bot if sitter else None

    def decides(self, seat: Seat) -> bool:
        """Return whether a seat is to act, and no bot bids for it."""
        return seat in self.pending and self.bidder is None

    def mover(self, seat: Seat) -> str | None:
        """Return the name of the bot that acts for a seat now; None if its player does."""
        return self.bidder or self.bot_of(seat)

    @property
    def deadlines(self) -> Mapping[Seat, int]:
        """Return the deadline of each player who must act, in ms since 1970; empty without a clock."""
        until = self.times.until
        return {seat: until[seat] for seat in self.pending if seat in until and not self.mover(seat)}

    def decision_id(self, seat: Seat) -> str:
        """Return the id of the pending decision of a seat."""
        return f"d{self.pending[seat]}_{seat}"


Decided: TypeAlias = tuple[Sequence[object], Game]
"""Decided events, and the game after them (its chain head and time not yet moved)."""


def status_of(game: Game) -> Message:
    """Return the status of a game, to be said."""
    return Message(f"status.{game.status}")


def check_active(game: Game) -> None:
    """Reject any action while the game is not running."""
    if game.status != "active":
        raise wrong_moment("game-not-active", status=status_of(game))


def check_seat(game: Game, seat: Seat) -> None:
    """Reject a seat that does not exist in the game."""
    if not is_whole(seat) or not 0 <= seat < len(game.sitters):
        raise wrong_moment("no-such-seat", seat=shown(seat), last=Number(len(game.sitters) - 1))


def check_turn(game: Game, seat: Seat) -> None:
    """Reject a seat whose turn it is not; true and 1.0 equal 1, but they are not seats."""
    if type(seat) is not int or seat not in game.pending:
        check_seat(game, seat)
        raise wrong_moment(
            "not-your-turn", seat=seat_number(seat), pending=Items(tuple(map(AtSeat, sorted(game.pending))))
        )


def bounded(before: Game, decided: Decided) -> Decided:
    """Return what was decided, and the end of the game if its log is then as long as a log can be."""
    events, game = decided
    if game.version < MOST_EVENTS or game.is_over:
        return decided
    events = [*events, ev.GameAborted("endless", game.secret.hex())]
    return events, with_pending(before, reduce(evolve, events, before), events)


def decide(game: Game, seat: Seat, action: object) -> Sequence[object]:
    """Turn an action into the events that say what the player did, without what follows from it."""
    check_active(game)
    check_turn(game, seat)
    return game.ruleset.decide(game.state, seat, action)


def act(game: Game, seat: Seat, action: object) -> Decided:
    """Decide an action and settle everything that it forces."""
    decided = decide(game, seat, action)
    return _settle(game, decided, _played(game, decided))


def resign(game: Game, seat: Seat) -> Decided:
    """Resign a seat, if the ruleset supports it."""
    check_active(game)
    check_seat(game, seat)
    return settled(game, game.ruleset.resign(game.state, seat))


def settled(game: Game, decided: Sequence[object]) -> Decided:
    """Record decided events, and everything that they force."""
    return _settle(game, decided, reduce(evolve, decided, game))


def _settle(before: Game, decided: Sequence[object], game: Game) -> Decided:
    events, draws = [*decided], game.draws
    while forced := _forced(game, draws):
        events += forced
        game = reduce(evolve, forced, game) if game.deals else _played(game, forced)
    follow: list[object] = [
        ev.ProposalClosed(made.id, "lapsed", None if made.to_version is None else "disclosed")
        for made in game.proposals
        if not _stands(made, before, game)
    ]
    outcome = game.ruleset.outcome(game.state)
    if outcome is not None:
        follow.append(ev.GameFinished(outcome, game.secret.hex()))
    events += follow
    return events, with_pending(before, reduce(evolve, follow, game), events)


def _forced(game: Game, draws: Draws) -> Sequence[object]:
    """Return what the rules force now, with the secret of a deal before the next one begins."""
    forced = _settled(game, draws.of_deal(game.dealt or 1))
    if game.deals is None or not game.dealt or starts_of_deals(game.ruleset).isdisjoint(map(type, forced)):
        return forced
    told: list[object] = []
    for event in _settled(game, draws.of_deal(game.dealt + 1)):
        if type(event) in starts_of_deals(game.ruleset) and game.dealt < DEALS:
            told.append(ev.SecretRevealed(game.dealt, game.deals.revealed(game.dealt)))
        told.append(event)
    return told


def _settled(game: Game, chance: Chance) -> Sequence[object]:
    """Return what the rules force now, a deal masked if the game has a mask."""
    ruleset, forced = game.ruleset, game.ruleset.settle(game.state, chance)
    if not game.mask or ruleset.symmetries is None or starts_of_deals(ruleset).isdisjoint(map(type, forced)):
        return forced
    return masked(ruleset.symmetries, ruleset.evolve, game.mask, game.state, forced)


def _stands(made: Proposal, before: Game, game: Game) -> bool:
    """Return whether the position that a proposal was made for still holds, or can still be gone back to."""
    if made.to_version is not None:
        return any(position.version == made.to_version for position in game.positions)
    grounds = [at.ruleset.offers(at.state, made.seat).get(made.kind) for at in (before, game)]
    return grounds[0] == grounds[1]


def _played(game: Game, events: Sequence[object]) -> Game:
    """Record events of the ruleset."""
    state = game.state
    for event in events:
        state = game.ruleset.evolve(state, event)
    kept = kept_positions(game.positions, {type(event) for event in events}, game.ruleset.open_events)
    played = changed(game, version=game.version + len(events), state=state, positions=kept)
    if game.unmasked is not None:
        played = changed(played, unmasked=game.unmasked.after(game.ruleset, game.mask, events))
    if game.deals is not None and (begun := sum(type(event) in starts_of_deals(game.ruleset) for event in events)):
        return changed(played, dealt=game.dealt + begun)
    return played


def born(game_id: str, created: ev.GameCreated, ruleset: AnyRuleset) -> Game:
    """Record a game's first event."""
    secret = bytes.fromhex(created.secret)
    return Game(
        id=game_id,
        version=1,
        head=chain.GENESIS,
        created_at="",
        at="",
        ruleset=ruleset,
        rules_version=created.rules_version,
        options=from_plain(ruleset.options.shape, created.options),
        visibility=created.visibility,
        sandbox=created.sandbox,
        creator=created.creator,
        commitment=created.commitment,
        secret=secret,
        sitters=(None,) * created.seats,
        clock=created.clock,
        rematch_of=created.rematch_of,
        forked_from=created.forked_from,
        bot_pace=created.bot_pace,
        opening=created.opening,
        deals=_deals_of(game_id, created),
        deal=created.deal,
        sealed=created.deal is not None,
        mask=created.mask,
    )


def _deals_of(game_id: str, created: ev.GameCreated) -> DealSecrets | None:
    if created.deal_secret is not None:
        return of_set(created.deal_secret)
    return None if created.deal_anchor is None else of_deals(bytes.fromhex(created.secret), game_id)


def evolve(game: Game, event: object) -> Game:
    """Record an event that follows the first: total, without rules."""
    changes = _CHANGES.get(type(event))
    if changes is None:
        return _played(game, [event])
    return changed(game, version=game.version + 1, **changes(game, event))


def _seated(game: Game, seat: Seat, sitter: Sitter | None) -> dict[str, object]:
    had_players = game.had_players or bool(sitter and sitter.player)
    return {"sitters": replaced(game.sitters, seat, sitter), "had_players": had_players}


def _bot_seated(game: Game, event: ev.BotSeated) -> dict[str, object]:
    """Keep the seed of the seat's former holder: the draws of the game stay as they were committed to."""
    held = game.sitters[event.seat]
    kept = (held.client_seed, held.seed_commitment) if held else (None, None)
    changes = _seated(game, event.seat, Sitter(None, kept[0], event.bot, kept[1]))
    if held is None or game.status == "open":
        return changes
    return {**changes, "former": (*game.former, Held(event.seat, held, game.version))}


def _seed_opened(game: Game, event: ev.SeedOpened) -> dict[str, object]:
    held = game.sitters[event.seat]
    return {"sitters": replaced(game.sitters, event.seat, held and replace(held, client_seed=event.client_seed))}


def _proposed(game: Game, event: ev.ProposalMade) -> dict[str, object]:
    made = Proposal(event.proposal, event.kind, event.seat, (event.seat,), event.duration, event.to_version)
    return {"proposals": (*game.proposals, made)}


def _taken_back(game: Game, event: ev.TakenBack) -> dict[str, object]:
    kept = positions_up_to(game.positions, event.to_version)
    return {"state": kept[-1].state, "positions": kept}


def _started(game: Game, _: ev.GameStarted) -> dict[str, object]:
    state = game.ruleset.setup(game.options, len(game.sitters))
    unmasked = None if game.mask is None else Unmasked(state)
    return {"status": "active", "state": state, "unmasked": unmasked}


_CHANGES: Mapping[type, Callable[[Game, Any], dict[str, object]]] = {
    ev.SeatTaken: lambda game, event: _seated(
        game, event.seat, Sitter(event.player, event.client_seed, seed_commitment=event.seed_commitment)
    ),
    ev.SeatLeft: lambda game, event: _seated(game, event.seat, None),
    ev.BotSeated: _bot_seated,
    ev.SeedsAwaited: lambda _, event: {"awaited": Awaited(event.seats, instant(event.until))},
    ev.SeedOpened: _seed_opened,
    ev.SeedsClosed: lambda _game, _event: {"awaited": None},
    ev.GameStarted: _started,
    ev.ProposalMade: _proposed,
    ev.VoteCast: lambda game, event: {"proposals": _voted(game.proposals, event)},
    ev.ProposalClosed: lambda game, event: {"proposals": tuple(p for p in game.proposals if p.id != event.proposal)},
    ev.GamePaused: lambda _game, _event: {"status": "paused"},
    ev.GameResumed: lambda _game, _event: {"status": "active"},
    **dict.fromkeys((ev.TurnTimedOut, ev.TimeoutClaimed, ev.TimeCredited, ev.OperatorActed), lambda _game, _event: {}),
    ev.TakenBack: _taken_back,
    ev.SecretRevealed: lambda game, _: {"revealed": (*game.revealed, game.version + 1)},
    ev.GameFinished: lambda _game, event: {"status": "finished", "outcome": event.outcome, "proposals": ()},
    ev.GameAborted: lambda _game, event: {
        "status": "aborted",
        "aborted_because": event.reason,
        "proposals": (),
        "awaited": None,
    },
}
"""What the game's own events change beside its version; ``_stamped`` updates the clocks."""


def _voted(proposals: tuple[Proposal, ...], vote: ev.VoteCast) -> tuple[Proposal, ...]:
    return tuple(
        replace(made, accepted=(*made.accepted, vote.seat)) if made.id == vote.proposal and vote.accept else made
        for made in proposals
    )


def with_pending(before: Game | None, game: Game, events: Iterable[object]) -> Game:
    """Note which decisions are pending after all the events of one request.

    A decision stays open while other seats act, and whatever is proposed. A seat gets a new decision if it acted (the
    ``seat`` of an event of the ruleset), has just become active, or has different legal actions; a take-back gives one
    to every seat to act.
    """
    if game.status != "active":
        return changed(game, pending={}, waiting_for=(), bidder=None) if game.pending else game
    acted = actors(events)
    stays = before.pending.items() if before and not any(type(event) is ev.TakenBack for event in events) else ()
    still_pending = {
        seat: opened for seat, opened in stays if seat not in acted and before and _can_do_the_same(before, game, seat)
    }
    to_act = sorted(game.ruleset.to_act(game.state))
    pending = {seat: still_pending.get(seat, game.version) for seat in to_act}
    waited_for = game.ruleset.waiting_for(game.state) if len(to_act) > 1 else to_act
    return changed(
        game,
        pending=pending,
        waiting_for=tuple(seat for seat in to_act if seat in waited_for),
        bidder=_bidder(game),
        positions=with_latest_position(game.positions, game.version, game.state, acted)
        if keeps_positions(game)
        else (),
    )


def _bidder(game: Game) -> str | None:
    if game.deal is None or game.deal.auction is None or game.ruleset.is_auction is None:
        return None
    return game.deal.auction if game.ruleset.is_auction(game.state) else None


def keeps_positions(game: Game) -> bool:
    """Return whether a take-back is possible at all: not in a deal set, where it would try out what bots answer."""
    return bool(game.ruleset.open_events) and game.deal is None


def _can_do_the_same(before: Game, game: Game, seat: Seat) -> bool:
    if before.state is game.state:
        return True
    then, now = (at.ruleset.legal_actions(at.state, seat) for at in (before, game))
    return then == now
