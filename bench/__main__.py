"""Run every benchmark: ``make bench``. Each prints its figures beside what they are compared with.

With ``--quick``, each does just enough to show that it works, and the figures mean nothing.
"""

import runpy
import sys

from bench.sizes import QUICK, given, is_quick

NAMES = (
    "domain",
    "rulesets",
    "research",
    "append",
    "receipts",
    "audit_cost",
    "memory",
    "archive",
    "growth",
    "reading",
    "replay",
    "verify",
    "verify_store",
    "throughput",
    "scaling",
    "streams",
    "bots",
    "bot_times",
    "jobs",
    "fairness",
    "floods",
    "attacks",
    "soak",
    "walks",
    "boardgame_io",
    "chaos_streams",
    "webhooks",
    "web_client",
    "plateau_bids",
    "tarot_bids",
    "plute_bids",
    "signs",
    "card_plays",
)

if __name__ == "__main__":
    chosen, switches = given() or NAMES, [QUICK] * is_quick()
    for name in chosen:
        if name not in NAMES:
            sys.exit(f"there is no benchmark {name}; the benchmarks are: {', '.join(NAMES)}")
        print(f"\n== {name}", flush=True)
        sys.argv = [name, *switches]
        runpy.run_module(f"bench.{name}", run_name="__main__")
