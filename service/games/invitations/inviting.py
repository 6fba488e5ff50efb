"""Inviting: who can invite whom to a game, who sees the invitations, and when they end."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import Literal

from domain.errors import wrong_moment
from domain.game.aggregate import Game, status_of
from domain.game.durations import DAY, MINUTE, moment
from domain.game.seeds import check_none_awaited
from domain.sentences.message import Message, Number, Text, seat_number
from domain.table import Seat
from service.accounts.limits import Toll, Unlimited
from service.accounts.players import Caller, Key, Players
from service.common.errors import WORDS, Ambiguous, Forbidden, NotFound, no_such_player, refusal
from service.games.access import check_may_play, check_opens_all, check_scope, has_part, is_creator, no_such_seat
from service.games.commands import Decline
from service.games.desk import Desk
from service.games.invitations.invitation_store import (
    Invitation,
    Invitations,
    Kind,
    Known,
    id_for_rematch,
    new_id,
    new_secret,
)
from service.games.projections.resources import GameResource
from service.games.repository import GameRepository
from service.store.codec import Head
from service.store.game_index import game_of

Standing = Literal["open", "accepted", "declined", "revoked", "expired"]

MOST_KEPT = 50
"""The most invitations of a game that are stored, open or ended; new ones displace those that have ended."""
SHORTEST, USUAL, LONGEST = MINUTE, 7 * DAY, 30 * DAY
"""How long an invitation can be open, in ms."""
_TAKING_MS = MINUTE


@dataclass(frozen=True, kw_only=True)
class NewInvitation:
    """An invitation to make: for a player, by id or by name, or (None) a link; to a seat, or (None) to any.

    It is open for as many ms as it ``lasts``.
    """

    player: str | None = None
    name: str | None = None
    seat: Seat | None = None
    lasts: int = USUAL


def standing(invitation: Invitation, seated: Collection[str], now: int, *, is_open: bool) -> Standing:
    """Return the status of an invitation to a game that is open or not, in which these players sit.

    An invitation to a player is accepted while they sit there, and open again if they leave before it expires.
    """
    if invitation.status != "open":
        return invitation.status
    whose = invitation.taker or invitation.player
    if whose in seated or (invitation.taker and now - invitation.taken_at < _TAKING_MS):
        return "accepted"
    return "open" if is_open and now < invitation.expires_at else "expired"


def _has_ended(member: str, invitation: Invitation | None, status: str | None, now: int) -> bool:
    """Return whether an invitation can never be open again; one that is not found may be about to be written."""
    if invitation is None:
        return member < moment(now - MINUTE)
    return invitation.status != "open" or now >= invitation.expires_at or status not in ("open", None)


@dataclass(eq=False)
class Inviting:
    _desk: Desk
    _repository: GameRepository
    _kept: Invitations
    _players: Players
    _limiter: Unlimited = field(default_factory=Unlimited)

    # -- who is allowed to do what ---------------------------------------------------------------------------------

    def is_invited(self, game: Game, caller: Caller) -> bool:
        if caller.seat is not None or game.status != "open":
            return False
        return self.own(self._kept.of_game(game.id), game, caller) is not None

    def current(self, game_id: str, caller: Caller) -> Game:
        """Return the current game, not the cached one, to a caller who can see and play it."""
        game = self._repository.fresh(game_id)
        self.check_may_see(game, caller)
        return game

    def enter(self, game_id: str, caller: Caller, admit: Callable[..., object]) -> Game:
        """Return the game that a request is read against, if ``admit`` accepts the caller.

        An invited player knows that a private game exists, so refusals there are 403, not 404.
        """
        try:
            return self._desk.enter(game_id, partial(admit, caller=caller))
        except NotFound as refused:
            if refused.code == "no-such-game" and self.is_invited(self._repository.fresh(game_id), caller):
                raise Forbidden("not-seated", refusal("not-seated.invited")) from refused
            raise

    def check_may_see(self, game: Game, caller: Caller) -> None:
        check_may_play(game, caller, self.is_invited)
        check_opens_all(caller)

    def check_may_invite(self, game: Game, caller: Caller) -> None:
        self.check_may_see(game, caller)
        check_has_part(game, caller)

    def own(self, known: Known, game: Game, caller: Caller) -> Invitation | None:
        own = (invitation for invitation in known.values() if invitation.player == caller.player)
        return next((invitation for invitation in own if self.standing(invitation, game) == "open"), None)

    def can_take(self, link: Invitation, game: Game, player: str) -> bool:
        """Return whether a link is open, or was being taken by the same player when a request failed."""
        return self.standing(replace(link, taker=None) if link.taker == player else link, game) == "open"

    # -- making and ending invitations -----------------------------------------------------------------------------

    def invite(
        self, game_id: str, caller: Caller, request: NewInvitation, key: Key | None = None
    ) -> tuple[Invitation, str | None]:
        """Make an invitation; return it and, for a link, its secret, which is not stored.

        With a key, a player is invited only once. A link takes no key, because its secret is shown only once.
        """
        made_before = None if key is None else self._kept.of_game(game_id).get(_id_under(caller, key))
        if made_before is not None:
            return made_before, None
        game, now = self._repository.fresh(game_id), self._desk.now()
        self.check_may_invite(game, caller)
        self._check_seat(game, request.seat)
        if request.name is not None:
            self._count(caller, game)  # also if it fails, since it tells whether a name exists
            request = replace(request, player=self._named(request.name))
        self._check_player(game, request.player)
        kind: Kind = "player" if request.player is not None else "link"
        ends = now + request.lasts
        invitation = Invitation(
            _id_under(caller, key), game.id, kind, request.seat, request.player, caller.player, now, ends
        )
        self._check_room(self._kept.of_game(game.id), game, invitation)
        if request.name is None:
            self._count(caller, game)
        secret = None
        if invitation.player is not None:
            self._kept.find_by_player(invitation.player, invitation)
        else:
            secret = new_secret()
            self._kept.find_by_link(secret, invitation)
        self._kept.change(game.id, lambda known: [invitation, *self._check_room(known, game, invitation)])
        return invitation, secret

    def _count(self, caller: Caller, game: Game) -> None:
        rates = [("invitations", caller.player), ("invitations-from-address", caller.address)]
        self._limiter.charge(Toll(rates), caller.player, game.id)

    def _check_seat(self, game: Game, seat: Seat | None) -> None:
        if game.status != "open":
            raise wrong_moment("game-not-open.invite", WORDS, status=status_of(game))
        check_none_awaited(game)
        if seat is not None and seat >= len(game.sitters):
            raise no_such_seat("/seat", seat, game)
        if seat is not None and game.sitters[seat] is not None:
            raise wrong_moment("seat-taken", seat=seat_number(seat))

    def _check_player(self, game: Game, player: str | None) -> None:
        if player is not None and self._players.find(player) is None:
            raise no_such_player()
        if game.seats_of(player):
            raise wrong_moment("already-seated.invite", WORDS, seat=seat_number(game.seats_of(player)[0]))

    def _named(self, name: str) -> str:
        """Return the player with exactly this name. Look-alikes are ignored: they may be impersonators."""
        players = self._players.named(name)
        if not players:
            raise no_such_player()
        candidates = [(player.id, player.name, player.created_at) for player in players]
        if len(players) > 1:
            raise Ambiguous(refusal("name-ambiguous", name=Text(name)), candidates)
        if players[0].name.casefold() != name.casefold():
            raise Ambiguous(refusal("name-ambiguous.other", name=Text(name)), candidates)
        return players[0].id

    def _check_room(self, known: Known, game: Game, new: Invitation) -> list[str]:
        """Return the ended invitations that a new one displaces; reject it if too many are open."""
        is_open = {invitation.id: self.standing(invitation, game) == "open" for invitation in known.values()}
        if new.player is not None and any(
            is_open[invitation.id] and invitation.player == new.player for invitation in known.values()
        ):
            raise wrong_moment("already-invited", WORDS)
        if sum(is_open.values()) >= MOST_KEPT:
            raise wrong_moment("too-many-invitations", WORDS, most=Number(MOST_KEPT))
        ended = [invitation_id for invitation_id in known if not is_open[invitation_id]]
        return ended[: max(0, len(known) + 1 - MOST_KEPT)]

    def close(self, game: Game, caller: Caller, invitation_id: str) -> Head | None:
        """Decline an invitation to the caller, or revoke one that the caller made, or of a game that they created.

        If the game is a rematch, a decline ends it; then return the head of its log.
        """
        head = None

        def decide(known: Known) -> Sequence[Invitation]:
            invitation = known.get(invitation_id)
            is_own = invitation is not None and invitation.player == caller.player
            if invitation is None or not (is_own or has_part(game, caller)):
                raise no_such_invitation()
            if not is_own and invitation.by != caller.player and not is_creator(game, caller):
                raise Forbidden("not-your-invitation", refusal("not-your-invitation"))
            status = self.standing(invitation, game)
            if status != "open":
                raise wrong_moment("invitation-ended", WORDS, standing=Message(f"standing.{status}"))
            return [replace(invitation, status="declined" if is_own else "revoked")]

        if invitation_id == id_for_rematch(game.id, caller.player):
            decide(self._kept.of_game(game.id))
            head = self._desk.do(game, Decline(caller=caller)).head
        self._kept.change(game.id, decide)
        self._repository.store.wake_followers(game.id, game.version)  # who can see the game may have changed
        return head

    # -- reading ---------------------------------------------------------------------------------------------------

    def standing(self, invitation: Invitation, game: Game) -> Standing:
        seated = {sitter.player for sitter in game.sitters if sitter and sitter.player}
        return standing(invitation, seated, self._desk.now(), is_open=game.status == "open")

    def reserved(self, known: Known, game: Game, mine: Invitation | None) -> frozenset[Seat]:
        """Return the seats of open invitations, and of links that are being taken, but the caller's own."""
        own = mine.seat if mine else None
        open_invitations = (
            invitation
            for invitation in known.values()
            if self.standing(replace(invitation, taken_at=0), game) == "open"
        )
        return frozenset(
            invitation.seat for invitation in open_invitations if invitation.seat is not None and invitation.seat != own
        )

    def of_game(self, game: Game, caller: Caller) -> list[Invitation]:
        check_opens_all(caller)
        check_has_part(game, caller)
        return [*self._kept.of_game(game.id).values()]

    def of_player(
        self, caller: Caller, before: str | None, limit: int
    ) -> tuple[list[tuple[Invitation, GameResource]], str | None]:
        """List the open invitations of a player with the public data of the games, newest first.

        Also return where to continue, None at the end. A page can be short, since it leaves out what has ended.
        """
        check_scope(caller, "games:read")
        invitations = self._kept.of_player(caller.player, before, limit + 1)
        page = invitations[:limit]
        games = self._repository.store.public_data([game_of(member) for member, _ in page])
        now = self._desk.now()
        listed, ended = [], []
        for member, invitation in page:
            data = games[game_of(member)]
            seated = [seat["player"] for seat in data["seats"] if seat["player"]] if data else []
            status = data["status"] if data else None
            if invitation is not None and standing(invitation, seated, now, is_open=status == "open") == "open":
                listed.append((invitation, data))
            elif _has_ended(member, invitation, status, now):
                ended.append(member)
        self._kept.forget(caller.player, ended)
        return listed, page[-1][0] if len(invitations) > limit else None

    def by_link(self, secret: str, caller: Caller | None = None) -> tuple[Game, Invitation]:
        """Return the game and the invitation that a link leads to, if it is open, or if the caller took it."""
        invitation = self._kept.of_link(secret)
        if invitation is None:
            raise no_such_invitation()
        try:
            game = self._repository.fresh(invitation.game)
        except NotFound:
            raise no_such_invitation() from None
        is_own = caller is not None and invitation.taker == caller.player
        if not is_own and self.standing(invitation, game) != "open":
            raise no_such_invitation()
        return game, invitation


def check_has_part(game: Game, caller: Caller) -> None:
    if not has_part(game, caller):
        raise Forbidden("not-seated", refusal("not-seated.invitations"))


def _id_under(caller: Caller, key: Key | None) -> str:
    """Return the id of a new invitation, derived from the key and the request."""
    if key is None:
        return new_id()
    return f"in_{sha256(f'{caller.player} {key.name} {key.fingerprint}'.encode()).hexdigest()[:12]}"


def no_such_invitation() -> NotFound:
    """Reject an invitation that does not exist exactly as one that has ended, or that another player took."""
    return NotFound("no-such-invitation", refusal("no-such-invitation"))
