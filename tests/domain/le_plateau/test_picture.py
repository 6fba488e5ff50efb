"""The picture and the text of a view: the board with its counters and path, and what stands beside it."""

import random
import re
from dataclasses import replace
from math import dist
from xml.etree import ElementTree

import pytest

from domain.le_plateau import RULESET as le_plateau
from domain.le_plateau import events as ev
from domain.le_plateau.actions import Bid, Pass
from domain.le_plateau.dealt import ShownGift
from domain.le_plateau.option_rules import OPTION_RULES
from domain.le_plateau.picture import drawing
from domain.le_plateau.picture.scenes import scene_of, turn_of
from domain.le_plateau.state import initial as setup
from domain.le_plateau.view import BoardView, project
from tests.domain.le_plateau import builders
from tests.domain.le_plateau.reference_rules import neighbours, points, printed_board
from tests.support.random_games import played
from tests.support.sampling import SEATS_OF_LE_PLATEAU, tables_of

SVG = "{http://www.w3.org/2000/svg}"


def drawn(view):
    return ElementTree.fromstring(drawing.svg(view))


def spaces(view):
    """Read every space off a picture, in the order drawn: (the token, the classes of what is in it, its centre)."""
    found = []
    for each in drawn(view).iter(f"{SVG}g"):
        title = each.find(f"{SVG}title")
        if title is not None:
            token = each.get("data-pick", "space:blank").removeprefix("space:")
            classes = {name for part in each.iter() for name in part.get("class", "").split()}
            x, y = map(
                float, re.fullmatch(r"translate\((\S+) (\S+)\)", each.get("transform", "translate(0 0)")).groups()
            )
            found.append((token, classes, (x, y)))
    return found


def counters(found):
    marks = {"first": "declarer", "second": "opposing"}
    return {token: marks[mark] for token, classes, _ in found for mark in marks if mark in classes}


def captioned(view):
    caption = scene_of(view)
    return [caption.title, *caption.lines]


def rows(view):
    return {row.name: [(shown.face, shown.note) for shown in row.things] for row in scene_of(view).rows}


def ends_of_hands(seats):
    """List a spectator's views at the end of each hand of some random games."""
    for step in (step for seed in range(3) for step in played("le-plateau", seats, seed)):
        state = step.before.state if step.before else None
        for event in step.events if state is not None else ():
            if type(event) in le_plateau.events.values():
                state = le_plateau.evolve(state, event)
            if isinstance(event, ev.HandScored):
                yield project(state, None)


# -- the board ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "variant"), tables_of("le-plateau"))
def test_every_space_is_drawn_once_where_it_lies_with_the_counter_of_its_owner(seats, variant):
    for step in played("le-plateau", seats, 3, variant)[seats + 1 :: 7]:
        view = project(step.game.state, None)
        found = spaces(view)
        assert [token for token, _, _ in found] == [*view.board.tokens]
        assert counters(found) == view.board.owners
        apart = 30 * 3**0.5
        for (_, _, (x, y)), (right, up) in zip(found, points(), strict=True):
            assert abs(x - apart * right) < 0.01
            assert abs(y + apart * up) < 0.01


def with_tokens(tokens):
    view = project(builders.state(4, "bid"), None)
    return replace(view, board=BoardView(tuple(tokens), {}))


def test_any_tokens_are_drawn_in_any_order():
    tokens = list(printed_board(4))
    random.Random(1).shuffle(tokens)
    view = with_tokens(tokens)
    assert [token for token, _, _ in spaces(view)] == tokens
    rows_of_text = drawing.text(view).split("\n")[4:17]
    assert sorted(" ".join(rows_of_text).split()) == sorted(tokens)
    assert rows_of_text[0].split() == tokens[:1]
    assert rows_of_text[6].split() == [tokens[place] for place in (27, 36, 21)]


def test_unknown_tokens_are_drawn_as_they_are_written():
    view = with_tokens(["<&>", *printed_board(4)[1:]])
    assert spaces(view)[0][0] == "<&>"
    assert "<&>" in drawing.text(view)


def test_before_the_first_deal_the_board_is_blank():
    view = project(setup(OPTION_RULES.complete({}, 3), 3), None)
    assert [classes for _, classes, _ in spaces(view)] == [{"rule", "space", "token", "muted"}] * 37
    assert captioned(view) == ["Nothing is dealt yet"]
    assert drawing.text(view).count("Player ") == 3


