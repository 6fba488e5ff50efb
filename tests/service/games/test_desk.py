"""The desk: nothing is committed for a caller whom the command itself does not admit."""

import random

import pytest

from domain.game import aggregate, history
from service.accounts.players import Caller
from service.common.errors import AtVersion, Forbidden
from service.games.commands import Act, ClaimTimeout, Command, Join, Leave, Propose, PutBot, Resign, Vote
from service.store.redis.connections import connect
from tests.support.games import ADA, BOB, order, play_on, sandbox, spec, wish
from tests.support.wiring import games_on

WITHOUT_SCOPES = Caller(ADA.player, frozenset())


def commands(caller: Caller) -> list[Command]:
    return [
        Act(caller=caller, seat=0, action=None),
        Propose(caller=caller, seat=0, kind="pause"),
        Vote(caller=caller, seat=0, proposal="p1", accept=True),
        Resign(caller=caller, seat=0),
        ClaimTimeout(caller=caller, seat=0, now=0),
        Leave(caller=caller, seat=0),
        PutBot(now=0, caller=caller, seat=0, bot="random"),
    ]


def test_a_command_checks_its_caller_whoever_opened_the_game(valkey_url: str) -> None:
    with connect(valkey_url) as client:
        games = games_on(client)
        game = games.show(sandbox(games), None)
        for command in (*commands(BOB), *commands(WITHOUT_SCOPES), Join(now=0, caller=WITHOUT_SCOPES)):
            with pytest.raises(Forbidden):
                games.desk.do(game, command)
        assert games.show(game.id, None) == game


def test_a_log_that_is_full_ends_its_game_whatever_fills_it(valkey_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aggregate, "MOST_EVENTS", 30)
    with connect(valkey_url) as client:
        games, rng = games_on(client), random.Random(1)
        played, joined = sandbox(games, seats=3), games.create(ADA, spec([True, False, False], sandbox=False))[0]
        while not games.show(played, None).is_over:
            play_on(games, played, rng)
        while not games.show(joined, None).is_over:
            games.join(joined, BOB, wish(1))
            if not games.show(joined, None).is_over:
                games.leave(joined, BOB, 1)
        for game_id in (played, joined):
            game = games.show(game_id, None)
            assert (game.status, game.aborted_because) == ("aborted", "endless")
            assert 30 < game.version < 30 + 40
            assert game == history.fold(games.repository.store.read(game_id))
            with pytest.raises(AtVersion) as refused:
                games.act(game_id, ADA, order(None))
            assert refused.value.refusal.code == "game-not-active"
