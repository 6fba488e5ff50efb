"""What the terminal draws of golden games: at 80 columns and without colours, and nothing of it is told by colour."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import orjson
import pytest
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType

from domain.game.aggregate import Game
from domain.registry import BUILT_IN, RULESETS
from domain.sentences.catalogue import languages
from domain.texts import form
from service.accounts.players import Person
from service.api.json_schema import action_schemas
from service.cli.output import clean
from service.cli.play import drawing
from service.cli.play.choosing import LISTED
from service.cli.play.game import Table, table_of
from service.cli.play.screen import WIDEST, Screen
from service.cli.play.session import Turn
from service.cli.play.words import Words
from service.games.projections import representations
from service.games.projections.naming import nameplates
from service.games.projections.narrating import say_actions
from tests.golden.recorded import recorded
from tests.service.cli.play.positions import LONGEST_LIST
from tests.support.server import ROOT

PLAYED = {
    "le-plateau": (
        ("2-ends-made-in-play", "4-deck-full", "6-board-custom"),
        {"bid", "exchange", "give", "choose_talon", "announce", "raise", "play", "over"},
    ),
    "french-tarot": (
        ("4-poignees-first", "4-three-deals", "5-alone"),
        {"bid", "call", "discard", "slam", "poignee", "play", "over"},
    ),
    "plute": (("ends-three-made", "hand-claimed-set"), {"bid", "play", "over"}),
    "plateau": (("ends-agreement",), {"opening", "play", "response", "over"}),
}
"""Golden games, and the phases in which somebody can act, and the end, that they go through."""

NAMES = ("Ada", "Bénédicte de La Rochefoucauld", "西園寺公望さん", "Dan", "A name of thirty-two characters.", "Fay")
RULESET_IDS = [ruleset.id for ruleset in BUILT_IN]
CARD_GAMES = [each for each in RULESET_IDS if each != "plateau"]


@dataclass(frozen=True)
class Drawn:
    """A position as the terminal shows it in a language: the table, the text, and the player's turn."""

    name: str
    state: Any
    table: Table
    turn: Turn
    text: str

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")


