"""Partner, raise, abdication (rules of 16 June 2023, sections Partner, Raising, Abdication)."""

import pytest

from domain.le_plateau import project
from domain.le_plateau.actions import Abdicate, Announce, Keep, RaiseObjective
from domain.le_plateau.dealt import ShownGift
from domain.le_plateau.deck import shape_for
from domain.le_plateau.events import (
    AnnouncementAnswered,
    CardAnnounced,
    DeclarerAbdicated,
    ObjectiveKept,
    ObjectiveRaised,
    PartnerFound,
    PhaseBegan,
)
from domain.le_plateau.scoring import hand_scores
from domain.le_plateau.state import side_of
from tests.domain.le_plateau import builders


def announcing(seats, declarer, held, *, team="duo", objective="y", exchange=False, partners=(), **parts):
    contract = builders.contract(seats, declarer, objective, team, exchange=exchange, partners=partners)
    return builders.state(seats, "announce", held=held, contract=contract, **parts)


def announced(state):
    return [action.card for action in builders.legal(state)]


KINGS, DAMES = "RS RH RD RC", "DS DH DD DC"
FACES = f"{KINGS} {DAMES} CS CH CD CC VS VH VD VC"
DISCARD = {"exchange": True, "discard": "RH T1 T2", "taken": "RH T1 T2"}
FRENCH = {"options": {"excuse": "french"}}


@pytest.mark.rule(
    "le-plateau", "6", "the highest suit card that they neither hold nor have announced",
    "the declarer chooses the suit among the cards in play", "means in hand after the exchange", "discarded",
)  # fmt: skip
@pytest.mark.parametrize(
    ("held", "parts", "expected"),
    [
        (["RS RD DS", "RH", "RC", ""], {}, "RH RC"),
        ([f"{KINGS} DH", "DS", "DD", "DC"], {}, "DS DD DC"),
        ([f"{KINGS} {DAMES} CD", "CS", "CH", "", "CC"], {}, "CS CH CC"),
        (["RS RD", "RC", "", ""], DISCARD, "RH RC"),
        ([f"{FACES} 10S", "10H", "", "", ""], {"options": {"deck": "full"}}, "10H 10D 10C"),
        (["RS", "RH EX", "", "", "", ""], FRENCH, "RH RD RC"),
    ],
    ids=["a king", "a dame", "a cavalier", "one of the discard", "a ten of the full deck", "no French excuse"],
)
def test_a_card_of_the_highest_rank_of_which_one_is_not_held_is_announced(held, parts, expected):
    state = announcing(len(held), 0, held, **parts)
    assert builders.to_act(state) == 0
    assert announced(state) == expected.split()
    for card in {"RS", "DH", "T21", "EX", "1S"} - {*expected.split()}:
        assert builders.refusal(state, 0, Announce(card)) == "card-not-announceable"


@pytest.mark.rule("le-plateau", "6", "the declarer chooses the suit among the cards in play")
@pytest.mark.parametrize(("seats", "left"), [(4, ["6S"]), (5, ["3S", "3C"])])
def test_only_cards_in_play_are_announced(seats, left):
    """A hand of all suit cards but those of the lowest rank, which not every suit has."""
    cards = [card for card in shape_for(seats).deck if card[-1] in "SHDC" and card not in left]
    state = announcing(seats, 0, [" ".join(cards), *[""] * (seats - 1)])
    assert announced(state) == left
    assert builders.refusal(state, 0, Announce("1S")) == "card-not-announceable"


RAISE, PLAY, TRIO = PhaseBegan("raise"), PhaseBegan("play"), {"team": "trio"}
GIVEN = {"exchange": True, "gifts": (ShownGift(0, 3, "RH"), ShownGift(0, 4, "1S"))}
OF_SIX = ["RS", "RH", "", "RD", "", "RC"]
ONE_HAS_ALL = ["RS", "DS", "", "RD RC RH", "", ""]


