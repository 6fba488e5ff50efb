"""Rematches: the players of a finished game meet again, each one seat further, in a new game with the same options.

The id of the new game follows from the old one, so whoever proposes a rematch, and whoever accepts, come to the same
game. The others are invited to their seats. Each step can be repeated, so a crash in between does no harm: the next
request goes on from there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from domain.game.aggregate import Game, WrongMoment
from domain.game.durations import DAY, moment
from domain.serialization import to_plain
from domain.table import Seat
from service.accounts.invitations import Invitation, Invitations, Known
from service.accounts.players import GUEST_SCOPES, Caller, Players
from service.errors import NotFound
from service.games.access import SEAT_SCOPES
from service.games.commands import Create
from service.games.desk import Desk, GameExists
from service.games.joining import JoinAmongInvited, Taken
from service.games.repository import GameRepository
from service.games.resources import RematchResource
from service.store.event_store import NotServed

_LASTS = DAY
"""For how many ms the seats are reserved."""


class Rematching:
    """Handle the rematches of all games of one store."""

    def __init__(self, desk: Desk, repository: GameRepository, invitations: Invitations, players: Players) -> None:
        self._desk = desk
        self._repository = repository
        self._kept = invitations
        self._players = players

    def of(self, old: Game) -> Game | None:
        """Return the rematch of a game, if it has been proposed."""
        if old.status != "finished":
            return None
        try:
            return self._repository.fresh(self._desk.rematch_id(old.id))
        except NotFound:
            return None

    def shown(self, old: Game) -> RematchResource | None:
        """Show the rematch of a game, if there is one that can be served, to those who can see the game."""
        try:
            game = self.of(old)
        except NotServed:
            return None
        return None if game is None else _shown(old, game)

    def meet(self, old_id: str, caller: Caller, address: str) -> tuple[Game, Taken]:
        """Propose the rematch of a game, or accept it: seat the caller; return the new game and the seat.

        The holder of a seat token gets one for the new seat.
        """
        old = self._repository.fresh(old_id)
        if old.status != "finished":
            raise WrongMoment("game-not-over", f"the game is {old.status}; a rematch follows a finished game")
        player = replace(caller, scopes=frozenset(GUEST_SCOPES), seat=None, game=None)
        game = self.of(old) or self._begun(old, player, address)
        if game.status == "open":
            self._invite(old, game, player)
        game = self._seated(old, game, player, address)
        seat = game.seats_of(player.player)[0]
        token = self._token(game, seat, caller) if caller.game is not None else None
        return game, Taken(game.id, seat, player.player, token)

    def _begun(self, old: Game, player: Caller, address: str) -> Game:
        """Create the new game, with the player on their seats and bots on theirs, unless somebody else just has."""
        seats = range(len(old.sitters))
        before = [old.sitters[seat - 1] for seat in seats]
        wanted = Create(
            caller=player,
            ruleset=old.ruleset,
            options=to_plain(old.options),
            mine=tuple(sitter is not None and sitter.player == player.player for sitter in before),
            bots=tuple((seat, sitter.bot) for seat, sitter in zip(seats, before, strict=True) if sitter and sitter.bot),
            visibility=old.visibility,
            sandbox=old.sandbox,
            clock=old.clock,
            address=address,
            rematch_of=old.id,
        )
        try:
            game_id, _ = self._desk.create(wanted)
        except GameExists:
            game_id = self._desk.rematch_id(old.id)
        return self._repository.fresh(game_id)

    def _invite(self, old: Game, game: Game, player: Caller) -> None:
        """Invite everyone else who played; whoever has been invited before stays so."""
        now = self._desk.now()
        others = {other: seat for other, seat in _new_seats(old).items() if other not in (player.player, game.creator)}
        invited = [
            Invitation(_id(game, other), game.id, "player", seat, other, game.creator, now, now + _LASTS)
            for other, seat in others.items()
            if self._players.find(other)
        ]
        known = self._kept.of_game(game.id)
        missing = [each for each in invited if each.id not in known]
        for each in missing:
            self._kept.find_by_player(each.player or "", f"{moment(now)} {game.id} {each.id}")

        def decide(known: Known) -> Sequence[Invitation]:
            return [each for each in missing if each.id not in known]

        if missing:
            self._kept.change(game.id, decide)

    def _seated(self, old: Game, game: Game, player: Caller, address: str) -> Game:
        """Seat the player where they sat before, one seat further."""
        if game.seats_of(player.player):
            return game
        seat = _new_seats(old)[player.player]
        self._desk.do(game, JoinAmongInvited(caller=player, seat=seat, address=address, invited=True))
        return self._repository.fresh(game.id)

    def _token(self, game: Game, seat: Seat, caller: Caller) -> str | None:
        scopes = [scope for scope in SEAT_SCOPES if scope in caller.scopes]
        made = self._players.create_token(caller.player, scopes, "rematch", (game.id, seat))
        return made and made[1]


def _shown(old: Game, game: Game) -> RematchResource:
    seated = {sitter.player for sitter in game.sitters if sitter and sitter.player}
    accepted = [seat for seat, sitter in enumerate(old.sitters) if sitter and sitter.player in seated]
    return {"game_id": game.id, "accepted": accepted}


def _new_seats(old: Game) -> Mapping[str, Seat]:
    """Return the new seat of each player; of one with several (sandbox), the first."""
    seats = len(old.sitters)
    found: dict[str, Seat] = {}
    for seat, sitter in enumerate(old.sitters):
        if sitter and sitter.player:
            found.setdefault(sitter.player, (seat + 1) % seats)
    return found


def _id(game: Game, player: str) -> str:
    """Return the id of the invitation of a player to a rematch, which nobody invites twice."""
    return f"in_{sha256(f'{game.id} {player}'.encode()).hexdigest()[:12]}"