# -- the winning path ---------------------------------------------------------------------------------------------


def around(way):
    """Return the edges of a closed way: each corner with the next one, and the last with the first."""
    corners = [tuple(map(float, corner.split())) for corner in way.split("L")]
    return zip(corners, [*corners[1:], corners[0]], strict=True)


@pytest.mark.parametrize("seats", SEATS_OF_LE_PLATEAU)
def test_where_a_hand_has_ended_its_board_is_shown_with_the_path_that_made_it(seats):
    made = 0
    for view in ends_of_hands(seats):
        path = view.hand_results[-1].path
        title = captioned(view)[0]
        assert title == f"Hand {view.hand_number} of {seats} is over"
        assert counters(spaces(view)) == view.board.owners
        assert [token for token, classes, _ in spaces(view) if "on-path" in classes] == [*path]
        (outline,) = (each for each in drawn(view).iter(f"{SVG}path") if each.get("class") == "path")
        beside = neighbours(view.board.tokens)
        edges = [edge for way in re.findall(r"M([^MZ]+)Z", outline.get("d")) for edge in around(way)]
        assert len(edges) == sum(6 - len(beside[token] & {*path}) for token in path)
        centres = [centre for _, classes, centre in spaces(view) if "on-path" in classes]
        for (x, y), (to_x, to_y) in edges:
            middle = ((x + to_x) / 2, (y + to_y) / 2)
            assert sum(dist(middle, centre) < 27 for centre in centres) == 1, (
                "an edge has one space of the path beside it"
            )
        board = drawing.text(view).partition("\n(RH) ")[0]
        assert sorted(re.findall(r"\*(.{1,3})\*", board)) == sorted(path)
        made += bool(path)
    assert made


def test_once_the_next_hand_is_dealt_the_last_result_is_shown_and_no_path():
    steps = [step for seed in range(6) for step in played("le-plateau", 4, seed)]
    begun = [step.game.state for step in steps if step.game.status == "active" and step.game.state.phase == "bid"]
    views = [project(state, None) for state in begun if state.results]
    assert any(view.hand_results[-1].path for view in views)
    for view in views:
        assert not [token for token, classes, _ in spaces(view) if "on-path" in classes]
        assert captioned(view)[1].startswith(f"Hand {view.hand_results[-1].hand_number}: ")
        assert captioned(view)[2].startswith("Points: ")
    assert captioned(project(steps[-1].game.state, None))[0] == "Hand 4 of 4 · game over"


def test_the_counters_of_the_last_trick_are_marked_until_the_next_is_taken():
    for step in played("le-plateau", 4, 0):
        if step.game.state is not None and step.game.state.phase == "play":
            view = project(step.game.state, None)
            fresh = {token for token, classes, _ in spaces(view) if "fresh" in classes}
            last = view.tricks[-1:]
            expected = {f"#{trick.number}" for trick in last} | {card.card for trick in last for card in trick.cards}
            assert fresh == expected & view.board.owners.keys()
            assert ("dashed: last trick" in drawing.svg(view)) == bool(fresh)


@pytest.mark.parametrize(("viewer", "whose"), [(0, "declarer"), (1, "opposing"), (None, None)])
def test_the_key_below_the_board_says_which_side_is_the_viewers(viewer, whose):
    state = builders.state(2, "play", contract=builders.contract(2, 0), held=["RS", "DS"], mine="T1")
    yours = re.findall(r">([a-z]+), yours<", drawing.svg(project(state, viewer)))
    assert yours == ([whose] if whose else [])


# -- what stands beside it ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "variant"), tables_of("le-plateau"))
def test_the_seat_to_act_is_marked_at_every_moment(seats, variant):
    for step in played("le-plateau", seats, 0, variant):
        if step.game.state is not None:
            view = project(step.game.state, None)
            turn = turn_of(view)
            assert [*step.game.pending] == ([] if turn is None else [turn])
            assert [line.seat for line in scene_of(view).seats if line.is_to_act] == [*step.game.pending]