@pytest.mark.rule(
    "le-plateau", "6", "The holder of the card becomes a partner", "if no other player holds it", "given away",
    "means in hand after the exchange", "discarded", "or a partner holds it",
    "at `six_sides`, there are no further turns to raise",
)  # fmt: skip
@pytest.mark.parametrize(
    ("held", "parts", "cards", "holder", "then", "left"),
    [
        (["RS", "RH", "", ""], {}, "RH", 1, [PartnerFound(1), RAISE], None),
        (["RS", "", "RH", ""], {}, "RH", 2, [PartnerFound(2), RAISE], None),
        (["RS", "", "", "RH"], {}, "RH", 3, [PartnerFound(3), RAISE], None),
        (["RS", "RC", "", "", ""], {"objective": "six_sides"}, "RC", 1, [PartnerFound(1), PLAY], None),
        (["RS RD", "RC", "", ""], {"talon": "RH T1 T2"}, "RH", None, [], "RC"),
        (["RS RD RC", "DS", "", ""], DISCARD, "RH", None, [], f"{DAMES}"),
        (["RS RD RC", "", "", "RH", "1S", ""], GIVEN, "RH", 3, [PartnerFound(3), RAISE], None),
        (OF_SIX, TRIO, "RD", 3, [PartnerFound(3)], "RH RC"),
        (OF_SIX, TRIO, "RD RC", 5, [PartnerFound(5), RAISE], None),
        (ONE_HAS_ALL, TRIO, "RD RC", 3, [], "RH"),
        (ONE_HAS_ALL, TRIO, "RD RC RH", 3, [], f"{DAMES}"),
    ],
)  # fmt: skip
def test_who_holds_an_announced_card_is_a_partner_else_the_declarer_continues(held, parts, cards, holder, then, left):
    *before, card = cards.split()
    state = builders.acts(announcing(len(held), 0, held, **parts), *map(Announce, before))
    found = state.hand.contract.partners
    events, state = builders.act(state, 0, Announce(card))
    assert events == [CardAnnounced(0, card), AnnouncementAnswered(card, holder), *then]
    assert state.hand.contract.partners == (*found, *(event.partner for event in then if type(event) is PartnerFound))
    if left is None:
        assert PLAY in then or builders.to_act(state) == min(state.hand.contract.partners)
    else:
        assert (builders.to_act(state), announced(state)) == (0, left.split())
        assert builders.refusal(state, 0, Announce(card)) == "card-not-announceable"


@pytest.mark.rule("le-plateau", "6", "All players learn who holds the card")
def test_the_holder_of_an_announced_card_or_that_there_is_none_is_public():
    state = announcing(4, 0, ["RS", "RC", "", ""], talon="RH T1 T2")
    state = builders.acts(state, Announce("RH"), Announce("RC"))
    for viewer in (0, 1, 2, 3, None):
        view = project(state, viewer)
        assert view.announced == ("RH", "RC")
        assert view.holders == {"RH": None, "RC": 1}


def raising(seats, declarer, *, team="duo", objective="y", partners=(), exchange=False, **options):
    contract = builders.contract(seats, declarer, objective, team, partners=partners, exchange=exchange)
    return builders.state(seats, "raise", contract=contract, options=options)


@pytest.mark.rule("le-plateau", "6", "the one nearer to the declarer's left first")
@pytest.mark.parametrize(("declarer", "partners", "order"), [(0, (5, 2), [2, 5, 0]), (3, (1, 4), [4, 1, 3])])
def test_a_trio_raises_from_the_declarers_left_and_the_declarer_last(declarer, partners, order):
    state, asked = raising(6, declarer, team="trio", partners=partners), []
    while state.phase == "raise":
        asked.append(builders.to_act(state))
        state = builders.acts(state, Keep())
    assert asked == order


@pytest.mark.rule("le-plateau", "6", "can raise the objective, once, or keep it")
def test_a_solo_declarer_is_asked_alone():
    state = raising(3, 1, team="solo")
    assert builders.to_act(state) == 1
    assert builders.act(state, 1, Keep())[0] == [ObjectiveKept(1), PhaseBegan("play")]


@pytest.mark.rule("le-plateau", "1", "objectives, low to high")
@pytest.mark.rule("le-plateau", "6", "can raise the objective, once, or keep it")
@pytest.mark.parametrize(("objective", "higher"), [("bridge", 4), ("y", 3), ("fork", 2), ("five_sides", 1)])
def test_the_objective_can_be_raised_to_any_higher_one_or_kept(objective, higher):
    objectives = ["bridge", "y", "fork", "five_sides", "six_sides"]
    state = raising(4, 0, objective=objective, partners=(2,))
    assert builders.legal(state) == [Keep(), *map(RaiseObjective, objectives[-higher:])]
    for lower in objectives[:-higher]:
        assert builders.refusal(state, 2, RaiseObjective(lower)) == "objective-not-higher"


@pytest.mark.rule("le-plateau", "6", "The value follows the objective")
@pytest.mark.parametrize(
    ("seats", "team", "partners", "exchange", "value"),
    [(4, "duo", (1,), True, 5), (4, "duo", (1,), False, 6), (5, "solo", (), True, 10), (6, "solo", (), False, 16)],
)
def test_the_value_follows_the_raised_objective(seats, team, partners, exchange, value):
    state = raising(seats, 0, team=team, objective="bridge", partners=partners, exchange=exchange)
    speaker = builders.to_act(state)
    events, state = builders.act(state, speaker, RaiseObjective("fork"))
    assert events[0] == ObjectiveRaised(speaker, "fork", value)
    assert (state.hand.contract.objective, state.hand.contract.value) == ("fork", value)


@pytest.mark.rule("le-plateau", "6", "at `six_sides`, there are no further turns to raise")
@pytest.mark.parametrize(
    ("seats", "parts"),
    [
        (4, {"partners": (1,)}),
        (6, {"partners": (1,)}),
        (6, {"team": "trio", "partners": (1, 5)}),
        (5, {"partners": (1,), "abdication": "off"}),
    ],
)
def test_a_raise_to_six_sides_ends_the_raising(seats, parts):
    assert builders.act(raising(seats, 0, **parts), 1, RaiseObjective("six_sides"))[0][-1] == PhaseBegan("play")


