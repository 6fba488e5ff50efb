"""The scene: what the view shows in words and drawn, for the same eyes and at the same versions."""

import pytest

from domain.pictures.shown import Shown
from domain.registry import RULESETS
from domain.serialization import from_plain
from tests.support.random_games import played

QUERIES = ("", "?as=spectator", "?as=0&at=7")


@pytest.fixture
def seen(table):
    """A player's answers for the scene and for the view."""

    def ask(query="", seat=0, **headers):
        return [table.people[seat].get(f"{table.path}/{what}{query}", **headers) for what in ("scene", "view")]

    return ask


@pytest.mark.parametrize("query", QUERIES)
def test_a_scene_is_that_of_the_view_that_is_asked_for_alike(seen, query):
    scene, view = (answer.json for answer in seen(query))
    ruleset, eyes = RULESETS["le-plateau"], view["viewer"]["seat"]
    names = {seat["seat"]: seat["name"] for seat in view["game"]["seats"]}
    expected = ruleset.presentation.scene(from_plain(ruleset.view, view["state"]), Shown(names, eyes))
    assert (scene["game_id"], scene["version"], scene["viewer"]) == (
        view["game"]["id"],
        view["version"],
        view["viewer"],
    )
    assert (scene["title"], scene["lines"], scene["lang"]) == (expected.title, [*expected.lines], "en")
    stage = expected.stage
    assert scene["stage"] == {"svg": stage.svg, "says": [*stage.says], "text": [*stage.text]}
    assert [row["id"] for row in scene["rows"]] == [row.id for row in expected.rows]
    assert [row["id"] for row in scene["rows"] if row["mine"]] == (["hand:0"] if eyes == 0 else [])
    assert [(seat["seat"], seat["pick"], seat["viewer"]) for seat in scene["seats"]] == [
        (line.seat, f"seat:{line.seat}", line.seat == eyes) for line in expected.seats
    ]


def test_the_cards_of_a_hand_stand_for_the_values_of_the_actions_that_play_them(server):
    log = played("french-tarot", 4, 2)
    step = next(step for step in log if type(step.action).__name__ == "Play")
    table = server.table_of_log(log)
    scene = table.people[step.seat].get(f"{table.path}/scene?at={step.before.version}&as={step.seat}").json
    (hand,) = [row for row in scene["rows"] if row["id"] == f"hand:{step.seat}"]
    assert f"card:{step.action.card}" in [thing["pick"] for thing in hand["things"]]
    schema = server.stranger().get("/v1/rulesets/french-tarot").json["actions"]["play"]
    assert schema["properties"]["card"]["x-pick"] == "card"


def test_who_played_a_card_stands_beside_it(server):
    log = played("plute", 6, 0)
    step = next(step for step in log if step.game.state is not None and len(step.game.state.table.trick) == 3)
    table = server.table_of_log(log)
    scene = server.stranger().get(f"{table.path}/scene?at={step.game.version}").json
    (trick,) = [row for row in scene["rows"] if row["id"] == "trick"]
    laid = [(each.seat, each.card) for each in step.game.state.table.trick]
    assert [(thing["seat"], thing["face"]) for thing in trick["things"]] == laid
    assert {seat["side"] for seat in scene["seats"]} == {"first", "second"}
    assert [thing["winning"] for thing in trick["things"]].count(True) == 1


def test_a_piece_in_ones_own_reserve_can_be_chosen_and_one_in_the_others_cannot(server):
    log = played("plateau", 2, 0)
    log = log[: 1 + next(number for number, step in enumerate(log) if step.game.state is not None)]
    table = server.table_of_log(log)
    rows = {row["id"]: row for row in table.people[0].get(f"{table.path}/scene").json["rows"]}
    assert [thing["pick"] for thing in rows["reserve:0"]["things"]][:2] == ["piece:A", "piece:TW"]
    assert {(thing["pick"], thing["face"], thing["name"]) for thing in rows["reserve:1"]["things"]} == {
        (None, None, "a hidden piece")
    }
    assert (rows["reserve:0"]["mine"], rows["reserve:1"]["mine"]) == (True, False)


def test_a_scene_comes_in_the_languages_there_are(table):
    titles = {}
    for language in ("en", "fr", "ja"):
        scene = table.people[0].get(f"{table.path}/scene?lang={language}").json
        assert scene["lang"] == language
        titles[language] = (scene["title"].partition(":")[0], next(row["name"] for row in scene["rows"] if row["mine"]))
    assert titles == {
        "en": ("Hand 1 of 4 · bidding", "Your hand"),
        "fr": ("Donne 1/4 · enchères", "Votre main"),
        "ja": ("ハンド1／4　ビッド", "手札"),
    }
    refused = table.people[0].get(f"{table.path}/scene?lang=tlh")
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (400, "?lang")


