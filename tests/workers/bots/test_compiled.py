"""Kernels run plain, and do the same compiled; what is not there is no error."""

import subprocess
import sys
from importlib import import_module
from types import CodeType

import pytest

from domain.cardplay.placement import layout
from tests.workers.extras import needs_numba
from workers.bots import compiled, warming
from workers.bots.compiled import fast, popcount, warm, words
from workers.bots.le_plateau import dealing, grid, importance, kernel, placing, reckoning, stirring
from workers.bots.le_plateau.kernel import BOARD_SIZE
from workers.bots.le_plateau.worlds import LOT_SIZE, TARGETS, TRUMP_TARGETS
from workers.bots.plute import kernel as plute

LOADED_AND_RUN = """
import sys
from importlib import import_module
from pathlib import Path
from workers.bots import compiled
folder, *modules = sys.argv[1:]
for module in modules:  # as many kernels as here: what is kept is kept for all of them
    import_module(module)
from workers.bots.le_plateau import grid
assert compiled.warm(Path(folder))
twin = compiled.fast(grid.flood)
assert twin is not grid.flood
print(twin(1 << 27, grid.WHOLE) == grid.WHOLE, sum(twin.stats.cache_hits.values()))
"""


@pytest.fixture
def cooled():
    """Leave the process as it was found: running the plain source."""
    yield
    compiled.cool()


def test_without_being_warm_the_source_itself_runs():
    assert fast(grid.flood) is grid.flood
    assert words((3, 4)) == [3, 4]
    assert popcount(0b1011) == 3


def test_without_numba_nothing_is_compiled(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "numba", None)
    assert not warm(tmp_path)
    assert fast(grid.flood) is grid.flood


@needs_numba
def test_a_constant_that_a_kernel_takes_from_another_file_is_part_of_what_its_folder_is_for(tmp_path, monkeypatch):
    before = warming.place_of(tmp_path)
    assert warming.place_of(tmp_path) == before
    monkeypatch.setattr(plute, "_GAME", (1, *plute._GAME[1:]))  # made from a table of the rules
    changed = warming.place_of(tmp_path)
    monkeypatch.setattr(kernel, "TRUMPS_ALL", kernel.TRUMPS_ALL >> 1)
    assert len({before, changed, warming.place_of(tmp_path)}) == 3


def test_kernels_take_from_elsewhere_only_what_their_folder_is_for():
    """Other kernels, numbers, and tuples of them, and no code within code, whose globals would be overlooked."""
    for module in warming.POLICIES:
        import_module(module)
    for function in compiled._signatures:
        code, known = function.__code__, function.__globals__
        called = {known[name] for name in code.co_names if callable(known.get(name))}
        assert called <= {popcount, *compiled._signatures}
        assert all(is_plain(value) for value in compiled.constants_of(function).values()), function
        assert not any(isinstance(value, CodeType) for value in code.co_consts)


def is_plain(value):
    """Return whether a value is a number, or made of numbers alone."""
    return isinstance(value, int) or (isinstance(value, tuple) and all(map(is_plain, value)))


@needs_numba
@pytest.mark.long
def test_compiled_kernels_do_the_same_also_from_a_cache_in_another_process(tmp_path, cooled):
    plain = [played(seed) for seed in range(20)]
    assert warm(tmp_path)
    assert [played(seed) for seed in range(20)] == plain
    modules = sorted({function.__module__ for function in compiled._signatures})
    found = subprocess.run(
        [sys.executable, "-c", LOADED_AND_RUN, str(tmp_path), *modules], check=True, capture_output=True, text=True
    )
    assert found.stdout.split() == ["True", "1"]


@needs_numba
@pytest.mark.long
def test_a_folder_that_cannot_be_written_means_no_cache(tmp_path, cooled):
    (tmp_path / "kernels").write_text("in the way")
    assert warm(tmp_path)
    assert fast(grid.flood)(1 << 27, grid.WHOLE) == grid.WHOLE


def played(seed):
    """Return all that some kernels compute from a seed: a hand played out, importances, and values of cards."""
    world = words(dealt(seed))
    board = words(range(BOARD_SIZE))
    scratch = words([0] * reckoning.SCRATCH)
    fast(reckoning.look_around)(world, scratch)
    worths = words(range(reckoning.WORTHS))
    suits = fast(kernel.legal_suits)(world)
    value = fast(reckoning.value_of)(world, worths, scratch, int(suits) & -int(suits), 0)
    tried = words([int(suits) & -int(suits), 0])
    fast(kernel.try_cards)(world, tried, board, 1, seed, words(world))
    chance = fast(kernel.play_out)(world, seed)
    result = words([0] * importance.GRID + [40])
    fast(importance.weigh)(0, grid.WHOLE, 1, board, words([seed + 1]), result)
    return [int(number) for number in (chance, value, *tried, *world, *scratch, *result, *bid_upon(seed))]


def bid_upon(seed):
    """Return the tallies of hands in which the first of three seats is the declarer, and the world played last."""
    deck = range(9, 56)
    known = [0] * (kernel.SIZE + 1)
    known[kernel.SEATS], known[kernel.LED], known[kernel.TRICK], known[kernel.LAST] = 3, kernel.NO_SUIT, 1, 5
    known[kernel.HELD], known[kernel.HELD_TRUMPS] = 0b10101 << seed, 0b1010 << seed
    room = {kernel.HELD + 1: 5, kernel.HELD + 2: 5, kernel.TALON: 3}
    unseen = layout([number for number in deck if not known[kernel.HELD] >> number & 1][:13], room, lambda *_: True)
    lot = [number for members in unseen.members for number in members]
    lot += [0] * (LOT_SIZE - len(lot))
    lot[TARGETS : TARGETS + 3], lot[TRUMP_TARGETS : TRUMP_TARGETS + 3] = unseen.places, (unseen.places)
    for number in deck:
        lot[stirring.MAY + number] = 0b111
        for place in range(3):
            lot[stirring.LEAN + stirring.NUMBERS * place + number] = (number * (place + 3)) % 40 - 30
    board, hand, tally = words(range(BOARD_SIZE)), words(range(dealing.HAND)), words([0] * 3 * dealing.PER_TEAM)
    for kind in (dealing.NOTHING, dealing.LAYS_ASIDE):
        arrays = words(known), words(placing.plan_of(unseen)), words(lot)
        world = words(known)
        fast(dealing.tally_bids)(*arrays, 0, kind, 9, sum(1 << card for card in deck), seed, board, hand, world, tally)
    return [*tally, *world, *hand]


def dealt(seed):
    """Return a world of three players with hands that depend on a seed, some cards into the first trick."""
    world = [0] * kernel.SIZE
    world[kernel.SEATS], world[kernel.LED], world[kernel.TRICK], world[kernel.LAST] = 3, kernel.NO_SUIT, 1, 5
    world[kernel.TEAM], world[kernel.DECK], world[kernel.DECK_TRUMPS] = 1, (1 << 56) - 1, kernel.TRUMPS_ALL
    for seat in range(3):
        world[kernel.HELD + seat] = sum(1 << (17 * card + 5 * seat + seed) % 56 for card in range(3))
        world[kernel.HELD_TRUMPS + seat] = 1 << seat + seed % 3 | 1 << seat + 9
    return world
