"""Games in which everything happens that can happen in any game, as bundles."""

import random
from collections.abc import Iterator
from dataclasses import replace

from domain.audit.bundle import Bundle, read
from domain.chance import Chance
from domain.french_tarot.actions import Bid, Pass
from domain.game import aggregate, history, operating, seating, timeouts
from domain.game.forks import decision_at, position
from domain.laws.play import log_of
from domain.log.record import Record
from tests.support.bundles import Timed, written
from tests.support.random_games import played


def eventful() -> Iterator[tuple[str, Bundle]]:
    """Games in which everything happens that can happen in any game."""
    game = Timed("plute", 6, "bot", bots=(3,))
    seat = game.late()
    game.do(timeouts.act_late(game.game, seat, "random", game.game.ruleset.legal_actions(game.game.state, seat)[0]), 0)
    game.do(timeouts.credit(game.game, [(game.now, game.now + 60_000)]))
    game.agree("pause", "PT5M")
    game.now += 5 * 60_000
    game.do(timeouts.resume(game.game, game.now), 0)
    game.agree("pause")
    game.agree("resume")
    game.act()
    game.agree("take_back", None, game.game.positions[0].version)
    game.do(seating.put_bot(game.game, "pl_1", 1, "random"))
    game.do(operating.replace(game.game, 2, "random", "gone for good"))
    game.agree("abort")
    yield "timeouts, pauses, take-backs, bots", read(written(game.game, game.records))
    game = Timed("plute", 6, "bot", bots=(3, 4))
    while {record.seat for record in game.records if record.bot} != {3, 4}:
        game.act()
    seat = game.late()
    game.do(timeouts.act_late(game.game, seat, "random", game.game.ruleset.legal_actions(game.game.state, seat)[0]), 0)
    game.agree("abort")
    yield "bots in seats and for a late player", read(written(game.game, game.records))
    game = Timed("plateau", 2, "wait", open_seats=(1,))
    game.do(seating.join(game.game, "pl_1", 1, "a seed of my own", game.game.head))
    (waiting,) = game.game.waiting_for
    game.late()
    game.do(timeouts.claim(game.game, 1 - waiting, game.now), 0)
    game.do(timeouts.lose_late(game.game, waiting), 0)
    yield "a claim", read(written(game.game, game.records))
    game = Timed("le-plateau", 3, "bot", open_seats=(1, 2))
    game.do(seating.join(game.game, "pl_1", 2, "a seed"))
    game.do(seating.leave(game.game, "pl_1", 2))
    game.do(operating.abort(game.game, "stuck"))
    yield "an operator who ends an open game", read(written(game.game, game.records))
    game = Timed("plateau", 2, "wait")
    game.act()
    game.do(timeouts.abandon(game.game))
    yield "a game that was left", read(written(game.game, game.records))
    yield "a contract that is taken back", contract_taken_back()
    yield "a fork", fork()


def contract_taken_back() -> Bundle:
    """A deal of French Tarot in which a contract is taken back, and then nobody takes: the dead dealer deals again."""
    game = Timed("french-tarot", 5, "bot", five_player_mode="dead_dealer", deals=5)
    before = game.game.positions[0].version
    for action in (Bid("garde_contre"), Pass(), Pass(), Pass()):
        game.do(aggregate.act(game.game, game.game.waiting_for[0], action))
    game.agree("take_back", None, before)
    for _ in range(4):
        game.do(aggregate.act(game.game, game.game.waiting_for[0], Pass()))
    game.agree("abort")
    bundle = read(written(game.game, game.records))
    assert [event["data"]["dealer"] for event in bundle.events if event["type"] == "cards_dealt"] == [0, 0]
    return bundle


def fork() -> Bundle:
    """A fork of a game of Plute, played to its end."""
    steps = played("plute", 6, 0)
    log = log_of(steps[: len(steps) // 2])
    at = position(log, decision_at(log, log[-1].version), 0)
    new = seating.NewGame(
        id="gm_fork",
        ruleset=at.game.ruleset,
        options=at.game.options,
        visibility="private",
        sandbox=True,
        creator="pl_0",
        sitters=("pl_0",) * 6,
        forked_from=at.origin,
    )
    secret, records, rng = bytes(range(32)), list[Record](), random.Random(0)
    story = tuple(at.story(Chance(secret, new.id, (None,) * 6)))
    decided = seating.create(replace(new, story=story), secret)
    game = None
    while True:
        more, game = history.record(game, decided, log[-1].at, "")
        records += more
        if game.is_over:
            return read(written(game, records))
        seat = game.waiting_for[0]
        decided = aggregate.act(game, seat, rng.choice([*game.ruleset.legal_actions(game.state, seat)]))
