"""Typing narrows what a seat can do to every legal action, and to nothing else."""

import random
from collections.abc import Mapping
from typing import Any

import pytest

from domain.registry import BUILT_IN
from service.cli.play.choosing import LISTED, Choice, words_of
from service.cli.play.session import Turn
from service.cli.play.slots import leaves_of
from service.cli.play.words import Words
from tests.service.cli.play.positions import Named, Position, golden, longest

RULESETS = [ruleset.id for ruleset in BUILT_IN]


def canonical(value: Any) -> Any:
    """Write an action so that equal ones look equal: lists of scalars have no order, and null is left out."""
    if isinstance(value, list):
        parts = [canonical(each) for each in value]
        return parts if any(isinstance(each, dict) for each in value) else sorted(parts)
    if isinstance(value, Mapping):
        return {name: canonical(inner) for name, inner in value.items() if inner is not None}
    return value


def values_of(value: Any) -> list[str]:
    """List what is written of an action, in the order of its fields; x stands for yes."""
    if isinstance(value, Mapping):
        return [each for name, inner in value.items() if name != "type" for each in values_of(inner)]
    if isinstance(value, list):
        return [each for inner in value for each in values_of(inner)]
    return {"True": ["x"], "False": [], "None": []}.get(str(value), [str(value)])


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_numbers_lead_to_every_legal_action_and_to_nothing_else(ruleset_id: str) -> None:
    positions = [*golden(ruleset_id), *longest(ruleset_id)]
    assert len(positions) > 6
    rng = random.Random(ruleset_id)
    for each in positions:
        wanted = rng.choice(each.actions)
        assert canonical(reached(each, wanted)) == canonical(wanted), each.name
        found = wandered(each, rng)
        if all(branch.leaf.action is not None for branch in each.choice.branches):
            assert canonical(found) in [canonical(action) for action in each.actions], each.name


def reached(at: Position, wanted: Mapping[str, Any]) -> Any:
    """Type the numbers that lead to an action: at each step one of those after which it is still possible."""
    choice = at.choice
    for _ in range(60):
        if choice.ready and canonical(choice.ready) == canonical(wanted):
            return choice.ready
        ways = (choice.read(str(option.key)).choice for option in choice.options())
        choice = next(way for way in ways if is_possible(way, wanted))
    raise AssertionError(f"{at.name}: no end")


def is_possible(choice: Choice, wanted: Mapping[str, Any]) -> bool:
    """Say whether an action is still among those that are left."""
    return any(fits(branch, wanted) for branch in choice.branches)


def fits(branch: Any, wanted: Mapping[str, Any]) -> bool:
    if branch.leaf.action is not None:
        return bool(canonical(branch.leaf.action) == canonical(wanted))
    paths = {slot.path.split(".")[0] for slot in branch.leaf.slots} | {path.split(".")[0] for path in branch.leaf.empty}
    lengths = [path for path in branch.leaf.empty if at_path(wanted, path)]
    held = [(slot, value) for slot in branch.leaf.slots for value in branch.held(slot)]
    return (
        not lengths
        and all(wanted[name] is None or name in paths for name in wanted)
        and all(contains(at_path(wanted, slot.path), value) for slot, value in held)
        and all(at_path(wanted, slot.path) is not MISSING for slot in branch.leaf.slots)
    )


MISSING = object()


def at_path(value: Any, path: str) -> Any:
    for part in path.split("."):
        if isinstance(value, list):
            value = value[int(part)] if int(part) < len(value) else MISSING
        else:
            value = value.get(part) if isinstance(value, Mapping) else MISSING
    return value


def contains(held: Any, value: Any) -> bool:
    return value in held if isinstance(held, list) else bool(held == value)


