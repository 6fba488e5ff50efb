"""The desk: nothing is committed for a caller whom the command itself does not admit."""

import pytest

from service.accounts.players import Caller
from service.errors import Forbidden
from service.games.commands import Act, ClaimTimeout, Command, Join, Leave, Propose, PutBot, Resign, Vote
from service.store.connections import connect
from tests.service import builders
from tests.service.builders import ADA, BOB, sandbox

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
        games = builders.games_on(client)
        game = games.show(sandbox(games), None)
        for command in (*commands(BOB), *commands(WITHOUT_SCOPES), Join(now=0, caller=WITHOUT_SCOPES)):
            with pytest.raises(Forbidden):
                games.desk.do(game, command)
        assert games.show(game.id, None) == game
