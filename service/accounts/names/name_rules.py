"""Names that people choose: which names are safe to show beside others, and the form in which they are stored.

A name is 1 to 40 characters as a reader counts them (grapheme clusters), in Unicode's composed form (NFC). Characters
that are invisible, change the direction of the text, or only look like a space are rejected: such a name could be
mistaken for another, or break the line around it. Joiners are allowed where a script needs them (CONTEXTJ of RFC 5892,
which UTS #46 takes up). A name is no address, because mail programs make links of addresses, and not the name of a bot
or of an office of the service.
"""

import unicodedata
from functools import cache

import idna
import regex

from domain.sentences.catalogue import languages
from domain.sentences.message import Message, Number, Parameter, Text
from service.accounts.names.namesakes import skeletons
from service.bots import BOTS

MOST_CHARACTERS, MOST_BYTES = 40, 256

_EMOJI = regex.compile(
    r"""\U0001F3F4\U000E0067\U000E0062(?:\U000E0065\U000E006E\U000E0067|\U000E0073\U000E0063\U000E0074
          |\U000E0077\U000E006C\U000E0073)\U000E007F
      | (?!\p{Cn})\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?
        (?:\u200D(?!\p{Cn})\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)*
      | [0-9\#*]\uFE0F\u20E3""",
    regex.VERBOSE,
)
"""Emoji: the selector of coloured pictures, their joiners and the tags of the flags of England, Scotland and Wales are
allowed only in these."""

_JOINERS = "\u200c\u200d"
_JOINER_REACH = 64
"""How many characters around a joiner are looked at."""

_ADDRESS = regex.compile(r"(?i)://|[\w.]@\w|\bwww\.|[\p{L}\p{N}]\.\p{L}{2}")
"""What mail programs make a link of, or of a part of it."""

_OFFICES = (
    "admin", "administrator", "moderator", "operator", "support", "system", "server", "service", "plateau", "bot",
    "administrateur", "modérateur", "opérateur", "système", "serveur", "robot",
    "管理者", "運営", "オペレーター", "システム", "サーバー", "ボット",
)  # fmt: skip
"""Words that the service uses for itself and for bots, in all its languages."""
_NO_LETTER = regex.compile(r"\P{L}")
_MARKED_AS_BOT = regex.compile(r"(?i)[(\[{（［【]\W*(?:ro)?bot\W*[)\]}）］】]|[(\[{（［【]\W*ボット\W*[)\]}）］】]")

_BRAILLE_BLANK = r"\u2800"
_UNFIT = {
    regex.compile(r"\p{Cc}"): "control",
    regex.compile(rf"[\p{{Cf}}\p{{Default_Ignorable_Code_Point}}{_BRAILLE_BLANK}]"): "invisible",
    regex.compile(r"[\p{Co}\p{Cs}]"): "private",
    regex.compile(r"\p{Cn}"): "unassigned",
}
_UNFIT_IN_NAMES = _UNFIT | {
    regex.compile(r"[^\P{Z} ]"): "space",
    regex.compile(r"(?:^|(?<= ))\p{M}"): "mark",
    regex.compile(r"[\p{Mn}\p{Me}]{5,}"): "marks",
    regex.compile(r"^ | $"): "edge",
    regex.compile(r"  "): "two-spaces",
}


class UnfitText(ValueError):
    """A text is not safe to show; ``faults`` lists everything that is wrong with it."""

    def __init__(self, faults: list[Message]) -> None:
        super().__init__(*faults)
        self.faults = faults


def fit_name(text: str) -> str:
    """Return the form in which a name is stored; raise ``UnfitText`` if it is not safe."""
    if len(text.encode(errors="replace")) > MOST_BYTES:  # checked first: the other checks take longer for longer texts
        raise UnfitText([_fault("bytes", most=Number(MOST_BYTES))])
    name = unicodedata.normalize("NFC", text)
    faults = _faults(name, _UNFIT_IN_NAMES)
    if not 1 <= len(regex.findall(r"\X", name)) <= MOST_CHARACTERS:
        faults.append(_fault("length", most=Number(MOST_CHARACTERS)))
    if faults:
        raise UnfitText(faults)
    return name


def fit_player_name(text: str) -> str:
    """Return the form in which a player's name is stored; raise ``UnfitText`` if it is not safe, or taken for others.

    Mail programs make links of addresses, and a person must not look like a bot, or like the service itself.
    """
    name = fit_name(text)
    if _ADDRESS.search(unicodedata.normalize("NFKC", name)):
        raise UnfitText([_fault("address")])
    if _MARKED_AS_BOT.search(name) or not _letters(name).isdisjoint(reserved_looks()):
        raise UnfitText([_fault("reserved")])
    return name


def check_readable(text: str) -> None:
    """Raise ``UnfitText`` if a text that is not a name has invisible characters."""
    faults = _faults(text, _UNFIT)
    if faults:
        raise UnfitText(faults)


def _without_joiners(text: str) -> str:
    """Leave out the joiners that a script needs where they stand."""
    if not any(joiner in text for joiner in _JOINERS):
        return text
    return "".join(sign for place, sign in enumerate(text) if sign not in _JOINERS or not _joins(text, place))


def _joins(text: str, place: int) -> bool:
    start = max(0, place - _JOINER_REACH)
    return idna.valid_contextj(text[start : place + _JOINER_REACH], place - start)


@cache
def reserved_looks() -> frozenset[str]:
    titles = (bot.called(language) for bot in BOTS.values() for language in languages())
    return frozenset().union(*map(_letters, (*_OFFICES, *BOTS, *titles)))


def _letters(name: str) -> frozenset[str]:
    """Return what a name looks like by its letters alone; digits are left out, or are the letters they look like."""
    looks = skeletons(name) | skeletons(_NO_LETTER.sub("", name))
    return frozenset(filter(None, (_NO_LETTER.sub("", look) for look in looks)))


def _faults(text: str, unfit: dict["regex.Pattern[str]", str]) -> list[Message]:
    """List each kind of fault once, with its first character."""
    plain = _without_joiners(_EMOJI.sub("\u263a", text))
    found = ((pattern.search(plain), entry) for pattern, entry in unfit.items())
    return [_fault(entry, code=Text(f"U+{ord(place[0][0]):04X}")) for place, entry in found if place]


def _fault(entry: str, /, **parameters: Parameter) -> Message:
    return Message(f"form.name.{entry}", parameters)
