"""Tournaments go from round to round by the clock and by their tables, in steps that any process can repeat.

Each step follows from the logs alone, and the ids of sets and games from that of the tournament. So a process that is
killed before or after an append leaves nothing half done, and of two processes one makes the step.
"""

import logging
import secrets
from collections.abc import Mapping
from typing import Any

from domain.chance import commitment
from domain.deal_sets import deal_set
from domain.deal_sets.deal_set import DealSet
from domain.deal_sets.events import SetCreated
from domain.game.aggregate import Game
from domain.game.durations import instant, moment
from domain.game.luck import deal_scores
from domain.log import chain
from domain.registry import RULESETS
from domain.serialization import to_plain
from domain.tournaments import tournament
from domain.tournaments.events import RoundPaired, TableResult
from domain.tournaments.tournament import DRAW, LEAST_PLACES, WIN, Decided, Tournament
from service.accounts.players import Caller, Players
from service.common.errors import AtVersion
from service.deal_sets.keeping import seal
from service.deal_sets.store import SetStore
from service.games.commands import Create, EndGame
from service.games.desk import Desk, GameExists
from service.games.repository import GameRepository
from service.store.event_store import StoreUnavailable
from service.tournaments.store import TournamentStore
from service.transparency.transparency_log import TransparencyLog

_log = logging.getLogger("plateau.worker")

_OVER = ("finished", "aborted")
_REASON = "the round of its tournament is over"


