"""Slams, poignées, misères: who can announce what, and when (rules.md, announcements)."""

from math import comb

import pytest

from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot.actions import (
    AnnounceMisere,
    AnnouncePetitChelem,
    AnnounceSlam,
    NoSlam,
    Pass,
    Play,
    ShowPoignee,
)
from domain.french_tarot.view import TrickView
from tests.domain.french_tarot import builders


def trumps(first, last):
    return [f"T{n}" for n in range(first, last + 1)]


# -- slam ---------------------------------------------------------------------------------------------------------


def before_the_play(players=4, taker=2, **options):
    held = ["1S 2S", "1H 2H", "1D 2D", "1C 2C", "3S 4S"][:players]
    return builders.state(players, "slam", held=held, contract="garde_sans", taker=taker, options=options)


@pytest.mark.rule(
    "french-tarot",
    "7",
    "Before the first lead",
    "this follows the écart, not the contract",
    "only the taker can announce a slam",
)
def test_the_taker_alone_is_asked_for_a_slam():
    state = before_the_play()
    assert builders.to_act(state) == 2
    assert builders.legal(state) == [NoSlam(), AnnounceSlam()]
    assert builders.refusal(state, 0, AnnounceSlam()) == "not-your-turn"
    assert builders.refusal(state, 2, Play("1D")) == "wrong-phase"


@pytest.mark.rule("french-tarot", "7", "leads to the first trick")
@pytest.mark.rule("french-tarot", "8", "The player after the dealer leads", "the winner of each trick leads")
@pytest.mark.parametrize(("action", "leader", "slam"), [(AnnounceSlam(), 2, "slam"), (NoSlam(), 0, "none")])
def test_the_announcer_of_a_slam_leads_otherwise_the_player_after_the_dealer(action, leader, slam):
    _, state = builders.act(before_the_play(), 2, action)
    assert builders.to_act(state) == leader
    view = french_tarot.project(state, None)
    assert (view.slam, view.trick) == (slam, TrickView(1, leader, ()))


@pytest.mark.rule("french-tarot", "7", "can instead announce all tricks but one", "this does not give the lead")
def test_a_petit_chelem_is_announced_where_it_is_played_and_gives_no_lead():
    assert builders.refusal(before_the_play(), 2, AnnouncePetitChelem()) == "no-petit-chelem"
    state = before_the_play(petit_chelem="300/-150")
    assert builders.legal(state) == [NoSlam(), AnnounceSlam(), AnnouncePetitChelem()]
    events, state = builders.act(state, 2, AnnouncePetitChelem())
    assert events[0] == builders.ev.PetitChelemAnnounced(2)
    assert (builders.to_act(state), french_tarot.project(state, 1).slam) == (0, "petit_chelem")


# -- poignées -----------------------------------------------------------------------------------------------------


def holding(hand, players=4, **parts):
    """Return a state in which seat 0 has a hand and leads the first trick."""
    held = [" ".join(hand), *["1S"] * (players - 1)]
    return builders.state(players, "play", held=held, **{"contract": "garde", "slam": "none", "taker": 1} | parts)


def showings(state):
    return [action.cards for action in builders.legal(state) if isinstance(action, ShowPoignee)]


SIZES = {3: (13, 15, 18), 4: (10, 13, 15), 5: (8, 10, 13)}


@pytest.mark.rule("french-tarot", "2", "3 / 24", "4 / 18", "5 / 15")
@pytest.mark.rule(
    "french-tarot", "7", "each player can show trumps once", "These are either any of the player's trumps"
)
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize(("index", "level"), [(0, "simple"), (1, "double"), (2, "triple")])
def test_a_poignee_has_exactly_as_many_trumps_as_its_level_asks_for(players, index, level):
    size = SIZES[players][index]
    state = holding(trumps(1, size), players)
    events, state = builders.act(state, 0, ShowPoignee(tuple(trumps(1, size))))
    assert events == [builders.ev.PoigneeShown(0, level, tuple(trumps(1, size)))]
    for viewer in (0, 1, None):
        (shown,) = french_tarot.project(state, viewer).poignees
        assert shown == builders.ev.PoigneeShown(0, level, tuple(trumps(1, size)))
    for other in {*range(1, 22)} - {*SIZES[players]}:
        assert (
            builders.refusal(holding(trumps(1, 21), players), 0, ShowPoignee(tuple(trumps(1, other)))) == "no-poignee"
        )


@pytest.mark.rule("french-tarot", "7", "can show a lower level than possible")
def test_a_lower_level_than_possible_can_be_shown_with_any_of_the_trumps():
    state = holding([*trumps(2, 15), "5H"])
    assert len(showings(state)) == comb(14, 10) + comb(14, 13)
    for cards in (trumps(2, 11), trumps(6, 15), trumps(3, 15)):
        assert tuple(cards) in showings(state)


