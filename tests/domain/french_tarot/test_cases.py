"""Every case of cases.json: results, positions and whole deals, as public sources have them, each with its source."""

import json
from collections import Counter
from pathlib import Path

import pytest

from domain.cardplay.tricks import TrickCard, trick_winner
from domain.errors import IllegalAction
from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot import chien, excuse, partners
from domain.french_tarot.actions import AnnounceSlam, Bid, Call, Discard, NoSlam, Pass, Play, ShowPoignee
from domain.french_tarot.calculation import Count
from domain.french_tarot.deck import OUDLERS, SHAPES, STRENGTH, half_points, is_petit_sec, suits
from domain.french_tarot.play import legal_cards
from domain.french_tarot.scoring import PlayedDeal, calculate, contract_counted, divided, slam_points
from tests.domain.french_tarot import builders

FILE = json.loads((Path(__file__).parent / "cases.json").read_text())
SIDES = {"attack": "attack", "defense": "defence", None: None}
LEVELS = {
    size: dict(zip(("simple", "double", "triple"), shape.poignees, strict=True)) for size, shape in SHAPES.items()
}


def cases(kind):
    """Parametrize a test by the cases of a kind."""
    found = [case for case in FILE["cases"] if case["kind"] == kind]
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


def options(players, **chosen):
    return french_tarot.options.complete(chosen, players)


def counted(points, oudlers):
    halves = int(points * 2)
    return Count(halves, None, 0, (), halves, str(points), OUDLERS[:oudlers])


@pytest.mark.rule("french-tarot", "10", "pays the attack a unit", "contract / ±")
@cases("score")
def test_score(case):
    told, expected = case["input"], case["expect"]
    slam, made_by = told["slam"], SIDES[told["slam"]["made_by"]]
    played = PlayedDeal(
        contract=told["contract"],
        taker=told["taker"],
        partner=told["partner"],
        players=tuple(range(told["players"])),
        count=counted(told["points"], told["oudlers"]),
        petit_au_bout=SIDES[told["petit_au_bout"]],
        poignees=tuple((0, shown["level"]) for shown in told["poignees"]),
        slam="slam" if slam["announced"] else None,
        made_by=made_by,
        defence_tricks=9,
        miseres=(),
    )
    result = calculate(options(told["players"]), told["players"], played)
    assert (result.contract.won_by == "attack") == expected["attack_won"]
    assert result.contract.difference == expected["diff_rounded"]
    assert result.unit == expected["unit"]
    assert [share.score for share in result.shares] == expected["scores"]
    assert sum(expected["scores"]) == 0


def play_deal(told, **chosen):
    """Play a whole deal by the rules, from the first bid on; return the events.

    Where the source has an écart and not the chien, the taker takes in the very cards that are laid aside.
    """
    seats, taker = told["players"], told["taker"]
    after_dealer = taker if told["slam_announced"] else told["first_lead"]
    chien = told.get("chien") or told["ecart"]
    hands = [told["hands"][str(seat)] for seat in range(seats)] if "hands" in told else hands_of(told)
    state = builders.dealt(hands, chien, dealer=(after_dealer - 1) % seats, deals=1, **chosen)
    asked = {"bid": lambda seat: Bid(told["contract"]) if seat == taker else Pass()}
    asked["call"] = lambda _: Call(next(card for card in hands[told["partner"]] if card[0] == "R"))
    asked["discard"] = lambda _: Discard(tuple(told["ecart"]))
    asked["slam"] = lambda _: AnnounceSlam() if told["slam_announced"] else NoSlam()
    events = []
    while state.phase != "play":
        seat = builders.to_act(state)
        more, state = builders.act(state, seat, asked[state.phase](seat))
        events += more
    for shown in told["poignees"]:
        assert shown["side"] == "attack"
        size = LEVELS[seats][shown["level"]]
        level = next(
            action for action in builders.legal(state) if isinstance(action, ShowPoignee) and len(action.cards) == size
        )
        assert builders.to_act(state) == taker
        more, state = builders.act(state, taker, level)
        events += more
    for trick in told["tricks"]:
        for card in trick:
            more, state = builders.act(state, builders.to_act(state), Play(card))
            events += more
    assert state.phase == "over"
    return events


def hands_of(told):
    """Return the hands as their cards were played, where the source does not list them: each winner leads next."""
    seats, leader = told["players"], told["first_lead"]
    hands = [[] for _ in range(seats)]
    for trick, winner in zip(told["tricks"], told["expect"]["trick_winners"], strict=True):
        for turn, card in enumerate(trick):
            hands[(leader + turn) % seats].append(card)
        leader = winner
    return hands


def check_deal(events, expected):
    (scored,) = builders.of_kind(events, builders.ev.DealScored)
    calculation = scored.calculation
    assert [event.winner for event in builders.of_kind(events, builders.ev.TrickWon)] == expected["trick_winners"]
    assert calculation.count.half_points == expected["attack_points"] * 2
    assert len(calculation.count.oudlers) == expected["attack_oudlers"]
    assert calculation.petit_au_bout.side == SIDES[expected["petit_au_bout"]]
    assert calculation.slam.made_by == SIDES[expected["slam_made_by"]]
    assert calculation.unit == expected["unit"]
    assert list(scored.scores) == expected["scores"]


