"""Counting a finished deal: what is in the attack's pile, who has the petit, who made a slam (rules.md, counting)."""

import pytest

from domain.french_tarot import counting
from tests.domain.french_tarot import builders


def ended(*tricks, contract="garde", **parts):
    """Return a deal of four that ends with these tricks; the others have no cards, seats 0 and 1 won them in turn."""
    empty = [f"0:2S > {number % 2}" for number in range(18 - len(tricks))]
    numbered = builders.tricks(*empty, *tricks)
    bare = tuple(builders.replace(trick, cards=()) for trick in numbered[: len(empty)])
    table = {"tricks": (*bare, *numbered[len(empty) :])}
    return builders.state(4, "play", contract=contract, slam="none", **table, **parts)


@pytest.mark.rule(
    "french-tarot", "6", "the chien is turned up for all to see", "lays aside as many cards, face down",
    "the chien stays hidden until the end", "belongs to the defence",
)  # fmt: skip
@pytest.mark.rule("french-tarot", "1", "the three oudlers")
@pytest.mark.rule("french-tarot", "10", "counts its tricks without the Excuse")
@pytest.mark.parametrize(
    ("contract", "halves", "where", "aside"),
    [("petite", 9 + 7 + 1 + 1 + 8, "ecart", 8), ("garde", 26, "ecart", 8), ("garde_sans", 18 + 10, "chien", 10),
     ("garde_contre", 18, None, 0)],
)  # fmt: skip
def test_the_ecart_the_chien_or_nothing_belongs_to_the_attack_beside_its_tricks(contract, halves, where, aside):
    state = ended(
        "0:RS 1:DS 2:1S 3:2S > 0", "1:RH 2:1H 3:2H 0:3H > 1", contract=contract, ecart="DH 3S", chien="T21 4S"
    )
    count = counting.count(state)
    assert (count.half_points, count.tricks_half_points) == (halves, 18)
    assert (count.laid_aside, count.laid_aside_half_points) == (where, aside)
    assert count.oudlers == (("T21",) if where == "chien" else ())


@pytest.mark.rule("french-tarot", "10", "counts its tricks without the Excuse")
def test_a_chien_with_the_excuse_counts_it_as_any_card():
    state = ended("0:RS 1:DS 2:1S 3:2S > 0", "0:1D 1:2D 2:3D 3:4D > 1", contract="garde_sans", chien="EX T1")
    count = counting.count(state)
    assert (count.laid_aside_half_points, count.oudlers, count.excuses) == (18, ("T1", "EX"), ())


@pytest.mark.rule("french-tarot", "10", "last trick but one counts as au bout")
def test_the_petit_in_the_last_trick_but_one_counts_before_an_excuse_alone():
    before = "0:T1 1:1S 2:2S 3:3S > 0"
    assert counting.petit_au_bout(ended(before, "0:EX 1:1H 2:2H 3:3H > 0")) == "attack"
    assert counting.petit_au_bout(ended(before, "0:EX 1:1H 2:2H 3:3H > 3")) is None
    assert counting.petit_au_bout(ended(before, "0:RH 1:1H 2:2H 3:3H > 0")) is None
    assert counting.petit_au_bout(ended(before, "0:RS 1:1D 2:2D 3:3D > 0", "0:EX 1:1H 2:2H 3:3H > 0")) is None
