"""A language made by code: English with accents, and longer by two fifths, to find texts that are fixed or cut off."""

from domain.sentences.catalogue import Catalogue
from domain.sentences.pattern import Pattern, Plural

_ACCENTED = str.maketrans("aeiouyAEIOUY", "àéîöûýÀÉÎÖÛÝ")


def pseudo(original: Catalogue) -> Catalogue:
    """Return a catalogue with every text of another one lengthened; parameters stay as they are."""
    patterns = {message_id: _longer(pattern) for message_id, pattern in original.patterns.items()}
    return Catalogue(original.language, patterns)


def _longer(pattern: Pattern) -> Pattern:
    return tuple(_lengthened(part) if isinstance(part, str) else _inside(part) for part in pattern)


def _inside(part: object) -> object:
    if isinstance(part, Plural):
        return Plural(part.name, {case: _longer(inner) for case, inner in part.cases.items()})
    return part


def _lengthened(text: str) -> str:
    """Write each vowel with an accent, and repeat vowels until the text is long enough."""
    missing = -(-len(text) * 2 // 5) if text.strip() else 0
    written = text.translate(_ACCENTED)
    return written.rstrip() + "~" * missing + written[len(written.rstrip()) :]
