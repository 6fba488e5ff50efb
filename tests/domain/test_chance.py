"""The published shuffle, checked by a second implementation that was written from its description alone.

Draws stated as data are checked: a card elsewhere, another secret, and a pack that is not dealt out are found.
"""

import hashlib
import hmac
import json
import random
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest

from domain import chance, draws
from domain.chance import Chance, bot_seed, commitment
from domain.game.seeds import commitment_to
from domain.laws.texts import seen
from domain.le_plateau.deck import shape_for
from domain.log import chain
from domain.log.record import visible
from domain.log.secrets import of_deals
from tests.domain.le_plateau.reference_rules import printed_board
from tests.support.chance import below, permuted, random_words, words_of_deal
from tests.support.fair import expect_fair
from tests.support.random_games import log_of, played
from tests.support.sampling import tables_of

VECTORS = json.loads((Path(__file__).parent / "chance_vectors.json").read_text())


def chance_of(vector):
    return Chance(bytes.fromhex(vector["secret"]), vector["game_id"], tuple(vector["seeds"]))


@pytest.mark.parametrize("vector", VECTORS["permutations"], ids=lambda vector: vector["why"])
def test_published_permutations(vector):
    drawn = chance_of(vector).permutation(vector["label"], vector["number"], vector["items"])
    assert list(drawn) == vector["permutation"]
    words = random_words(
        *(bytes.fromhex(vector["secret"]), vector["label"], vector["game_id"], vector["seeds"]), vector["number"]
    )
    assert permuted(vector["items"], words) == vector["permutation"]


@pytest.mark.parametrize("vector", VECTORS["numbers"], ids=lambda vector: vector["why"])
def test_published_numbers(vector):
    assert chance_of(vector).below(vector["label"], vector["number"], vector["below"]) == vector["drawn"]
    words = random_words(
        *(bytes.fromhex(vector["secret"]), vector["label"], vector["game_id"], vector["seeds"]), vector["number"]
    )
    assert below(words, vector["below"]) == vector["drawn"]


@pytest.mark.parametrize("vector", VECTORS["commitments"], ids=lambda vector: vector["why"])
def test_published_commitments(vector):
    assert commitment(bytes.fromhex(vector["secret"])) == vector["commitment"]


def test_a_word_that_would_favour_a_value_is_rejected():
    """Below 2^31 + 1 nearly every second word is rejected; the second implementation rejects the same ones."""
    secret, limit, rejected = b"r" * 32, 2**31 + 1, 0
    for number in range(50):
        words = random_words(secret, "x", "gm", [None], number)
        first = next(random_words(secret, "x", "gm", [None], number))
        rejected += first >= limit
        assert Chance(secret, "gm", (None,)).below("x", number, limit) == below(words, limit)
    assert 10 < rejected < 40


def test_a_draw_that_needs_more_than_one_block_continues_to_the_next():
    secret = b"b" * 32
    drawn = Chance(secret, "gm", ("s", None)).permutation("deal", 3, range(78))
    assert list(drawn) == permuted(range(78), random_words(secret, "deal", "gm", ["s", None], 3))
    assert sorted(drawn) == list(range(78))


def test_every_position_is_equally_likely_for_every_item():
    """Chi-square over item by position, 4,000 shuffles of 6: 25 degrees of freedom, 0.1 % at 52.6."""
    rounds, size = 4000, 6
    counts = Counter()
    for number in range(rounds):
        drawn = Chance(b"c" * 32, "gm_chi", (None,)).permutation("deal", number, range(size))
        counts.update(enumerate(drawn))
    expected = rounds / size
    chi_square = sum((counts[p, i] - expected) ** 2 / expected for p in range(size) for i in range(size))
    assert chi_square < 52.6


def test_every_order_is_equally_likely():
    """Chi-square over the 24 orders of 4 items: 23 degrees of freedom, 0.1 % at 49.7."""
    rounds = 4800
    counts = Counter(Chance(b"d" * 32, "gm_chi", ()).permutation("deal", number, "abcd") for number in range(rounds))
    assert len(counts) == 24
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 49.7


@pytest.mark.parametrize("limit", [2, 3, 5, 6, 7])
def test_every_number_is_equally_likely(limit):
    counts = Counter(Chance(b"e" * 32, "gm_chi", ()).below("first_dealer", n, limit) for n in range(1000 * limit))
    assert set(counts) == set(range(limit))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 22.5


