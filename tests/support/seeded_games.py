"""Games whose players commit to seeds, for the tests: each request comes at a time that the test chooses."""

from domain.events import Opening
from domain.game import history, opening, seating
from domain.game.durations import SECOND, moment
from domain.game.seating import NewGame
from domain.game.seeds import commitment_to
from domain.registry import RULESETS

SECRET = bytes(range(32))
START = 1_800_000_000_000
WITHIN = 120 * SECOND
"""How long players have to open their seeds where the table did not choose, in ms."""


class Seeded:
    """A game that players ``pl_0``, ``pl_1``, … join, and its log."""

    def __init__(self, seats=2, ruleset_id="le-plateau", chosen=None, **options):
        ruleset = RULESETS[ruleset_id]
        new = NewGame(
            id="gm_seeded",
            ruleset=ruleset,
            options=ruleset.options.complete(options, seats),
            visibility="public",
            sandbox=False,
            creator="pl_0",
            sitters=(None,) * seats,
            opening=chosen and Opening(*chosen),
        )
        self.records, self.game, self.now = [], None, START
        self.do(seating.create(new, SECRET))

    def do(self, decided, after=SECOND):
        self.now += after
        more, self.game = history.record(self.game, decided, moment(self.now), f"rq_{len(self.records)}")
        self.records += more
        return decided[0]

    def commit(self, seat, seed=None):
        player = f"pl_{seat}"
        made = commitment_to(seed or f"seed {seat}", self.game.id, player)
        decided = seating.join(self.game, player, seat, None, seed_commitment=made, now=self.now + SECOND)
        return self.do(decided)

    def join(self, seat, client_seed=None):
        return self.do(seating.join(self.game, f"pl_{seat}", seat, client_seed, now=self.now + SECOND))

    def open(self, seat, seed=None):
        return self.do(opening.open_seed(self.game, seat, seed or f"seed {seat}"))

    def close(self):
        return self.do(opening.close(self.game, self.game.awaited.until), self.game.awaited.until - self.now)

    @property
    def types(self):
        return [record.type for record in self.records]


def all_committed(seats=2, **more):
    """Return a game in which everybody has committed to a seed, and nobody has opened theirs."""
    game = Seeded(seats, **more)
    for seat in range(seats):
        game.commit(seat)
    return game
