"""What a ruleset is: one record of a few pure functions, with its texts and pictures as parts of their own.

A ruleset decides what a player's action means (``decide``) and what the rules force next (``settle``, the only place
where chance enters). It records facts (``evolve``, which never judges), and builds what one viewer can know
(``project``).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, TypeAlias, TypeVar

from domain.chance import Chance, Rng
from domain.draws import Draw, no_draws
from domain.errors import IllegalAction, Refusals
from domain.log import record
from domain.notation.notation import Notation
from domain.options import OptionRules
from domain.pictures.scene import Scene
from domain.pictures.shown import Shown
from domain.sentences.catalogue import SHARED
from domain.sentences.message import AtSeat, Text, message
from domain.sentences.telling import Tellers
from domain.serialization import Plain
from domain.symmetries import Symmetries
from domain.table import Outcome, Seat, Viewer
from domain.wellformed import check_seat, shown

OptionsT = TypeVar("OptionsT")
StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
EventT = TypeVar("EventT")
ViewT = TypeVar("ViewT")


@dataclass(frozen=True, slots=True)
class Agreements(Generic[StateT, EventT]):
    """What the players can agree on during a game.

    ``kinds`` holds each kind by its name in the API, with a sentence. ``offers`` returns the kinds that a seat can
    propose now, each with its ground: a proposal lapses when its ground changes. ``agree`` returns the events of a
    proposal that every seat accepted.
    """

    kinds: Mapping[str, str]
    offers: Callable[[StateT, Seat], Mapping[str, object]]
    agree: Callable[[StateT, str], list[EventT]]


@dataclass(frozen=True, slots=True)
class Presentation(Generic[ViewT]):
    """How to show a view to people; of the game, it shows nothing that the view does not.

    ``scene`` puts it into data for a client, and ``svg`` draws an SVG document, with the names and marks that are to be
    shown beside the view; ``text`` writes lines for a terminal.
    """

    scene: Callable[[ViewT, Shown], Scene]
    svg: Callable[[ViewT, Shown], str]
    text: Callable[[ViewT], str]


def silence(_options: object, _view: object) -> bool:
    """Return false: a phrase at a chosen moment of a deal could disclose hidden cards to a partner."""
    return False


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Ruleset(Generic[OptionsT, StateT, ActionT, EventT, ViewT]):
    """The rules of one game. States, actions, events, options and views are its own frozen dataclasses.

    The field ``seat`` of an event is the seat that acted. If a forced event only concerns a seat, the field has another
    name.
    """

    id: str
    name: str
    summary: str
    version: int
    seats: range
    package: str
    """The package that holds the rules as a page, ``rules.md``."""

    options: OptionRules[OptionsT]
    actions: Mapping[str, type]
    events: Mapping[str, type]
    view: type[ViewT]
    """What ``project`` returns: a dataclass that is written into JSON as it is. No field in it is hidden, at any depth.

    orjson writes dataclasses without slots seven times as fast, so those that a view holds many of should have none.
    """

    open_events: frozenset[type] = frozenset()
    """The kinds of events that disclose nothing hidden to anyone, so that they can be taken back.

    Such an event is possible, and looks the same, in every world that looks the same to a viewer before it. A hidden
    part is allowed only if the seat that acted made it up. A kind can be added, but never removed: stored games rely on
    it to find the position to which a take-back returned.
    """

    setup: Callable[[OptionsT, int], StateT]
    """Return the state before anything is dealt, for a number of seats."""
    to_act: Callable[[StateT], frozenset[Seat]]
    """Return the seats that can act now: none once the game is over, or while something is forced."""
    waiting_for: Callable[[StateT], frozenset[Seat]]
    """Return the seats to act whose clocks run; other seats can act (a claim, say) but need not."""
    legal_actions: Callable[[StateT, Seat], Sequence[ActionT]]
    """List every legal action of a seat, without duplicates, in a fixed order.

    Where there can be thousands, the list is one of ``domain.sequences``: it is counted and indexed, never walked.
    """
    decide: Callable[[StateT, Seat, ActionT], list[EventT]]
    """Return the events that say what the player did, and nothing else; raise ``IllegalAction``."""
    settle: Callable[[StateT, Chance], list[EventT]]
    """Return the events that the rules force now; empty when a player must act or the game is over."""
    evolve: Callable[[StateT, EventT], StateT]
    """Record an event: total, without rules."""
    outcome: Callable[[StateT], Outcome | None]
    """Return how the game ended, None while it is running."""

    project: Callable[[StateT, Viewer], ViewT]
    """Return what a viewer can know; what is public as it stands can be shared with the state.

    For ``EVERYTHING``, nothing is left out: the state can be drawn from the view in only one way.
    """
    sample: Callable[[OptionsT, Viewer, ViewT, Rng], StateT]
    """Draw a state, with its history, that is consistent with a view: ``project(sample(v)) == v``.

    All such states should be equally likely, since bots weigh their moves over many of them.
    Raise ``NoWorldFound`` if none of a bounded number of draws is.
    """
    hidden_parts: Callable[[StateT, Sequence[record.Shown]], Iterable[Mapping[str, Plain]]]
    """Return, for each event of a deal as a viewer sees it, its hidden parts by JSON pointer.

    They are what they were in the world of a state that ``sample`` drew from this viewer's view at the end of these
    events.
    """
    deals: frozenset[str] = frozenset()
    """The types of events with which a deal begins, if what was hidden before does not matter after it.

    ``settle`` begins at most one deal at a time. Everything that is drawn or hidden from there to the next deal has the
    secret of that deal, which is revealed when the next one begins.
    """

    deal_scores: Callable[[StateT], Sequence[tuple[int, ...]]] | None = None
    """Return what each seat scored in each deal that was played to its end; None for a game without such deals."""
    one_deal: Mapping[str, Plain] | None = None
    """The options with which a game is one deal, whatever happens in it, as deal sets play it; None without deals."""
    is_auction: Callable[[StateT], bool] | None = None
    """Return whether the seats bid now; a deal set can have bots bid for all. None where it cannot."""

    draws: Callable[[OptionsT, int, record.Shown], Iterable[Draw]] = no_draws
    """Return the draws behind an event as any viewer can see it, for a number of seats."""
    symmetries: Symmetries[OptionsT, StateT, ActionT, EventT] | None = None
    """The masks under which a deal can be played at one table or another; None where there are none."""

    presentation: Presentation[ViewT]
    tellers: Tellers = field(default_factory=dict)
    """How to say what happened, by the types of its events; the words are in the package, ``sentences.en.json``."""
    crib: Mapping[str, str] = field(default_factory=dict)
    """What a player looks up during a game, in order: the name of each entry, and a regular expression.

    The expression matches the codes of the things that the entry concerns, in full; "" concerns none. The catalogue has
    the words: ``crib.<name>`` is the title, with ``.says`` the text, and with ``.words`` a list, separated by commas,
    of beginnings of words that lead to the entry.
    """
    action_tellers: Tellers = field(default_factory=dict)
    """How to say what an action does, by the names of actions; a teller gets the fields as a client posts them."""
    notation: Notation[OptionsT, StateT] | None = None
    agreements: Agreements[StateT, EventT] | None = None
    can_talk: Callable[[OptionsT, ViewT], bool] = silence
    """Return whether players can say set phrases now, during the game, from what a spectator sees.

    They always can before the start and after the end. A game in which nobody has a partner, and so nobody to signal
    to, can allow it at all times.
    """
    resigned: Callable[[StateT, Seat], list[EventT]] | None = None
    """Return the events of a resignation, which a seat to act can always choose; None where the rules allow none."""
    lost_on_time: Callable[[StateT, Seat], list[EventT]] | None = None
    """Return the events with which a seat loses whose time is up; None where it resigns instead, if the rules allow."""
    ending: str
    """The section of the rules on how a game ends; cited where a seat asks for an end that the rules do not offer."""

    def __repr__(self) -> str:
        return f"Ruleset({self.id!r})"

    @property
    def proposal_kinds(self) -> Mapping[str, str]:
        """Return what the players can agree on, by its name in the API, with a sentence."""
        return self.agreements.kinds if self.agreements else {}

    def offers(self, state: StateT, seat: Seat) -> Mapping[str, object]:
        """Return what a seat can propose now, each with its ground."""
        return self.agreements.offers(state, seat) if self.agreements else {}

    def agree(self, state: StateT, kind: str) -> list[EventT]:
        """Return the events of a proposal that every seat accepted; raise ``IllegalAction``."""
        if self.agreements is None:
            said = message("fault.no-agreement", game=Text(self.name), kind=shown(kind))
            raise IllegalAction("nothing-to-agree", said, self.ending)
        return self.agreements.agree(state, kind)

    def resign(self, state: StateT, seat: Seat) -> list[EventT]:
        """Return the events of a resignation; raise ``IllegalAction`` if the rules do not allow it."""
        check_seat(self.seats[-1], seat, self.ending)
        if self.resigned is None:
            raise Refusals(SHARED)("no-resignation", self.ending, seat=AtSeat(seat), game=Text(self.name))
        return self.resigned(state, seat)


@cache
def starts_of_deals(ruleset: "AnyRuleset") -> frozenset[type]:
    """Return the classes of the events with which a deal begins."""
    return frozenset(ruleset.events[name] for name in ruleset.deals)


AnyRuleset: TypeAlias = Ruleset[Any, Any, Any, Any, Any]
"""A ruleset of any types that fit together."""
