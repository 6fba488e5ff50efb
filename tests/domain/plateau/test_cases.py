"""Every case of the case file: a position, an action, whether it is legal, and what comes of it.

``cases.json`` names its sources, and for each case how sure it is.
"""

import json
from pathlib import Path

import pytest

from domain.errors import IllegalAction
from domain.plateau import RULESET as plateau
from domain.plateau import agreements, lines
from domain.plateau.actions import Move, Onboard, Open, Pass, Placed, Respond, Stomp, Stop, Tender
from domain.plateau.pieces import in_order
from tests.domain.plateau import builders

FILE = json.loads((Path(__file__).parent / "cases.json").read_text())
CASES, SEQUENCES = FILE["cases"], FILE["sequences"]
OUTSIDE_TURNS = {"resign", "agree_draw"}

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
every_legal_case = pytest.mark.parametrize("case", [c for c in CASES if c["legal"]], ids=lambda case: case["id"])


def state_of(case):
    position = case["position"]
    state = builders.state(
        position["board"],
        to_move=position["to_move"],
        phase=position["phase"],
        prisoners=position["prisoners"],
        public=position.get("public"),
        tender=tuple(position.get("tender", ())),
        min_tender=position.get("min_tender"),
        options=case.get("options"),
    )
    if "reserve" in position:
        assert [sorted(reserve) for reserve in state.reserves] == [sorted(position["reserve"][p]) for p in "BW"]
    return state


def action_of(asked):
    flip, stops = asked.get("flip", False), asked.get("stops", ())
    readers = {
        "open": lambda: Open(asked["square"], tuple(map(builders.code, asked["pieces"]))),
        "onboard": lambda: Onboard(asked["square"], asked["height"], *piece(asked["piece"])),
        "move": lambda: Move(
            from_=asked["from"],
            flip=flip,
            lift=asked["lift"],
            stops=tuple(Stop(*stop) for stop in stops),
            to=asked["to"],
        ),
        "stomp": lambda: Stomp(square=asked["from"], flip=flip),
        "tender": lambda: Tender(tuple(asked["pieces"])),
        "respond": lambda: Respond(pieces=tuple(asked["pieces"]), refuse=not asked["pieces"]),
        "pass": Pass,
    }
    return readers[asked["type"]]()


def piece(code):
    read: Placed = builders.code(code)
    return read.piece, read.up


def after(state, asked):
    """Carry out an action of the file; return the events and the state."""
    match asked["type"]:
        case "resign":
            events = agreements.resigned(state, state.to_move)
        case "agree_draw":
            events = agreements.agree(state, "draw")
        case _:
            return builders.act(state, action_of(asked))
    return events, builders.played(state, *events)


def check(state, result):
    assert builders.board(state) == result["board"]
    assert state.prisoners == tuple(in_order(result["prisoners"][player]) for player in "BW")
    if "reserve" in result:
        assert state.reserves == tuple(in_order(result["reserve"][player]) for player in "BW")
    if "min_tender" in result:
        assert state.min_tender == tuple(result["min_tender"][player] for player in "BW")
    if "public" in result:
        assert builders.public(state) == result["public"]
    check_end(state, result["outcome"])
    if result["outcome"] is None:
        assert plateau.to_act(state) == {builders.SEATS[result["to_move"]]}
        assert state.phase == result["phase"]


def check_end(state, outcome):
    end = plateau.outcome(state)
    if outcome is None:
        assert end is None
        return
    winners = (0, 1) if outcome["winner"] == "draw" else (builders.SEATS[outcome["winner"]],)
    assert (end.reason, end.winners) == (outcome["reason"], winners)
    assert state.phase == "over"
    assert plateau.to_act(state) == frozenset()


def test_the_case_file_is_complete():
    assert len(CASES) == FILE["count"] == 61
    assert len({case["id"] for case in CASES}) == 61
    assert SEQUENCES


@every_case
def test_the_action_of_a_case_is_legal_or_rejected_as_stated(case):
    state = state_of(case)
    if case["action"]["type"] in OUTSIDE_TURNS:
        assert case["legal"]
        return
    action = action_of(case["action"])
    assert (action in builders.legal(state)) == case["legal"]
    if not case["legal"]:
        with pytest.raises(IllegalAction):
            plateau.decide(state, state.to_move, action)


@every_legal_case
def test_the_result_of_a_case_is_as_stated(case):
    _, state = after(state_of(case), case["action"])
    check(state, case["result"])


@every_legal_case
def test_the_notation_of_a_case_is_as_stated_and_reads_back(case):
    if case["action"]["type"] == "agree_draw":
        accepted = {"type": "vote_cast", "seat": builders.SEATS[case["position"]["to_move"]], "data": {"accept": True}}
        assert list(plateau.notation.write(None, [accepted])) == [case["notation"]]
        return
    before = state_of(case)
    _, state = after(before, case["action"])
    assert state.history[-1].own.line == case["notation"]
    if case["action"]["type"] not in OUTSIDE_TURNS:
        seat, text = lines.parted(case["notation"])
        assert (seat, lines.read(text, before.board)) == (before.to_move, action_of(case["action"]))


@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda sequence: sequence["id"])
def test_a_sequence_runs_as_stated(sequence):
    state = state_of({"position": sequence["start"]})
    for step in sequence["steps"]:
        assert plateau.to_act(state) == {builders.SEATS[step["by"]]}
        _, state = after(state, step["action"])
        check(state, step["after"])
        line = state.history[-1]
        assert (line.own.line, line.public.line) == (step["notation"], step["public_notation"])
    check_end(state, sequence["expect"])
