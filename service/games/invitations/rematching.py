"""Rematches: the players of a finished game meet again, each one seat further, in a new game with the same options.

The id of the new game follows from the old one, so the proposer and all who accept come to the same game. The others
are invited to their seats. Each step can be repeated, so a crash in between does no harm: the next request continues
from there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from domain.errors import wrong_moment
from domain.game.aggregate import Game, status_of
from domain.game.durations import DAY
from domain.serialization import to_plain
from domain.table import Seat
from service.accounts.players import Caller, Players
from service.common.errors import WORDS, NotFound
from service.games.access import check_opens_all, playing_seat
from service.games.commands import Create
from service.games.desk import Desk, GameExists
from service.games.invitations.invitation_store import Invitation, Invitations, Known, id_for_rematch
from service.games.invitations.joining import JoinAmongInvited
from service.games.projections.resources import RematchResource
from service.games.repository import GameRepository

_LASTS = DAY
"""For how many ms the seats are reserved."""


@dataclass(eq=False)
class Rematching:
    _desk: Desk
    _repository: GameRepository
    _kept: Invitations
    _players: Players

    def shown(self, old: Game) -> RematchResource | None:
        """Show the rematch of a game, if there is one, as lists show it, to those who can see the game."""
        if old.status != "finished":
            return None
        game_id = self._desk.rematch_id(old.id)
        game = self._repository.store.public_data([game_id])[game_id]
        if game is None:
            return None
        seated = {seat["player"] for seat in game["seats"] if seat["player"]}
        accepted = [seat for seat, sitter in enumerate(old.sitters) if sitter and sitter.player in seated]
        return {"game_id": game_id, "accepted": accepted}

    def meet(self, old_id: str, caller: Caller) -> tuple[Game, Seat]:
        """Propose the rematch of a game, or accept it: seat the caller; return the new game and the seat."""
        old = self._repository.fresh(old_id)
        if old.status != "finished":
            raise wrong_moment("game-not-over", WORDS, status=status_of(old))
        game = self._of(old) or self._begun(old, caller)
        if game.status == "open":
            self._invite(old, game, caller)
        elif game.status == "aborted" or not game.seats_of(caller.player):
            raise wrong_moment("game-not-open.rematch", WORDS, status=status_of(game))
        game = self._seated(old, game, caller)
        return game, game.seats_of(caller.player)[0]

    def _of(self, old: Game) -> Game | None:
        try:
            return self._repository.fresh(self._desk.rematch_id(old.id))
        except NotFound:
            return None

    def _begun(self, old: Game, player: Caller) -> Game:
        """Create the new game, with the player on their seats and bots on theirs, unless another player just has."""
        seats = range(len(old.sitters))
        before = [old.sitters[seat - 1] for seat in seats]
        command = Create(
            caller=player,
            ruleset=old.ruleset,
            options=to_plain(old.options),
            sitters=tuple(player.player if sitter and sitter.player == player.player else None for sitter in before),
            bots=tuple((seat, sitter.bot) for seat, sitter in zip(seats, before, strict=True) if sitter and sitter.bot),
            visibility=old.visibility,
            sandbox=old.sandbox,
            clock=old.clock,
            bot_pace=old.bot_pace,
            opening=old.opening,
            rematch_of=old.id,
        )
        try:
            game_id, _ = self._desk.create(command)
        except GameExists:
            game_id = self._desk.rematch_id(old.id)
        return self._repository.fresh(game_id)

    def _invite(self, old: Game, game: Game, player: Caller) -> None:
        """Invite all other players of the old game; earlier invitations stay."""
        now = self._desk.now()
        others = {other: seat for other, seat in _new_seats(old).items() if other not in (player.player, game.creator)}
        invited = [
            Invitation(id_for_rematch(game.id, other), game.id, "player", seat, other, game.creator, now, now + _LASTS)
            for other, seat in others.items()
            if self._players.find(other)
        ]
        known = self._kept.of_game(game.id)
        missing = [invitation for invitation in invited if invitation.id not in known]
        for invitation in missing:
            self._kept.find_by_player(invitation.player or "", invitation)

        def decide(known: Known) -> Sequence[Invitation]:
            return [invitation for invitation in missing if invitation.id not in known]

        if missing:
            self._kept.change(game.id, decide)

    def _seated(self, old: Game, game: Game, player: Caller) -> Game:
        if game.seats_of(player.player):
            return game
        seat = _new_seats(old)[player.player]
        now = self._desk.now()
        self._desk.do(game, JoinAmongInvited(caller=player, seat=seat, now=now, invited=True))
        return self._repository.fresh(game.id)


def check_may_meet(game: Game, caller: Caller) -> None:
    playing_seat(game, caller)
    check_opens_all(caller)


def _new_seats(old: Game) -> Mapping[str, Seat]:
    """Return the new seat of each player; for one who held several (sandbox), the first."""
    seats = len(old.sitters)
    new_seats: dict[str, Seat] = {}
    for seat, sitter in enumerate(old.sitters):
        if sitter and sitter.player:
            new_seats.setdefault(sitter.player, (seat + 1) % seats)
    return new_seats
