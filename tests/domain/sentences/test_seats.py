"""Whoever reads a sentence counts seats from 1, and a seat has one name in each language."""

import re

import pytest

from domain.errors import WrongMoment
from domain.game import aggregate, seating, take_backs
from domain.le_plateau import RULESET
from domain.le_plateau.actions import Pass
from tests.domain.sentences.messages import entries

SECRET = bytes(range(32))


def table(*sitters, **options):
    chosen = RULESET.options.complete(options, len(sitters))
    return seating.create(
        seating.NewGame("gm_1", RULESET, chosen, visibility="public", sandbox=False, creator="pl_a", sitters=sitters),
        SECRET,
    )[1]


ACTIVE = table("pl_a", "pl_b", "pl_c", first_dealer=2)
REFUSED = {
    "not the turn": (lambda: aggregate.act(ACTIVE, 1, Pass()), ["seat 2", "seat 1"]),
    "seated already": (lambda: seating.join(table("pl_a", "pl_b", None), "pl_b", None, None), ["seat 2"]),
    "another's seat": (lambda: seating.leave(table("pl_a", "pl_b", None), "pl_a", 1), ["seat 2"]),
    "a seat that is taken": (lambda: seating.put_bot(table("pl_a", "pl_b", None), "pl_a", 1, "random"), ["seat 2"]),
    "nothing to take back": (lambda: take_backs.target(aggregate.act(ACTIVE, 0, Pass())[1], 1, None), ["seat 2"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_count_seats_as_sentences_and_pictures_do(case):
    call, seats = REFUSED[case]
    with pytest.raises(WrongMoment) as refused:
        call()
    assert re.findall(r"seat \d", str(refused.value)) == seats
    for language, word in (("fr", "joueur "), ("ja", "席")):
        found = re.findall(word + r"(\d)", refused.value.in_words(language), re.IGNORECASE)
        assert found == [seat[-1] for seat in seats]


def test_a_seat_has_one_name_in_french():
    """A player without a name is “Joueur 2”, so nothing calls the same seat “place 2”."""
    assert not [
        message_id for message_id, text in entries("fr") if re.search(r"place (\{seat\}|\d)", text, re.IGNORECASE)
    ]
