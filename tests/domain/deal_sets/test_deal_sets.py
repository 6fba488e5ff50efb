"""Deal sets: everybody gets the same cards, which nobody knew before and anybody can check afterwards."""

from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.audit import bundle, verifying
from domain.audit.stored import verify_stored
from domain.chance import commitment
from domain.deal_sets import deal_set
from domain.deal_sets.deal_set import secret_of_deal
from domain.deal_sets.results import Table, results
from domain.errors import WrongMoment
from domain.events import SetDeal
from domain.game import history, proposals, timeouts
from domain.game.durations import instant
from domain.game.luck import deal_scores
from domain.log import aggregates, chain
from domain.log.chain import salt, seal
from domain.log.record import verify, visible
from domain.registry import RULESETS
from domain.ruleset import starts_of_deals
from domain.serialization import to_plain
from tests.support.deal_sets import CARD_GAMES, CLOSES, ROOT, bundle_of, dealt, played, sealed_set
from tests.web.verifier import verdicts

every_card_game = pytest.mark.parametrize(("ruleset", "seats"), CARD_GAMES)
AFTERWARDS = instant(CLOSES)


@every_card_game
def test_all_players_get_the_same_deal_which_is_one_deal_and_nothing_else(ruleset, seats):
    _, one = sealed_set(ruleset, seats)
    of_each_deal = []
    for number in (1, 2, 3):
        tables = [played(one, number, f"gm_{seed}", seed) for seed in range(3)]
        shown = [
            [each for each in game.unmasked.events if type(each) in starts_of_deals(game.ruleset)] for _, game in tables
        ]
        assert all(each == shown[0] and len(each) == 1 for each in shown)
        assert all(game.status == "finished" for _, game in tables)
        for _, game in tables:
            (scores,) = deal_scores(game) or [(0,) * seats]
            won = tuple(100 * (seat in game.outcome.winners) for seat in range(seats))
            assert scores == (won if ruleset == "plute" else game.outcome.scores)
        assert all(verify_stored(log).fault is None for log, _ in tables)
        of_each_deal.append(str(to_plain(shown[0][0])))
    assert len(set(of_each_deal)) == 3


@every_card_game
def test_each_table_has_a_mask_of_its_own_which_nobody_can_try_out_before_the_set_closes(ruleset, seats):
    _, one = sealed_set(ruleset, seats)
    games = [dealt(one, 1, f"gm_{number}") for number in range(60)]
    symmetries = RULESETS[ruleset].symmetries
    masks = symmetries.masks(games[0][1].options, seats)
    drawn = {game.mask for _, game in games}
    assert len(drawn) > min(len(masks), 60) / 3
    assert drawn <= {*masks}
    log, game = games[0]
    guesses = {seal(salt(game.secret, game.id, 1, "/mask"), mask) for mask in masks}
    assert log[0].sealed["/mask"] not in guesses
    assert log[0].sealed["/mask"] == seal(salt(one.deal_secret(1), game.id, 1, "/mask"), game.mask)


@every_card_game
def test_both_verifiers_check_a_game_once_its_set_has_closed(ruleset, seats, tmp_path):
    _, one = sealed_set(ruleset, seats)
    log, game = played(one, 2, "gm_1")
    forged_set = replace(one, created=replace(one.created, secret="00" * 32))
    other, other_game = played(forged_set, 2, "gm_1")
    texts = {
        "open": bundle_of(log, game, closed=False),
        "closed": bundle_of(log, game, closed=True),
        "another secret": bundle_of(other, other_game, closed=True).replace(
            one.deal_secret(2).hex().encode(), forged_set.deal_secret(2).hex().encode()
        ),
        "wrong draw": bundle_of(log, game, closed=True).replace(b'"set":"set_1"', b'"set":"set_2"'),
    }
    told = verdicts(tmp_path, texts)
    found = {name: verifying.verify(bundle.read(text)) for name, text in texts.items()}
    assert [told[name]["code"] for name in texts] == [3, 0, 0, 1]
    assert [bool(found[name].fault) for name in texts] == [False, False, False, True]
    assert found["closed"].unchecked == ()
    assert found["open"].unchecked == (
        "the set of its deal has not closed: its draws and the legality of its actions were not checked",
    )
    assert game.deals is not None
    assert one.sealed is not None
    assert game.deals.revealed(0) == one.sealed.deals[1] != other_game.deals.revealed(0)


@every_card_game
def test_the_secret_of_a_deal_is_shown_to_nobody_before_the_set_closes(ruleset, seats):
    """Neither in the log of the set nor in that of a game, during play or after it."""
    log, one = sealed_set(ruleset, seats)
    games = [dealt(one, 1, "gm_1"), played(one, 1, "gm_1")]
    shown = [visible(each, one.secrets, None, everything=False) for each in log]
    shown += [
        visible(each, game.secrets, seat, everything=game.is_over, finished_deals=True)
        for records, game in games
        for each in records
        for seat in (None, *range(seats))
    ]
    assert not [secret for secret in (one.created.secret, one.deal_secret(1).hex()) if secret in str(shown)]
    assert chain.verify(shown[: len(log)]) == one.head