@pytest.mark.rule("french-tarot", "10", "counts its tricks without the Excuse")
@cases("deal_log")
def test_deal_log(case):
    check_deal(play_deal(case["input"], **LED_IN_THE_CALLED_SUIT.get(case["id"], {})), case["expect"])


LED_IN_THE_CALLED_SUIT = {"ft-deal-017": {"called_suit_lead": "free"}}
"""The source has no ban on leading the called suit, and this deal begins with such a lead."""


def test_the_deal_that_leads_the_called_suit_is_refused_by_default():
    (case,) = [case for case in FILE["cases"] if case["id"] in LED_IN_THE_CALLED_SUIT]
    with pytest.raises(IllegalAction, match="the king of clubs is called"):
        play_deal(case["input"])


@pytest.mark.rule("french-tarot", "8", "first card that is not the Excuse")
@cases("legal")
def test_legal(case):
    told = case["input"]
    assert {*legal(told["hand"], told["trick"], told.get("called_card"))} == {*case["expect"]["legal"]}


def legal(hand, trick, called=None, *, first_trick=True, **chosen):
    """Return the legal cards of a hand; five play where a card is called, otherwise four."""
    seats = 5 if called else 4
    others = [""] * (seats - 1)
    seat = len(trick)
    held = [*others[:seat], " ".join(hand), *others[seat:]]
    played = " ".join(f"{turn}:{card}" for turn, card in enumerate(trick))
    before = () if first_trick else builders.tricks("0:1S 1:2S 2:3S 3:4S 4:5S > 0")
    parts = {"trick": played, "tricks": before, "called": called, "contract": "petite", "slam": "none"}
    return legal_cards(builders.state(seats, "play", held=held, options=chosen, **parts), seat)


@pytest.mark.rule("french-tarot", "8", "first card that is not the Excuse", "The highest trump wins")
@cases("trick_winner")
def test_trick_winner(case):
    trick = [TrickCard(seat, card) for seat, card in enumerate(case["input"]["trick"])]
    assert trick_winner(trick, suits(imprenable=False), STRENGTH, "T") == case["expect"]["winner_index"]


@pytest.mark.rule("french-tarot", "1", "91 in all")
@cases("card_points")
def test_card_points(case):
    cards = case["input"]["cards"]
    assert half_points(cards) == case["expect"]["points"] * 2
    assert len({*OUDLERS} & {*cards}) == case["expect"]["oudlers"]


@pytest.mark.rule(
    "french-tarot", "9", "stays with the side of its player", "receives half a point for the Excuse", "worth 4.5 or 4"
)
@cases("excuse")
def test_excuse(case):
    told, expected = case["input"], case["expect"]
    assert told["slam_made_by"] in (None, told["trick_won_by"])
    sides = ("attack", "defense")
    player, winner = (sides.index(told[key]) for key in ("excuse_played_by", "trick_won_by"))
    number = 18 if told["last_trick"] else 1
    state = builders.state(4, "play", contract="petite", slam="none", tricks=builders.tricks("0:1S > 0", "1:2S > 1"))
    trick = builders.replace(builders.tricks(f"{player}:EX 2:1D 3:2D > {winner}")[0], number=number)
    (counted,) = excuse.counted(state, trick)
    assert counted.owner == SIDES[expected["excuse_belongs_to"]]
    cards = told["attack_cards_excluding_excuse"]
    assert half_points(cards) + counted.half_points == expected["attack_points"] * 2
    oudlers = {*OUDLERS} & {*cards, *(["EX"] if counted.owner == "attack" else [])}
    assert len(oudlers) == expected["attack_oudlers"]


@pytest.mark.rule("french-tarot", "10", "a half goes to the winner", "made by 1, and 40.5")
@cases("rounding")
def test_rounding(case):
    told, expected = case["input"], case["expect"]
    result = contract_counted(options(3), int(told["points"] * 2), told["oudlers"], 1)
    assert result.target == told["target"]
    assert result.rounded_points == expected["rounded_points"]
    assert (result.won_by == "attack") == expected["attack_won"]


@pytest.mark.rule("french-tarot", "10", "slam / announced", "petit chelem / announced", "becomes a slam is worth 300")
@cases("slam_bonus")
def test_slam_bonus(case):
    told = case["input"]
    announced = "slam" if told["announced"] else None
    assert slam_points(announced, SIDES[told["made_by"]], 9) == case["expect"]["bonus_for_attack_unit"]


@pytest.mark.rule("french-tarot", "10", "with a partner, the taker gets it twice", "All scores sum to zero")
@cases("shares")
def test_shares(case):
    told, players = case["input"], case["input"]["players"]
    partner = 1 if told["attack_size"] == 2 else None
    division = divided(options(players), range(players), 0, partner, 1)
    points = {role: share for role, _, share in division.values()}
    assert points == {role.removeprefix("each_"): share for role, share in case["expect"].items()}
    assert sum(share for _, _, share in division.values()) == 0