@pytest.mark.rule("le-plateau", "6", "the one nearer to the declarer's left first")
def test_the_second_partner_and_the_declarer_continue_from_the_first_raise():
    state = builders.acts(raising(6, 0, team="trio", partners=(2, 5)), RaiseObjective("five_sides"))
    for seat in (5, 0):
        assert (builders.to_act(state), builders.legal(state)) == (seat, [Keep(), RaiseObjective("six_sides")])
        state = builders.acts(state, Keep())
    assert state.phase == "play"


FORK, SIX = RaiseObjective("fork"), RaiseObjective("six_sides")


@pytest.mark.rule(
    "le-plateau", "6", "a declarer whose partner raised can abdicate instead",
    "also possible when the partner raised to `six_sides`", "never with `abdication: off`",
)  # fmt: skip
@pytest.mark.parametrize(
    ("seats", "action", "options", "can_abdicate"),
    [
        (5, FORK, {}, True),
        (5, SIX, {}, True),
        (5, FORK, {"scoring": "positive", "abdication": "on"}, True),
        (5, Keep(), {}, False),
        (5, None, {}, False),
        (5, FORK, {"abdication": "off"}, False),
        (5, FORK, {"scoring": "positive", "abdication": "off"}, False),
        (4, FORK, {}, False),
        (6, FORK, {}, False),
    ],
)
def test_a_declarer_of_five_can_abdicate_once_the_partner_raised(seats, action, options, can_abdicate):
    """Without an action, the partner is asked, who can never abdicate."""
    state = raising(seats, 0, partners=(3,), **options)
    state = builders.acts(state, action) if action else state
    seat = builders.to_act(state)
    higher = {FORK: ["five_sides", "six_sides"], SIX: []}.get(action, ["fork", "five_sides", "six_sides"])
    abdicate = [Abdicate()] if can_abdicate else []
    assert builders.legal(state) == [Keep(), *map(RaiseObjective, higher), *abdicate]
    assert builders.refusal(state, seat, Abdicate()) == (None if can_abdicate else "no-abdication")


def test_a_declarer_who_plays_alone_cannot_abdicate():
    assert builders.refusal(raising(5, 0, team="solo"), 0, Abdicate()) == "no-abdication"


@pytest.mark.rule("le-plateau", "6", "the two change roles, for scoring only")
def test_after_an_abdication_the_ex_declarer_scores_as_partner():
    state = builders.acts(raising(5, 0, partners=(3,), exchange=True), FORK)
    events, state = builders.act(state, 0, Abdicate())
    assert events == [DeclarerAbdicated(0, 3, 0), PhaseBegan("play")]
    assert (state.hand.contract.declarer, state.hand.contract.partners) == (3, (0,))
    assert (state.hand.contract.objective, state.hand.contract.value) == ("fork", 5)
    assert hand_scores(state, "declarer") == (5, -5, -5, 10, -5)
    assert hand_scores(state, "opposing") == (-5, 5, 5, -10, 5)
    assert builders.to_act(state) == 0
    assert [side_of(state, seat) for seat in range(5)] == ["declarer", "opposing", "opposing", "declarer", "opposing"]


@pytest.mark.rule("le-plateau", "5", "even after an abdication")
def test_after_an_abdication_the_exchange_stays_known_to_the_seat_that_made_it():
    contract = builders.contract(5, 0, "y", "duo", exchange=True, partners=(3,))
    hand = {"talon": "T1 T2 T3", "taken": "T1 T2 T3", "discard": "T1 4S 5S"}
    state = builders.state(5, "raise", contract=contract, **hand)
    state = builders.acts(state, RaiseObjective("fork"), Abdicate())
    assert project(state, 0).discard.cards == ("T1", "4S", "5S")
    assert project(state, 0).talon.taken == ("T1", "T2", "T3")
    assert project(state, 0).contract.exchanger == 0
    assert project(state, 3).discard.cards is None
    assert project(state, 3).talon.taken is None


@pytest.mark.rule("le-plateau", "6", "The value follows the objective")
@pytest.mark.parametrize(
    ("team", "partners", "objective", "values"),
    [("trio", (1, 2), "bridge", (2, 4, 6, 8)), ("duo", (1,), "y", (9, 11, 13)), ("solo", (), "fork", (16, 18))],
)
def test_with_six_players_of_2022_the_value_follows_the_objective(team, partners, objective, values):
    state = raising(6, 0, team=team, objective=objective, partners=partners, exchange=None, edition="2022")
    speaker = builders.to_act(state)
    raises = [action for action in builders.legal(state) if isinstance(action, RaiseObjective)]
    assert tuple(builders.act(state, speaker, action)[0][0].value for action in raises) == values