def test_every_draw_has_a_stream_of_its_own():
    def draw(secret=b"f" * 32, game_id="gm", seeds=("a", "b"), label="deal", number=1):
        return Chance(secret, game_id, seeds).permutation(label, number, range(30))

    draws = [
        draw(),
        draw(secret=b"g" * 32),
        draw(game_id="gm2"),
        draw(seeds=("a", None)),
        draw(seeds=("b", "a")),
        draw(seeds=("a,b", None)),
        draw(label="board"),
        draw(number=2),
    ]
    assert len(set(draws)) == len(draws)
    assert draw() == draws[0]


def test_the_order_of_draws_does_not_matter():
    chance = Chance(b"h" * 32, "gm", ())
    first = chance.permutation("deal", 1, range(10))
    chance.permutation("deal", 2, range(10))
    chance.below("first_dealer", 1, 4)
    assert chance.permutation("deal", 1, range(10)) == first


def test_a_repr_does_not_show_the_secret():
    secret = b"never shown in any representation"
    assert "never" not in repr(Chance(secret, "gm", ()))
    assert secret.hex() not in repr(Chance(secret, "gm", ()))


@pytest.mark.rule("le-plateau", "2", "drawn like a shuffle")
@pytest.mark.rule("le-plateau", "3", "a number, which keys its shuffle and its random board")
@pytest.mark.parametrize(("seats", "variant"), tables_of("le-plateau"))
def test_anyone_can_recompute_every_deal_of_a_finished_game_from_its_public_log(seats, variant):
    """Used: a spectator's log after the end, the deck in pack order, the printed board, nothing of the server's."""
    steps = played("le-plateau", seats, 1, variant)
    log = [visible(record, steps[-1].game.secrets, None, everything=True) for record in log_of(steps)]
    told = {kind: [event for event in log if event["type"] == kind] for kind in {event["type"] for event in log}}
    secret = bytes.fromhex(told["game_finished"][0]["data"]["secret"])
    assert hashlib.sha256(secret).hexdigest() == told["game_created"][0]["data"]["commitment"]
    assert hashlib.sha256(secret + b"!").hexdigest() != told["game_created"][0]["data"]["commitment"]
    seeds = [event["data"]["client_seed"] for event in sorted(told["seat_taken"], key=lambda event: event["seat"])]
    assert seeds[:2] == ["seed 0", None]
    game_id = log[0]["game_id"]
    options = told["game_created"][0]["data"]["options"]
    deck = shape_for(seats, options["deck"]).deck
    dealer = below(words_of_deal(secret, "first_dealer", game_id, seeds, 1), seats)
    for deal in (event["data"] for event in told["hand_dealt"]):
        number = deal["deal_number"]
        cards = permuted(deck, words_of_deal(secret, "deal", game_id, seeds, number))
        assert deal["dealer"] == (dealer + number - 1) % seats
        check_deal(deal, seats, cards)
        board = printed_board(seats, options["deck"])
        drawn = {"random_game": 1, "random_deal": number}.get(options["board"])
        if drawn is not None:
            board = permuted(board, words_of_deal(secret, "board", game_id, seeds, drawn))
        assert deal["board"] == list(options["board_tokens"] or board)


def check_deal(deal, seats, cards):
    """Take the cards block by block, forehand first."""
    clockwise = [(deal["dealer"] + 1 + turn) % seats for turn in range(seats)]
    if deal["piles"]:
        for seat in clockwise:
            of_seat, cards = cards[:10], cards[10:]
            lying = [card for pile in deal["piles"][seat]["piles"] for card in (pile["under"], pile["top"])]
            assert lying == of_seat
    for seat in clockwise:
        size = deal["hands"][seat]["count"]
        assert sorted(deal["hands"][seat]["cards"]) == sorted(cards[:size])
        cards = cards[size:]
    assert deal["talon"]["cards"] == cards


class Words:
    """A source that draws from 2^32 numbers at most, like the published chance of a fork."""

    def __init__(self):
        self.rng = random.Random(3)

    def randrange(self, stop):
        assert stop <= 1 << 32
        return self.rng.randrange(stop)


