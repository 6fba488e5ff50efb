"""Forks: what goes into one, and what does not."""

from dataclasses import replace

import pytest

from domain.cardplay.cards import TAROT_PACK
from domain.chance import Chance
from domain.french_tarot import RULESET as FRENCH_TAROT
from domain.french_tarot.events import CardsDealt, PetitSecShown
from domain.game import aggregate as games
from domain.game import history, seating
from domain.game.forks import decision_at, position
from domain.game.proposals import propose, vote
from domain.game.seating import NewGame
from domain.le_plateau import RULESET as LE_PLATEAU
from domain.log.record import visible
from domain.plateau import RULESET as PLATEAU
from domain.plateau.actions import Move, Open, Placed
from domain.plateau.events import UnitMoved
from domain.table import EVERYTHING
from domain.texts import document
from tests.support.timed_games import Played, back, clock, refusal

SECRET = bytes(range(32))

PETIT_SEC = 2149
"""A secret, as a number, of a game whose first deal has a petit sec."""


def forked(log, viewer, at=None):
    """Fork a game, known by its log, and return the position, and the fork with its log."""
    here = position(log, decision_at(log, len(log) if at is None else at), viewer)
    seats = len(here.game.sitters)
    new = NewGame(
        "gm_fork",
        here.game.ruleset,
        here.game.options,
        "private",
        sandbox=True,
        creator="pl_x",
        sitters=("pl_x",) * seats,
        forked_from=here.origin,
        story=tuple(here.story(Chance(SECRET, "gm_fork", (None,) * seats))),
    )
    records, game = history.record(None, seating.create(new, SECRET), "2026-01-01T12:00:00.000Z", "rq")
    assert history.fold(records) == game
    return here, game, records


@pytest.mark.parametrize("viewer", [0, 1, None, EVERYTHING])
def test_what_was_taken_back_is_no_part_of_a_fork(viewer):
    played = Played(None, "pl_a", "pl_b", ruleset=PLATEAU)
    for seat, square in enumerate(("a1", "d4")):
        pieces = (Placed("M", "x"), Placed("M", "x"))
        played.then(seat, games.act(played.game, seat, Open(square, pieces)))

    def move(to):
        played.then(0, games.act(played.game, 0, Move(from_="a1", flip=False, lift=2, stops=(), to=to)))

    move("a2")
    back(played)
    move("b1")
    here, fork, records = forked(played.log, viewer)
    assert PLATEAU.project(fork.state, viewer) == PLATEAU.project(played.game.state, viewer)
    assert [event.to for event in here.story(fork.draws.of_deal(1)) if isinstance(event, UnitMoved)] == ["b1"]
    assert "taken_back" not in {record.type for record in records}


def test_clocks_pauses_and_proposals_stay_behind():
    played = Played(clock(per_move="PT1H"), "pl_a", "pl_b", "pl_c")
    played.passes(0)
    played.then(0, propose(played.game, 0, "pause", "P1D"))
    (proposal,) = played.game.proposals
    for seat in (1, 2):
        played.then(0, vote(played.game, seat, proposal.id, accept=True))
    assert played.game.status == "paused"
    _, fork, records = forked(played.log, 0)
    assert (fork.status, fork.clock, fork.proposals, dict(fork.deadlines)) == ("active", None, (), {})
    assert {record.type for record in records} <= {*LE_PLATEAU.events, "game_created", "seat_taken", "game_started"}


def test_a_deal_that_a_petit_sec_cancelled_is_told_with_the_hand_that_was_shown():
    """No view shows such a deal any more; what the fork makes up for it agrees with the log all the same."""
    log = _dealt(PETIT_SEC)
    assert any(record.type == "petit_sec_shown" for record in log), "choose another secret: the draws have changed"
    for viewer in (*range(4), None):
        here, fork, records = forked(log, viewer)
        deal, shown = next(iter(here.story(fork.draws.of_deal(1)))), here.story(fork.draws.of_deal(1))
        assert isinstance(deal, CardsDealt)
        (petit_sec,) = (event for event in shown if isinstance(event, PetitSecShown))
        hands = [hand.cards for hand in deal.hands]
        assert set(hands[petit_sec.holder]) == set(petit_sec.cards)
        assert sorted(card for cards in (*hands, deal.chien.cards) for card in cards) == sorted(TAROT_PACK)
        if viewer is not None:
            assert [*hands[viewer]] == _first_deal(log)["hands"][viewer]["cards"]
        told = [visible(record, fork.secrets, None, everything=True) for record in records]
        assert document.read(document.write(told)).to_act == tuple(sorted(fork.pending))


def _dealt(seed):
    """Begin a game, and return its log up to the first deal that is not thrown in."""
    new = NewGame(
        "gm_1",
        FRENCH_TAROT,
        FRENCH_TAROT.options.complete({"petit_sec": "cancel"}, 4),
        "public",
        sandbox=True,
        creator="pl_a",
        sitters=("pl_a",) * 4,
    )
    step = seating.create(new, seed.to_bytes(32, "big"))
    return history.record(None, step, "2026-01-01T12:00:00.000Z", "rq")[0]


def _first_deal(log):
    return next(record.whole_data() for record in log if record.type == "cards_dealt")


def test_a_position_of_rules_that_are_no_longer_offered_is_not_forked():
    played = Played(None, "pl_a", "pl_b", "pl_c")
    created = {**played.log[0].data, "rules_version": 9}
    log = [replace(played.log[0], data=created), *played.log[1:]]
    assert refusal(decision_at, log, len(log)) == "rules-version-gone"


def test_before_the_start_there_is_nothing_to_fork():
    played = Played(None, None, "pl_b", "pl_c")
    assert refusal(decision_at, played.log, 1) == "nothing-to-fork"
