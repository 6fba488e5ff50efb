"""What is wrong with a field is said in each language, whichever field or check finds it."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from domain.errors import worded
from domain.sentences.catalogue import catalogue, languages
from service.api.resources import bodies, destination_bodies, plans
from service.common.errors import WORDS, Malformed
from service.input.fields import LONGEST_FAULT, Schema, field_fault, wrong
from service.input.forms import load

SERVICE = Path(__file__).parents[2] / "service"

FAULTS: Final = json.loads(Path(__file__).with_name("field_faults.json").read_text("utf-8"))
"""Forms, faulty bodies, and what is said of them in each language."""
FORMS: Final = {
    form.__name__: form
    for module in (bodies, destination_bodies, plans)
    for form in vars(module).values()
    if isinstance(form, type) and issubclass(form, Schema) and form is not Schema
}
VALUES: Final = (None, 7, 1.5, True, "", "x", "x" * 1000, "\x07", [], [7], [None], [{}], {}, {"x": 7})


@pytest.mark.parametrize(("form", "body", *languages()), FAULTS)
def test_a_fault_is_said_in_each_language(form: str, body: dict[str, Any], en: str, fr: str, ja: str) -> None:
    with pytest.raises(Malformed) as refused:
        load(FORMS[form](), body)
    assert [refused.value.in_words(language) for language in languages()] == [en, fr, ja]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_each_fault_of_a_form_has_words_in_each_language(form: type[Schema]) -> None:
    names = [field.data_key or name for name, field in form().fields.items()]
    for body in ({}, *(dict.fromkeys([*names, "unknown"], value) for value in VALUES)):
        try:
            load(form(), body)
        except Malformed as refused:
            for fault in refused.faults:
                english, *others = [worded(fault.message, WORDS, language) for language in languages()]
                assert english not in others


def test_the_catalogue_has_just_the_entries_that_are_named() -> None:
    named = {"required", "null", "length.least", "length.most", "range.least", "range.most"}
    for path in SERVICE.rglob("*.py"):
        source = path.read_text("utf-8")
        if path.name == "name_rules.py":
            named |= {f"name.{each}" for each in re.findall(r'(?:_fault\(|\): )"([a-z-]+)"', source)}
        elif path.name == "fields.py" or "from service.input.fields import" in source:
            named |= {*re.findall(r'(?:\bwrong\(|\bInvalid\(|_out_of\(|EXPECTED = )"([^"]+)"', source)}
    known = {each.removeprefix("form.") for each in catalogue(WORDS).patterns if each.startswith("form.")}
    assert known == named


def test_a_long_fault_is_cut_and_stays_in_english() -> None:
    fault = field_fault("x", wrong("action", actions="y" * 1000))
    assert fault == f"x: must be {'y' * 1000}"[:LONGEST_FAULT]
