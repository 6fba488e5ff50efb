"""The notation: rules.md, notation. The lines of actions, and whole games."""

import pytest

from domain.log.record import visible
from domain.notation.lexer import NotationError
from domain.plateau import lines
from domain.plateau.actions import Pass
from domain.texts import document as texts
from tests.domain.plateau import builders
from tests.support.random_games import played
from tests.support.sampling import seeds

every_seed = pytest.mark.parametrize("seed", seeds(8))


@every_seed
def test_what_a_player_did_reads_back_as_the_action(seed):
    for step in played("plateau", 2, seed):
        if step.action is not None:
            line = step.game.state.history[len(step.before.state.history)]
            seat, text = lines.parted(line.own.line)
            assert seat == line.own.seat == line.public.seat == step.seat
            assert lines.read(text, step.before.state.board) == step.action


@every_seed
def test_visible_events_write_the_lines_of_the_view(seed):
    steps = played("plateau", 2, seed)
    for viewer in (0, 1, None):
        records = [record for step in steps[:-1] for record in step.records]
        seen = [visible(record, steps[0].game.secrets, viewer, everything=False) for record in records]
        written = [(event["seat"], lines.write(event["type"], event["data"])) for event in seen]
        view = steps[-2].game.ruleset.project(steps[-2].game.state, viewer)
        shown = [lines.line(seat, text) for seat, text in written if text is not None]
        assert shown == [line.line for line in view.history]


@every_seed
def test_a_line_splits_into_player_and_action(seed):
    for line in played("plateau", 2, seed)[-1].game.state.history:
        assert lines.line(*lines.parted(line.own.line)) == line.own.line


@pytest.mark.parametrize(
    "text",
    [
        "* a1 ??.r?", "+d4/1 r?", "", "a1", "a1>", "a1>a9", "a1>b1:0>c1", "a1*0>b1", "+d4 rr", "+d4/1 ro", "+d4/01 rr",
        "* a1 rr", "* a1 rr.ro", "$ ", "$ X", "$ R+", "% ", "% R-", "a1!~", "-", "#", "=", "a1>b1\n", " a1>b1",
    ],
)  # fmt: skip
def test_a_text_that_is_not_an_action_is_rejected(text):
    with pytest.raises(ValueError, match=r"not an action|no piece"):
        lines.read(text, builders.state("a1 Wxx Wrr").board)


def test_a_lift_of_the_whole_unit_is_written_without_its_number():
    board = builders.state("a1 Wxx Wrr").board
    assert lines.read("a1>b1", board) == builders.move("a1", "b1", lift=2)
    assert lines.read("a1*1>b1", board) == builders.move("a1", "b1", lift=1)
    with pytest.raises(ValueError, match="left out"):
        lines.read("a1*2>b1", board)


@pytest.mark.parametrize("line", ["X: a1>b1", "a1>b1", "B a1>b1", "", ": a1", "BW: a1"])
def test_a_line_begins_with_its_player(line):
    with pytest.raises(ValueError, match="begin"):
        lines.parted(line)


def test_the_other_actions_are_written_as_documented():
    board = builders.state("a1 Wrr, b1 Bxx Wbb", prisoners={"W": ["RM", "M"], "B": ["B"]}).board
    assert lines.read("b1~!", board) == builders.stomp("b1", flip=True)
    assert lines.read("$ RM+M", board) == builders.tender("RM", "M")
    assert lines.read("% BM+M", board) == builders.respond("BM", "M")
    assert lines.read("% -", board) == builders.REFUSE
    assert lines.read("--", board) == Pass()
    assert lines.kinds_in("$ RM+M") == lines.kinds_in("% RM+M") == ("RM", "M")
    assert lines.kinds_in("% -") == ()


def test_an_event_without_a_player_is_not_written():
    assert lines.write("turn_began", {}) is None


HEADER = "notation: 1\nruleset: plateau 2\nseats: 2\n\n"
OPENINGS = "B: * a1 xx.rr\nW: * d4 xx.bb\n"


def fault(game):
    """Return line and column of the first fault, counted in the game's own lines, and the message."""
    with pytest.raises(NotationError) as error:
        texts.read(HEADER + game)
    return error.value.line - 4, error.value.column, error.value.message


def test_a_game_is_read_and_played():
    reading = texts.read(HEADER + OPENINGS + "B: +a1/1 xx ; a comment\nW: d4*1>c3\nB: a1>b1:2>c1\n")
    assert [type(event).__name__ for event in reading.events].count("TurnBegan") == 5
    assert (reading.to_act, reading.outcome) == ((1,), None)


def test_after_the_header_case_does_not_matter():
    game = "b: * A1 XX.RR\nW: * d4 xx.BB\nB: +A1/1 Xx\nw: D4*1>C3\nb: A1>B1:2>C1\n"
    assert texts.read(HEADER + game).events == texts.read(HEADER + game.lower().replace("b:", "B:")).events
    assert texts.read(f"{HEADER}{game}w: #TIME\n").outcome.reason == "time"
    assert fault(f"{game}w: $ rm+M\n") == fault(f"{game}W: $ RM+M\n")
    assert "your prisoners are" in fault(f"{game}w: $ rm+m\n")[2]


