"""Partner, raise, abdication (rules of 16 June 2023, sections Partner, Raising, Abdication)."""

import pytest

from domain.le_plateau import RULESET as le_plateau
from domain.le_plateau import project
from domain.le_plateau.actions import Abdicate, Announce, Keep, Pass, RaiseObjective
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


@pytest.mark.rule("le-plateau", "6", "the highest suit card that they neither hold nor have announced")
def test_a_king_not_held_must_be_announced_and_its_suit_is_free():
    state = announcing(4, 0, ["RS RD DS", "RH", "RC", ""])
    assert builders.to_act(state) == 0
    assert announced(state) == ["RH", "RC"]
    for card in ("RS", "RD", "DH", "T21", "EX", "1S"):
        assert builders.refusal(state, 0, Announce(card)) == "card-not-announceable"


@pytest.mark.rule("le-plateau", "6", "the highest suit card that they neither hold nor have announced")
def test_a_declarer_with_all_kings_announces_a_dame():
    state = announcing(4, 0, ["RS RH RD RC DH", "DS", "DD", "DC"])
    assert announced(state) == ["DS", "DD", "DC"]


@pytest.mark.rule("le-plateau", "6", "the highest suit card that they neither hold nor have announced")
def test_a_declarer_with_all_kings_and_dames_announces_a_cavalier():
    state = announcing(5, 2, ["CS", "CH", "RS RH RD RC DS DH DD DC CD", "", "CC"])
    assert announced(state) == ["CS", "CH", "CC"]


@pytest.mark.rule("le-plateau", "4", "a seat gets its turn even when it has only one legal action")
def test_a_declarer_is_asked_even_if_there_is_only_one_card_to_announce():
    state = announcing(4, 0, ["RS RD RC", "RH", "", ""])
    assert (builders.to_act(state), builders.legal(state)) == (0, [Announce("RH")])
    assert le_plateau.settle(state, builders.CHANCE) == []


@pytest.mark.rule("le-plateau", "6", "the declarer chooses the suit among the cards in play")
@pytest.mark.parametrize(("seats", "left"), [(4, ["6S"]), (5, ["3S", "3C"])])
def test_only_cards_in_play_are_announced(seats, left):
    """A hand of all suit cards but those of the lowest rank, which not every suit has."""
    cards = [card for card in shape_for(seats).deck if card[-1] in "SHDC" and card not in left]
    state = announcing(seats, 0, [" ".join(cards), *[""] * (seats - 1)])
    assert announced(state) == left
    assert builders.refusal(state, 0, Announce("1S")) == "card-not-announceable"


@pytest.mark.rule("le-plateau", "6", "The holder of the card becomes a partner")
@pytest.mark.parametrize("holder", [1, 2, 3])
def test_the_holder_of_the_announced_card_joins(holder):
    held = ["RS", "", "", ""]
    held[holder] = "RH"
    events, state = builders.act(announcing(4, 0, held), 0, Announce("RH"))
    expected = [CardAnnounced(0, "RH"), AnnouncementAnswered("RH", holder), PartnerFound(holder), PhaseBegan("raise")]
    assert events == expected
    assert state.hand.contract.partners == (holder,)
    assert builders.to_act(state) == holder


@pytest.mark.rule("le-plateau", "6", "if no other player holds it")
def test_if_no_seat_holds_it_the_declarer_announces_again_but_not_the_same_card():
    state = announcing(4, 0, ["RS RD", "RC", "", ""], talon="RH T1 T2")
    events, state = builders.act(state, 0, Announce("RH"))
    assert events[1:] == [AnnouncementAnswered("RH", None)]
    assert builders.to_act(state) == 0
    assert announced(state) == ["RC"]
    assert builders.refusal(state, 0, Announce("RH")) == "card-not-announceable"


