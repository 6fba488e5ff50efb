"""Every event of every game has words; ``domain.laws.sentences`` reads whole random games."""

import random
import re
from dataclasses import dataclass, replace
from functools import cache

import pytest

from domain import field_types as ft
from domain.cardplay.cards import TAROT_PACK
from domain.events import EVENTS, OF_EVERY_GAME, OF_OPEN_EVENTS
from domain.laws.sentences import check_worded, messages
from domain.log.redaction import merged, seen_by, split
from domain.plute.deck import PACK as PLUTE_PACK
from domain.registry import BUILT_IN, RULESETS
from domain.sentences.catalogue import catalogue, languages
from domain.serialization import to_plain
from domain.texts.sentences import tell, tell_action, words
from tests.golden import told_games as golden
from tests.support.sampling import part

SAMPLES = part(300)
OF_TYPES = (
    "seat",
    "player",
    "code",
    "list",
    "card",
    "trump",
    "excuse",
    "rank",
    "suit",
    "score_of",
    "unworded",
    "proposal",
    "refused",
    "misere",
    "way",
    "scene",
    "sheet",
    "name",
    "option",
    "ruleset",
    "field",
    "fault",
    "moment",
    "note",
    "phrase",
    "tokens",
    "status",
    "range",
    "this_game",
    "value_of_type",
    "crib",
)
"""Entries for the types of parameters, for events without words, and for what has tests of its own."""


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=repr)
@pytest.mark.parametrize("everything", [False, True])
def test_every_event_that_a_game_can_have_has_words_whatever_of_it_is_seen(ruleset, everything):
    for name, cls in {**EVENTS, **ruleset.events}.items():
        for seed in range(SAMPLES):
            message = tell(ruleset, _drawn_event(ruleset, name, cls, seed, everything))
            assert message.id.split(".")[0] == name, f"no sentence for {name}: {message.id}"
            for language in languages():
                check_worded(words(ruleset, language), message)
                sentence = words(ruleset, language).sentence(message)
                assert sentence.endswith((".", "。"))
                assert language != "ja" or " " not in sentence


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=repr)
def test_every_action_that_a_game_has_can_be_said(ruleset):
    for name, cls in ruleset.actions.items():
        for seed in range(SAMPLES):
            message = tell_action(ruleset, _drawn_action(ruleset, name, cls, seed))
            assert message.id.split(".")[:2] == ["action", name], f"no words for {name}: {message.id}"
            for language in languages():
                check_worded(words(ruleset, language), message)
                assert language != "ja" or " " not in words(ruleset, language).sentence(message)


def test_an_action_without_words_is_found():
    ruleset = replace(RULESETS["plute"], actions={**RULESETS["plute"].actions, "cut": CardsCut})
    with pytest.raises(AssertionError, match="no words for cut"):
        test_every_action_that_a_game_has_can_be_said(ruleset)


def test_an_action_that_an_outside_ruleset_has_no_words_for_is_told_by_its_type():
    wordless = replace(RULESETS["plute"], action_tellers={})
    assert words(wordless).sentence(tell_action(wordless, {"type": "show_all", "card": "RH"})) == "Show all"


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=repr)
def test_every_entry_of_a_catalogue_is_used(ruleset):
    told = {
        each.id
        for name, cls in {**EVENTS, **ruleset.events}.items()
        for seed in range(SAMPLES)
        for everything in (False, True)
        for each in messages(tell(ruleset, _drawn_event(ruleset, name, cls, seed, everything)))
    } | {
        each.id
        for name, cls in ruleset.actions.items()
        for seed in range(SAMPLES)
        for each in messages(tell_action(ruleset, _drawn_action(ruleset, name, cls, seed)))
    }
    told.add("action")
    others = {each for each in words(ruleset).patterns if each.split(".")[0] not in OF_TYPES} - told
    assert not others


def test_an_event_that_an_outside_ruleset_has_no_words_for_is_told_by_its_type():
    wordless = replace(RULESETS["plute"], tellers={})
    by_nobody = {"type": "hand_dealt", "seat": None, "data": {}}
    by_a_seat = {"type": "bid_made", "seat": 2, "data": {"points": 4}}
    assert words(wordless).sentence(tell(wordless, by_nobody)) == "Hand dealt."
    assert words(wordless).sentence(tell(wordless, by_a_seat)) == "Player 3: bid made."


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=repr)
def test_an_old_event_that_hides_what_is_public_today_is_told_by_its_type(ruleset):
    for name, cls in ruleset.events.items():
        event = _drawn_event(ruleset, name, cls, 0, everything=True)
        message = tell(ruleset, {**event, "data": {}})
        assert message.id.split(".")[0] in (name, "unworded")
        check_worded(words(ruleset), message)