KINGS = ["RS", "RH", "RD", "RC"]
LAID_ASIDE = {"ecart": "1S 1H 1D 1C T15 T16", "shown_trumps": "T15 T16", "turned": True}
FIFTEEN = {"players": 5, "options": {"poignee_5p_triple": 15}}


@pytest.mark.rule("french-tarot", "1", "stands in for a trump only in a poignée")
@pytest.mark.rule(
    "french-tarot", "7", "each player can show trumps once", "These are either any of the player's trumps",
    "can show trumps of the écart again",
)  # fmt: skip
@pytest.mark.rule(
    "french-tarot", "Options", "`call_self` / ", "`called_suit_lead` / ", "`five_player_split` / ",
    "`five_player_mode` / ", "`poignee_5p_triple` / ",
)  # fmt: skip
@pytest.mark.parametrize(
    ("hand", "parts", "shown", "answer"),
    [
        ([*trumps(2, 11), "5H"], {}, [*trumps(2, 10), "5H"], "card-not-showable"),
        ([*trumps(2, 11), "5H"], {}, [*trumps(2, 10), "T20"], "card-not-showable"),
        ([*trumps(2, 11), "5H"], {}, [*trumps(2, 10), "EX"], "card-not-showable"),
        ([*trumps(2, 11), "5H"], {}, [*trumps(2, 10), "T2"], "no-poignee"),
        ([*trumps(2, 11), "5H"], {}, trumps(2, 10), "no-poignee"),
        ([*trumps(2, 10), "EX"], {}, [*trumps(2, 10), "EX"], "simple"),
        ([*trumps(2, 11), "EX"], {}, trumps(2, 11), "simple"),
        ([*trumps(2, 11), "EX"], {}, [*trumps(2, 10), "EX"], "trump-hidden-by-excuse"),
        ([*trumps(2, 9), "EX"], {}, [*trumps(2, 9), "EX"], "no-poignee"),
        ([*KINGS, *trumps(2, 14)], {"taker": 0, **LAID_ASIDE}, trumps(2, 16), "triple"),
        (trumps(2, 10), LAID_ASIDE, [*trumps(2, 10), "T16"], "card-not-showable"),
        ([*KINGS, *trumps(2, 10), "EX"], {"taker": 0, **LAID_ASIDE}, [*trumps(2, 10), "EX"], "simple"),
        ([*KINGS, *trumps(2, 10), "EX"], {"taker": 0, **LAID_ASIDE}, [*trumps(2, 9), "T15", "EX"],
         "trump-hidden-by-excuse"),
        (trumps(1, 15), FIFTEEN, trumps(1, 15), "triple"),
        (trumps(1, 15), FIFTEEN, trumps(1, 13), "no-poignee"),
    ],
)  # fmt: skip
def test_what_can_be_shown(hand, parts, shown, answer):
    """The Excuse means that no trump is hidden; those that the taker laid aside lie in sight."""
    state, shown = holding(hand, **parts), tuple(shown)
    if answer in ("simple", "double", "triple"):
        assert shown in showings(state)
        assert builders.act(state, 0, ShowPoignee(shown))[0] == [builders.ev.PoigneeShown(0, answer, shown)]
    else:
        assert shown not in showings(state)
        assert builders.refusal(state, 0, ShowPoignee(shown)) == answer


@pytest.mark.rule(
    "french-tarot", "7", "each player can show trumps once", "These are either any of the player's trumps"
)
def test_a_poignee_is_shown_once_and_before_the_first_card_of_the_seat():
    state = holding([*trumps(1, 12), "5H"])
    _, shown = builders.act(state, 0, ShowPoignee(tuple(trumps(1, 10))))
    assert builders.to_act(shown) == 0
    assert showings(shown) == []
    assert builders.refusal(shown, 0, ShowPoignee(tuple(trumps(2, 11)))) == "poignee-already-shown"
    later = builders.state(4, "play", held=[" ".join(trumps(1, 12)), "1S", "1S", "1S"], contract="garde", slam="none",
                        tricks=builders.tricks("0:5H 1:1H 2:2H 3:3H > 0"))  # fmt: skip
    assert showings(later) == []
    assert builders.refusal(later, 0, ShowPoignee(tuple(trumps(1, 10)))) == "too-late"


@pytest.mark.rule(
    "french-tarot", "7", "each player can show trumps once", "These are either any of the player's trumps"
)
def test_each_player_can_show_a_poignee_in_their_own_turn():
    held = ["1S 2S", " ".join(["1H", *trumps(1, 10)]), "1D", "1C"]
    state = builders.acts(builders.state(4, "play", held=held, contract="garde", slam="none"), Play("1S"))
    assert len(showings(state)) == 1
    assert builders.refusal(state, 0, ShowPoignee(tuple(trumps(1, 10)))) == "not-your-turn"