@pytest.mark.rule("le-plateau", "6", "means in hand after the exchange", "discarded")
def test_a_card_of_ones_own_discard_is_announced_when_it_is_the_only_one_left_of_its_rank():
    state = announcing(4, 0, ["RS RD RC", "DS", "", ""], exchange=True, discard="RH T1 T2", taken="RH T1 T2")
    assert announced(state) == ["RH"]
    events, state = builders.act(state, 0, Announce("RH"))
    assert events[1:] == [AnnouncementAnswered("RH", None)]
    assert announced(state) == ["DS", "DH", "DD", "DC"]


@pytest.mark.rule("le-plateau", "6", "means in hand after the exchange", "discarded")
def test_a_card_of_ones_own_discard_can_be_announced_beside_the_others_of_its_rank():
    state = announcing(4, 0, ["RS RD", "RC", "", ""], exchange=True, discard="RH T1 T2", taken="RH T1 T2")
    assert announced(state) == ["RH", "RC"]


@pytest.mark.rule("le-plateau", "6", "given away")
def test_a_card_given_away_can_be_announced_and_its_receiver_joins():
    gifts = (ShownGift(0, 3, "RH"), ShownGift(0, 4, "1S"))
    state = announcing(6, 0, ["RS RD RC", "", "", "RH", "1S", ""], exchange=True, gifts=gifts)
    assert announced(state) == ["RH"]
    assert PartnerFound(3) in builders.act(state, 0, Announce("RH"))[0]


@pytest.mark.rule("le-plateau", "6", "The holder of the card becomes a partner")
def test_a_trio_needs_two_different_partners():
    state = announcing(6, 0, ["RS", "RH", "", "RD", "", "RC"], team="trio")
    _, state = builders.act(state, 0, Announce("RD"))
    assert (builders.to_act(state), state.phase, announced(state)) == (0, "announce", ["RH", "RC"])
    events, state = builders.act(state, 0, Announce("RC"))
    assert events[-2:] == [PartnerFound(5), PhaseBegan("raise")]
    assert state.hand.contract.partners == (3, 5)


@pytest.mark.rule("le-plateau", "6", "or a partner holds it")
def test_a_trio_card_held_by_the_first_partner_is_shown_as_held_and_the_announcing_goes_on():
    state = announcing(6, 0, ["RS", "DS", "", "RD RC RH", "", ""], team="trio")
    _, state = builders.act(state, 0, Announce("RD"))
    events, state = builders.act(state, 0, Announce("RC"))
    assert events == [CardAnnounced(0, "RC"), AnnouncementAnswered("RC", 3)]
    assert state.hand.contract.partners == (3,)
    state = builders.acts(state, Announce("RH"))
    assert announced(state) == ["DS", "DH", "DD", "DC"]


@pytest.mark.rule("le-plateau", "6", "All players learn who holds the card")
def test_the_holder_of_an_announced_card_or_that_there_is_none_is_public():
    state = announcing(4, 0, ["RS", "RC", "", ""], talon="RH T1 T2")
    state = builders.acts(state, Announce("RH"), Announce("RC"))
    for viewer in (0, 1, 2, 3, None):
        view = project(state, viewer)
        assert view.announced == ("RH", "RC")
        assert view.holders == {"RH": None, "RC": 1}


def test_other_actions_are_refused_while_a_partner_is_sought():
    state = announcing(4, 0, ["RS", "RC", "", ""])
    assert builders.refusal(state, 0, Keep()) == "wrong-phase"
    assert builders.refusal(state, 1, Announce("RH")) == "not-your-turn"


@pytest.mark.rule("le-plateau", "6", "at `six_sides`, there are no further turns to raise")
def test_a_contract_for_six_sides_goes_from_the_partner_to_the_play_without_asking():
    state = announcing(5, 0, ["RS", "RC", "", "", ""], objective="six_sides")
    assert builders.act(state, 0, Announce("RC"))[0][-1] == PhaseBegan("play")


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


