"""Names that people choose: which names are safe to show beside others, and the form in which they are stored.

A name is 1 to 40 characters as a reader counts them (grapheme clusters), in Unicode's composed form (NFC). Characters
that are invisible, change the direction of the text, or only look like a space are rejected: such a name could be
mistaken for another, or break the line around it. Names stored before these rules stay as they are.
"""

import unicodedata

import regex

MOST_CHARACTERS, MOST_BYTES = 40, 256

_EMOJI = regex.compile(
    r"""(?!\p{Cn})\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?
        (?:\u200D(?!\p{Cn})\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)*
      | [0-9\#*]\uFE0F\u20E3""",
    regex.VERBOSE,
)
"""Emoji: joiners and the selector of coloured pictures are allowed only in these."""

_BRAILLE_BLANK = r"\u2800"
_UNFIT = {
    regex.compile(r"\p{Cc}"): "{} is a control character, which is not allowed.",
    regex.compile(rf"[\p{{Cf}}\p{{Default_Ignorable_Code_Point}}{_BRAILLE_BLANK}]"): (
        "{} is invisible or changes the direction of text, and is not allowed here."
    ),
    regex.compile(r"[\p{Co}\p{Cs}]"): "{} is a private or surrogate character, which is not allowed.",
    regex.compile(r"\p{Cn}"): "{} is not assigned in Unicode, and is not allowed.",
}
_UNFIT_IN_NAMES = _UNFIT | {
    regex.compile(r"[^\P{Z} ]"): "{} is not allowed; use the space, U+0020.",
    regex.compile(r"(?:^|(?<= ))\p{M}"): "{} is a mark without a letter before it.",
    regex.compile(r"[\p{Mn}\p{Me}]{5,}"): "{} begins too many marks on one letter.",
    regex.compile(r"^ | $"): "A name must not begin or end with a space.",
    regex.compile(r"  "): "A name must not have two spaces in a row.",
}


class UnfitText(ValueError):
    """A text is not safe to show; ``faults`` lists everything that is wrong with it."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


def fit_name(text: str) -> str:
    """Return the form in which a name is stored; raise ``UnfitText`` if it is not safe."""
    if len(text.encode(errors="replace")) > MOST_BYTES:  # checked first: the other checks take longer for longer texts
        raise UnfitText([f"Must not be longer than {MOST_BYTES} bytes in UTF-8."])
    name = unicodedata.normalize("NFC", text)
    faults = _faults(name, _UNFIT_IN_NAMES)
    if not 1 <= len(regex.findall(r"\X", name)) <= MOST_CHARACTERS:
        faults.append(f"Must have 1 to {MOST_CHARACTERS} characters.")
    if faults:
        raise UnfitText(faults)
    return name


def check_readable(text: str) -> None:
    """Raise ``UnfitText`` if a text that is not a name has invisible characters."""
    faults = _faults(text, _UNFIT)
    if faults:
        raise UnfitText(faults)


def _faults(text: str, unfit: dict["regex.Pattern[str]", str]) -> list[str]:
    """List each kind of fault once, with its first character."""
    plain = _EMOJI.sub("\u263a", text)
    found = ((pattern.search(plain), message) for pattern, message in unfit.items())
    return [message.format(f"U+{ord(place[0][0]):04X}") for place, message in found if place]
