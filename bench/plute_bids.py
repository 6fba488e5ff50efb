"""Measure how likely a hand of Plute makes each bid: ``python -m bench.plute_bids [hands]``.

The first to bid takes the contract with whatever hand was dealt, all seats play as ``greedy`` does, and every hand is
played to its end. The constants go into ``workers/bots/plute/bidding.py``.
"""

from bench.greedy_deals import Table
from bench.sizes import size
from domain.plute import RULESET
from domain.plute.actions import Bid, Pass
from workers.bots.plute import bidding, cards, greedy

LOW = "holder"


def main() -> None:
    """Print, by counts, how often each bid would have been made."""
    table = Table(RULESET, 6, {"early_stop": "off", "low": LOW}, greedy.weighed)
    by_count: dict[int, list[int]] = {}
    for number in range(size(0, 1500, 20)):
        state = table.dealt(number)
        bidder = (state.hand.dealer + 1) % 6
        hand = cards.mask_of(state.table.held[bidder])
        most = max(bidding.count_of(hand, suit, LOW == "taker") for suit in range(4))
        ended = table.played(state, bidder, Bid(4), Pass())
        by_count.setdefault(most // 4 * 4, []).append(len(ended.results[-1].points[0].points))
    for least, points in sorted(by_count.items()):
        made = (f"{bid}:{sum(each >= bid for each in points) * 100 // len(points)}%" for bid in (4, 5, 6, 7))
        print(f"{least}-{least + 3}", *made, f"mean {sum(points) / len(points):.2f} n={len(points)}", flush=True)


if __name__ == "__main__":
    main()