@pytest.mark.rule("le-plateau", "6", "can raise the objective, once, or keep it")
def test_each_seat_of_the_side_has_one_chance_to_raise():
    state = builders.acts(raising(4, 0, objective="bridge", partners=(1,)), RaiseObjective("y"), RaiseObjective("fork"))
    assert state.phase == "play"
    assert state.hand.contract.objective == "fork"


@pytest.mark.rule("le-plateau", "6", "at `six_sides`, there are no further turns to raise")
@pytest.mark.parametrize("seats", [4, 6])
def test_a_raise_to_six_sides_ends_the_raising(seats):
    state = raising(seats, 0, partners=(1,))
    assert builders.act(state, 1, RaiseObjective("six_sides"))[0][-1] == PhaseBegan("play")


@pytest.mark.rule("le-plateau", "6", "at `six_sides`, there are no further turns to raise")
def test_a_raise_to_six_sides_by_the_first_of_two_partners_ends_the_raising_too():
    state = raising(6, 0, team="trio", partners=(2, 5))
    assert builders.act(state, 2, RaiseObjective("six_sides"))[0][-1] == PhaseBegan("play")


@pytest.mark.rule("le-plateau", "6", "the one nearer to the declarer's left first")
def test_the_second_of_two_partners_and_the_declarer_go_on_from_the_first_ones_raise():
    state = builders.acts(raising(6, 0, team="trio", partners=(2, 5)), RaiseObjective("five_sides"))
    for seat in (5, 0):
        assert (builders.to_act(state), builders.legal(state)) == (seat, [Keep(), RaiseObjective("six_sides")])
        state = builders.acts(state, Keep())
    assert state.phase == "play"


@pytest.mark.rule("le-plateau", "6", "a declarer whose partner raised can abdicate instead")
def test_a_declarer_of_five_whose_partner_raised_can_abdicate():
    state = builders.acts(raising(5, 0, partners=(3,)), RaiseObjective("fork"))
    assert builders.legal(state) == [Keep(), RaiseObjective("five_sides"), RaiseObjective("six_sides"), Abdicate()]
    events, state = builders.act(state, 0, Abdicate())
    assert events == [DeclarerAbdicated(0, 3, 0), PhaseBegan("play")]
    assert (state.hand.contract.declarer, state.hand.contract.partners) == (3, (0,))
    assert (state.hand.contract.objective, state.hand.contract.value) == ("fork", 6)


@pytest.mark.rule("le-plateau", "6", "also possible when the partner raised to `six_sides`")
def test_abdication_is_offered_when_the_partners_raise_reached_six_sides():
    state = builders.acts(raising(5, 0, partners=(3,)), RaiseObjective("six_sides"))
    assert builders.to_act(state) == 0
    assert builders.legal(state) == [Keep(), Abdicate()]


@pytest.mark.rule("le-plateau", "6", "a declarer whose partner raised can abdicate instead")
def test_abdication_is_not_offered_when_the_partner_kept():
    state = builders.acts(raising(5, 0, partners=(3,)), Keep())
    assert Abdicate() not in builders.legal(state)
    assert builders.refusal(state, 0, Abdicate()) == "no-abdication"


@pytest.mark.rule("le-plateau", "6", "a declarer whose partner raised can abdicate instead")
def test_a_partner_cannot_abdicate_and_a_solo_declarer_neither():
    assert builders.refusal(raising(5, 0, partners=(3,)), 3, Abdicate()) == "no-abdication"
    assert builders.refusal(raising(5, 0, team="solo"), 0, Abdicate()) == "no-abdication"


@pytest.mark.rule("le-plateau", "6", "a declarer whose partner raised can abdicate instead")
@pytest.mark.parametrize("seats", [4, 6])
def test_abdication_is_refused_with_four_or_six_players(seats):
    state = builders.acts(raising(seats, 0, partners=(3,)), RaiseObjective("fork"))
    assert Abdicate() not in builders.legal(state)
    assert builders.refusal(state, 0, Abdicate()) == "no-abdication"


