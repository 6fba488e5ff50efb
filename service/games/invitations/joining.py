"""Joining: how players take seats in games with invitations, and how a link makes a guest a player.

An invitation to a player takes no step of its own: it counts as accepted while the player sits in the game. A link is
used in three steps: it is marked as being taken, the seat is taken in the log, the link is marked as accepted. The log
decides: after a crash in between, the link counts as accepted if the player who was taking it holds a seat. Otherwise
it is open again after a minute.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import orjson

from domain.errors import wrong_moment
from domain.game.aggregate import Game
from domain.sentences.message import seat_number
from domain.table import Seat
from service.accounts.limits import Unlimited
from service.accounts.players import GUEST_SCOPES, Caller, Players
from service.common.errors import WORDS, AtVersion, Refusal
from service.games.access import check_may_play, check_opens_all
from service.games.commands import Brought, Join
from service.games.desk import Desk
from service.games.invitations.invitation_store import Invitation, Invitations, Known
from service.games.invitations.inviting import Inviting, no_such_invitation
from service.games.repository import head_of
from service.store.codec import Answer, Head
from service.store.event_store import StoreUnavailable


@dataclass(frozen=True, kw_only=True)
class JoinAmongInvited(Join):
    """Take a seat in a game with invitations: ``own`` is the seat of the caller's, ``reserved`` are those of others.

    A player who is ``invited`` can also join a private game while it is open.
    """

    invited: bool = False
    own: Seat | None = None
    reserved: frozenset[Seat] = frozenset()

    def admit(self, game: Game) -> None:
        check_may_play(game, self.caller, lambda game, _: self.invited and game.status == "open")
        check_opens_all(self.caller)
        self.check_seat(game)

    def chosen(self, game: Game) -> Seat | None:
        keeps = keeps_seats(game)
        if keeps and self.own is not None and self.seat not in (None, self.own):
            raise wrong_moment("seat-reserved.own", WORDS, seat=seat_number(self.own))
        if keeps and self.seat in self.reserved:
            raise wrong_moment("seat-reserved.other", WORDS, seat=seat_number(self.seat))
        if self.seat is not None:
            return self.seat
        if self.own is not None and (keeps or game.sitters[self.own] is None):
            return self.own
        free = [seat for seat, sitter in enumerate(game.sitters) if sitter is None and seat not in self.reserved]
        if keeps and not free:
            raise wrong_moment("seat-reserved", WORDS)
        return free[0] if free else None


def keeps_seats(game: Game) -> bool:
    """Return whether the seats of a game are reserved for invited players; otherwise anyone can take them."""
    return game.visibility == "private" or game.rematch_of is not None


@dataclass(frozen=True, slots=True)
class Taken:
    """A seat taken by link: the player, the token of a new guest, and the head of the game after it."""

    game: str
    seat: Seat
    player: str
    token: str | None = None
    head: Head | None = None


@dataclass(eq=False)
class Joining:
    _desk: Desk
    _inviting: Inviting
    _kept: Invitations
    _players: Players
    _limiter: Unlimited = field(default_factory=Unlimited)

    def join(self, game: Game, wanted: Join) -> Answer:
        if keeps_seats(game):  # the cached game can still have a player who left, or be open after it has started
            game = self._inviting.current(game.id, wanted.caller)
        known = self._kept.of_game(game.id) if game.status == "open" else {}
        own = self._inviting.own(known, game, wanted.caller)
        reserved = self._inviting.reserved(known, game, own)
        command = _among_invited(wanted, reserved, invited=own is not None)
        return self._desk.do(game, replace(command, own=own.seat if own else None))

    def join_by_link(self, link: tuple[Game, Invitation], caller: Caller, brought: Brought) -> Taken:
        """Seat a player through a link; a player who has used it before gets the same response."""
        game, invitation = link
        seats = game.seats_of(caller.player)
        if invitation.taker == caller.player and seats and invitation.seat in (None, *seats):
            seat = seats[0] if invitation.seat is None else invitation.seat
            return Taken(game.id, seat, caller.player, head=head_of(game))
        if seats and not game.sandbox:  # checked before the link is marked: a failure after that would use it up
            raise wrong_moment("already-seated", seat=seat_number(seats[0]))
        _check_brought(game, brought)
        wanted = Join(caller=caller, seat=invitation.seat, brought=brought, now=self._desk.now())
        answer = self._take(game, invitation, wanted)
        return Taken(game.id, orjson.loads(answer.body)["seat"], caller.player, head=answer.head)

    def join_as_guest(self, link: tuple[Game, Invitation], name: str, brought: Brought, address: str) -> Taken:
        """Seat a person without an account through a link, as a new guest.

        The token is created before the seat is taken, so no seat has a player without a token.
        """
        _check_brought(link[0], brought)
        self._limiter.count("new-players", address)
        guest, token = self._players.create(name)
        caller = Caller(guest.id, frozenset(GUEST_SCOPES), address=address)
        try:
            taken = self.join_by_link(link, caller, brought)
        except (AtVersion, Refusal):
            self._players.delete(guest.id)
            raise
        return replace(taken, token=token)

    def _take(self, game: Game, link: Invitation, wanted: Join) -> Answer:
        """Take a seat through an invitation link, which is reserved for this player until the seat is taken."""
        player, reserved = wanted.caller.player, frozenset[Seat]()

        def begin(known: Known) -> Sequence[Invitation]:
            nonlocal reserved
            invitation = known.get(link.id)
            if invitation is None or not self._inviting.can_take(invitation, game, player):
                raise no_such_invitation()
            reserved = self._inviting.reserved(known, game, invitation)
            return [replace(invitation, taker=player, taken_at=self._desk.now())]

        self._kept.change(game.id, begin)
        try:
            answer = self._desk.do(game, _among_invited(wanted, reserved, invited=True))
        except (AtVersion, Refusal):
            self._end_taking(link, player, accepted=False)
            raise
        self._end_taking(link, player, accepted=True)
        return answer

    def _end_taking(self, link: Invitation, player: str, *, accepted: bool) -> None:
        """Mark a link as accepted or as open again, if possible; the log decides who holds the seat."""

        def decide(known: Known) -> Sequence[Invitation]:
            invitation = known.get(link.id)
            if invitation is None or invitation.status == "accepted":
                return []
            if accepted:
                return [replace(invitation, status="accepted", taker=player)]
            return [replace(invitation, taker=None, taken_at=0)] if invitation.taker == player else []

        with suppress(StoreUnavailable):
            self._kept.change(link.game, decide)


def _among_invited(wanted: Join, reserved: frozenset[Seat], *, invited: bool) -> JoinAmongInvited:
    return JoinAmongInvited(
        caller=wanted.caller,
        seat=wanted.seat,
        brought=wanted.brought,
        now=wanted.now,
        key=wanted.key,
        reserved=reserved,
        invited=invited,
    )


def _check_brought(game: Game, brought: Brought) -> None:
    """Reject a bad seed or head before a guest is created or the link is marked."""
    try:
        brought.check(game)
    except Refusal as refused:
        raise AtVersion(refused, game) from refused
