"""Take-backs by agreement: what can be taken back, by whom, and what stays as it is."""

from dataclasses import replace

import pytest

from domain.errors import InvalidOptions, WrongMoment
from domain.events import GamePaused, ProposalClosed, ProposalMade, TakenBack, VoteCast
from domain.game import aggregate as games
from domain.game import proposals, take_backs, timeouts
from domain.game.proposals import propose, vote
from domain.le_plateau import RULESET as LE_PLATEAU
from domain.le_plateau.actions import Bid, Pass
from domain.log.record import visible
from domain.plateau import RULESET as PLATEAU
from domain.plateau.actions import Move, Open
from domain.plateau.actions import Placed as Put
from domain.sentences.catalogue import words_of_all_games
from domain.sentences.message import Message
from domain.texts import document
from tests.support.timed_games import Played, back, clock, refusal

SECOND = 1000
BID = Bid(exchange=True, objective="y", team="solo")


def bidding(rule=None, *, bots=(), sitters=("pl_a", "pl_b", "pl_c")):
    """Begin a game in which seat 0 speaks first; seats without a player have bots."""
    return Played(rule, *sitters, bots=bots)


def duel():
    """Begin a game of Plateau in which each seat has a unit of two blanks; seat 0 is to move."""
    played = Played(None, "pl_a", "pl_b", ruleset=PLATEAU)
    for seat, square in enumerate(("a1", "d4")):
        played.then(seat, games.act(played.game, seat, Open(square, (Put("M", "x"), Put("M", "x")))))
    return played


def moved(played, seat, from_, to, lift=2):
    """Move blanks; nothing is uncovered unless some stay behind."""
    return played.then(0, games.act(played.game, seat, Move(from_=from_, flip=False, lift=lift, stops=(), to=to)))


def test_players_go_back_to_the_version_before_the_proposers_last_action():
    played = bidding()
    first = played.game
    played.then(0, games.act(played.game, 0, BID))
    played.passes(0)
    events = back(played, seat=0)
    assert [type(event) for event in events] == [VoteCast, ProposalClosed, TakenBack]
    assert events[1:] == [ProposalClosed(f"p{first.version + 3}", "agreed"), TakenBack(first.version)]
    assert played.game.state is first.state
    assert played.game.version == first.version + 7
    assert list(played.game.pending) == [0]


def test_a_deal_cannot_be_taken_back():
    played = bidding()
    assert take_backs.versions(played.game) == []
    assert refusal(propose, played.game, 0, "take_back") == "nothing-to-take-back"
    dealt = played.game.version
    for _ in range(3):
        played.passes(0)
    assert played.game.state.hand.number == 2
    assert take_backs.versions(played.game) == []
    assert refusal(propose, played.game, 0, "take_back", None, dealt) == "disclosed-since"
    assert refusal(propose, played.game, 0, "take_back", None, played.game.version) == "nothing-to-take-back"
    played.passes(0)
    assert refusal(propose, played.game, 0, "take_back", None, dealt) == "disclosed-since"


def test_a_version_at_which_nobody_was_to_act_is_refused():
    played = bidding()
    first = played.game.version
    played.passes(0)
    for version in (first + 1, first + 2, 10**6):
        assert refusal(propose, played.game, 0, "take_back", None, version) == "no-such-position"
    for version in (first - 1, 0, -1):
        assert refusal(propose, played.game, 0, "take_back", None, version) == "disclosed-since"
    for version in (True, "7", 7.0, 10**5000):
        assert refusal(propose, played.game, 0, "take_back", None, version) == "no-such-position"


def test_only_a_take_back_has_a_version():
    with pytest.raises(InvalidOptions, match="only take_back takes a version"):
        propose(bidding().game, 0, "pause", to_version=1)


def test_a_proposal_lapses_with_the_reason_once_something_is_disclosed():
    played = duel()
    moved(played, 0, "a1", "b1")
    played.then(0, propose(played.game, 0, "take_back"))
    made = played.game.proposals[0].id
    events = moved(played, 1, "d4", "c4", lift=1)
    assert events[-1] == ProposalClosed(made, "lapsed", "disclosed")
    assert refusal(lambda: vote(played.game, 1, made, accept=True)) == "proposal-closed"


def test_other_proposals_lapse_with_a_take_back():
    played = duel()
    start = played.game.version
    moved(played, 0, "a1", "b1")
    played.then(0, propose(played.game, 1, "draw"))
    draw = played.game.proposals[0].id
    events = back(played)
    assert events[-2:] == [ProposalClosed(draw, "lapsed", "taken_back"), TakenBack(start)]
    assert played.game.proposals == ()


def test_a_take_back_can_be_taken_back_as_far_as_what_it_left():
    played = duel()
    versions = [played.game.version]
    for seat, from_, to in ((0, "a1", "b1"), (1, "d4", "c4"), (0, "b1", "a1")):
        moved(played, seat, from_, to)
        versions.append(played.game.version)
    back(played, to_version=versions[1])
    here = played.game.version
    assert take_backs.versions(played.game) == [versions[0]]
    assert refusal(propose, played.game, 0, "take_back", None, versions[2]) == "no-such-position"
    moved(played, 1, "d4", "d3")
    assert take_backs.versions(played.game) == [versions[0], versions[1], here]
    assert take_backs.own_version(played.game, 0) == versions[0]
    back(played, seat=1)
    assert played.log[-1].data == {"to_version": here}
    back(played, to_version=versions[0])
    assert list(played.game.pending) == [0]
    assert take_backs.versions(played.game) == []