@cache
def positions(ruleset_id: str) -> dict[str, Game]:
    """Take the first position of each phase of each game, and one in the middle of play."""
    found: dict[str, Game] = {}
    for name in PLAYED[ruleset_id][0]:
        games = [step.game for step in recorded(ROOT / "tests/golden" / ruleset_id / f"{name}.txt")]
        shown = [game for game in games if game.state and (game.pending or game.is_over)]
        phases: dict[str, list[Game]] = {}
        for game in shown:
            phases.setdefault(game.state.phase, []).append(game)
        for phase, those in phases.items():
            found |= {f"{name} {phase} {at}": those[at] for at in {0, len(those) // 2 * (phase == "play")}}
    return found


@cache
def schemas(ruleset_id: str) -> Any:
    return action_schemas(RULESETS[ruleset_id])


def ruleset_of(ruleset_id: str, language: str) -> dict[str, Any]:
    said = form.action_words(RULESETS[ruleset_id], language)
    words = {name: {"name": each.name, "values": each.values} for name, each in said.items()}
    return {"actions": schemas(ruleset_id), "action_words": words}


@cache
def tables(ruleset_id: str, language: str) -> dict[str, Table]:
    return {name: table_at(game, language) for name, game in positions(ruleset_id).items()}


def table_at(game: Game, language: str) -> Table:
    """Return the table as the service shows it to one who is to act."""
    seat = min(game.pending, default=0)
    plates = nameplates(game, lambda players: {each: Person(NAMES[int(each.removeprefix("pl_"))]) for each in players})
    view = representations.view(game, seat, most=LONGEST_LIST)
    if "legal_actions" in view:
        say_actions(view["legal_actions"], game, plates, language)
    view["scene"] = representations.scene(game, seat, language, plates.labels())
    return table_of(orjson.loads(orjson.dumps(view)), ruleset_of(game.ruleset.id, language), Words(language))


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Any:
    screen = Screen(colours=False)

    def show(*drawn: RenderableType) -> str:
        screen.show(*drawn)
        return capsys.readouterr().out

    return show


@pytest.fixture
def drawn(shown: Any) -> Any:
    def draw(ruleset_id: str, language: str) -> Iterator[Drawn]:
        words = Words(language)
        for name, table in tables(ruleset_id, language).items():
            turn = Turn(table.choice, is_awaited=table.is_awaited)
            text = shown(*drawing.scene_of(table.scene, words, with_last=True), *turn.drawn(words))
            yield Drawn(name, table.view["state"], table, turn, text)

    return draw


@pytest.mark.parametrize(
    ("ruleset_id", "language"),
    [
        pytest.param(*each, marks=[] if each[1] == "en" or each == ("plute", "ja") else pytest.mark.long)
        for each in product(RULESET_IDS, languages())
    ],
)
def test_every_phase_fits_into_80_columns_and_numbers_all_that_can_be_chosen(
    ruleset_id: str, language: str, drawn: Any
) -> None:
    phases = set()
    for each in drawn(ruleset_id, language):
        phases.add(each.state["phase"])
        assert max(map(cell_len, each.lines)) <= WIDEST, each.text
        assert "\x1b" not in each.text
        for note in {thing["note"] for row in each.table.scene["rows"] for thing in row["things"] if thing["face"]}:
            assert not note or f" {clean(note)}" in each.text, (note, each.text)
        options = each.turn.choice.options() if each.turn.choice else []
        for option in options:
            begins = re.split(r"[\s、（]", option.label)[0][:8]
            assert re.search(rf"(^|\s){option.key} {re.escape(begins)}", each.text, re.MULTILINE) or len(options) == 1
        if options and each.table.view["legal_actions"]["count"] <= LISTED:
            assert len(options) == each.table.view["legal_actions"]["count"]
    assert phases == PLAYED[ruleset_id][1]


@pytest.mark.parametrize("ruleset_id", RULESET_IDS)
def test_marks_say_who_is_to_act_and_on_which_side_without_colour(ruleset_id: str, drawn: Any) -> None:
    for each in drawn(ruleset_id, "en"):
        seats = each.table.scene["seats"]
        found = [re.match(r" ([> ]) (\( \)|\[ \]|   )  \S", line) for line in each.lines]
        marks = [(mark[1], mark[2]) for mark in found if mark][: len(seats)]
        wanted = [
            (
                ">" if seat["seat"] in each.table.view["to_act"] else " ",
                {"first": "( )", "second": "[ ]"}.get(seat["side"], "   "),
            )
            for seat in seats
        ]
        assert marks == wanted, each.text


def test_characters_say_whose_the_spaces_and_the_stacks_are_without_colour(drawn: Any) -> None:
    claimed = 0
    for each in drawn("le-plateau", "en"):
        for space, owner in each.state["board"]["owners"].items():
            around = f"({space})" if owner == "declarer" else f"[{space}]"
            assert around in each.text
            claimed += 1
    assert claimed > 20
    stacks = 0
    for each in drawn("plateau", "en"):
        for stack in each.state["board"].values():
            stacks += len(stack)
        board = each.text.partition("+--")[2].rpartition("--+")[0]
        owned = [piece["owner"] for stack in each.state["board"].values() for piece in stack]
        assert len(re.findall(r"\(..\)", board)) == owned.count(0)
        assert len(re.findall(r"\[..\]", board)) == owned.count(1)
    assert stacks > 10


@pytest.mark.parametrize("ruleset_id", CARD_GAMES)
def test_every_card_of_the_hand_and_the_trick_stands_there_with_its_suit(ruleset_id: str, drawn: Any) -> None:
    for each in drawn(ruleset_id, "en"):
        hand = next(hand for hand in each.state["hands"] if hand["seat"] == each.table.seat)
        trick = each.state["trick"]["cards"] if each.state["trick"] else []
        for card in [*(hand["cards"] or ()), *(played["card"] for played in trick)]:
            assert re.search(rf"(?<!\w){card}(?!\w)", each.text), (each.name, card)


@pytest.mark.parametrize("ruleset_id", RULESET_IDS)
def test_the_same_characters_never_have_two_colours(ruleset_id: str) -> None:
    console, words = Console(color_system="standard", force_terminal=True, width=WIDEST), Words("en")
    colours: dict[str, set[object]] = {}
    for table in tables(ruleset_id, "en").values():
        for segment in console.render(Group(*drawing.scene_of(table.scene, words, with_last=True))):
            if segment.style and segment.style.color:
                colours.setdefault(segment.text.strip(), set()).add(segment.style.color)
    assert {text: found for text, found in colours.items() if len(found) > 1} == {}
    assert len(set().union(*colours.values())) > 1


@pytest.mark.parametrize("ruleset_id", CARD_GAMES)
def test_the_last_trick_is_in_the_order_played_and_marks_its_winner(ruleset_id: str, shown: Any) -> None:
    seen = 0
    for table in tables(ruleset_id, "en").values():
        trick = table.view["state"]["trick"]
        tricks = [each for each in table.view["state"]["tricks"] if not trick or each["number"] < trick["number"]]
        text = shown(*drawing.last_of(table.scene, Words("en")))
        if not tricks:
            assert text == "There is no last trick to show.\n"
            continue
        last = tricks[-1]
        cards = [f"*{each['card']}*" if each["seat"] == last["winner"] else each["card"] for each in last["cards"]]
        places = [re.search(rf"(?<![\w*]){re.escape(card)}(?![\w*])", text) for card in cards]
        assert all(places), (text, cards)
        starts = [place.start() for place in places if place]
        assert starts == sorted(starts), text
        seen += 1
    assert seen > 2


@pytest.mark.parametrize("ruleset_id", CARD_GAMES)
def test_the_score_sheet_has_the_hands_that_are_over_and_their_sum(ruleset_id: str, shown: Any) -> None:
    most = 0
    for table in tables(ruleset_id, "en").values():
        state, scene = table.view["state"], table.scene
        results = state["deal_results" if ruleset_id == "french-tarot" else "hand_results"]
        text = shown(*drawing.sheet_of(scene, Words("en")))
        if not results:
            assert text == "Nothing is written down yet.\n"
            continue
        lines = [line.split() for line in text.strip("\n").partition("\n\n")[0].split("\n")]
        assert [line[0] for line in lines if line and line[0].isdecimal()] == [str(n + 1) for n in range(len(results))]
        if "scores" in state:
            (total,) = (line[1:] for line in lines if line[:1] == ["∑"])
            assert [int(score.replace("−", "-")) for score in total] == state["scores"]
        most = max(most, len(results))
    assert most > 1


@pytest.mark.parametrize(
    ("language", "measure", "score", "error", "expected"),
    [
        ("en", "points", 12_340, 800, "  +12.3 ± 0.8  Play"),
        ("fr", "points", -1_000, 0, "        −1,0  Play"),
        ("en", "bid", 500, 40, "  75.0 ± 2.0  Play"),
        ("ja", "win", -900, 20, "   5.0 ± 1.0  Play"),
        ("en", "worth", 3_000, 0, "        +3.0  Play"),
    ],
)
def test_a_hint_shows_the_estimates_of_the_best_actions_below_each_other(
    language: str, measure: str, score: int, error: int, expected: str, shown: Any
) -> None:
    says = "Play " + "one of the pieces that lie on a1 " * 4
    weighed = [{"says": says, "score": score, "error": error}, *[{"says": "Pass", "score": 0, "error": 100}] * 9]
    hint = {"weighed": weighed, "measure": measure, "reason": {"text": "it is good"}}
    lines = shown(*drawing.hint_of(hint, Words(language))).split("\n")
    assert max(map(cell_len, lines)) <= WIDEST
    (at,) = (number for number, line in enumerate(lines) if line.startswith(expected))
    assert lines[at + 1].startswith(" " * expected.index("Play") + "o"), lines
    assert sum(line.endswith(" Pass") for line in lines) == 4


def test_a_hint_for_the_only_action_gives_the_reason_alone(shown: Any) -> None:
    hint = {"weighed": [], "measure": None, "reason": {"text": "it is the only legal action"}}
    assert shown(*drawing.hint_of(hint, Words("en"))) == "it is the only legal action.\n"
