"""Names that look alike, by the skeletons of Unicode Technical Standard #39: equal skeletons mean equal looks.

``lookalikes.txt`` has Unicode's table of characters that look alike, and its license.
"""

import unicodedata
from functools import cache
from importlib.resources import files

import regex

_ACCENT = regex.compile(r"(?=\p{Mn})\p{Script=Inherited}")
"""Marks that letters of any script can carry; the vowel signs of a script are letters of its words."""


_INVISIBLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")
"""Joiners, selectors and tags."""


def skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of a name, as it is written and in lower case.

    Two names look alike if they have one in common: they differ only in accents, in case, or in characters that look
    the same.
    """
    return frozenset((_skeleton(name), _skeleton(name.casefold())))


def _skeleton(text: str) -> str:
    plain = _ACCENT.sub("", unicodedata.normalize("NFKD", _INVISIBLE.sub("", text)))
    return _ACCENT.sub("", unicodedata.normalize("NFKD", plain.translate(_prototypes())))


@cache
def _prototypes() -> dict[int, str]:
    """Return what each character looks like; read when a name is compared for the first time."""
    lines = files("service.accounts.names").joinpath("lookalikes.txt").read_text("utf-8").splitlines()
    pairs = (line.split(";") for line in lines if not line.startswith("#"))
    return {int(source, 16): "".join(chr(int(each, 16)) for each in target.split()) for source, target in pairs}
