"""Text in lines of a terminal: broken where its language allows, the later lines below the beginning of the first."""

import re
from collections.abc import Iterator

from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.text import Text

_WIDE = "\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60"
_OPENING, _CLOSING = "（「『", "、。，．：；？！）」』ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
_BLANK = " \t\n"
_HELD = "\N{NO-BREAK SPACE}"
_PIECE = re.compile(
    rf"[^{_BLANK}]*{_HELD}[^{_BLANK}]*[{_BLANK}]*"
    rf"|(?:« )?[{_OPENING}]*(?:[{_WIDE}]|[^{_BLANK}{_WIDE}]+)[{_CLOSING}]*(?: [:;?!»…](?![^{_BLANK}]))*[{_BLANK}]*"
    rf"|[{_BLANK}]+"
)
"""What stays in one line: a word, or a wide letter, with the marks that belong to it. No-break spaces hold words."""
_NARROWEST = 10


class Paragraph:
    """A text behind a mark, such as the number to type; only the first line has the mark."""

    def __init__(self, text: Text | str, style: str = "", *, mark: Text | str = "") -> None:
        self._text = Text(text, style) if isinstance(text, str) else text
        self._mark = Text(mark) if isinstance(mark, str) else mark

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> Iterator[Text]:
        before, indent = self._mark, Text(" " * self._mark.cell_len)
        room = max(_NARROWEST, options.max_width - indent.cell_len)
        for line in self._text.divide(_breaks(self._text.plain, room)):
            line.rstrip()
            yield Text.assemble(before, line, no_wrap=True)
            before = indent

    def __rich_measure__(self, _: Console, options: ConsoleOptions) -> Measurement:
        widest = min(self._mark.cell_len + self._text.cell_len, options.max_width)
        return Measurement(min(widest, self._mark.cell_len + _NARROWEST), widest)


def _breaks(text: str, room: int) -> Iterator[int]:
    used = 0
    for found in _PIECE.finditer(text):
        at, width = found.start(), cell_len(found[0].rstrip(_BLANK))
        if used and used + width > room:
            yield at
            used = 0
        for part in chop_cells(found[0], room)[:-1] if width > room else ():
            at += len(part)
            yield at
            width -= cell_len(part)
        used += width + len(found[0]) - len(found[0].rstrip(_BLANK))