def test_the_card_that_takes_the_trick_is_marked_and_the_trick_before_it_stays(server):
    log = played("french-tarot", 4, 2)
    step = next(step for step in log if step.game.state is not None and len(step.game.state.table.tricks) == 2)
    at = next(later for later in log[log.index(step) :] if len(later.game.state.table.trick) == 3).game
    table = server.table_of_log(log)
    rows = {row["id"]: row for row in server.stranger().get(f"{table.path}/scene?at={at.version}").json["rows"]}
    before = at.state.table.tricks[-1]
    assert [thing["face"] for thing in rows["last-trick"]["things"]] == [each.card for each in before.cards]
    assert [thing["seat"] for thing in rows["last-trick"]["things"] if thing["winning"]] == [before.winner]
    assert [thing["winning"] for thing in rows["trick"]["things"]].count(True) == 1


def test_the_cards_of_the_chien_are_marked_while_the_taker_lays_cards_aside(server):
    logs = (played("french-tarot", 4, seed) for seed in range(20))
    log, step = next(
        (log, step) for log in logs for step in log if step.game.state and step.game.state.phase == "discard"
    )
    table, taker = server.table_of_log(log), step.game.state.deal.contract.taker
    scene = table.people[taker].get(f"{table.path}/scene?at={step.game.version}&as={taker}").json
    (hand,) = [row for row in scene["rows"] if row["id"] == f"hand:{taker}"]
    marked = {thing["face"] for thing in hand["things"] if thing["note"] == "chien"}
    kept = {thing["face"] for thing in hand["things"] if thing["refused"]}
    assert marked == {*step.game.state.deal.chien} - kept
    assert {thing["note"] for thing in hand["things"] if thing["refused"]} <= {"king", "oudler", "trump"}


def test_a_card_that_can_be_in_no_ecart_has_the_words_of_its_refusal(server):
    logs = (played("french-tarot", 4, seed) for seed in range(20))
    log, step = next(
        (log, step) for log in logs for step in log if step.game.state and step.game.state.phase == "discard"
    )
    state, table = step.game.state, server.table_of_log(log)
    taker = state.deal.contract.taker
    free = {card for action in RULESETS["french-tarot"].legal_actions(state, taker) for card in action.cards}
    path = f"{table.path}/scene?at={step.game.version}&as={taker}&lang="
    for language, king in (("en", "is a king"), ("fr", "tous les rois"), ("ja", "キング")):
        rows = table.people[taker].get(path + language).json["rows"]
        (hand,) = [row for row in rows if row["id"] == f"hand:{taker}"]
        assert {thing["face"] for thing in hand["things"] if thing["refused"] is None} == free
        kings = [thing["refused"] for thing in hand["things"] if thing["face"][0] == "R"]
        assert all(king in refused for refused in kings), kings


def test_the_sheet_has_a_line_for_each_hand_that_was_played(server):
    log = played("le-plateau", 3, 0)
    table, results = server.table_of_log(log), log[-1].game.state.results
    sheet = server.stranger().get(f"{table.path}/scene").json["sheet"]
    assert [line["scores"] for line in sheet] == [[*result.scores] for result in results]
    assert [line["name"].partition(":")[0] for line in sheet] == [f"Hand {each.hand_number}" for each in results]
    assert [[int(cell.replace("\N{MINUS SIGN}", "-")) for cell in line["cells"]] for line in sheet] == [
        line["scores"] for line in sheet
    ]


@pytest.mark.parametrize(("ruleset", "seats"), [("le-plateau", 4), ("le-plateau", 5), ("french-tarot", 4)])
def test_the_totals_of_a_sheet_are_the_sums_of_its_lines(ruleset, seats):
    state, rules = played(ruleset, seats, 1)[-1].game.state, RULESETS[ruleset]
    scene = rules.presentation.scene(rules.project(state, None), Shown())
    sums = [sum(scores) for scores in zip(*(line.scores for line in scene.sheet), strict=True)]
    assert sums == [*rules.outcome(state).scores]
    assert len(scene.totals) == seats


@pytest.mark.parametrize("seed", range(4))
def test_the_totals_of_a_sheet_of_plute_count_the_made_bids_and_the_sets_of_its_lines(seed):
    state, rules = played("plute", 6, seed)[-1].game.state, RULESETS["plute"]
    scene = rules.presentation.scene(rules.project(state, None), Shown())
    by_seat = [*zip(*(line.scores for line in scene.sheet), strict=True)]
    made, sets = ([scores.count(what) for scores in by_seat] for what in (1, -1))
    assert [*scene.totals] == [f"{good} ✓ {bad} ✗" for good, bad in zip(made, sets, strict=True)]
    assert made == [*rules.outcome(state).scores]