@pytest.mark.parametrize("limit", [1, 6, 1 << 32, (1 << 32) + 1, 3 << 40, (1 << 96) - 1, 5**60])
def test_an_integer_below_any_limit_is_drawn_fairly_from_words(limit):
    words, parts = Words(), min(limit, 6)
    drawn = [chance.below(limit, words) for _ in range(600)]
    assert all(0 <= number < limit for number in drawn)
    expect_fair([number * parts // limit for number in drawn], dict.fromkeys(range(parts), 1))


def hmac_of(secret, *parts):
    message = json.dumps(parts, separators=(",", ":"), ensure_ascii=False)
    return hmac.digest(bytes.fromhex(secret), message.encode(), hashlib.sha256)


def test_the_vectors_of_deals_salts_bots_and_commitments_are_ours():
    for vector in VECTORS["deal_secrets"]:
        deal = hmac_of(vector["secret"], "deals", vector["game_id"])
        for _ in range(256 - vector["deal"]):
            deal = hashlib.sha256(deal).digest()
        ours = of_deals(bytes.fromhex(vector["secret"]), vector["game_id"]).revealed(vector["deal"])
        assert vector["revealed"] == deal.hex() == ours
    for vector in VECTORS["salts"]:
        place = (vector["game_id"], vector["version"], vector["pointer"])
        salt = hmac_of(vector["secret"], "salt", *place).hex()[:32]
        assert vector["salt"] == salt == chain.salt(bytes.fromhex(vector["secret"]), *place)
        content = json.dumps(vector["value"], separators=(",", ":"))
        assert vector["seal"] == hashlib.sha256((salt + content).encode()).hexdigest()
        assert vector["seal"] == chain.seal(salt, vector["value"])
    for vector in VECTORS["bot_seeds"]:
        place, bot = (
            (vector["game_id"], vector["seat"], vector["version"]),
            (vector["name"], vector["version_of_the_bot"]),
        )
        seed = int.from_bytes(hmac_of(vector["secret"], "bot", *place, *bot)[:4], "big")
        assert vector["seed"] == seed == bot_seed(bytes.fromhex(vector["secret"]), *place, bot)
    for vector in VECTORS["seed_commitments"]:
        parts = ["seed", vector["game_id"], vector["player"], vector["seed"]]
        made = hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()
        assert vector["commitment"] == made == commitment_to(vector["seed"], vector["game_id"], vector["player"])


@pytest.fixture
def deal():
    """The first deal of French Tarot, in which a chien is taken out of the pack: the game, the draw, the data."""
    steps = played("french-tarot", 4, 0)
    game = steps[-1].game
    event = next(event for event in seen(steps) if event["type"] == "cards_dealt")
    draw = next(draw for draw in game.ruleset.draws(game.options, 4, event) if draw.label == "deal")
    return game, draw, event["data"]


def test_the_draw_of_a_deal_agrees(deal):
    game, draw, data = deal
    draws.check(game.draws.of_deal(1), draw, data)


@pytest.mark.parametrize("other", ["hands/1", "chien"])
def test_a_card_that_lies_elsewhere_is_found(deal, other):
    game, draw, data = deal
    changed = deepcopy(data)
    theirs = changed["chien"] if other == "chien" else changed["hands"][1]
    mine = changed["hands"][0]
    mine["cards"][0], theirs["cards"][0] = theirs["cards"][0], mine["cards"][0]
    with pytest.raises(draws.WrongDraw):
        draws.check(game.draws.of_deal(1), draw, changed)


def test_another_secret_is_found(deal):
    game, draw, data = deal
    with pytest.raises(draws.WrongDraw):
        draws.check(Chance(bytes(32), game.id, game.draws.seeds), draw, data)


def test_a_thing_that_is_dealt_to_nobody_is_found():
    chance = Chance(b"s" * 32, "gm", ())
    first, *_ = chance.permutation("deal", 1, "abcd")
    draw = draws.DrawnOrder("deal", 1, ("a", "b", "c", "d"), (draws.Packet("/card", 1),))
    with pytest.raises(draws.WrongDraw, match="3 things are dealt to nobody"):
        draws.check(chance, draw, {"card": first})


def test_where_the_order_counts_another_order_is_found():
    chance = Chance(b"s" * 32, "gm", ())
    order = [*chance.permutation("deal", 1, "abcd")]
    packets = (draws.Packet("/cards", 4, sorted=False),)
    draw = draws.DrawnOrder("deal", 1, ("a", "b", "c", "d"), packets)
    draws.check(chance, draw, {"cards": order})
    with pytest.raises(draws.WrongDraw):
        draws.check(chance, draw, {"cards": order[::-1]})
    draws.check(chance, replace(draw, packets=(draws.Packet("/cards", 4),)), {"cards": order[::-1]})


def test_numbers_are_drawn_one_by_one():
    chance = Chance(b"s" * 32, "gm", ())
    dice = [1 + chance.below("dice", number, 6) for number in (1, 2, 3)]
    draw = draws.DrawnNumbers("dice", 1, 6, "/dice", plus=1, count=3, sorted=True)
    draws.check(chance, draw, {"dice": sorted(dice)})
    with pytest.raises(draws.WrongDraw):
        draws.check(chance, draw, {"dice": [die % 6 + 1 for die in dice]})