def test_a_proposal_that_an_outside_ruleset_has_no_words_for_is_told_by_its_type():
    made = {"type": "proposal_made", "seat": 1, "data": {"proposal": "p1", "kind": "swap", "duration": None}}
    ruleset = RULESETS["plute"]
    assert words(ruleset).sentence(tell(ruleset, made), lambda _: "Ada") == "Ada: proposal made."


def test_an_event_without_a_sentence_is_found():
    ruleset = replace(RULESETS["plute"], events={**RULESETS["plute"].events, "cards_cut": CardsCut})
    with pytest.raises(AssertionError, match="no sentence for cards_cut"):
        test_every_event_that_a_game_can_have_has_words_whatever_of_it_is_seen(ruleset, everything=True)


@dataclass(frozen=True)
class CardsCut:
    """The pack was cut."""


def test_a_sentence_lists_each_unit_of_a_pause():
    paused = {"type": "game_paused", "seat": None, "data": {"duration": "P1DT2H1S"}}
    sentence = catalogue("domain.plute").sentence(tell(RULESETS["plute"], paused))
    assert sentence == "The game is paused for 1 day, 2 hours and 1 second."


@pytest.mark.parametrize("ruleset_id", golden.GAMES)
def test_a_game_reads_as_it_did(ruleset_id):
    assert golden.path(ruleset_id).read_text("utf-8") == golden.text(ruleset_id)


# -- events at random -----------------------------------------------------------------------------------------------


def _drawn_event(ruleset, name, cls, seed, everything):
    """Draw an event of a class as a reader sees it who sees all of its secrets, or none."""
    event = _Draw(ruleset, random.Random(f"{ruleset.id} {name} {seed}")).instance(cls)
    data, hidden = split(event)
    seen = merged(data, seen_by(hidden, None, everything=everything))
    return {"type": name, "seat": getattr(event, "seat", None), "data": seen}


def _drawn_action(ruleset, name, cls, seed):
    """Draw an action of a class as a client posts it."""
    return {"type": name, **to_plain(_Draw(ruleset, random.Random(f"{ruleset.id} {name} {seed}")).instance(cls))}


_PAIRS = ("groups", "pieces")


class _Draw:
    """Draws values of the declared types; a text without a pattern gets one that its field can have."""

    def __init__(self, ruleset, rng):
        self._rng = rng
        self._texts = {
            "kind": (*ruleset.proposal_kinds, *OF_EVERY_GAME, *OF_OPEN_EVENTS),
            "duration": ("P14D", "P1WT2H", "PT90S", "PT1M"),
            "bot": ("greedy",),
            "spaces": ("RH", "T3", "EX", "#7"),
        }

    def instance(self, cls):
        return cls(**{field.name: self._field(field) for field in ft.fields_of(cls)})

    def _field(self, field):
        if field.omittable and field.key != "to_version" and self._rng.random() < 0.5:
            return None
        return self._value(field.type, field.key)

    def _value(self, tp, key):
        if isinstance(tp, ft.Scalar):
            return self._rng.choice(self._scalars(tp, key))
        match tp:
            case ft.OrNone(inner):
                return None if key != "duration" and self._rng.random() < 0.3 else self._value(inner, key)
            case ft.ListOf(inner):
                return tuple(self._value(inner, key) for _ in range(2 if key in _PAIRS else self._rng.randrange(5)))
            case ft.Nested(cls):
                return self.instance(cls)
        return {}

    def _scalars(self, tp, key):
        match tp:
            case ft.OneOf(values):
                return values
            case ft.Boolean():
                return (False, True)
            case ft.Integer():
                return (0, 1) if key == "group" else (0, 1, 2, 3)
            case ft.Text(pattern):
                return _fitting(pattern.regex) if pattern else self._texts.get(key, ("text",))


@cache
def _fitting(regex):
    return [code for code in (*TAROT_PACK, *PLUTE_PACK) if re.fullmatch(regex, code)]
