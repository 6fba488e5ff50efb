"""Messages are in the words of the player's language, or else in the original ones."""

import tracemalloc
from importlib.resources import files
from string import Formatter

import orjson
import pytest

from service.notifications.content.wording import ORIGINAL, wording


@pytest.mark.parametrize("language", [None, "", "en", "en-GB", "tlh", "tlh-Latn-x-us", "../messages.en"])
def test_a_language_without_a_catalogue_has_the_original_words(language: str | None) -> None:
    assert wording(language).language == ORIGINAL
    assert wording(language).say("mail.since") == wording("en").say("mail.since")


@pytest.mark.parametrize(("tag", "language"), [("fr", "fr"), ("fr-CA", "fr"), ("ja", "ja"), ("ja-JP", "ja")])
def test_a_player_reads_the_words_of_their_language(tag: str, language: str) -> None:
    assert wording(tag).language == language
    assert wording(tag).say("mail.since") != wording("en").say("mail.since")


@pytest.mark.parametrize("language", ["fr", "ja"])
def test_every_message_has_a_translation_with_the_same_parameters(language: str) -> None:
    original, translated = _patterns("en"), _patterns(language)
    assert [*translated] == [*original]
    for message, pattern in translated.items():
        parameters = [{field for _, field, _, _ in Formatter().parse(each)} for each in (pattern, original[message])]
        assert parameters[0] - {None} == parameters[1] - {None}, message


def _patterns(language: str) -> dict[str, str]:
    patterns: dict[str, str] = orjson.loads(
        files("service.notifications.content").joinpath(f"messages.{language}.json").read_bytes()
    )
    return patterns


def test_tags_that_players_invent_take_no_memory() -> None:
    wording(None)
    tracemalloc.start()
    try:
        for number in range(300):
            wording(f"en-x{number}")
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 50_000
