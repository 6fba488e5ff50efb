"""The deals of a running game that are over are audited like a game that is over, with the secrets of those deals."""

import hashlib
from functools import cache

import pytest

from domain import chance
from domain.audit.bundle import Bundle
from domain.events import GameAborted
from domain.game import aggregate
from domain.game.aggregate import settled
from domain.laws.play import log_of, random_game, written
from domain.log import chain, secrets
from domain.log.secrets import DEALS, REVEALED, DealSecrets, Secrets, of_deals
from domain.registry import RULESETS
from tests.domain.laws.facts import facts_of
from tests.support.bundles import bundle_of, copy_of, forged, judged
from tests.support.random_games import played

WITH_DEALS = (("le-plateau", 2), ("french-tarot", 3), ("plute", 6))


@cache
def running(ruleset_id, seats):
    """Return the steps of a game in the middle of its second deal."""
    more = {"deals": 4} if ruleset_id == "french-tarot" else {}
    options = {**facts_of(ruleset_id).short, **more}
    steps = [*random_game(RULESETS[ruleset_id], seats, 0, options)]
    second = next(index for index, step in enumerate(steps) if step.game.dealt == 2)
    return steps[: second + 3]


def fault_of(changed, steps):
    fault = judged(forged(changed, steps[-1].game)).fault
    assert fault is not None
    return fault.version, fault.field


def of_first_deal(bundle: Bundle, *types):
    return next(event for event in bundle.events if event["type"] in types)


@pytest.mark.parametrize(("ruleset_id", "seats"), WITH_DEALS)
def test_a_deal_that_is_over_verifies_while_the_game_runs(ruleset_id, seats):
    steps = running(ruleset_id, seats)
    (revealed,) = steps[-1].game.revealed
    for viewer in (None, 0):
        bundle = bundle_of(steps, viewer)
        report = judged(bundle)
        assert report.fault is None
        assert f"after version {revealed} were not checked" in report.unchecked[0]
        assert judged(forged(copy_of(bundle), steps[-1].game)).fault is None


@pytest.mark.parametrize(("ruleset_id", "seats"), WITH_DEALS)
def test_a_card_that_was_not_dealt_is_found_as_soon_as_the_deal_is_over(ruleset_id, seats):
    steps = running(ruleset_id, seats)
    bundle = copy_of(bundle_of(steps))
    dealt = of_first_deal(bundle, "hand_dealt", "cards_dealt")
    one, other = (dealt["data"]["hands"][seat]["cards"] for seat in (0, 1))
    one[0], other[0] = other[0], one[0]
    version, field = fault_of(bundle, steps)
    assert version == dealt["version"]
    assert field.startswith("/data/hands")


@pytest.mark.parametrize(("ruleset_id", "seats"), WITH_DEALS)
def test_an_event_against_the_rules_is_found_once_the_deal_is_over(ruleset_id, seats):
    steps = running(ruleset_id, seats)
    bundle = copy_of(bundle_of(steps))
    won = of_first_deal(bundle, "trick_won")
    name = next(name for name in won["data"] if name in {"winner", "seat", "by"})
    won["data"][name] = (won["data"][name] + 1) % seats
    assert fault_of(bundle, steps)[0] <= won["version"]


def test_a_part_of_a_deal_that_is_over_must_be_open():
    steps = running("plute", 6)
    bundle = copy_of(bundle_of(steps))
    dealt = of_first_deal(bundle, "hand_dealt")
    del dealt["salts"]["/hands/2/cards"], dealt["data"]["hands"][2]["cards"]
    fault = judged(bundle).fault
    assert (fault.version, fault.field) == (dealt["version"], "/salts/hands/2/cards")


def test_a_salt_must_follow_from_the_secret_of_its_deal():
    steps = running("plute", 6)
    bundle = copy_of(bundle_of(steps))
    dealt = of_first_deal(bundle, "hand_dealt")
    forged(bundle, steps[-1].game)
    cards = dealt["data"]["hands"][2]["cards"]
    dealt["salts"]["/hands/2/cards"] = "0" * 32
    dealt["sealed"]["/hands/2/cards"] = chain.seal("0" * 32, cards)
    fault = judged(rehashed(bundle)).fault
    assert (fault.version, fault.field) == (dealt["version"], "/salts/hands/2/cards")