def wandered(at: Position, rng: random.Random) -> Any:
    """Type any of the numbers that are offered, until nothing is left to choose."""
    choice = at.choice
    for _ in range(60):
        if choice.finished:
            assert choice.options() == []
            return choice.ready
        options = choice.options()
        assert len({option.key for option in options}) == len(options), at.name
        reading = choice.read(str(rng.choice(options).key))
        assert reading.unknown is None, at.name
        choice = reading.choice
    raise AssertionError(f"{at.name}: no end")


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_all_values_of_an_action_in_one_line_choose_it_and_nothing_else(ruleset_id: str) -> None:
    rng = random.Random(ruleset_id)
    for each in [*golden(ruleset_id), *longest(ruleset_id)]:
        wanted = rng.choice(each.actions)
        typed = " ".join(values_of(wanted)) or wanted["type"]
        reading = each.choice.read(typed)
        assert reading.unknown is None, (each.name, typed)
        if reading.choice.ready:
            ready, meant = (sorted(words_of(" ".join(values_of(one)))) for one in (reading.choice.ready, wanted))
            assert ready == meant
        else:
            assert is_possible(reading.choice, wanted), (each.name, typed)


def bids(objectives: str, teams: str) -> list[dict[str, Any]]:
    return [
        {"type": "bid", "exchange": exchange, "objective": objective, "team": team}
        for objective in objectives.split()
        for team in teams.split()
        for exchange in (True, False)
    ]


BIDS, MANY_BIDS = bids("y fork six_sides", "solo duo"), bids("bridge y fork five_sides six_sides", "solo duo trio")
PASS = {"type": "pass"}


def among(actions: list[dict[str, Any]], says: list[str] | None = None) -> Choice:
    kinds = {"play.card": "card"}
    return Choice.among(leaves_of(actions, kinds, says or [str(values_of(each)) for each in actions]), Named())


@pytest.mark.parametrize(
    ("offered", "typed", "left"),
    [
        (BIDS, "y.x.duo", [BIDS[2]]),
        (BIDS, "y.duo", [BIDS[3]]),
        (BIDS, "Y duo", [BIDS[3]]),
        (BIDS, "six", BIDS[8:]),
        (BIDS, "six solo x", [BIDS[8]]),
        (BIDS, "pass", [PASS]),
        (BIDS, "3", [BIDS[2]]),
        (MANY_BIDS, "y.trio", [MANY_BIDS[11]]),
        (MANY_BIDS, "Y.X.Trio", [MANY_BIDS[10]]),
        (MANY_BIDS, "five_sides.duo", [MANY_BIDS[21]]),
        (MANY_BIDS, "trio", [each for each in MANY_BIDS if each["team"] == "trio"]),
    ],
)
def test_a_bid_is_chosen_as_the_notation_writes_it(
    offered: list[dict[str, Any]], typed: str, left: list[dict[str, Any]]
) -> None:
    choice = among([*offered, PASS])
    assert (len(choice.branches) > LISTED) == (offered is MANY_BIDS)
    choice = choice.read(typed).choice
    assert [branch.leaf.action for branch in choice.branches] == left
    assert choice.finished == (len(left) == 1)


@pytest.mark.parametrize("more", [0, 30])
def test_a_move_that_turns_nothing_over_is_written_without_a_sign(more: int) -> None:
    def move(to: str, lift: int, *, flip: bool) -> dict[str, Any]:
        return {"type": "move", "from": "c1", "flip": flip, "lift": lift, "stops": [], "to": to}

    others = [{"type": "onboard", "square": f"s{number}"} for number in range(more)]
    moves = [move(to, lift, flip=flip) for to in ("d2", "b2") for lift in (1, 2) for flip in (False, True)]
    choice = among([*moves, *others])
    assert choice.read("C1*2>D2").choice.ready == move("d2", 2, flip=False)
    assert choice.read("c1~*2>d2").choice.ready == move("d2", 2, flip=True)
    assert len(choice.read("c1>d2").choice.branches) == 4
    assert choice.read("c1").choice.ready is None


def test_a_blank_face_and_a_height_of_one_are_no_yes() -> None:
    faces = [
        {"type": "onboard", "square": "a1", "height": height, "piece": "RM", "up": up}
        for height in (0, 1)
        for up in "rx"
    ]
    assert among(faces).read("+A1/1 RM X").choice.ready == faces[3]
    assert len(among(faces).read("+a1/0 rm").choice.branches) == 2
    assert len(among(faces).read("+a1 r").choice.branches) == 2


