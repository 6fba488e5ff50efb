"""Whole games of every number of players, through HTTP alone: everyone sees what they should.

``make long`` looks after every action, ``make test`` after some of them.
"""

import itertools
import random

import pytest

from tests.domain.le_plateau.reference_rules import printed_board
from tests.support.people import ME, Table, some_action
from tests.support.sampling import part

pytestmark = pytest.mark.usefixtures("fixed_draws")

LOOKS = part(3)
"""After how many of three actions everyone is asked what they see."""
VIEW_KEYS = {"ruleset", "game", "version", "viewer", "state", "to_act", "waiting_for", "proposals", "times"}
GAME_KEYS = {"id", "ruleset", "rules_version", "status", "options", "seats", "clock", "outcome", "sandbox"}
STATE_KEYS = {
    "phase", "hand_number", "hands_total", "dealer", "board", "hands", "talon", "discard", "gifts", "bids", "contract",
    "raises", "announced", "holders", "trick", "tricks", "scores", "hand_results", "stops_after_hand",
}  # fmt: skip
CONTRACT_KEYS = {"declarer", "partners", "exchanger", "exchange", "objective", "team", "value"}
PHASES = {"bid", "choose_talon", "exchange", "give", "announce", "raise", "play", "over"}


def check_view(view, table, seat, version):
    """Hold a view against the contract, key by key (its types are checked on the way, against the document)."""
    acting = seat in view["to_act"]
    assert view.keys() - {"take_back"} == VIEW_KEYS | ({"decision", "legal_actions"} if acting else set())
    back = view.get("take_back", {"versions": [], "own": None})
    assert back["versions"] == sorted({*back["versions"]})
    assert back["own"] is None or back["own"] in back["versions"]
    assert "take_back" not in view or (seat is not None and 0 < back["versions"][-1] < version)
    assert view["game"].keys() == GAME_KEYS
    assert view["game"]["id"] == table.id
    assert view["ruleset"] == view["game"]["ruleset"] == "le-plateau"
    assert view["waiting_for"] == view["to_act"]
    assert [each["player"] for each in view["game"]["seats"]] == [person.id for person in table.people]
    assert view["version"] == version
    assert view["viewer"] == {"seat": seat}
    assert (view["game"]["outcome"] is None) == (view["game"]["status"] != "finished")
    check_state(view["state"], seat, len(table.people))
    scores = view["state"]["scores"]
    assert sum(scores) == 0 if view["game"]["options"]["scoring"] == "zero_sum" else min(scores) >= 0
    if acting:
        assert view["decision"]["id"].endswith(f"_{seat}")
        assert view["legal_actions"]["count"] >= 1
        listed = view["legal_actions"]["actions"]
        assert (listed is None) == (view["legal_actions"]["count"] > 200)
        assert listed is None or len(listed) == view["legal_actions"]["count"]


def check_state(state, seat, seats):
    assert state.keys() >= STATE_KEYS
    assert state["phase"] in PHASES
    assert (len(state["board"]["tokens"]), len(set(state["board"]["tokens"]))) == (37, 37)
    assert set(state["board"]["owners"].values()) <= {"declarer", "opposing"}
    assert [hand["seat"] for hand in state["hands"]] == list(range(seats))
    for hand in state["hands"]:
        assert (hand["cards"] is None) == (hand["seat"] != seat)
        assert hand["cards"] is None or len(hand["cards"]) == hand["count"]
        assert len(hand["piles"]) == (5 if seats == 2 else 0)
        assert all(pile.keys() >= {"top", "under"} for pile in hand["piles"])
    assert state["talon"].keys() >= {"count", "cards", "taken", "groups", "chosen"}
    assert state["talon"]["cards"] is None
    assert state["discard"].keys() == {"count", "cards"}
    exchanger = state["contract"] and state["contract"]["exchanger"]
    if seat != exchanger or exchanger is None:
        assert state["talon"]["taken"] is state["discard"]["cards"] is None
    for gift in state["gifts"]:
        assert gift.keys() == {"from", "to", "card"}
        assert (gift["card"] is not None) == (seat in (gift["from"], gift["to"]))
    for bid in state["bids"]:
        assert (bid["bid"] is None) == (bid["value"] is None)
    assert state["contract"] is None or state["contract"].keys() == CONTRACT_KEYS
    assert len(state["scores"]) == seats
    for trick in state["tricks"]:
        assert len(trick["cards"]) == seats


