"""The table as a picture and as text: what it shows, whose turn it is, and what stays hidden."""

import re
from functools import partial
from itertools import pairwise

import pytest

from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot.picture.scenes import scene_of, turn_of
from domain.table import EVERYTHING, Seat
from tests.domain.french_tarot import builders
from tests.support.random_games import played
from tests.support.sampling import VARIANTS

TABLES = [each for each in VARIANTS if each[0] == french_tarot.id]
FIVE = ["2S 3S 4S", "5S 6S 7S", "RH 8S 9S", "2D 3D 4D", "5D 6D T1"]


def view(state, viewer: Seat | None = None):
    return french_tarot.project(state, viewer)


def notes(state, viewer=None):
    return [line.note for line in scene_of(view(state, viewer)).seats]


def sides(state, viewer=None):
    return [line.side for line in scene_of(view(state, viewer)).seats]


def rows(state, viewer=None):
    return {row.name: [shown.face for shown in row.things] for row in scene_of(view(state, viewer)).rows}


def in_play(**parts):
    """Return a deal of five in which seat 0 took and called the king of hearts."""
    return builders.state(5, "play", held=FIVE, contract="garde", slam="none", called="RH", **parts)


@pytest.mark.parametrize(("ruleset_id", "seats", "variant"), TABLES)
def test_a_caption_names_the_seat_to_act_at_every_step(ruleset_id, seats, variant):
    for step in played(ruleset_id, seats, 0, variant):
        if step.game.state is not None:
            turn = turn_of(view(step.game.state))
            assert ({turn} if turn is not None else set()) == {*step.game.pending}


def test_in_open_bidding_a_seat_that_has_passed_has_no_more_turns():
    spoken = [(0, "petite"), (1, None), (2, "garde"), (3, None), (0, "garde_sans"), (2, "garde_contre")]
    turns = []
    for said in range(len(spoken) + 1):
        bids = tuple(builders.Spoken(*each) for each in spoken[:said])
        state = builders.state(4, "bid", held=FIVE[:4], bids=bids, options={"bidding": "open"})
        turns.append(turn_of(view(state)))
        assert turns[-1] == builders.to_act(state)
    assert turns == [0, 1, 2, 3, 0, 2, 0]


def test_only_the_taker_has_a_side_before_the_called_card_falls():
    state = in_play()
    for viewer in (None, 0, 2, 3):
        assert sides(state, viewer) == ["first", None, None, None, None]
        assert notes(state, viewer) == ["taker", "", "", "", ""]
        assert "RH is called: the player who holds it is the partner" in scene_of(view(state, viewer)).lines


def test_a_title_fits_the_width_of_a_small_phone():
    longest = {"deals_played": 119, "deals_total": 120, "deal_number": 150}
    for phase in ("deal", "bid", "call", "discard", "slam", "poignee", "over"):
        seen = builders.replace(view(builders.state(5, phase, held=FIVE, contract="garde")), **longest)
        assert len(scene_of(seen).title) <= 34, phase


def test_once_the_called_card_has_fallen_every_seat_has_a_side():
    state = in_play(partner=2)
    assert sides(state) == ["first", "second", "first", "second", "second"]
    assert notes(state) == ["taker", "defender", "partner", "defender", "defender"]
    alone = in_play(partner=None)
    assert "RH is called: the taker is alone" in scene_of(view(alone)).lines
    assert sides(alone).count("first") == 1


def test_the_note_of_a_seat_counts_its_tricks_and_points_but_the_excuse():
    won = builders.tricks("0:RS 1:EX 2:1S 3:2S > 0", "0:T5 1:T6 2:VC 3:3S > 1", "1:5C 2:6C 3:7C 0:8C > 0")
    state = builders.state(4, "play", contract="garde", slam="none", tricks=won, held=["1H", "2H", "3H", "4H"])
    assert notes(state) == ["taker, 2 tricks, 7.5 without EX", "defender, 1 trick, 3", "defender", "defender"]


def test_the_cards_of_the_trick_name_the_seats_that_played_them():
    state = in_play(trick="3:2D 4:5D")
    assert rows(state)["Trick 1"] == ["2D", "5D"]
    assert "Trick 1: 2D (player 4) 5D (player 5)" in french_tarot.presentation.text(view(state))
    drawn = re.findall(r">(You \(2\)|Player \d)(?:, led)?</text>", french_tarot.presentation.svg(view(state, 1)))
    assert drawn.count("You (2)") == 2
    assert "Player 4, led</text>" in french_tarot.presentation.svg(view(state, 1))


def places(state, viewer=None):
    """Return where the names of the seats stand around the table, read off the picture."""
    drawn = re.findall(
        r'<text x="([\d.]+)" y="([\d.]+)" class="ink strong" [^>]*>(?:You \(|Player )(\d)',
        french_tarot.presentation.svg(view(state, viewer)),
    )
    return {int(number) - 1: (float(x), float(y)) for x, y, number in reversed(drawn)}


def test_seats_sit_counter_clockwise_and_the_viewers_is_nearest():
    state = builders.state(4, "play", contract="garde", slam="none", held=["1H", "2H", "3H", "4H"])
    for viewer, near in ((None, 0), (2, 2)):
        at = places(state, viewer)
        right, far, left = ((near + turn) % 4 for turn in (1, 2, 3))
        assert at[left][0] < at[near][0] == at[far][0] < at[right][0]
        assert at[far][1] < at[right][1] == at[left][1] < at[near][1]