@pytest.mark.rule("le-plateau", "6", "the two change roles, for scoring only")
def test_after_an_abdication_the_ex_declarer_scores_as_partner():
    state = builders.acts(raising(5, 0, partners=(3,), exchange=True), RaiseObjective("fork"), Abdicate())
    assert hand_scores(state, "declarer") == (5, -5, -5, 10, -5)
    assert hand_scores(state, "opposing") == (-5, 5, 5, -10, 5)


@pytest.mark.rule("le-plateau", "6", "the two change roles, for scoring only")
def test_after_an_abdication_both_play_for_the_same_side_and_forehand_leads():
    state = builders.acts(raising(5, 0, partners=(3,)), RaiseObjective("fork"), Abdicate())
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


def test_other_actions_are_refused_while_the_objective_can_be_raised():
    state = raising(4, 0, partners=(2,))
    assert builders.refusal(state, 2, Pass()) == "wrong-phase"
    assert builders.refusal(state, 0, Keep()) == "not-your-turn"


@pytest.mark.rule("le-plateau", "6", "The value follows the objective")
@pytest.mark.parametrize(
    ("team", "partners", "objective", "values"),
    [("trio", (1, 2), "bridge", (2, 4, 6, 8)), ("duo", (1,), "y", (9, 11, 13)), ("solo", (), "fork", (16, 18))],
)
def test_with_six_players_of_2022_the_value_follows_the_objective_without_an_exchange_part(
    team, partners, objective, values
):
    state = raising(6, 0, team=team, objective=objective, partners=partners, exchange=None, edition="2022")
    speaker = builders.to_act(state)
    raises = [action for action in builders.legal(state) if isinstance(action, RaiseObjective)]
    assert tuple(builders.act(state, speaker, action)[0][0].value for action in raises) == values


@pytest.mark.rule("le-plateau", "6", "never with `abdication: off`")
@pytest.mark.parametrize("scoring", ["zero_sum", "positive"])
def test_abdication_is_refused_where_the_option_is_off(scoring):
    state = raising(5, 0, partners=(3,), scoring=scoring, abdication="off")
    state = builders.acts(state, RaiseObjective("fork"))
    assert builders.legal(state) == [Keep(), RaiseObjective("five_sides"), RaiseObjective("six_sides")]
    assert builders.refusal(state, 0, Abdicate()) == "no-abdication"


@pytest.mark.rule("le-plateau", "6", "never with `abdication: off`")
def test_a_raise_to_six_sides_ends_the_raising_where_abdication_is_off():
    state = raising(5, 0, partners=(3,), abdication="off")
    assert builders.act(state, 3, RaiseObjective("six_sides"))[0][-1] == PhaseBegan("play")


def test_abdication_can_be_turned_on_with_positive_scoring():
    state = builders.acts(raising(5, 0, partners=(3,), scoring="positive", abdication="on"), RaiseObjective("fork"))
    assert Abdicate() in builders.legal(state)


@pytest.mark.rule("le-plateau", "6", "the declarer chooses the suit among the cards in play")
def test_the_full_deck_has_lower_ranks_to_announce():
    faces = " ".join(rank + suit for rank in ("R", "D", "C", "V") for suit in "SHDC")
    state = announcing(5, 0, [f"{faces} 10S", "10H", "", "", ""], options={"deck": "full"})
    assert announced(state) == ["10H", "10D", "10C"]


@pytest.mark.rule("le-plateau", "6", "the highest suit card that they neither hold nor have announced")
@pytest.mark.parametrize(("seats", "team"), [(4, "duo"), (5, "duo"), (6, "trio")])
def test_a_french_excuse_is_never_announced(seats, team):
    options = {"excuse": "french"} | ({"deck": "full"} if seats < 6 else {})
    state = announcing(seats, 0, ["RS", "RH EX", *[""] * (seats - 2)], team=team, options=options)
    assert announced(state) == ["RH", "RD", "RC"]
    assert builders.refusal(state, 0, Announce("EX")) == "card-not-announceable"
