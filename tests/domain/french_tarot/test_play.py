"""Play: following suit, trumping, overtrumping, who wins and leads (rules.md, play)."""

import pytest

from domain.french_tarot.actions import Play
from tests.domain.french_tarot import builders


def turn(hand, trick, **parts):
    """Return a state in which the next seat in a trick of four holds a hand."""
    seat = len(trick.split())
    held = [""] * 4
    held[seat] = hand
    played = " ".join(f"{at}:{card}" for at, card in enumerate(trick.split()))
    before = builders.tricks("0:9H 1:8H 2:7H 3:6H > 0")
    return builders.state(4, "play", held=held, trick=played, tricks=before, contract="garde", slam="none", **parts)


@pytest.mark.rule(
    "french-tarot", "8", "Follow the suit led", "If you cannot, play a trump", "If you have no trump either",
    "even if your partner played that trump", "a seat gets its turn even when",
)  # fmt: skip
@pytest.mark.rule("french-tarot", "3", "has two other values", "With `play_on`", "With `imprenable`")
@pytest.mark.parametrize(
    ("hand", "trick", "expected"),
    [
        ("2S", "1S", "2S"),
        ("1S 2H T3 EX", "", "1S 2H T3 EX"),
        ("1S 2H T3 EX", "EX", "1S 2H T3 EX"),
        ("1S RS 2H T3", "9S", "1S RS"),
        ("1S RS 2H T3", "9S T5", "1S RS"),
        ("2H T3 T9", "9S", "T3 T9"),
        ("2H T3 T9", "9S T5", "T9"),
        ("2H T3 T4", "9S T5", "T3 T4"),
        ("2H 3D", "9S T5", "2H 3D"),
        ("2H T3 T9", "T5", "T9"),
        ("2H T3 T4", "T5", "T3 T4"),
        ("2H T3 T9 T10", "T5 T9", "T10"),
        ("2H 3D", "T5", "2H 3D"),
        ("2H T3 T9", "EX T5", "T9"),
        ("1S T3", "EX 9S", "1S"),
        ("2H T7", "9S T5 T6", "T7"),
        ("1S T1 RS", "9S imprenable", "1S RS T1"),
        ("2H T1", "9S imprenable", "2H T1"),
        ("2H T1", "T5 imprenable", "2H T1"),
        ("2H T1 T9", "T5 imprenable", "T9 T1"),
    ],
)
def test_follow_suit_else_trump_higher_else_any_trump_else_anything(hand, trick, expected):
    """A petit imprenable is played like the Excuse."""
    led, imprenable, _ = trick.partition(" imprenable")
    state = turn(hand, led, **({"imprenable": 1} if imprenable else {}))
    assert builders.to_act(state) == len(led.split())
    assert " ".join(action.card for action in builders.legal(state)) == expected


@pytest.mark.sampled
@pytest.mark.rule("french-tarot", "8", "you never have to play it")
@pytest.mark.parametrize("trick", ["", "9S", "9S T5", "T5", "T20", "EX 9S", "9H 8H"])
@pytest.mark.parametrize("hand", ["1S EX", "2H T3 EX", "T3 T9 EX", "2H 3D EX", "EX"])
def test_the_excuse_can_be_played_to_any_trick(hand, trick):
    assert Play("EX") in builders.legal(turn(hand, trick))


@pytest.mark.rule(
    "french-tarot", "8", "Follow the suit led", "If you cannot, play a trump", "If you have no trump either"
)
@pytest.mark.parametrize(
    ("hand", "trick", "card", "code"),
    [
        ("1S 2H", "9S", "2H", "must-follow-suit"),
        ("1S T2", "9S T1", "T2", "must-follow-suit"),
        ("2H T3", "9S", "2H", "must-play-trump"),
        ("2H T3", "T2", "2H", "must-follow-suit"),
        ("T3 T9", "9S T5", "T3", "must-overtrump"),
        ("T3 T9", "T5", "T3", "must-overtrump"),
        ("1S 2H", "9S", "RH", "card-not-held"),
        ("2H T3 EX", "9S", "2H", "must-play-trump"),
    ],
)
def test_a_rejected_card_has_the_code_of_its_reason(hand, trick, card, code):
    state = turn(hand, trick)
    assert builders.refusal(state, len(trick.split()), Play(card)) == code


@pytest.mark.rule(
    "french-tarot", "1", "suits / `S` spades", "ranks, high to low", "rank, then suit", "trumps, and the Excuse"
)
@pytest.mark.rule("french-tarot", "8", "The highest trump wins")
@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("1S 9S RS 2S", 2),
        ("1S RH RD RC", 0),
        ("RS T1 DS CS", 1),
        ("RS T1 T9 T3", 2),
        ("T5 RS T9 T21", 3),
        ("EX 9S 1S RH", 1),
        ("9S EX 1S RH", 0),
        ("EX T5 T9 RS", 2),
    ],
)
def test_the_highest_trump_wins_else_the_highest_card_of_the_suit_led(cards, winner):
    held = [f"{card} {extra}" for card, extra in zip(cards.split(), ("3C", "4C", "5C", "6C"), strict=True)]
    state = builders.state(4, "play", held=held, contract="garde_sans", slam="none",
                        tricks=builders.tricks("3:9H 0:8H 1:7H 2:6H > 0"))  # fmt: skip
    for seat, card in enumerate(cards.split()):
        events, state = builders.act(state, seat, Play(card))
    (won,) = builders.of_kind(events, builders.ev.TrickWon)
    assert (won.number, won.winner) == (2, winner)
    assert [(played.seat, played.card) for played in won.cards] == [*enumerate(cards.split())]
    assert builders.to_act(state) == winner


@pytest.mark.rule("french-tarot", "1", "seats / integers from 0")
@pytest.mark.rule("french-tarot", "2", "the passing of the deal go counter-clockwise")
@pytest.mark.parametrize(("direction", "players", "order"), [
    ("counter_clockwise", (1, 2, 3, 0), [1, 2, 3, 0]), ("clockwise", (3, 2, 1, 0), [3, 2, 1, 0]),
])  # fmt: skip
def test_play_continues_in_the_agreed_direction(direction, players, order):
    state = builders.state(4, "play", held=["1S 5H", "2S 6H", "3S 7H", "4S 8H"], players=players, contract="garde_sans",
                        slam="none", options={"direction": direction})  # fmt: skip
    found = []
    for _ in range(4):
        found.append(builders.to_act(state))
        state = builders.acts(state, Play(f"{found[-1] + 1}S"))
    assert found == order
    assert builders.to_act(state) == 3
