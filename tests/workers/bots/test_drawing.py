"""What kernels draw by: each number as often as the others, and bits of a set by their order."""

from workers.bots.drawing import drawn, highest, nth


def test_chance_is_fair():
    game = [7]
    counted = [0] * 6
    for _ in range(6000):
        counted[drawn(game, 6)] += 1
    assert all(880 < times < 1120 for times in counted)


def test_bits_are_found_by_their_order():
    assert [nth(0b101100, number) for number in range(3)] == [2, 3, 5]
    assert [highest(cards) for cards in (0, 1, 0b101100, 1 << 55)] == [-1, 0, 5, 55]