@pytest.mark.parametrize(
    ("game", "report"),
    [(OPENINGS[:14], "1 turn"), (OPENINGS, "2 turns"), (f"{OPENINGS}B: =?\nW: =-\nB: a1>b1\nW: #\n", "3 turns")],
)
def test_turns_are_counted_without_offers_answers_and_resignations(game, report):
    reports = []
    texts.read(HEADER + game, reports.append)
    assert report in reports


@pytest.mark.parametrize(("line", "reason"), [("W: #", "resign"), ("W: =? B: =", "agreement")])
def test_a_resignation_and_an_agreed_draw_end_a_game(line, reason):
    reading = texts.read(f"{HEADER}{OPENINGS}{line}\n")
    assert reading.outcome.reason == reason
    assert reading.to_act == ()
    assert fault(f"{OPENINGS}{line}\nB: a1>b1\n") == (4, 1, "the game is over")
    assert fault(f"{OPENINGS}{line}\nB: =?\n") == (4, 1, "the game is over")


def test_an_offer_of_a_draw_stands_until_it_is_answered_or_its_player_acts():
    offers = "B: =?\nW: =-\nB: =?\nB: a1>b1\nW: =?\nW: d4>c3\nW: =?\n"
    assert texts.read(HEADER + OPENINGS + offers).to_act == (0,)
    assert texts.read(f"{HEADER}{OPENINGS}{offers}B: b1>b2\nB: =\n").outcome.reason == "agreement"


@pytest.mark.parametrize(
    ("game", "place", "message"),
    [
        ("W: =", (3, 4), "there is no offer of a draw for W to answer"),
        ("B: =-", (3, 4), "there is no offer of a draw for B to answer"),
        ("B: =?\nB: =", (4, 4), "there is no offer of a draw for B to answer"),
        ("B: =?\nB: =?", (4, 4), "a draw has already been offered"),
        ("B: =?\nW: =?", (4, 4), "a draw has already been offered"),
        ("B: =?\nW: =-\nW: =", (5, 4), "there is no offer of a draw for W to answer"),
        ("B: =?\nB: a1>b1\nW: =", (5, 4), "there is no offer of a draw for W to answer"),
        ("=", (3, 1), "= does not belong here: a line begins with B: or W:"),
    ],
)
def test_a_draw_is_answered_by_the_other_player_while_the_offer_stands(game, place, message):
    assert fault(f"{OPENINGS}{game}\n") == (*place, message)


@pytest.mark.parametrize(
    ("line", "place", "words"),
    [
        ("W: a1>b1", (3, 1), "B is to act"),
        ("a1>b1", (3, 1), "begins with B: or W:"),
        ("B:", (3, 3), "expected an action"),
        ("B: W: a1>b1", (3, 4), "expected an action"),
        ("B: a1>b9", (3, 4), "not an action"),
        ("B: a1>d1", (3, 4), "moves at most"),
        ("B: a1*2>b1", (3, 4), "left out"),
        ("B: +b2/0", (3, 9), "a piece"),
        ("B: +b2/0 r", (3, 10), "a piece"),
        ("B: +b2/0 ro", (3, 10), "no piece"),
        ("B: +d4/2 xx", (3, 4), "not yours"),
        ("B: * b1 xx.rr", (3, 4), "it is your turn"),
        ("B: * e1 xx.rr", (3, 6), "a square"),
        ("B: +d9/0 xx", (3, 4), "'+d9/0' is not an action"),
        ("B: +b2/1 xx", (3, 4), "b2/1: the stack is not that high"),
        ("B: +b2/0 xx W: +b3/0 xx B: +c2/0 xx W: +c3/0 xx B: +b1/0 rr W: +b4/0 bb B: +c1/0 rr", (3, 82), "no R left"),
        ("B: $ M", (3, 6), "your prisoners are none"),
        ("B: $ 7", (3, 6), "joined by +"),
        ("B: +b2/0 x?", (3, 10), "stands for what"),
    ],
)
def test_a_fault_is_reported_where_it_stands(line, place, words):
    *found, message = fault(f"{OPENINGS}{line}\n")
    assert tuple(found) == place
    assert words in message


@pytest.mark.parametrize(
    ("opening", "column", "words"),
    [
        ("* b2 xx.rr", 6, "b2 is not at the edge"),
        ("* a1 xx.rr", 6, "a1 is taken"),
        ("* d4 ro.xx", 9, "no piece has the faces 'ro'"),
        ("* d4 xx.ro", 12, "no piece has the faces 'ro'"),
        ("* d4 rb.br", 12, "you have only one A"),
    ],
)
def test_of_a_wrong_opening_the_square_or_the_piece_is_named(opening, column, words):
    *place, message = fault(f"B: * a1 xx.rr\nW: {opening}\n")
    assert place == [2, column]
    assert words in message
