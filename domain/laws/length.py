"""A log has a bound: no game continues beyond it, and no game that its options allow needs to."""

from itertools import islice

from domain.errors import WrongMoment
from domain.events import GameAborted
from domain.game import aggregate, history
from domain.game.aggregate import MOST_EVENTS
from domain.laws.law import of_every_table, refused
from domain.laws.play import Table, active, played, random_game
from domain.serialization import changed


@of_every_table
def a_game_ends_without_a_result_once_its_log_is_full(table: Table) -> None:
    """In the request that fills it, whatever that is."""
    game = active(played(table, 0))[-1]
    seat = min(game.pending)
    action = game.ruleset.legal_actions(game.state, seat)[0]
    for missing in (1, 0):
        full = changed(game, version=MOST_EVENTS - missing)
        events, after = aggregate.bounded(full, aggregate.act(full, seat, action))
        records, recorded = history.record(full, (events, after), game.at, "rq_last")
        if after.status == "finished":  # it would have ended anyway
            continue
        assert (after.status, after.aborted_because) == ("aborted", "endless")
        assert events[-1] == GameAborted("endless", game.secret.hex())
        assert history.fold(records, full) == recorded
        assert after.version <= MOST_EVENTS + len(events)
        refused(WrongMoment, aggregate.act, after, seat, action)
    early = changed(game, version=1)
    assert aggregate.bounded(early, aggregate.act(early, seat, action)) == aggregate.act(early, seat, action)


@of_every_table
def a_game_of_the_longest_options_has_room_in_a_log(table: Table) -> None:
    """With a quarter of it to spare for pauses, proposals, and deals that do not count."""
    steps = random_game(table.ruleset, table.seats, 0, {**table.options, **table.facts.longest})
    *_, last = islice(steps, MOST_EVENTS)
    assert last.game.is_over
    assert 4 * last.game.version <= 3 * MOST_EVENTS, last.game.version