# -- poignées before the first lead -------------------------------------------------------------------------------


NO_SLAM = NoSlam()


def asked_first(taker=0, slam=NO_SLAM):
    held = [" ".join(trumps(1, 10)), "1S 2S", " ".join(trumps(11, 20)), "1H 2H"]
    state = builders.state(4, "slam", held=held, contract="garde_sans", taker=taker,
                        options={"poignee_timing": "before_first_lead"})  # fmt: skip
    return builders.acts(state, slam)


@pytest.mark.rule("french-tarot", "7", "the players take turns before the first lead")
def test_all_are_asked_in_turn_before_the_first_lead():
    state = asked_first()
    assert (state.phase, builders.to_act(state)) == ("poignee", 0)
    assert builders.legal(state) == [Pass(), ShowPoignee(tuple(trumps(1, 10)))]
    state = builders.acts(state, ShowPoignee(tuple(trumps(1, 10))))
    assert builders.legal(state) == [Pass()]
    state = builders.acts(state, Pass())
    assert builders.to_act(state) == 2
    events, state = builders.act(builders.acts(state, Pass()), 3, Pass())
    assert events == [builders.ev.PoigneeDeclined(3), builders.ev.PhaseBegan("play")]
    view = french_tarot.project(state, None)
    assert (len(view.poignees), view.poignees_declined, builders.to_act(state)) == (1, (1, 2, 3), 0)


@pytest.mark.rule("french-tarot", "7", "the players take turns before the first lead")
def test_later_it_is_too_late():
    state = builders.acts(asked_first(), *[Pass()] * 4)
    assert {type(action) for action in builders.legal(state)} == {Play}
    assert builders.refusal(state, 0, ShowPoignee(tuple(trumps(1, 10)))) == "too-late"
    assert builders.refusal(asked_first(), 0, Play("T1")) == "wrong-phase"


# -- misères ------------------------------------------------------------------------------------------------------


def miseres(hand, **options):
    state = holding(hand.split(), options={"misere": "on", **options})
    return [action.kind for action in builders.legal(state) if isinstance(action, AnnounceMisere)]


@pytest.mark.rule("french-tarot", "7", "can announce `no_trumps`", "a player can announce both")
@pytest.mark.parametrize(
    ("hand", "kinds"),
    [
        ("1S RH", ["no_trumps"]),
        ("1S T2", ["no_courts"]),
        ("1S 10H", ["no_trumps", "no_courts"]),
        ("1S EX", ["no_courts"]),
        ("VS EX", []),
        ("CS T1", []),
        ("DS 1S", ["no_trumps"]),
        ("T1 T21 1S", ["no_courts"]),
    ],
)
def test_a_hand_without_trumps_or_without_courts_is_a_misere(hand, kinds):
    assert miseres(hand) == kinds
    for kind in {"no_trumps", "no_courts"} - {*kinds}:
        state = holding(hand.split(), options={"misere": "on"})
        assert builders.refusal(state, 0, AnnounceMisere(kind)) == "not-a-misere"


@pytest.mark.rule("french-tarot", "7", "can announce `no_trumps`", "a player can announce both")
def test_both_miseres_can_be_announced_once_each_before_the_first_card():
    state = holding(["1S", "10H"], options={"misere": "on"})
    events, state = builders.act(state, 0, AnnounceMisere("no_courts"))
    assert events == [builders.ev.MisereAnnounced(0, "no_courts")]
    assert builders.refusal(state, 0, AnnounceMisere("no_courts")) == "misere-already-announced"
    state = builders.acts(state, AnnounceMisere("no_trumps"))
    assert builders.legal(state) == [Play("1S"), Play("10H")]
    assert french_tarot.project(state, 3).miseres == tuple(
        builders.ev.MisereAnnounced(0, kind) for kind in ("no_courts", "no_trumps")
    )


@pytest.mark.rule("french-tarot", "7", "**Misère** (`misere: on`)")
def test_there_is_no_misere_by_default_nor_after_the_first_card_of_the_seat():
    assert miseres("1S 10H", misere="off") == []
    assert builders.refusal(holding(["1S"]), 0, AnnounceMisere("no_trumps")) == "no-misere"
    later = builders.state(4, "play", held=["1S", "2S", "3S", "4S"], contract="garde", slam="none",
                        options={"misere": "on"}, tricks=builders.tricks("0:5H 1:1H 2:2H 3:3H > 0"))  # fmt: skip
    assert builders.refusal(later, 0, AnnounceMisere("no_trumps")) == "too-late"