def test_a_card_whose_name_begins_another_is_chosen_by_its_whole_name() -> None:
    cards = ["T1", "T10", "T11", "RH", "10H"]
    choice = among([{"type": "play", "card": card} for card in cards])
    for card in cards:
        for typed in (card, card.lower()):
            assert choice.read(typed).choice.ready == {"type": "play", "card": card}
    assert len(choice.read("t").choice.branches) == 3


def test_of_actions_with_the_same_values_the_order_typed_decides() -> None:
    cards = [{"type": "give", "first": first, "second": second} for first, second in (("RS", "RH"), ("RH", "RS"))]
    assert among(cards).read("rh rs").choice.ready == cards[1]
    assert among(cards).read("rs rh").choice.ready == cards[0]
    assert len(among(cards).read("rh").choice.branches) == 2


def test_words_of_the_sentence_narrow_without_their_accents() -> None:
    says = ["Jouer le roi de cœur", "Jouer le roi de trèfle", "ハートのキングを出す"]
    choice = among([{"type": "play", "card": card} for card in ("RH", "RC", "KH")], says)
    assert choice.read("roi tref").choice.ready == {"type": "play", "card": "RC"}
    assert choice.read("キング").choice.ready == {"type": "play", "card": "KH"}
    assert len(choice.read("roi").choice.branches) == 2


def test_a_number_of_the_game_is_its_own_number_in_the_list() -> None:
    choice = among([{"type": "bid", "points": points} for points in (5, 6, 7)] + [{"type": "pass"}])
    assert {option.key: option.label for option in choice.options()} == {5: "['5']", 6: "['6']", 7: "['7']", 1: "[]"}
    assert choice.read("5").choice.ready == {"type": "bid", "points": 5}
    assert choice.read("1").choice.ready == {"type": "pass"}


def test_two_choices_of_one_number_have_numbers_of_their_own() -> None:
    choice = among([{"type": "keep", "points": 1}, {"type": "raise", "points": 1}], ["Keep 1", "Raise by 1"])
    assert [(option.key, option.label) for option in choice.options()] == [(1, "Keep 1"), (2, "Raise by 1")]
    assert choice.read("2").choice.ready == {"type": "raise", "points": 1}


def test_what_fits_nothing_is_named_and_changes_nothing() -> None:
    choice = among(BIDS)
    reading = choice.read("y bridge")
    assert (reading.unknown, reading.choice) == ("bridge", choice)


def test_cards_of_a_set_are_numbered_as_shown_when_the_line_was_typed() -> None:
    choice = longest("french-tarot")[0].choice
    shown = choice.options()
    most = choice.part[1].bag.most if choice.part else 0
    chosen = choice.read(" ".join(str(option.key) for option in shown[:most])).choice
    assert most > 1
    assert [*chosen.branches[0].filled[shown[0].path]] == [option.value for option in shown[:most]]


def test_a_set_in_several_lines_can_be_changed_until_an_empty_one() -> None:
    choice = longest("french-tarot")[0].choice
    cards = [str(option.value) for option in choice.options()[:6]]
    turn = Turn(choice, is_awaited=True)
    assert turn.read(" ".join(cards)) == ({"type": "discard", "cards": cards}, None)
    assert turn.read(" ".join(cards[:2])) == (None, None)
    assert turn.read(cards[2]) == (None, None)
    turn.back()
    assert turn.hint("nothing", Words("en")) == "Nothing fits “nothing”."
    assert turn.read(" ".join(cards[3:])) == (None, None)
    assert turn.read(cards[2]) == (None, None)
    action, unknown = turn.read("")
    assert (sorted(action["cards"]), unknown) == (sorted(cards), None)


def test_an_empty_line_plays_the_only_action_only_if_the_game_waits_for_it() -> None:
    choice = among([{"type": "claim"}], ["Claim"])
    assert Turn(choice, is_awaited=True).read("") == ({"type": "claim"}, None)
    assert Turn(choice, is_awaited=False).read("") == (None, None)
    assert Turn(choice, is_awaited=False).read("claim") == ({"type": "claim"}, None)
    assert Turn(choice, is_awaited=False).hint("", Words("en")) == "You can: Claim (type it) · /help"