def test_in_the_bidding_each_seat_has_its_last_word():
    state = builders.state(4, "bid", dealer=3)
    state = builders.acts(state, builders.bid("y.x.duo"), builders.bid("y.x.solo"), Pass(), builders.bid("fork.solo"))
    caption = scene_of(project(state, None))
    assert (caption.title, *caption.lines) == ("Hand 1 of 4 · bidding", "Player 1 is bidding", "Dealer: player 4")
    assert [line.note for line in caption.seats] == ["a Y, duo, exchange (3)", "a Y, solo, exchange (8)", "passed",
                                                     "a fork, solo (11)"]  # fmt: skip
    assert {(line.side, line.cards) for line in caption.seats} == {(None, None)}


def test_in_the_play_each_seat_shows_its_part_and_side():
    contract = builders.contract(6, 4, "y", "trio", partners=[0, 5])
    state = builders.state(6, "play", contract=contract, held=["RS"] * 6, scores=(0, 3, -3, 0, 0, 0))
    seats = scene_of(project(state, 2)).seats
    assert [line.note for line in seats] == ["partner", "opponent", "opponent", "opponent", "declarer", "partner"]
    assert [line.side for line in seats] == ["first", "second", "second", "second", "first", "first"]
    assert [line.is_viewer for line in seats] == [seat == 2 for seat in range(6)]
    assert [line.score for line in seats] == [0, 3, -3, 0, 0, 0]


def test_the_trick_on_the_table_is_shown_or_else_the_last_one():
    state = builders.state(3, "play", contract=builders.contract(3), trick="1:RH 2:T3", tricks=2, held=["1H"] * 3)
    view = project(state, None)
    assert captioned(view) == ["Hand 1 of 3 · trick 3", "Player 1 plays a bridge, solo (2)", "Player 1 to play",
                               "Dealer: player 3"]  # fmt: skip
    assert rows(view) == {"Trick 3": [("RH", "player 2"), ("T3", "player 3")]}
    won = builders.played(state, ev.CardPlayed(0, "1H", None), ev.TrickWon(3, 2, builders.trick("1:RH 2:T3 0:1H")))
    view = project(won, None)
    assert captioned(view)[0] == "Hand 1 of 3 · trick 3 is taken"
    assert rows(view) == {"Trick 3, won by player 3": [("RH", "player 2"), ("T3", "player 3"), ("1H", "player 1")]}


ASKED = tuple(builders.Announced(*each) for each in (("RH", None, True), ("RS", 2, True), ("RD",)))
EXCHANGED = {"contract": builders.contract(3, 1, exchange=True), "taken": "RS RH T1", "discard": "1S 2S"}
GIVEN = {"contract": builders.contract(6, exchange=True), "gifts": (ShownGift(0, 3, "RS"),)}
OWN_ROWS = {"Taken from the talon": [("RS", ""), ("RH", ""), ("T1", "")], "Laid aside": [("1S", ""), ("2S", "")]}


@pytest.mark.parametrize(
    ("state", "viewer", "shown"),
    [
        (builders.state(3, "bid", held=["RS T3", "RH", "10H"]), 0, {"Hand of player 1": [("RS", ""), ("T3", "")]}),
        (builders.state(3, "bid", held=["RS T3", "RH", "10H"]), None, {}),
        (builders.state(4, "announce", contract=builders.contract(4, 0, "bridge", "duo"), announced=ASKED), None,
         {"Announced": [("RH", "none"), ("RS", "player 3"), ("RD", "asked")]}),
        (builders.state(3, "play", **EXCHANGED), 1, OWN_ROWS),
        (builders.state(3, "play", **EXCHANGED), 0, {}),
        (builders.state(6, "play", **GIVEN), 3, {"Gift of player 1 to player 4": [("RS", "")]}),
        (builders.state(6, "play", **GIVEN), 1, {"Gift of player 1 to player 4": [(None, "")]}),
    ],
)  # fmt: skip
def test_each_viewer_is_shown_the_cards_that_they_know(state, viewer, shown):
    assert rows(project(state, viewer)) == shown


