"""Tensors: what a seat observes is in its view, and everything that they promise is there."""

import random
from dataclasses import replace

import numpy as np
import pytest

from domain.french_tarot.events import MisereAnnounced, PoigneeShown
from domain.le_plateau.state import Raised
from domain.registry import BUILT_IN
from domain.serialization import from_plain
from tests.support.sampling import VARIANTS, part
from tests.workers.research.walking import walk
from workers.bots import uniform
from workers.bots.policy import Asked
from workers.research.actions import numbering
from workers.research.observations import BOUND, blocks, observer
from workers.research.tables import NoSuchTable


@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset_id", "seats", "variant"), VARIANTS)
def test_tensors_and_masks_depend_on_what_their_seat_sees_alone(ruleset_id, seats, variant):
    differ = 0
    for seed in range(part(6)):
        positions, rng = walk(ruleset_id, seats, variant, seed), random.Random(seed)
        look = observer(positions[0].table)
        for position in rng.sample(positions, min(len(positions), 6)):
            seat = rng.randrange(seats)
            other = position.resampled(seat, rng)
            differ += other.state != position.state
            tensor = look.tensor(position, seat)
            assert tensor.shape == (look.size,)
            assert tensor.dtype == np.float32
            assert np.array_equal(tensor, look.tensor(other, seat))
            assert other.seat == position.seat
            if position.seat == seat:
                numbers = numbering(ruleset_id)
                assert numbers.choices(other).numbers == numbers.choices(position).numbers
    assert differ


RARE = [
    ("plateau", "forfeits", {"forfeits": 1}),
    ("le-plateau", "abdicated", {"raises": (Raised(1, None, abdicated=True),)}),
    ("french-tarot", "imprenable", {"petit_imprenable": 1}),
    ("french-tarot", "miseres", {"miseres": (MisereAnnounced(1, "no_trumps"),)}),
    ("french-tarot", "poignees", {"poignees": (PoigneeShown(1, "simple", ("T3",)),)}),
    ("french-tarot", "declined", {"poignees_declined": (1,)}),
]
"""What hardly ever happens in random games: the block that shows it, and what a view has then."""


@pytest.mark.parametrize(("ruleset_id", "block", "seen"), RARE)
def test_what_is_rare_is_written_too(ruleset_id, block, seen):
    position = walk(ruleset_id, 2 if ruleset_id == "plateau" else 5, "", 0)[0]
    look, view = observer(position.table), position.view(0)
    before, after = (look.part(look.seen(each, 0, 0), block) for each in (view, replace(view, **seen)))
    assert not before.any()
    assert after.sum() == 1


@pytest.mark.parametrize("ruleset_id", [ruleset.id for ruleset in BUILT_IN])
def test_every_block_is_written_and_within_the_bound(ruleset_id):
    unused = {block.name for block in blocks(ruleset_id)} - {block for rare, block, _ in RARE if rare == ruleset_id}
    for _, seats, variant in [each for each in VARIANTS if each[0] == ruleset_id]:
        for seed in range(2):
            positions = walk(ruleset_id, seats, variant, seed)
            look = observer(positions[0].table)
            for position in positions:
                tensor = look.tensor(position, position.seat or 0, (1,))
                assert abs(tensor).max() < BOUND
                unused -= {name for name in unused if look.part(tensor, name).any()}
    assert not unused


def test_seats_are_counted_from_the_one_that_looks():
    position = next(each for each in walk("plute", 6, "", 0) if each.state.table.trick)
    look = observer(position.table)
    played = position.state.table.trick[0]
    for seat in range(6):
        rows = look.part(look.tensor(position, seat), "trick").nonzero()[0]
        assert (played.seat - seat) % 6 in rows
        assert look.part(look.tensor(position, seat), "turn")[(position.seat - seat) % 6] == 1


def test_what_is_entered_is_in_the_tensor_by_its_place():
    position = walk("plateau", 2, "", 0)[0]
    look = observer(position.table)
    entered = look.part(look.tensor(position, 0, (4, 9)), "entered")
    assert entered[[4, 9]].tolist() == [1, 2]
    assert entered.sum() == 3


@pytest.mark.parametrize("ruleset_id", [ruleset.id for ruleset in BUILT_IN])
def test_a_policy_that_reads_the_plain_view_observes_the_same(ruleset_id):
    seats = next(ruleset.seats[0] for ruleset in BUILT_IN if ruleset.id == ruleset_id)
    for position in walk(ruleset_id, seats, "", 0)[:-1:5]:
        look, seat = observer(position.table), position.seat
        plain = position.plain_view(seat)
        view = from_plain(position.table.ruleset.view, plain["state"])
        assert np.array_equal(look.seen(view, seat, seat), look.tensor(position, seat))
        chosen = position.asked(uniform.think, seed=3)
        assert chosen == position.asked(uniform.think, seed=3)
        assert chosen in position.legal_actions
        assert uniform.think(Asked(plain, 3)).action["type"] in position.table.ruleset.actions


def test_a_world_dealt_again_continues_with_other_cards():
    position = walk("french-tarot", 4, "", 0)[0]
    other = position.resampled(0, random.Random(1))
    assert other.chance.secret != position.chance.secret
    assert other.state.deal.dealt[0] == position.state.deal.dealt[0]
    assert other.state.deal.dealt[1] != position.state.deal.dealt[1]


def test_a_ruleset_without_tensors_is_named():
    with pytest.raises(NoSuchTable, match="'liars-dice' has no tensors"):
        blocks("liars-dice")
