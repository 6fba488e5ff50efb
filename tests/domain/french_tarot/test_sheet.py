"""The score sheet of French Tarot states the calculation of a deal in words, with the numbers of the calculation."""

from dataclasses import replace

import pytest

from domain.french_tarot.calculation import PoigneePaid, SlamCounted
from domain.french_tarot.picture.scenes import page_of
from domain.french_tarot.view import project
from domain.pictures.shown import Shown
from tests.support.random_games import played

LANGUAGES = ("en", "fr", "ja")


def sheet(view, language="en"):
    return page_of(view, Shown(language=language)).sheet


def final_view(seats, seed, variant=""):
    return project(played("french-tarot", seats, seed, variant)[-1].game.state, None)


def with_calculation(view, **changes):
    result = view.deal_results[0]
    changed = replace(result, calculation=replace(result.calculation, **changes))
    return replace(view, deal_results=(changed,))


def test_a_seat_shows_what_the_deal_scored_unless_that_is_its_whole_score():
    view = final_view(4, 0)
    assert {line.note for line in page_of(view, Shown()).seats} == {"taker", "defender"}
    later = replace(view, scores=tuple(score + 10 for score in view.scores))
    for line, won in zip(page_of(later, Shown()).seats, view.result.scores, strict=True):
        assert line.note.endswith(f", {won:+}".replace("-", "−"))


def test_a_deal_is_calculated_in_words():
    (line,) = sheet(final_view(4, 0))
    assert line.name == "Deal 1 of 1: player 2 lost a garde contre: 38 points with trump 21 and the Excuse, 41 needed"
    assert line.steps == (
        "Tricks of the attack, without the Excuse: 34",
        "The Excuse belongs to the attack, which gives half a point for it: 4",
        "The attack has 38 points with trump 21 and the Excuse; 41 are needed",
        "The contract is lost by 3 points",
        "Garde contre, lost: −(25 + 3) × 6 = −168",
        "A slam was announced; neither side took every trick: −200",
        "What each defender pays the attack: −368",
        "Player 1, defender: −1 × (−368) = +368",
        "Player 2, taker: 3 × (−368) = −1104",
        "Player 3, defender: −1 × (−368) = +368",
        "Player 4, defender: −1 × (−368) = +368",
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_bonus_has_words(language):
    view = final_view(4, 0)
    slams = [
        SlamCounted(announced, made_by, points)
        for announced in ("slam", "petit_chelem", None)
        for made_by in ("attack", "defence", None)
        for points in (300, -200)
    ]
    poignees = tuple(PoigneePaid(seat, level, 20) for seat, level in enumerate(("simple", "double", "triple")))
    said = {
        "\n".join(line.steps)
        for slam in slams
        for line in sheet(with_calculation(view, slam=slam, poignees=poignees), language)
    }
    assert len(said) == len(slams) - 1, "a slam that was neither announced nor made is not mentioned"
    assert all("+20" in steps and "sheet." not in steps for steps in said)
