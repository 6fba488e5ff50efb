"""What is wrong with a request is said in each language, whatever part of the service says it."""

import ast
import json
from pathlib import Path

import pytest
from marshmallow import Schema, fields, validate

from domain.sentences.catalogue import catalogue, languages
from service.accounts.limits import LIMITS
from service.common.errors import WORDS
from service.input.form_words import field_fault, message_of

SERVICE = Path(__file__).parents[2] / "service"
FORMS = (
    *(SERVICE / "api/resources").glob("*bodies.py"),
    SERVICE / "input/forms.py",
    SERVICE / "accounts/names/name_rules.py",
)


def literal(node: ast.AST) -> str | None:
    """Return a text as it stands in the code, with 7 in its gaps."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "7" for part in node.values)
    return None


def texts_of_forms():
    """List what the forms and parameters of the service say of their own."""
    for module in (
        *FORMS,
        *(SERVICE / "api/http" / name for name in ("parameters.py", "live.py")),
        SERVICE / "api/resources/me.py",
    ):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                said = [*node.args[:1]] if name in ("ValidationError", "ValueError") else []
                said += [each.value for each in node.keywords if each.arg == "error"]
                yield from ((module.name, text) for text in map(literal, said) if text)
            elif isinstance(node, ast.Dict):
                values = (literal(value) for value in node.values)
                yield from ((module.name, text) for text in values if text and text.endswith(("not allowed.", "row.")))


def test_the_catalogue_has_all_that_forms_and_parameters_say():
    found = [*texts_of_forms()]
    assert len(found) > 30
    assert not [each for each in found if message_of(each[1].replace("{}", "U+0007")) is None]


FIELDS = {
    "string": fields.String(required=True, validate=validate.Length(1, 3)),
    "most": fields.String(validate=validate.Length(max=2)),
    "least": fields.String(validate=validate.Length(min=2)),
    "integer": fields.Integer(strict=True, validate=validate.Range(0, 3)),
    "low": fields.Integer(validate=validate.Range(min=1)),
    "high": fields.Integer(validate=validate.Range(max=1)),
    "truth": fields.Boolean(),
    "many": fields.List(fields.String()),
    "one": fields.String(validate=validate.OneOf(["a", "b"])),
    "equal": fields.String(validate=validate.Equal("me")),
    "coded": fields.String(validate=validate.Regexp("a")),
    "nested": fields.Nested(Schema.from_dict({"inner": fields.String()})),
}
BAD = (
    {},
    {"string": None, "most": "abc", "least": "a", "integer": 9, "low": 0, "high": 2, "other": 1},
    {"string": "abcd", "integer": "x", "truth": 7, "many": 7, "one": "c", "equal": "you", "coded": "b", "nested": 7},
    {"string": 7, "integer": 1.5},
)


def texts_in(messages):
    inner = messages.values() if isinstance(messages, dict) else [messages]
    return [text for each in inner for text in each]


@pytest.mark.parametrize("body", BAD)
def test_the_catalogue_has_all_that_the_fields_of_the_library_say(body):
    found = Schema.from_dict(FIELDS)().validate(body)
    texts = [text for each in found.values() for text in texts_in(each)]
    assert texts
    assert not [text for text in texts if message_of(text) is None]


def test_a_text_in_english_comes_back_as_it_was_and_is_said_in_each_language():
    words = [
        catalogue(WORDS, language).phrase(field_fault("name", "Must have 1 to 24 characters."))
        for language in languages()
    ]
    assert words == [
        "name: Must have 1 to 24 characters.",
        "name\u00a0: Doit avoir de 1 à 24 caractères.",
        "name：1文字以上24文字以下にしてください。",
    ]
    for entry, text in json.loads((SERVICE / "sentences.en.json").read_text("utf-8")).items():
        if entry.startswith("form.") and "{" not in text:
            assert message_of(text).id == entry


def test_a_text_that_no_entry_has_stays_as_it_is_and_a_long_one_is_cut():
    english = catalogue(WORDS, "fr")
    assert english.phrase(field_fault("url", "something else")) == "url\u00a0: something else"
    assert len(field_fault("x", "y" * 1000)) == 300


def test_a_limit_has_the_words_that_the_settings_have():
    english = catalogue(WORDS)
    for bucket, limit in LIMITS.items():
        assert english.patterns[f"limit.{bucket}"] == (limit.counts,)
        assert english.patterns[f"limit.period.{limit.seconds or 'none'}"] == (limit.period(),)