def test_hands_and_ecart_are_shown_to_their_owners_alone():
    state = in_play(ecart="2C 3C T9", shown_trumps="T9", turned=True, chien="2C 8C 9C")
    assert rows(state, 1)["Hand of player 2"] == ["5S", "6S", "7S"]
    assert rows(state, 0)["Écart"] == ["2C", "3C", "T9"]
    for viewer in (None, 1, 4):
        shown = rows(state, viewer)
        assert "Écart" not in shown
        assert shown["Trumps laid aside in sight"] == ["T9"]
        assert shown["Chien"] == ["2C", "8C", "9C"]


def test_announcements_are_in_the_caption():
    state = builders.state(
        4, "play", contract="garde", slam="slam", held=["1H", "2H", "3H", "4H"], imprenable=3,
        poignees=(builders.ev.PoigneeShown(1, "simple", ("T2", "T3")),),
        miseres=(builders.ev.MisereAnnounced(2, "no_courts"),),
    )  # fmt: skip
    told = scene_of(view(state)).lines
    assert {"A slam is announced", "Misère of player 3: no court cards"} <= {*told}
    assert "Player 4 plays the petit as a second Excuse" in told
    assert rows(state)["Simple poignée of player 2"] == ["T2", "T3"]


def needed(state, viewer=None):
    """Return the line with the points of the attack, and the one with what it needs."""
    lines = scene_of(view(state, viewer)).lines
    return [pair for pair in pairwise(lines) if pair[0].startswith(("The attack has ", "The taker alone has "))]


EXCUSE_KEPT = ("0:EX 1:RS 2:1S 3:2S > 1", "0:T21 1:T6 2:VC 3:3S > 0")
"""The taker's Excuse is worth 4, for the other side won the trick; the other trick is worth 7."""


@pytest.mark.parametrize(
    ("contract", "viewer", "points", "rest"),
    [
        ("garde", 0, "The attack has 20 in tricks and écart", "needs 41: 21 more"),
        ("garde", 1, "The attack has at least 11, not counting its écart", "at most 41 points: at most 30 more"),
        ("garde_sans", 0, "The attack has at least 11, not counting the chien", "at most 41 points: at most 30"),
        ("garde_sans", "everything", "The attack has 20 in tricks and chien", "needs 41: 21 more"),
        ("garde_contre", None, "The attack has 11 in tricks", "it needs 41: 30 more"),
    ],
)
def test_what_the_attack_still_needs_is_counted_from_what_each_viewer_can_see(contract, viewer, points, rest):
    parts = {"ecart": "DH 1C 4C 5C VS CS"} if contract == "garde" else {"chien": "DH DS 4C 5C 6C 7C"}
    state = builders.state(
        4, "play", contract=contract, slam="none", tricks=builders.tricks(*EXCUSE_KEPT),
        held=["1H", "2H", "3H", "4H"], turned=contract == "garde", **parts,
    )  # fmt: skip
    ((has, needs),) = needed(state, EVERYTHING if viewer == "everything" else viewer)
    assert has == points
    assert needs.startswith("With T21 and EX ")
    assert rest in needs


def test_an_attack_with_enough_needs_no_more_and_without_oudlers_56():
    tricks = [
        "0:T21 1:RS 2:RH 3:RD > 0",
        "0:T1 1:RC 2:DS 3:DH > 0",
        "0:T20 1:DD 2:DC 3:CS > 0",
        "0:T19 1:CH 2:CD 3:CC > 0",
    ]
    state = partial(builders.state, 4, "play", contract="garde", slam="none", held=["1H", "2H", "3H", "4H"])
    ((points, rest),) = needed(state(tricks=builders.tricks(*tricks)))
    assert points == "The attack has at least 52, not counting its écart"
    assert rest == "With T1 and T21 the attack needs at most 41 points, and has them"
    ((_, rest),) = needed(state(tricks=builders.tricks(*tricks[3:]), imprenable=3))
    assert rest == "Without oudlers the attack needs at most 56 points: at most 48 more"


def test_an_attack_half_a_point_short_is_told_so():
    tricks = ["0:T21 1:RS 2:RH > 0", "0:T1 1:RC 2:DS > 0", "0:T20 1:DD 2:DC > 0", "0:T19 1:1H 2:2H > 0"]
    state = builders.state(3, "play", contract="garde_contre", slam="none", held=["3H", "4H", "5H"],
                           tricks=builders.tricks(*tricks, "0:T18 1:CS 2:CH > 0"))  # fmt: skip
    ((points, rest),) = needed(state)
    assert (points, rest) == ("The attack has 40.5 in tricks",
                              "With T1 and T21 it needs 41: half a point more")  # fmt: skip


def test_the_tricks_of_a_hidden_partner_count_once_the_called_card_has_fallen():
    won = builders.tricks("0:2S 1:3S 2:RS 3:4D 4:5D > 2")
    assert needed(in_play(tricks=won)) == needed(in_play(tricks=won), 2)
    assert needed(in_play(tricks=won))[0][0].startswith("The taker alone has at least 0 in tricks")
    assert needed(in_play(tricks=won, partner=2))[0][0].startswith("The attack has at least 6.5")


def test_a_table_before_the_first_deal_is_empty():
    state = french_tarot.setup(french_tarot.options.complete({}, 4), 4)
    assert scene_of(view(state)).title == "Nothing is dealt yet"
    assert rows(state) == {}
    assert sorted(places(state)) == [0, 1, 2, 3]
    assert french_tarot.presentation.text(view(state)).count("Player ") == 4
