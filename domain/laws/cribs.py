"""A crib says what it has to in each language that a ruleset speaks, and concerns things that there are."""

import re

from domain.laws.law import of_rulesets
from domain.laws.play import Table
from domain.sentences.catalogue import ORIGINAL, languages
from domain.texts import form
from domain.texts.sentences import words


@of_rulesets(lambda ruleset: bool(ruleset.crib))
def each_entry_of_a_crib_has_its_words(table: Table) -> None:
    """Its title, its text and the words that lead to it; and its expression is one."""
    for language in languages():
        known = words(table.ruleset, language).patterns
        ids = {f"crib.{entry}{part}" for entry in table.ruleset.crib for part in ("", ".says", ".words")}
        if language == ORIGINAL or ids & known.keys():
            assert ids <= known.keys(), f"{language} lacks {ids - known.keys()}"
        unused = {each for each in known if each.startswith("crib.")} - ids
        assert not unused, f"no entry has these words: {language}, {unused}"
    for entry in form.crib(table.ruleset, ORIGINAL):
        assert entry.words, f"no word leads to {entry.term}"
        re.compile(entry.things)
