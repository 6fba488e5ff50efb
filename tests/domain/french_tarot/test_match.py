"""A match: how many deals, who wins, and that a player cannot resign (rules.md, match).

The view: what each viewer sees, and what no viewer does (rules.md, view).
The score sheet of French Tarot states the calculation of a deal in words, with the numbers of the calculation.
"""

import random
from dataclasses import replace

import pytest

from domain import field_types as ft
from domain.cardplay.tricks import TrickCard
from domain.chance import Chance
from domain.errors import IllegalAction
from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot.actions import Pass
from domain.french_tarot.calculation import Calculation, PoigneePaid, SlamCounted
from domain.french_tarot.picture.scenes import page_of
from domain.french_tarot.view import TrickView, View, project
from domain.game import aggregate as games
from domain.log.record import visible
from domain.pictures.shown import Shown
from tests.domain.french_tarot import builders
from tests.support.random_games import played, playing, starting


def started(players, **options):
    return list(starting(french_tarot.id, players, 0, **options))[-1].game


@pytest.mark.rule("french-tarot", "11", "an agreed number of deals", "12 by default, or 15")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_match_ends_after_the_agreed_number_of_deals_that_were_played(players):
    steps = list(playing(french_tarot.id, players, 1, deals=2))
    game = steps[-1].game
    assert game.options.deals == 2
    assert len(game.state.results) == 2
    scored = [event for step in steps for event in step.events if isinstance(event, builders.ev.DealScored)]
    assert game.state.scores == tuple(map(sum, zip(*(event.scores for event in scored), strict=True)))
    assert (game.status, game.outcome.reason, game.outcome.scores) == ("finished", "deals_played", game.state.scores)


def match_with_a_dead_dealer(seed):
    """Play a match of five deals in which players mostly pass, the cards at random."""
    rng = random.Random(seed)
    chance = Chance(rng.randbytes(32), "gm_match", (None,) * 5)
    options = french_tarot.options.complete({"five_player_mode": "dead_dealer", "deals": 5}, 5)
    state = french_tarot.setup(options, 5)
    while state.phase != "over":
        more = french_tarot.settle(state, chance)
        if not more:
            (seat,) = french_tarot.to_act(state)
            legal = french_tarot.legal_actions(state, seat)[:100]
            passes = state.phase == "bid" and rng.random() < 0.7
            more = french_tarot.decide(state, seat, Pass() if passes else rng.choice(legal))
        state = builders.played(state, *more)
    return state


@pytest.mark.rule("french-tarot", "11", "so that all sit out equally often")
def test_in_matches_in_which_the_dealer_sits_out_all_do_equally_often():
    thrown_in = 0
    for seed in range(12):
        state = match_with_a_dead_dealer(seed)
        shares = [share for result in state.results for share in result.calculation.shares]
        assert sorted(share.seat for share in shares if share.role == "sits_out") == [0, 1, 2, 3, 4]
        thrown_in += state.deal.number - 5
    assert thrown_in > 12


@pytest.mark.rule("french-tarot", "4", "the number of deals thrown in is not limited")
def test_deals_that_are_thrown_in_do_not_count_however_many():
    game = started(4, deals=1)
    for _ in range(4 * 25):
        _, game = games.act(game, *game.pending, Pass())
    assert game.status == "active"
    assert game.state.deal.number > 25
    assert french_tarot.project(game.state, None).deals_played == 0


@pytest.mark.rule("french-tarot", "4", "each counts as one of the agreed deals")
def test_where_they_count_a_match_of_thrown_in_deals_ends_with_nothing():
    game = started(4, deals=2, thrown_in="count")
    for _ in range(4 * 2):
        _, game = games.act(game, *game.pending, Pass())
    assert (game.status, game.outcome.scores, game.state.deal.number) == ("finished", (0, 0, 0, 0), 2)


@pytest.mark.rule("french-tarot", "11", "The highest total wins", "tied players share the win")
@pytest.mark.parametrize(
    ("scores", "winners"), [((5, -3, -2), (0,)), ((4, 4, -8), (0, 1)), ((0, 0, 0), (0, 1, 2)), ((-9, 3, 6), (2,))]
)
def test_the_highest_total_wins_and_ties_share(scores, winners):
    state = builders.state(3, "over", scores=scores)
    assert french_tarot.outcome(state).winners == winners
    assert french_tarot.outcome(builders.state(3, "play", scores=scores, contract="garde")) is None


@pytest.mark.rule("french-tarot", "11", "everything about it is made public")
def test_what_a_finished_deal_made_public_stays_in_the_view():
    *_, last = playing(french_tarot.id, 4, 1)
    game = last.game
    results = french_tarot.project(game.state, None).deal_results
    for result in results:
        assert len(result.dealt) == 4
        assert len({*result.chien, *(card for shown in result.dealt for card in shown.cards)}) == 78
        assert sum(result.scores) == 0
        assert result.calculation.steps


@pytest.mark.rule("french-tarot", "11", "French Tarot has no resignation")
def test_a_resignation_is_rejected():
    game = started(3)
    with pytest.raises(IllegalAction) as refused:
        games.resign(game, 0)
    assert (refused.value.code, refused.value.rule) == ("no-resignation", "11. Match")


def types_in(tp):
    """List every dataclass that a type is made of."""
    match tp:
        case ft.Nested(cls):
            yield cls
            for part in ft.fields_of(cls):
                yield from types_in(part.type)
        case ft.ListOf(inner) | ft.MapOf(inner) | ft.OrNone(inner):
            yield from types_in(inner)


def test_no_type_in_a_view_has_secrets_or_slots_which_json_writes_slowly():
    found = {*types_in(ft.Nested(View))}
    assert {TrickView, TrickCard, Calculation} <= found
    for cls in found:
        assert not [field.name for field in ft.fields_of(cls) if field.secret_to is not None], cls
        assert not hasattr(cls, "__slots__"), cls


@pytest.mark.parametrize("players", [3, 4, 5])
def test_hidden_parts_have_the_same_places_and_sizes_whatever_they_hold(players):
    """Hands, chien and écart: one sealed part each, of every deal, for every viewer."""
    for step in played("french-tarot", players, 4):
        for record in step.records:
            pointers = set(visible(record, step.game.secrets, None, everything=False)["sealed"])
            if record.type == "cards_dealt":
                assert pointers == {*(f"/hands/{seat}/cards" for seat in range(players)), "/chien/cards"}
            elif record.type == "cards_discarded":
                assert pointers == {"/cards"}
            elif record.type != "game_created":
                assert pointers == set()


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
    assert line.name == "Deal 1 of 1 · player 2 lost a garde contre: 38 points, 41 needed, with trump 21 and the Excuse"
    assert line.steps == (
        "Tricks of the attack, without the Excuse: 34",
        "The Excuse belongs to the attack, which gives half a point for it: 4",
        "The attack has 38 with trump 21 and the Excuse; it needs 41",
        "The contract is lost by 3 points",
        "Garde contre, lost: −(25 + 3) × 6 = −168",
        "A slam was announced; neither side took every trick: −200",
        "Each defender pays the attack −368",
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