def rehashed(bundle):
    head = chain.GENESIS
    for event in bundle.events:
        head = event["hash"] = chain.link(head, chain.sealed_form(event))
    return Bundle({**bundle.header, "head": head}, bundle.events, bundle.draws)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda data: data.update(secret="0" * 64), "/data/secret"),
        (lambda data: data.update(secret="0" * 63), "/data/secret"),
        (lambda data: data.update(secret=hashlib.sha256(bytes.fromhex(data["secret"])).hexdigest()), "/data/secret"),
        (lambda data: data.update(deal=2), "/data/deal"),
        (lambda data: data.update(deal=True), "/data/deal"),
    ],
)
def test_only_the_secret_of_the_deal_that_is_over_is_accepted(change, field):
    steps = running("plute", 6)
    bundle = copy_of(bundle_of(steps))
    revealed = of_first_deal(bundle, REVEALED)
    change(revealed["data"])
    assert fault_of(bundle, steps) == (revealed["version"], field)


def test_the_secret_of_the_game_must_lead_to_the_anchor():
    steps = played("plute", 6, 0)
    bundle = copy_of(bundle_of(steps))
    bundle.events[0]["data"]["deal_anchor"] = "0" * 64
    version, _ = fault_of(bundle, steps)
    assert version == steps[-1].game.revealed[0]
    one = running("plute", 6)[:-3]
    while one[-1].game.revealed:
        one = one[:-1]
    game = one[-1].game
    ended = [*one, written(game, None, None, settled(game, [GameAborted("agreed", game.secret.hex())]))]
    bundle = copy_of(bundle_of(ended))
    bundle.events[0]["data"]["deal_anchor"] = "0" * 64
    assert fault_of(bundle, ended) == (1, "/data/deal_anchor")


def test_no_secret_of_a_deal_is_revealed_without_an_anchor():
    steps = played("plute", 6, 0)
    bundle = copy_of(bundle_of(steps))
    del bundle.events[0]["data"]["deal_anchor"]
    assert fault_of(bundle, steps) == (steps[-1].game.revealed[0], "/data/secret")


def test_each_secret_gives_those_before_it_and_none_after_it():
    secrets = of_deals(bytes(32), "gm_1")
    for deal in range(1, DEALS + 1):
        assert hashlib.sha256(secrets.of(deal)).digest() == secrets.of(deal - 1)
    known = DealSecrets(secrets.of(7), 7)
    assert [known.of(deal) for deal in range(8)] == [secrets.of(deal) for deal in range(8)]
    for unknown in (8, -1):
        with pytest.raises(ValueError, match="is not known"):
            known.of(unknown)
    assert of_deals(bytes(32), "gm_2").of(0) != secrets.of(0) != of_deals(b"1" * 32, "gm_1").of(0)


def test_the_last_secret_serves_every_later_deal_and_is_not_revealed():
    revealed = tuple(range(10, 10 + 3 * (DEALS - 1), 3))
    deals = of_deals(bytes(32), "gm_1")
    secrets = Secrets("gm_1", bytes(32), deals, revealed)
    assert secrets.salt(10_000, "/hands") == chain.salt(deals.of(DEALS), "gm_1", 10_000, "/hands")
    assert secrets.salt(9, "/hands") == chain.salt(deals.of(1), "gm_1", 9, "/hands")
    assert not secrets.is_open(10_000, "/hands")
    assert secrets.is_open(9, "/hands")
    assert not secrets.is_open(9, "/bot/thought")


def test_a_game_without_deals_has_no_anchor():
    steps = played("plateau", 2, 0)
    assert "deal_anchor" not in bundle_of(steps).events[0]["data"]
    assert REVEALED not in {record.type for record in log_of(steps)}


@pytest.mark.parametrize(
    ("ruleset_id", "seats", "options"),
    [("le-plateau", 2, {"hands": 6}), ("french-tarot", 3, {"deals": 6}), ("plute", 6, {"win_at": 9, "lose_at": 9})],
)
def test_a_game_of_more_deals_than_secrets_verifies_to_its_end(ruleset_id, seats, options, monkeypatch):
    for module in (secrets, aggregate, chance):
        monkeypatch.setattr(module, "DEALS", 3)
    monkeypatch.setattr(DealSecrets.__init__, "__defaults__", (3,))
    steps = [*random_game(RULESETS[ruleset_id], seats, 0, options)]
    game = steps[-1].game
    assert game.dealt > len(game.revealed) + 1 == 3
    report = judged(bundle_of(steps))
    assert (report.fault, report.unchecked) == (None, ())
    unfinished = next(index for index, step in enumerate(steps) if step.game.dealt == 5)
    assert judged(bundle_of(steps[: unfinished + 1])).fault is None