def test_bots_do_not_vote_and_what_they_did_is_taken_back_too():
    played = bidding(sitters=("pl_a", None, None), bots=((1, "random"), (2, "random")))
    first = played.game
    played.passes(0)
    played.then(0, games.act(played.game, 1, BID))
    events = played.then(0, propose(played.game, 0, "take_back"))
    assert [type(event) for event in events] == [ProposalMade, ProposalClosed, TakenBack]
    assert played.game.state is first.state


def test_what_a_bot_did_for_a_late_player_can_be_taken_back():
    played = bidding(clock(per_move="PT30S"))
    first = played.game
    played.then(40 * SECOND, timeouts.act_late(played.game, 0, "random", Pass()))
    assert take_backs.own_version(played.game, 0) == first.version
    back(played, after=50 * SECOND)
    assert played.game.state is first.state
    assert played.game.times.absent == set()


def test_a_pause_in_between_stays_and_no_take_back_is_proposed_during_it():
    played = bidding()
    first = played.game
    played.passes(0)
    played.then(0, propose(played.game, 0, "pause"))
    for seat in (1, 2):
        events = played.then(0, vote(played.game, seat, played.game.proposals[0].id, accept=True))
    assert isinstance(events[-1], GamePaused)
    assert take_backs.versions(played.game) == []
    assert refusal(propose, played.game, 0, "take_back") == "game-not-active"
    played.then(0, propose(played.game, 0, "resume"))
    for seat in (1, 2):
        played.then(0, vote(played.game, seat, played.game.proposals[0].id, accept=True))
    back(played)
    assert (played.game.state, played.game.status) == (first.state, "active")


def test_time_that_was_used_stays_used():
    played = bidding(clock(bank="PT5M", increment="PT5S"))
    played.passes(20 * SECOND)
    back(played, after=50 * SECOND)
    assert played.game.times.banks == (285 * SECOND, 270 * SECOND, 300 * SECOND)
    assert played.left(50 * SECOND) == {0: 285 * SECOND}


def test_a_claim_that_a_seat_is_late_does_not_outlive_a_take_back():
    played = bidding(clock(per_move="PT30S", on_timeout="wait"))
    played.passes(0)
    played.then(31 * SECOND, timeouts.claim(played.game, 0, timeouts.instant(played.game.at) + 31 * SECOND))
    assert played.game.times.claimed == {1}
    back(played, after=32 * SECOND)
    assert played.game.times.claimed == set()
    assert played.due() == 62 * SECOND or played.due() is None


def test_a_game_keeps_its_latest_positions_only(monkeypatch):
    monkeypatch.setattr(games, "MOST_POSITIONS", 3)
    played = duel()
    start = played.game.version
    for seat, from_, to in ((0, "a1", "b1"), (1, "d4", "c4"), (0, "b1", "c1"), (1, "c4", "b4")):
        moved(played, seat, from_, to)
    assert take_backs.versions(played.game) == [start + 2, start + 4, start + 6]
    with pytest.raises(WrongMoment, match="too many moves ago") as refused:
        propose(played.game, 0, "take_back", to_version=start)
    assert refused.value.code == "disclosed-since"


@pytest.mark.parametrize(("language", "words"), [("en", "too many"), ("fr", "trop de coups"), ("ja", "手数")])
def test_a_proposal_that_lapses_by_time_does_not_claim_a_disclosure(monkeypatch, language, words):
    monkeypatch.setattr(games, "MOST_POSITIONS", 3)
    played = duel()
    moved(played, 0, "a1", "b1")
    played.then(0, propose(played.game, 0, "take_back"))
    made = played.game.proposals[0].id
    steps = ((1, "d4", "c4"), (0, "b1", "c1"), (1, "c4", "b4"))
    events = [event for step in steps for event in moved(played, *step)]
    assert ProposalClosed(made, "lapsed", "disclosed") in events
    assert words in words_of_all_games(language).phrase(Message("proposal_closed.lapsed.disclosed"))


def test_a_ruleset_without_open_events_knows_no_take_back():
    without = replace(LE_PLATEAU, open_events=frozenset())
    played = bidding()
    game = replace(played.game, ruleset=without, positions=())
    assert "take_back" not in proposals.kinds(without)
    assert "take_back" in proposals.kinds(LE_PLATEAU)
    assert refusal(propose, game, 0, "take_back") == "nothing-to-propose"
    _, after = games.act(game, 0, Pass())
    assert after.positions == ()


def text_of(played):
    return document.write([visible(each, played.game.secrets, None, everything=True) for each in played.log])


def answered(played, seat, *, accept):
    played.then(0, vote(played.game, seat, played.game.proposals[0].id, accept=accept))


def test_a_text_has_the_offers_of_a_draw_that_still_count():
    played = duel()
    played.then(0, propose(played.game, 1, "draw"))  # stays, though it is declined in what is taken back
    start = played.game.version
    moved(played, 0, "a1", "b1")
    answered(played, 0, accept=False)
    moved(played, 1, "d4", "c4")
    played.then(0, propose(played.game, 1, "draw"))  # goes, with the answer
    answered(played, 0, accept=False)
    played.then(0, propose(played.game, 0, "draw"))  # goes, for the take-back lets it lapse
    back(played, to_version=start)
    played.then(0, propose(played.game, 0, "draw"))
    answered(played, 1, accept=True)
    text = text_of(played)
    assert [line for line in text.splitlines() if line.startswith(("B:", "W:"))] == [
        "B: * a1 xx.xx",
        "W: * d4 xx.xx",
        "W: =?",
        "B: =-",
        "B: =?",
        "W: =",
    ]
    assert document.read(text).outcome == played.game.outcome
