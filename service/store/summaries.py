"""The public data of a game as lists keep it: JSON, and of an archived game the same, compressed.

Compressed, it is the number of the form, and a raw deflate stream with the dictionary beside this module
(``summaries.dictionary``). It stays for as long as the game, so neither the form nor its dictionary ever changes.
"""

import zlib
from importlib.resources import files

FORM = 1
"""The first byte of a compressed summary; JSON begins with another."""

_DICTIONARY = files("service.store").joinpath("summaries.dictionary").read_bytes()
_RAW = -15
_MEMORY = 9
_LEVEL = 9


def compressed(summary: bytes) -> bytes:
    """Write the public data of a game in a sixth of its bytes."""
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW, _MEMORY, zdict=_DICTIONARY)
    return b"%c%b%b" % (FORM, deflate.compress(summary), deflate.flush())


def plain(kept: bytes) -> bytes:
    """Return the public data of a game as JSON, however it is kept."""
    if kept[:1] != bytes((FORM,)):
        return kept
    return zlib.decompressobj(_RAW, zdict=_DICTIONARY).decompress(kept[1:])