def check_everyone(table, version, to_act):
    """Compare the views of all seats: what is public is the same in each."""
    views = [table.view(seat) for seat in (*table.seats, None)]
    for seat, view in zip((*table.seats, None), views, strict=True):
        assert view["to_act"] == to_act
        check_view(view, table, seat, version)
    public = [
        {key: view["state"][key] for key in ("phase", "board", "bids", "contract", "trick", "tricks", "scores")}
        for view in views
    ]
    assert all(each == public[0] for each in public)


def play(table, rng):
    """Play to the end; return the kinds of action, and the phases, that occurred."""
    kinds, phases = set(), set()
    for number in itertools.count():
        view = table.view()
        if not view["to_act"]:
            break
        (seat,) = view["to_act"]
        phases.add(view["state"]["phase"])
        if number % 3 < LOOKS:
            check_everyone(table, view["version"], [seat])
            for other in table.seats:
                assert (other == seat) == bool(table.legal(other))
        action = some_action(rng, table.legal(seat))
        kinds.add(action["type"])
        answer = table.act(seat, action, If_Match=f'"{view["version"]}"')
        assert answer.status_code == 201
        assert answer.json["version"] > view["version"]
        assert answer.json["events"][0]["version"] == view["version"] + 1
    return kinds, phases


def check_the_end(table):
    for seat in (*table.seats, None):
        view = table.view(seat)
        check_view(view, table, seat, table.version)
        assert (view["game"]["status"], view["to_act"], view["state"]["phase"]) == ("finished", [], "over")
        assert len(view["state"]["hand_results"]) == view["state"]["hands_total"]
    result = table.view()["state"]["hand_results"][-1]
    assert result.keys() >= {"contract", "by", "path", "scores", "talon", "discard"}
    finished = table.events()[-1]
    assert finished["type"] == "game_finished"
    outcome = finished["data"]["outcome"]
    assert outcome == table.view()["game"]["outcome"]
    assert outcome["scores"] == table.view()["state"]["scores"]
    best = max(outcome["scores"])
    assert outcome["winners"] == [seat for seat in table.seats if outcome["scores"][seat] == best]


@pytest.mark.parametrize("seats", [2, *(pytest.param(seats, marks=pytest.mark.long) for seats in (3, 4, 5, 6))])
def test_a_whole_game_in_a_sandbox(server, ada, seats):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME] * seats, "sandbox": True}).json
    table = Table(game["id"], [ada] * seats, server)
    kinds, phases = play(table, random.Random(seats))
    assert kinds >= {"bid", "pass", "play"}
    assert phases >= {"bid", "play"}
    check_the_end(table)


VARIANTS = {
    "double talon, french excuse": (4, {"deck": "full", "excuse": "french", "void_hands": "redeal"}),
    "six players of 2022": (6, {"edition": "2022", "scoring": "positive", "board": "random_deal"}),
    "full deck, custom board": (
        3, {"deck": "full", "board": "custom", "board_tokens": [*reversed(printed_board(3, "full"))]}
    ),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(("seats", "options"), VARIANTS.values(), ids=VARIANTS)
def test_a_whole_game_of_a_variant(server, ada, seats, options):
    wanted = {"ruleset": "le-plateau", "seats": [ME] * seats, "sandbox": True, "options": options}
    made = ada.post("/v1/games", wanted)
    assert made.status_code == 201
    assert made.json["options"].items() >= options.items()
    table = Table(made.json["id"], [ada] * seats, server)
    kinds, _ = play(table, random.Random(6))
    assert kinds >= {"bid", "pass", "play"}
    assert ("choose_talon" in kinds) == (seats == 4)
    check_the_end(table)


def test_a_whole_game_of_three_players_who_sit_apart(server, ada, bob):
    table = server.table([ada, bob, server.newcomer("Cleo")])
    kinds, _ = play(table, random.Random(1))
    assert kinds >= {"bid", "pass", "play"}
    check_the_end(table)