def test_a_log_of_a_set_folds_to_what_was_decided_and_its_chain_holds():
    log, one = sealed_set("plute", 6)
    for step in (
        lambda each: deal_set.void(each, 2, "a card was missing"),
        lambda each: deal_set.close(each, b"[]", AFTERWARDS),
    ):
        records, one = aggregates.record(one, step(one), CLOSES, "r")
        log += records
        assert deal_set.fold(log) == one
    verify(log, chain.GENESIS, one.secrets)
    assert one.closed is not None
    assert one.closed.results == sha256(b"[]").hexdigest()
    opened = [visible(each, one.secrets, None, everything=True) for each in log]
    assert commitment(bytes.fromhex(opened[0]["data"]["secret"])) == opened[0]["data"]["commitment"]
    for number, digest in enumerate(opened[1]["data"]["deals"], 1):
        assert commitment(secret_of_deal(opened[-1]["data"]["secret"], "set_1", number, ROOT)) == digest


@pytest.mark.parametrize(
    ("step", "code"),
    [
        (lambda one: deal_set.seal(one, 8, "cd" * 32), "set-sealed"),
        (lambda one: deal_set.close(one, b"[]", AFTERWARDS - 1), "set-open"),
        (lambda one: deal_set.void(one, 4, "?"), "no-such-deal"),
        (lambda one: deal_set.void(deal_set.void(one, 1, "?")[1], 1, "?"), "no-such-deal"),
        (lambda one: deal_set.void(deal_set.close(one, b"[]", AFTERWARDS)[1], 1, "?"), "set-closed"),
        (lambda one: deal_set.close(replace(one, sealed=None), b"[]", AFTERWARDS), "set-closed"),
    ],
)
def test_what_a_set_does_not_allow_is_refused(step, code):
    _, one = sealed_set("plute", 6)
    with pytest.raises(WrongMoment) as refused:
        step(one)
    assert refused.value.code == code


def test_the_entropy_decides_every_deal_and_none_tells_of_another():
    """A server that has committed to its secret cannot choose: another root gives another deal."""
    secrets = {
        secret_of_deal(b"s".hex(), set_id, number, root)
        for set_id in ("set_1", "set_2")
        for number in (1, 2)
        for root in (ROOT, "cd" * 32)
    }
    assert len(secrets) == 8


@every_card_game
def test_a_game_ends_when_its_set_closes_and_nothing_can_be_tried_out_in_it(ruleset, seats):
    _, one = sealed_set(ruleset, seats)
    log, game = dealt(one, 1, "gm_1")
    rng_seat = min(game.pending)
    if rng_seat == 0:
        assert timeouts.due(game, timeouts.ENDLESS) == one.closes
        with pytest.raises(WrongMoment):
            timeouts.expire(game, one.closes - 1, timeouts.ENDLESS)
        records, ended = history.record(game, timeouts.expire(game, one.closes, timeouts.ENDLESS), CLOSES, "e")
        assert (ended.status, ended.aborted_because) == ("aborted", "closed")
        assert verify_stored([*log, *records]).fault is None
    with pytest.raises(WrongMoment):
        proposals.propose(game, 0, "take_back")
    assert game.deal == SetDeal("set_1", 1, CLOSES, ranked=True)


SCORES = st.one_of(st.none(), st.integers(-500, 500))


@given(st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=30), st.integers(-500, 500), st.integers(0, 30))
def test_results_compare_players_with_those_who_held_the_same_cards(scores, par, guests):
    """Points are relative, so who plays better is never behind; guests have no rank and move nobody."""
    tables = [
        Table(f"pl_{player:02}", number, f"gm_{player}_{number}", score)
        for player, own in enumerate(scores)
        for number, score in enumerate(own, 1)
    ]
    ranked = {f"pl_{player:02}" for player in range(len(scores)) if player >= guests}
    found = results(tables, ranked, {1: par, 2: par}, [1, 2])
    assert [each.rank is not None for each in found.standings] == sorted(
        (each.player in ranked for each in found.standings), reverse=True
    )
    placed = {each.player: each for each in found.standings if each.rank is not None}
    assert all(0 <= each.percent <= 100 and len(each.games) == 2 for each in found.standings)
    for one, own in enumerate(scores):
        for other, theirs in enumerate(scores):
            names = (f"pl_{one:02}", f"pl_{other:02}")
            if all(
                a is not None and (b is None or a >= b) for a, b in zip(own, theirs, strict=True)
            ) and ranked.issuperset(names):
                assert placed[names[0]].rank <= placed[names[1]].rank
                assert placed[names[0]].percent >= placed[names[1]].percent
    without = results([each for each in tables if each.player in ranked], ranked, {1: par, 2: par}, [1, 2])
    assert without.standings == tuple(placed.values())
    assert without.deals == found.deals


def test_what_is_not_finished_counts_as_last_also_behind_the_lowest_score_and_what_is_void_does_not_count():
    tables = [
        Table("pl_a", 1, "gm_a", 40), Table("pl_b", 1, "gm_b", None), Table("pl_c", 1, "gm_c", -10),
        Table("pl_c", 2, "gm_d", 99),
    ]  # fmt: skip
    found = results(tables, {"pl_a", "pl_b", "pl_c"}, {1: 0}, [1])
    assert [(each.player, each.rank, each.points, each.percent, each.games) for each in found.standings] == [
        ("pl_a", 1, 30, 100, ("gm_a",)),
        ("pl_c", 2, -20, 33, ("gm_c",)),
        ("pl_b", 3, -20, 0, ("gm_b",)),
    ]
    assert [(each.number, each.par, each.mean) for each in found.deals] == [(1, 0, 10)]


def test_one_wild_table_does_not_move_the_others():
    tables = [Table(f"pl_{place}", 1, f"gm_{place}", score) for place, score in enumerate([0] * 8 + [100_000])]
    found = results(tables, {table.player for table in tables}, {}, [1])
    assert found.deals[0].mean == 0