class TournamentKeeper:
    """Leads the tournaments of one store."""

    def __init__(self, desk: Desk, repository: GameRepository, players: Players, log: TransparencyLog) -> None:
        self._desk = desk
        self._repository = repository
        self._players = players
        self._log = log
        self._sets = SetStore(repository.store)
        self._tournaments = TournamentStore(repository.store)

    def keep(self) -> None:
        """Make every step that is due; one tournament that fails does not stop the others."""
        for tournament_id in self._tournaments.running():
            try:
                one = self._tournaments.find(tournament_id)
                if one is not None and one.ended is None:
                    self._step(one, self._desk.now())
            except StoreUnavailable:
                raise
            except Exception:  # noqa: BLE001 - the next one must still be led
                _log.exception("the tournament %s waits", tournament_id)

    def _step(self, one: Tournament, now: int) -> None:
        if one.running is not None:
            self._play(one, one.running, is_late=one.cancelled is not None or now >= instant(one.running.closes))
        elif one.cancelled is not None:
            self._write(one, tournament.end(one, "cancelled"))
        elif one.closed and (len(one.closed) >= one.rounds or len(one.present) < LEAST_PLACES):
            self._write(one, tournament.end(one, "played"))
        elif now >= one.starts and len(one.present) < LEAST_PLACES:
            self._write(one, tournament.end(one, "too_few"))
        elif now >= instant(one.created.entries_close):
            self._begin(one, now)

    def _write(self, one: Tournament, step: Decided) -> bool:
        return self._tournaments.write(one, step, moment(self._desk.now()))

    # -- a round begins ------------------------------------------------------------------------------------------------

    def _begin(self, one: Tournament, now: int) -> None:
        """Draw the tables of the next round, once its set is sealed, and it is time."""
        of_round = self._sealed(one, len(one.closed) + 1, now)
        if of_round is not None and now >= one.starts and not self._withdrew_the_deleted(one, now):
            self._write(one, tournament.pair(one, of_round))

    def _sealed(self, one: Tournament, number: int, now: int) -> DealSet | None:
        """Return the set of a round if it is sealed; else make the next step towards it."""
        set_id = self._tournaments.set_id(one, number)
        of_round = self._sets.find(set_id)
        if of_round is None:
            self._sets.write(None, deal_set.create(set_id, self._set_of(one, number, now)), moment(now))
            return None
        if of_round.sealed is None:
            seal(self._sets, self._log, of_round, moment(now))
            return None
        return of_round

    def _set_of(self, one: Tournament, number: int, now: int) -> SetCreated:
        created, secret = one.created, secrets.token_bytes(32)
        opens = moment(max(now, one.starts))
        return SetCreated(
            ruleset=created.ruleset,
            rules_version=created.rules_version,
            options=to_plain(created.options),
            seats=created.seats,
            deals=created.deals,
            date=opens[:10],
            bot=created.bot or "",
            bot_version=created.bot_version or 0,
            opens=opens,
            closes=moment(one.closes(number)),
            commitment=commitment(secret),
            secret=secret.hex(),
            tournament=one.id,
            auction=created.auction,
        )

    def _withdrew_the_deleted(self, one: Tournament, now: int) -> bool:
        """Withdraw those who have deleted their accounts; return whether there were any."""
        players = [one.places[place] for place in one.present]
        names = self._players.names(players)
        gone = next((player for player in players if player not in names), None)
        if gone is None:
            return False
        self._write(one, tournament.withdraw(one, gone, now, "the account was deleted"))
        return True

    # -- a round is played ---------------------------------------------------------------------------------------------

    def _play(self, one: Tournament, played: RoundPaired, *, is_late: bool) -> None:
        """Begin the next game of each table that is ready for it; close the round when all are over, or it is time."""
        ids = [self._tournaments.game_ids(one, played, number) for number in range(len(played.tables))]
        summaries = self._repository.store.public_data([game_id for of_table in ids for game_id in of_table])
        if played.round < one.rounds:
            self._sealed(one, played.round + 1, self._desk.now())  # so that the next round need not wait for a root
        if is_late:
            for game_id, game in summaries.items():
                if game is not None and game["status"] not in _OVER:
                    self._end(game_id)
            self._close(one, played, ids, summaries)
        elif not [*filter(None, (self._continue(one, played, *each, summaries) for each in enumerate(ids)))]:
            self._close(one, played, ids, summaries)

    def _continue(
        self, one: Tournament, played: RoundPaired, table: int, ids: list[str], summaries: Mapping[str, Any]
    ) -> bool:
        """Return whether a table still plays, and begin its next game if the one before is over."""
        for number, game_id in enumerate(ids, 1):
            if summaries[game_id] is None:
                self._create(one, played, game_id, played.tables[table], number)
                return True
            if summaries[game_id]["status"] not in _OVER:
                return True
        return False

    def _create(
        self, one: Tournament, played: RoundPaired, game_id: str, table: tuple[str | None, ...], number: int
    ) -> None:
        created = one.created
        of_round = self._sets.find(played.set) if created.deals else None
        command = Create(
            caller=Caller(one.id, frozenset({"games:create"})),
            ruleset=RULESETS[created.ruleset],
            options=created.options,
            sitters=table,
            visibility="private" if created.deals else "public",
            sandbox=False,
            bots=tuple((seat, created.bot) for seat, player in enumerate(table) if player is None and created.bot),
            clock=created.clock,
            deal=None if of_round is None else of_round.deal(number, ranked=True),
            id=game_id,
        )
        try:
            self._desk.create(command)
        except GameExists:
            _log.info("the game %s of %s was begun by another process", game_id, one.id)

    def _end(self, game_id: str) -> None:
        command = EndGame(caller=Caller("", frozenset({"admin"})), reason=_REASON)
        try:
            self._desk.do(self._repository.fresh(game_id), command)
        except AtVersion:
            _log.info("the game %s ended by itself", game_id)

    def _close(self, one: Tournament, played: RoundPaired, ids: list[list[str]], summaries: Mapping[str, Any]) -> None:
        """Close the set of a round, which opens its tables to all, and write down what they reached."""
        scores = {game_id: self._scores(game_id) for game_id, game in summaries.items() if game is not None}
        results = [TableResult(tuple(each), tuple(scores.get(game_id) for game_id in each)) for each in ids]
        of_round = self._sets.find(played.set)
        if of_round is not None and of_round.closed is None:
            results_of_round = chain.canonical({"set": of_round.id, "tables": to_plain(results)})
            self._sets.write(
                of_round, deal_set.close(of_round, results_of_round, self._desk.now()), moment(self._desk.now())
            )
        self._write(one, tournament.close_round(one, results))

    def _scores(self, game_id: str) -> tuple[int, ...] | None:
        return scores_of(self._repository.fresh(game_id))


def scores_of(game: Game) -> tuple[int, ...] | None:
    """Return what a game of a tournament was worth by seat, None if it has no result: its deal, or won and drawn."""
    if game.outcome is None:
        return None
    if game.deal is not None:
        return next(iter(deal_scores(game)), (0,) * len(game.sitters))
    winners = game.outcome.winners
    worth = WIN if len(winners) == 1 else DRAW
    return tuple(worth if seat in winners else 0 for seat in range(len(game.sitters)))
