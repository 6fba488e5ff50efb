"""The picture and the text of a view: the table with its trick, the teams around it, and what they have won."""

from xml.etree import ElementTree

from domain.pictures.shown import Shown
from domain.plute import RULESET as plute
from domain.plute.actions import Play
from domain.plute.events import PhaseBegan
from tests.domain.plute import builders

SVG = "{http://www.w3.org/2000/svg}"


def drawn(state, viewer=None):
    return ElementTree.fromstring(plute.presentation.svg(plute.project(state, viewer)))


def said(state, viewer=None):
    return drawn(state, viewer).find(f"{SVG}desc").text


def text(state, viewer=None):
    return plute.presentation.text(plute.project(state, viewer))


def playing(**parts):
    """Return a trick that player 0 leads and to which seats 1 and 2 have played."""
    held = ["AS", "KH 3C", "4D", "5D 6D", "QH 10H", "2C X1"]
    return builders.state("play", bid=5, held=held, trick="0:JS 1:JC 2:2S", tricks=[(0, "0:AS")], **parts)


def test_the_text_says_who_plays_for_what_the_trump_and_whose_turn_it_is():
    lines = text(playing(jokers="X2"), 4).splitlines()
    assert lines[:5] == [
        "Hand 1: trick 2",
        "Player 1 plays for 5 points, spades are trumps",
        "X2 is the high joker",
        "Player 4 to play",
        "Dealer: player 6",
    ]
    assert "  (1)      1 card   bidder, 5" in lines
    assert "> [4]      2 cards" in lines
    assert "  (5) you  2 cards" in lines
    assert "Trick 2: JS (player 1) JC (player 2) 2S (player 3)" in lines
    assert "Hand of player 5: 10H QH" in lines


def test_the_text_shows_the_tallies_and_what_each_team_has_won():
    lines = text(playing(tally=((2, 1), (0, 2)))).splitlines()
    heads = next(line for line in lines if "made" in line)
    assert heads.split() == ["made", "set", "tricks", "for", "Game", "points"]
    assert next(line for line in lines if "(Team A)" in line).split() == ["(Team", "A)", "2", "1", "1", "4", "High"]
    assert next(line for line in lines if "[Team B]" in line).split() == ["[Team", "B]", "0", "2", "0", "0"]
    assert not [line for line in lines if line.startswith("Hand of seat")]


def test_in_the_bidding_each_seat_has_what_it_said():
    lines = text(builders.state("bid", dealer=1, bids=[(2, None), (3, 5)], held=["AS"] * 6), 0).splitlines()
    assert lines[:3] == ["Hand 1: bidding", "Player 5 is bidding", "Dealer: player 2"]
    assert "  (3)      1 card   passes" in lines
    assert "  [4]      1 card   bids 5" in lines
    assert "> (5)      1 card" in lines


def test_the_first_lead_is_asked_to_name_trump():
    assert "Player 3 leads and names trump" in text(builders.state("play", trump=None, bidder=2))
    assert "Player 4 to play" in text(builders.state("play", trump=None, bidder=2, trick="2:X1"))


def test_a_picture_marks_the_teams_the_turn_and_the_winning_card():
    root = drawn(playing())
    assert len([each for each in root.iter(f"{SVG}circle") if each.get("class") == "first"]) == 4
    assert len([each for each in root.iter(f"{SVG}rect") if each.get("class") == "second"]) == 4
    assert len([each for each in root.iter() if each.get("class") == "turn"]) == 1
    assert not [each for each in root.iter() if each.get("class") == "path on-path"]
    between = drawn(builders.state("play", tricks=[(3, "1:5H 2:KH 3:AH 4:2D 5:3D 0:4D")]))
    assert len([each for each in between.iter() if each.get("class") == "path on-path"]) == 1


def test_the_viewer_sits_below_and_the_others_clockwise():
    for viewer in (0, 1, 4):
        seats = [each for each in drawn(playing(), viewer).iter(f"{SVG}g") if "You" in [e.text for e in each]]
        assert [each.get("transform") for each in seats] == ["translate(135 242)"]


def over(winners, **parts):
    _, state = builders.act(builders.about_to_end(winners, **parts), 5, Play("8H"))
    return builders.played(state, *([] if state.phase == "over" else [PhaseBegan("over")]))


def test_the_end_shows_the_result_of_the_last_hand_and_the_winner():
    pluted = text(over([0] * 9, bid=4))
    assert "Hand 1: the game is over" in pluted
    assert "A Plute: Team A took all nine tricks" in pluted
    assert "Team A wins by the Plute" in pluted
    made = over([0] * 8 + [1], bid=4, tally=((2, 0), (0, 0)))
    assert "Team A wins: made 3" in text(made)
    missed = over([1] * 8 + [0], bid=4, tally=((0, 2), (0, 0)))
    assert "Team B wins: Team A is set 3" in said(missed)
    assert "Hand 1: Team A bid 4, won" in said(missed)


def test_before_anything_is_dealt_there_is_an_empty_table():
    state = plute.setup(plute.options.complete({}, 6), 6)
    assert text(state).startswith("Nothing is dealt yet\n")
    assert drawn(state).find(f"{SVG}title").text == "Nothing is dealt yet"


def test_players_are_named_and_the_viewers_team_is_marked():
    state = playing()
    svg = plute.presentation.svg(plute.project(state, 3), Shown({3: "Ada", 4: "Bob"}, 3))
    root = ElementTree.fromstring(svg)
    names = [each.text for each in root.iter(f"{SVG}text") if each.get("class") == "ink small"]
    assert {"\u2068Ada\u2069", "\u2068Bob\u2069"} <= {*names}
    assert "Player 1 plays for 5 points" in svg
    assert "Your turn to play" in svg
    assert svg.count(">your side<") == 1
    assert "your side" not in plute.presentation.svg(plute.project(state, None))
