"""What kernels compute, compiled or not."""

from domain.cardplay.placement import layout
from workers.bots.compiled import fast, words
from workers.bots.le_plateau import dealing, grid, importance, kernel, placing, reckoning, stirring
from workers.bots.le_plateau.kernel import BOARD_SIZE
from workers.bots.le_plateau.worlds import LOT_SIZE, TARGETS, TRUMP_TARGETS


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
