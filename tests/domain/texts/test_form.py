"""The form of a new game has words for every option and value, in every language, and offers what can be filled in."""

import json
from dataclasses import replace
from importlib.resources import files

import pytest

from domain.errors import InvalidOptions
from domain.registry import BUILT_IN, RULESETS
from domain.ruleset import AnyRuleset
from domain.sentences.catalogue import languages
from domain.texts import form
from domain.texts.sentences import words

by_ruleset = pytest.mark.parametrize("ruleset", BUILT_IN, ids=lambda each: each.id)


def option_ids(package: str) -> set[str]:
    texts = json.loads((files(package) / "sentences.en.json").read_text("utf-8"))
    return {each for each in texts if each.startswith("option.")}


def listed_values(ruleset: AnyRuleset) -> set[tuple[str, str]]:
    return {
        (option, form.key(value))
        for seats in ruleset.seats
        for option, choice in ruleset.options.choices(seats).items()
        for value in choice.values or ()
    }


@by_ruleset
def test_every_option_and_every_value_that_is_no_number_has_words_of_its_own(ruleset: AnyRuleset) -> None:
    shared, own = option_ids("domain.sentences"), option_ids(ruleset.package)
    known = shared | own
    values = listed_values(ruleset)
    options = {option for option, _ in values} | {*ruleset.options.choices(ruleset.seats[0])}
    assert {option for option in options if f"option.{option}" not in known} == set()
    wordless = {(option, key) for option, key in values if not {f"option.{option}.{key}", f"option.{key}"} & known}
    assert {key for _, key in wordless if not key.isdecimal()} == set()
    assert own <= {f"option.{option}" for option in options} | {f"option.{option}.{key}" for option, key in values}


@by_ruleset
@pytest.mark.parametrize("language", languages())
def test_no_two_options_of_a_game_and_no_two_values_of_an_option_read_the_same(
    ruleset: AnyRuleset, language: str
) -> None:
    options = form.option_words(ruleset, language)
    assert len({each.name for each in options.values()}) == len(options)
    for each in options.values():
        assert len({*each.values.values()}) == len(each.values)


@by_ruleset
@pytest.mark.parametrize("language", languages())
def test_every_kind_of_action_and_every_field_has_words_of_its_own(ruleset: AnyRuleset, language: str) -> None:
    known = words(ruleset, language).patterns
    said = form.action_words(ruleset, language)
    assert {*said["type"].values} == {*ruleset.actions}
    assert {action for action in ruleset.actions if f"field.{action}" not in known} == set()
    fields = said.keys() - {"type"}
    assert {
        path for path in fields if not {f"field.{path}", f"field.{path.rpartition('.')[2]}"} & known.keys()
    } == set()
    for path in fields:
        assert len({*said[path].values.values()}) == len(said[path].values), path
        name = path.rpartition(".")[2]
        for key in said[path].values:
            assert {f"field.{name}.{key}", f"{name}.{key}", f"option.{key}"} & known.keys(), (path, key)


@by_ruleset
def test_every_word_of_a_field_is_used(ruleset: AnyRuleset) -> None:
    texts = json.loads((files(ruleset.package) / "sentences.en.json").read_text("utf-8"))
    own = {each.removeprefix("field.") for each in texts if each.startswith("field.")}
    said = form.action_words(ruleset, "en")
    names = {*said, *(path.rpartition(".")[2] for path in said)}
    values = {f"{path.rpartition('.')[2]}.{key}" for path, each in said.items() for key in each.values}
    assert own <= names | values | {*ruleset.actions}


def test_the_words_of_a_field_leave_out_places_in_lists_and_what_a_scene_shows() -> None:
    said = form.action_words(RULESETS["plateau"], "fr")
    assert said["open.pieces.up"].name == "Face visible"
    assert said["open.pieces.up"].values == {"r": "Rouge", "b": "Bleue", "o": "Orange", "x": "Muette"}
    assert said["open.square"].values == {}
    assert form.action_words(RULESETS["plute"], "en")["play.trump"].values["null"] == "Its own suit"


@by_ruleset
def test_the_english_name_and_summary_are_those_of_the_ruleset(ruleset: AnyRuleset) -> None:
    assert (form.name(ruleset, "en"), form.summary(ruleset, "en")) == (ruleset.name, ruleset.summary)
    assert form.summary(ruleset, "fr") != form.summary(ruleset, "ja") != ruleset.summary


def test_a_ruleset_without_words_is_written_by_the_names_of_its_interface() -> None:
    outside = replace(RULESETS["plute"], package="domain.cardplay")
    assert (form.name(outside, "fr"), form.summary(outside, "fr")) == (outside.name, outside.summary)
    options = form.option_words(outside, "fr")
    assert options["joker_order"].name == "Joker order"
    assert options["joker_order"].values["first_played_high"] == "First played high"
    assert options["dealer_may_steal"].values == {"false": "Non", "true": "Oui"}  # the words of all games


@by_ruleset
def test_a_value_is_accepted_with_what_it_needs(ruleset: AnyRuleset) -> None:
    for seats in ruleset.seats:
        for option, choice in ruleset.options.choices(seats).items():
            for value in (choice.values or ())[:12]:
                needed = {other: values[0] for other, values in choice.needs.get(value, {}).items()}
                asked = {option: value, **needed}
                if value in choice.comes_with:
                    with pytest.raises(InvalidOptions, match="|".join(choice.comes_with[value])):
                        RULESETS[ruleset.id].options.complete(asked, seats)
                else:
                    RULESETS[ruleset.id].options.complete(asked, seats)
