"""Seating: a game is created, players and bots take its seats, and it starts when no seat is open, or is aborted.

Where players committed to seeds, they open them before the start (``opening``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from domain.chance import Chance, commitment
from domain.errors import InvalidOptions, OptionProblem, wrong_moment
from domain.events import (
    AbortReason,
    BotSeated,
    Clock,
    ForkedFrom,
    GameAborted,
    GameCreated,
    GameResumed,
    GameStarted,
    Opening,
    ProposalClosed,
    SeatLeft,
    SeatTaken,
    SetDeal,
    Visibility,
)
from domain.game import seeds, time_control
from domain.game.aggregate import Decided, Game, born, check_seat, evolve, settled, status_of
from domain.game.durations import duration, lasting
from domain.log import secrets
from domain.ruleset import AnyRuleset
from domain.sentences.message import Message, Parameter, Text, message, seat_number
from domain.serialization import to_plain
from domain.symmetries import Mask, drawn
from domain.table import Seat
from domain.wellformed import check_number_of_seats, is_whole, shown

SLOWEST_BOT = 10_000
"""For how many ms a table can have bots wait before they move, at most."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A creator's request: ``sitters`` by seat, None for an open one, and ``bots``, the seats for bots.

    A fork begins with the ``story`` of another game: events of its ruleset. ``by_deal`` gives each deal a secret of its
    own, if the game has deals and is no fork.
    """

    id: str
    ruleset: AnyRuleset
    options: object
    visibility: Visibility
    sandbox: bool
    creator: str
    sitters: tuple[str | None, ...]
    bots: tuple[tuple[Seat, str], ...] = ()
    clock: Clock | None = None
    rematch_of: str | None = None
    forked_from: ForkedFrom | None = None
    bot_pace: str | None = None
    opening: Opening | None = None
    by_deal: bool = True
    deal: tuple[SetDeal, bytes] | None = None
    """The deal of a set that it plays, with the secret of that deal."""
    story: Sequence[object] = ()


def create(new: NewGame, game_secret: bytes, least_move: int = time_control.LEAST_MOVE) -> Decided:
    """Create a game, fill its seats, and start it if none is open; its clock must give ``least_move`` ms a move."""
    _check_seats(new)
    _check_clock(new, least_move)
    _check_bot_pace(new)
    seeds.check_opening(new.opening)
    deal, deal_secret = new.deal or (None, None)
    anchor = mask = None
    if deal_secret is not None:
        anchor, mask = secrets.of_set(deal_secret.hex()).revealed(0), _mask(new, deal_secret)
    elif new.by_deal and new.ruleset.deals and new.forked_from is None:
        anchor = secrets.of_deals(game_secret, new.id).revealed(0)
    created = GameCreated(
        ruleset=new.ruleset.id,
        rules_version=new.ruleset.version,
        options=to_plain(new.options),
        seats=len(new.sitters),
        visibility=new.visibility,
        sandbox=new.sandbox,
        creator=new.creator,
        commitment=commitment(game_secret),
        secret=game_secret.hex(),
        clock=new.clock,
        rematch_of=new.rematch_of,
        forked_from=new.forked_from,
        bot_pace=new.bot_pace,
        opening=new.opening,
        deal_anchor=anchor,
        deal=deal,
        deal_secret=None if deal_secret is None else deal_secret.hex(),
        mask=mask,
    )
    taken = [
        *(SeatTaken(seat, player, None) for seat, player in enumerate(new.sitters) if player is not None),
        *(BotSeated(seat, bot) for seat, bot in new.bots),
    ]
    game = reduce(evolve, taken, born(new.id, created, new.ruleset))
    return ([created, *taken], game) if None in game.sitters else started([created, *taken], game, new.story)


def _mask(new: NewGame, deal_secret: bytes) -> Mask:
    """Draw the mask under which a table plays a deal of a set, '' where the ruleset has none."""
    seats, symmetries = len(new.sitters), new.ruleset.symmetries
    chance = Chance(deal_secret, new.id, (None,) * seats)
    return drawn(symmetries, chance, new.options, seats) if symmetries else ""


def check_can_join(game: Game, player: str) -> None:
    """Reject a player who cannot take any seat: the game is not open, or they sit there already."""
    if game.status != "open":
        raise wrong_moment("game-not-open.join", status=status_of(game))
    seeds.check_none_awaited(game)
    if game.seats_of(player) and not game.sandbox:
        raise wrong_moment("already-seated", seat=seat_number(game.seats_of(player)[0]))


def join(  # noqa: PLR0913 - what the event says, and when
    game: Game,
    player: str,
    seat: Seat | None,
    client_seed: str | None,
    joined_after: str | None = None,
    *,
    seed_commitment: str | None = None,
    now: int = 0,
) -> Decided:
    """Seat a player on the requested seat, or the first open one; the game starts when the last seat is taken.

    ``joined_after`` is the head of the log, in hex, if the player named it. If a player brought a ``seed_commitment``,
    in hex, the seeds are opened first. ``now`` is in ms since 1970; if it is before the last event, that counts.
    """
    check_can_join(game, player)
    if client_seed is not None and seed_commitment is not None:
        raise InvalidOptions([OptionProblem("client_seed", "one-seed", message("fault.one-seed"))])
    if seat is None:
        seat = game.sitters.index(None)
    elif not is_whole(seat) or seat not in range(len(game.sitters)) or game.sitters[seat] is not None:
        raise wrong_moment("seat-taken", seat=seat_number(seat) if is_whole(seat) else shown(seat))
    taken = SeatTaken(seat, player, client_seed, joined_after, seed_commitment)
    return _seated([taken], evolve(game, taken), now)


def leave(game: Game, player: str, seat: Seat) -> Decided:
    """Leave a seat before the start."""
    if game.status != "open":
        raise wrong_moment("game-not-open.leave", status=status_of(game))
    seeds.check_none_awaited(game)
    check_seat(game, seat)
    if seat not in game.seats_of(player):
        raise wrong_moment("not-seated", player=Text(player), seat=seat_number(seat))
    left = SeatLeft(seat, player)
    return [left], evolve(game, left)


def abort(game: Game, reason: AbortReason) -> Decided:
    """End an open game without playing it, also while seeds are awaited: a closed one must not hold the table."""
    if game.status != "open":
        raise wrong_moment("game-not-open.cancel", status=status_of(game))
    aborted = GameAborted(reason, game.secret.hex())
    return [aborted], evolve(game, aborted)


def put_bot(game: Game, player: str, seat: Seat, bot: str, *, now: int = 0) -> Decided:
    """Put a bot on an open seat, or in place of the player who holds it, at any time until the end.

    Earlier proposals lapse, and a pause ends if no player is left to end it. ``now`` as in ``join``.
    """
    if game.is_over:
        raise wrong_moment("game-not-active.bot", status=status_of(game))
    check_seat(game, seat)
    sitter = game.sitters[seat]
    if sitter is not None and sitter.player != player:
        raise wrong_moment("seat-taken", seat=seat_number(seat))
    return bot_seated(game, seat, bot, now=now)


def bot_seated(game: Game, seat: Seat, bot: str, *before: object, now: int = 0) -> Decided:
    """Seat a bot in a game that is not over, after the events ``before``; the seat can be taken over from anybody."""
    seeds.check_none_awaited(game)
    seated = [*before, BotSeated(seat, bot)]
    if game.status == "open":
        return _seated(seated, reduce(evolve, seated, game), now)
    lapsed = [ProposalClosed(made.id, "lapsed") for made in game.proposals]
    nobody_left = all(other == seat or game.bot_of(other) for other in range(len(game.sitters)))
    resumed = [GameResumed("agreed")] if nobody_left and game.status == "paused" else []
    return settled(game, [*seated, *lapsed, *resumed])


def _check_seats(new: NewGame) -> None:
    check_number_of_seats(new.ruleset.seats, len(new.sitters), new.ruleset.id)
    for_bots = [seat for seat, _ in new.bots]
    free = {seat for seat, player in enumerate(new.sitters) if player is None}
    if not all(map(is_whole, for_bots)) or len(set(for_bots)) < len(for_bots) or not free.issuperset(for_bots):
        raise InvalidOptions([OptionProblem("seats", "one-sitter-a-seat", message("fault.one-sitter-a-seat"))])
    players = [player for player in new.sitters if player is not None]
    if len(set(players)) < len(players) and not new.sandbox:
        raise InvalidOptions([OptionProblem("seats", "one-seat-a-player", message("fault.one-seat-a-player"))])


def _check_clock(new: NewGame, least_move: int) -> None:
    if new.clock is None:
        return
    time_control.check(new.clock, least_move)
    if new.clock.on_timeout == "resign" and new.ruleset.resigned is None:
        said = message("fault.no-resignation", game=Text(new.ruleset.id))
        raise InvalidOptions([OptionProblem("clock/on_timeout", "no-resignation", said)])


def _check_bot_pace(new: NewGame) -> None:
    try:
        fits = new.bot_pace is None or duration(new.bot_pace) <= SLOWEST_BOT
    except (TypeError, ValueError):
        fits = False
    if not fits:
        bounds: dict[str, Parameter] = {"least": Text(lasting(0)), "most": Text(lasting(SLOWEST_BOT))}
        fault = Message("fault.out-of-bounds", {"given": shown(new.bot_pace), **bounds})
        said = message("fault.at", at=Text("bot_pace"), fault=fault)
        raise InvalidOptions([OptionProblem("bot_pace", "out-of-bounds", said)])


def _seated(events: list[object], game: Game, now: int) -> Decided:
    """Start a game if no seat is open, unless seeds are to be opened first."""
    if None in game.sitters:
        return events, game
    awaited = seeds.awaited(game, now)
    return started(events, game) if awaited is None else ([*events, awaited], evolve(game, awaited))


def started(events: Sequence[object], game: Game, story: Sequence[object] = ()) -> Decided:
    """Start a game without an open seat; ``events`` are those before, and a fork continues with its ``story``."""
    players = tuple(sitter.player for sitter in game.sitters if sitter)
    more, started = settled(game, [GameStarted(players), *story])
    return [*events, *more], started
