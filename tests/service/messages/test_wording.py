"""Messages are in the words of the player's language, or else in the original ones."""

import tracemalloc

import pytest

from service.messages.wording import ORIGINAL, wording


@pytest.mark.parametrize("language", [None, "", "en", "en-GB", "tlh", "tlh-Latn-x-us", "../messages.en"])
def test_a_language_without_a_catalogue_has_the_original_words(language: str | None) -> None:
    assert wording(language).language == ORIGINAL
    assert wording(language).say("mail.since") == wording("en").say("mail.since")


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