@pytest.mark.rule("french-tarot", "6", "A king or an oudler cannot be laid aside", "A trump can be laid aside only if")
@cases("discard")
def test_discard(case):
    told, expected = case["input"], case["expect"]
    codes = {"oudler": "oudler-in-ecart", "size": "wrong-number-of-cards", None: None}
    assert ecart_refusal(told) == codes[expected["reason"]]
    assert expected["valid"] == (expected["reason"] is None)
    if expected["valid"]:
        assert list(chien.trumps_in(told["discard"])) == expected["trumps_to_show"]


def ecart_refusal(told):
    try:
        chien.check(told["hand_with_chien"], told["discard"], told["size"])
    except IllegalAction as refused:
        return refused.code
    return None


@pytest.mark.rule("french-tarot", "2", "3 / 24", "4 / 18", "5 / 15")
@cases("poignee")
def test_poignee(case):
    told, expected = case["input"], case["expect"]
    seats = told["players"]
    state = builders.state(seats, "play", held=[" ".join(told["hand"]), *[""] * (seats - 1)], contract="petite")
    refused = builders.refusal(state, 0, ShowPoignee(tuple(told["shown"])))
    assert (refused is None) == expected["valid"]
    if expected["valid"]:
        events, _ = builders.act(state, 0, ShowPoignee(tuple(told["shown"])))
        assert events[0].level == expected["level"]


@pytest.mark.rule("french-tarot", "1", "stands in for a trump only in a poignée")
@pytest.mark.rule("french-tarot", "3", "is shown at once, and the deal is thrown in", "this is automatic")
@cases("petit_sec")
def test_petit_sec(case):
    assert is_petit_sec(case["input"]["hand"]) == case["expect"]["petit_sec"]


@pytest.mark.rule("french-tarot", "5", "calls a king", "can also call a queen")
@cases("callable_ranks")
def test_callable_ranks(case):
    held = [" ".join(case["input"]["hand"]), *[""] * 4]
    state = builders.state(5, "call", held=held, contract="petite")
    assert {card[0] for card in partners.callable_cards(state, 0)} == {*case["expect"]["ranks"]}


@pytest.mark.rule("french-tarot", "5", "plays alone against four")
@cases("partner")
def test_partner(case):
    told = case["input"]
    hands = [" ".join(told["hands"][str(seat)]) for seat in range(5)]
    state = builders.state(5, "play", held=hands, taker=told["taker"], contract="garde", called=told["called"])
    assert partners.partner_of(state) == case["expect"]["partner"]


@pytest.mark.rule("french-tarot", "2", "3 / 24", "4 / 18", "5 / 15")
@cases("shape")
def test_shape(case):
    shape = SHAPES[case["input"]["players"]]
    expected = case["expect"]
    assert (shape.hand, shape.chien, list(shape.poignees)) == (expected["hand"], expected["chien"], expected["poignee"])
    assert shape.hand == expected["tricks"]


@pytest.mark.rule(
    "french-tarot", "Options", "`bidding` / ", "`minimum_contract` / ", "`petit_sec` / ", "`chien_excluded` / ",
    "`excuse_last_trick` / ", "`excuse_wins_last_trick` / ", "`poignee_scale` / ", "`poignee_timing` / ",
    "`misere` / ", "`petit_chelem` / ", "`score_rounding` / ", "`direction` / ",
)  # fmt: skip
@cases("option_case")
def test_option_case(case):
    judge = BY_OPTION[case["option"]]
    for value, expected in case["expect_by_value"].items():
        judge(case["input"], {case["option"]: {"true": True, "false": False}.get(value, value)}, expected)


def judge_whole_deal(told, chosen, expected):
    check_deal(play_deal({**told, "expect": expected}, **chosen), expected)


def judge_split(told, chosen, expected):
    players = range(told["players"])
    division = divided(options(5, **chosen), players, told["taker"], told["partner"], told["unit"])
    assert [division[seat][2] for seat in players] == expected


def judge_ban(told, chosen, expected):
    assert {*legal(told["hand"], told["trick"], told["called_card"], first_trick=told["first_trick"], **chosen)} == {
        *expected
    }


def judge_scale(told, chosen, expected):
    played = PlayedDeal("petite", 0, None, (0, 1, 2, 3), counted(41, 2), None, ((0, told["level"]),), None, None, 9, ())
    assert calculate(options(4, **chosen), 4, played).poignees[0].points == expected


BY_OPTION = {
    "excuse_wins_last_trick": judge_whole_deal,
    "five_player_split": judge_split,
    "called_suit_ban_after_excuse": judge_ban,
    "poignee_scale": judge_scale,
}


def test_every_kind_of_case_is_run():
    run = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    kinds = Counter(case["kind"] for case in FILE["cases"])
    assert kinds.keys() <= run
    assert kinds.total() == 158
    assert all(case["source"] for case in FILE["cases"])