def test_piles_are_shown_with_what_covers_and_what_is_covered():
    state = builders.state(2, "play", held=["RS", "DS"], piles=["10H/VH T8/VD", "T9/VC"], contract=builders.contract(2))
    state = builders.played(state, ev.CardPlayed(0, "10H", 0))
    shown = {row.name: row.things for row in scene_of(project(state, None)).rows}
    assert [(pile.face, pile.covers) for pile in shown["Piles of player 1"]] == [(None, False), ("T8", True)]
    assert [(pile.face, pile.covers) for pile in shown["Piles of player 2"]] == [("T9", True)]
    assert "Piles of player 1: ?? T8/??\n" in drawing.text(project(state, None))


def test_the_groups_of_an_open_talon_are_shown():
    view = project(builders.state(4, "choose_talon", contract=builders.contract(4)), None)
    groups = (("RS", "RH", "RD"), ("1S", "2S", "3S"))
    view = replace(view, talon=replace(view.talon, groups=groups))
    assert captioned(view)[2] == "Player 1 is choosing from the talon"
    assert [*rows(view)] == ["Talon, group 1", "Talon, group 2"]
    view = replace(view, talon=replace(view.talon, chosen=1, taken=groups[1]))
    assert [*rows(view)] == ["Talon, group 1", "Talon, group 2, taken"]


def test_a_bid_without_an_exchange_part_is_worded_without_it():
    state = builders.acts(builders.state(6, "bid", options={"edition": "2022"}), Bid(None, "y", "trio"))
    assert scene_of(project(state, None)).seats[0].note == "a Y, trio (2)"


def test_an_agreement_to_stop_is_shown_until_the_game_is_over():
    view = replace(project(builders.state(3, "bid"), None), stops_after_hand=True)
    assert "All agreed to stop after this hand" in captioned(view)
    assert "All agreed to stop after this hand" not in captioned(replace(view, phase="over"))


def test_a_hand_that_all_passed_is_over_without_a_contract():
    state = builders.state(2, "bid", options={"hands": 2})
    nothing = ev.HandRevealed(((),) * 2, (), (), (), (), (), (), (), ())
    state = builders.played(state, ev.Passed(0), ev.Passed(1), ev.HandPassedOut(), nothing, ev.HandScored(0, (0, 0)))
    view = project(state, None)
    assert captioned(view) == ["Hand 1 of 2 is over", "All passed", "Dealer: player 2"]
    assert not [line for line in scene_of(view).seats if line.side or line.is_to_act]


# -- the whole of it ----------------------------------------------------------------------------------------------

WHOLE = """\
Hand 1 of 3: trick 3
Player 1 plays a Y, solo, exchange (3)
Player 1 to play
Dealer: player 3

                       (T1)
                #12           (#1)
         #11            CH           [#2]
   T6            VD            VS           [T2]
          DH           (EX)           DC
  #10            RS           [RD]           #3
          CC           #13            CS
   #9            RH            RC            #4
          DS           T21            DD
   T5            VC            VH            T3
          #8            CD            #5
                 #7            #6
                        T4
(RH) declarer's side   [RH] opposing side   *RH* winning path

Trick 3: RH (player 2) T3 (player 3)
Hand of player 1: VS RS T21

> ( ) Player 1 (you)  declarer                         3 cards    +10
  [ ] Player 2      opponent                         1 card      -5
  [ ] Player 3      opponent                         0 cards     -5
"""


def test_the_text_of_a_view():
    state = builders.state(
        3,
        "play",
        contract=builders.contract(3, 0, "y", exchange=True),
        held=["RS T21 VS", "CH", ""],
        trick="1:RH 2:T3",
        tricks=2,
        mine="T1 #1 EX",
        theirs="#2 T2 RD",
        scores=(10, -5, -5),
    )
    assert drawing.text(project(state, 0)) == WHOLE


def test_the_description_puts_the_whole_picture_into_words():
    state = builders.state(2, "play", contract=builders.contract(2, 1), held=["RS", "DS"], mine="T1", theirs="EX #1")
    description = drawn(project(state, 0)).find(f"{SVG}desc").text
    for said in (
        "Player 2 plays a bridge, solo (2)",
        "Player 1 to play",
        "Your hand: king of spades",
        "Player 2: declarer, 1 card, score 0",
        "Counters of the declarer's side: trump 1",
        "of the opposing side: space #1 and the Excuse",
        "Player 1 (you): opponent, 1 card, score 0, to play",
    ):
        assert said in description
