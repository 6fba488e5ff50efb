"""Names that people give: what makes one fit to be read beside others, and the form in which it is kept.

A name is 1 to 40 characters as a reader counts them (grapheme clusters), in Unicode's composed form (NFC). What cannot
be seen, what turns the direction of the text around it, and what only looks like another blank is refused: such names
pass for others, or spoil the line that they stand in. Names that were kept before these rules stay as they are.
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
"""Emoji, the only place of joiners and of the selector of coloured pictures."""

_BRAILLE_BLANK = r"\u2800"
_UNFIT = {
    regex.compile(r"\p{Cc}"): "{} is a control character, which is not allowed.",
    regex.compile(rf"[\p{{Cf}}\p{{Default_Ignorable_Code_Point}}{_BRAILLE_BLANK}]"): (
        "{} cannot be seen, or changes the direction of text, and is not allowed here."
    ),
    regex.compile(r"[\p{Co}\p{Cs}]"): "{} means nothing outside of one system, and is not allowed.",
    regex.compile(r"\p{Cn}"): "{} is not assigned in Unicode, and is not allowed.",
}
_UNFIT_IN_NAMES = _UNFIT | {
    regex.compile(r"[^\P{Z} ]"): "{} is not allowed; the only blank is the space, U+0020.",
    regex.compile(r"(?:^|(?<= ))\p{M}"): "{} is a mark without a letter to stand on.",
    regex.compile(r"[\p{Mn}\p{Me}]{5,}"): "{} and what follows are too many marks on one letter.",
    regex.compile(r"^ | $"): "A name must not begin or end with a blank.",
    regex.compile(r"  "): "A name must not have two blanks in a row.",
}


class UnfitText(ValueError):
    """A text that is not fit to be shown; ``faults`` lists all that is wrong with it."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


def fit_name(text: str) -> str:
    """Give the form in which a name is kept; raises ``UnfitText``."""
    if len(text.encode(errors="replace")) > MOST_BYTES:  # first of all: what follows takes time that grows with it
        raise UnfitText([f"Must not be longer than {MOST_BYTES} bytes in UTF-8."])
    name = unicodedata.normalize("NFC", text)
    faults = _faults(name, _UNFIT_IN_NAMES)
    if not 1 <= len(regex.findall(r"\X", name)) <= MOST_CHARACTERS:
        faults.append(f"Must have 1 to {MOST_CHARACTERS} characters.")
    if faults:
        raise UnfitText(faults)
    return name


def check_readable(text: str) -> None:
    """Refuse a text, not a name, that has invisible characters; raises ``UnfitText``."""
    faults = _faults(text, _UNFIT)
    if faults:
        raise UnfitText(faults)


def _faults(text: str, unfit: dict["regex.Pattern[str]", str]) -> list[str]:
    """List what is wrong, each kind of fault once, by its first place."""
    plain = _EMOJI.sub("\u263a", text)
    found = ((pattern.search(plain), message) for pattern, message in unfit.items())
    return [message.format(f"U+{ord(place[0][0]):04X}") for place, message in found if place]
