"""Joining: how players take seats where they need an invitation, and how a link makes somebody a player.

An invitation is taken in three steps: it is marked as being taken, the seat is taken in the log, the invitation is
marked as accepted. The log decides: after a crash in between, the invitation counts as accepted if whoever was taking
it holds a seat, and else it is open again after a minute.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import orjson

from domain.game import seating
from domain.game.aggregate import Decided, Game, WrongMoment
from domain.table import Seat
from service.accounts.invitations import Invitation, Invitations, Known
from service.accounts.limits import Unlimited
from service.accounts.players import GUEST_SCOPES, Caller, Players
from service.errors import AtVersion, Refusal
from service.games.access import check_may_play, check_opens_all, has_part
from service.games.commands import Join
from service.games.desk import Desk
from service.games.inviting import Inviting, no_such_invitation
from service.store.codec import Answer
from service.store.event_store import StoreUnavailable


@dataclass(frozen=True, kw_only=True)
class JoinAmongInvited(Join):
    """Take a seat where players are invited; ``reserved`` are the seats of others.

    Whoever is ``invited`` can join a private game, too.
    """

    invited: bool = False
    reserved: frozenset[Seat] = frozenset()

    def admit(self, game: Game) -> None:
        """Check that the caller can play, and that the seat exists."""
        check_may_play(game, self.caller, lambda *_: self.invited)
        check_opens_all(self.caller)
        self.check_seat(game)

    def decide(self, game: Game, _seat: None) -> Decided:
        """Decide by the seating, and leave out the seats of others."""
        free = [each for each, sitter in enumerate(game.sitters) if sitter is None and each not in self.reserved]
        if game.status == "open" and (self.seat in self.reserved or (self.seat is None and not free)):
            raise WrongMoment("seat-reserved", "others are invited to the seats that are open")
        seat = free[0] if self.seat is None and free else self.seat
        return seating.join(game, self.caller.player, seat, self.client_seed)


@dataclass(frozen=True, slots=True)
class Taken:
    """A seat taken by link: by whom, and, for a new guest, the token."""

    game: str
    seat: Seat
    player: str
    token: str | None = None


class Joining:
    """Let players take seats of the games of one store."""

    def __init__(
        self,
        desk: Desk,
        inviting: Inviting,
        invitations: Invitations,
        players: Players,
        limiter: Unlimited | None = None,
    ) -> None:
        self._desk = desk
        self._inviting = inviting
        self._kept = invitations
        self._players = players
        self._limiter = limiter or Unlimited()

    def join(self, game: Game, wanted: Join) -> Answer:
        """Take a seat; in a private game, by the caller's invitation, and in a rematch, none of another player's."""
        if game.rematch_of is None and (game.visibility != "private" or has_part(game, wanted.caller)):
            return self._desk.do(game, wanted)
        invitation = self._inviting.own(game, wanted.caller)
        if invitation is not None:
            return self._take(game, invitation, wanted)
        if game.rematch_of is None:
            return self._desk.do(game, wanted)
        return self._desk.do(game, _among_invited(wanted, self._inviting.reserved(self._kept.of_game(game.id), game)))

    def join_by_link(
        self, link: tuple[Game, Invitation], caller: Caller, client_seed: str | None, address: str
    ) -> Taken:
        """Let a player take the seat that a link opens; who has taken it before gets the same answer."""
        game, invitation = link
        mine = game.seats_of(caller.player)
        if invitation.taker == caller.player and mine and invitation.seat in (None, *mine):
            return Taken(game.id, mine[0] if invitation.seat is None else invitation.seat, caller.player)
        wanted = Join(caller=caller, client_seed=client_seed, address=address)
        return Taken(game.id, _seat_in(self._take(game, invitation, wanted)), caller.player)

    def join_as_guest(self, link: tuple[Game, Invitation], name: str, client_seed: str | None, address: str) -> Taken:
        """Let somebody without an account take the seat that a link opens, as a new guest.

        The guest has a token before the seat is taken, so that no seat is without one.
        """
        self._limiter.count("new-players", address)
        guest, token = self._players.create(name)
        try:
            taken = self.join_by_link(link, Caller(guest.id, frozenset(GUEST_SCOPES)), client_seed, address)
        except (AtVersion, Refusal):
            self._players.delete(guest.id)
            raise
        return replace(taken, token=token)

    def _take(self, game: Game, invitation: Invitation, wanted: Join) -> Answer:
        """Take a seat by an invitation, of which nobody else can make use meanwhile."""
        if invitation.seat is not None and wanted.seat not in (None, invitation.seat):
            raise WrongMoment("seat-reserved", f"you are invited to seat {invitation.seat}")
        player, reserved = wanted.caller.player, frozenset[Seat]()

        def begin(known: Known) -> Sequence[Invitation]:
            nonlocal reserved
            found = known.get(invitation.id)
            if found is None or not self._inviting.can_take(found, game, player):
                raise no_such_invitation()
            if found.seat is None:
                reserved = self._inviting.reserved(known, game)
            return [replace(found, taker=player, taken_at=self._desk.now())]

        self._kept.change(game.id, begin)
        seat = wanted.seat if invitation.seat is None else invitation.seat
        command = replace(_among_invited(wanted, reserved), seat=seat, invited=True)
        try:
            answer = self._desk.do(game, command)
        except (AtVersion, Refusal):
            self._end_taking(invitation, player, accepted=False)
            raise
        self._end_taking(invitation, player, accepted=True)
        return answer

    def _end_taking(self, invitation: Invitation, player: str, *, accepted: bool) -> None:
        """Mark an invitation as accepted or as open again, if possible; what counts is who sits there."""

        def decide(known: Known) -> Sequence[Invitation]:
            found = known.get(invitation.id)
            if found is None or found.taker != player or found.status == "accepted":
                return []
            return [replace(found, status="accepted") if accepted else replace(found, taker=None, taken_at=0)]

        with suppress(StoreUnavailable):
            self._kept.change(invitation.game, decide)


def _among_invited(wanted: Join, reserved: frozenset[Seat]) -> JoinAmongInvited:
    """Take a seat that nobody else is invited to."""
    return JoinAmongInvited(
        caller=wanted.caller,
        seat=wanted.seat,
        client_seed=wanted.client_seed,
        address=wanted.address,
        key=wanted.key,
        reserved=reserved,
    )


def _seat_in(answer: Answer) -> Seat:
    seat: Seat = orjson.loads(answer.body)["seat"]
    return seat
