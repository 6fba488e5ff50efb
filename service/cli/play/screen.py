"""The terminal: what is drawn on it, and what the player types into it.

A terminal that can move its cursor has a line to edit, with a history, and shows below it what typed text means. Any
other one (``TERM=dumb``, a pipe) gets lines and gives lines, without escape codes.
"""

import os
import queue
import re
import sys
import threading
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.text import Text

from service.cli.output import clean
from service.cli.play.inputs import Input, Interrupted, Leave, Meaning

WIDEST = 80


class Screen:
    def __init__(self, *, colours: bool) -> None:
        edits = _moves_its_cursor()
        has_colours = colours and edits and not os.environ.get("NO_COLOR")
        self._console = Console(
            no_color=not has_colours,
            color_system="standard" if has_colours else None,
            force_terminal=has_colours,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        )
        self._input: Input = _editor(colours=has_colours) if edits else _Lines()
        self.interrupt = self._input.interrupt

    @property
    def width(self) -> int:
        """How wide it is now, up to 80 columns; it can be resized at any time."""
        columns = os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else 0
        return min(WIDEST, columns or WIDEST)

    def show(self, *drawn: RenderableType) -> None:
        self._console.width = self.width
        with self._console.capture() as captured:
            for each in drawn:
                self._console.print(_Printable(each))
        sys.stdout.write("\n".join(line.rstrip() for line in captured.get().split("\n")))
        sys.stdout.flush()

    def say(self, text: str, style: str = "") -> None:
        """Write a text, wrapped at spaces, without what acts on a terminal."""
        self.show(Paragraph(clean(text), style))

    def print_line(self, line: str) -> None:
        """Write a line to be copied, however long it is, without what acts on a terminal."""
        sys.stdout.write(f"{clean(line)}\n")

    def ask(
        self,
        mark: str,
        meaning: Meaning = lambda _: "",
        words: Sequence[str] = (),
        typed: str = "",
        *,
        keys: bool = False,
    ) -> str | Interrupted:
        """Ask for a line. With ``keys``, the arrow keys give the lines ``<`` and ``>``."""
        return self._input.line(mark, typed, meaning, words, keys)


class _Printable:
    """A drawing without what acts on a terminal, but for the styles that this program gives it."""

    def __init__(self, drawn: RenderableType) -> None:
        self._drawn = drawn

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self._drawn, options):
            if not segment.control:
                lines = segment.text.split("\n")
                yield Segment("\n".join(map(clean, lines)), segment.style)


def _moves_its_cursor() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("", "dumb")


def _editor(*, colours: bool) -> Input:
    from service.cli.play.editor import Editor  # noqa: PLC0415 - a terminal that has no cursor does without

    return Editor(colours=colours)


class _Lines:
    """Reads lines in a thread, so that updates can arrive at the same time."""

    def __init__(self) -> None:
        self._inbox: queue.Queue[str | Interrupted | None] = queue.Queue()
        self._reader: threading.Thread | None = None
        self._hint = ""

    def line(self, mark: str, typed: str, meaning: Meaning, words: Sequence[str], keys: bool) -> str | Interrupted:
        del typed, words, keys
        before, self._hint = self._hint, meaning("")
        sys.stdout.write(f"{self._hint}\n{mark}" if self._hint not in ("", before) else mark)
        sys.stdout.flush()
        if self._reader is None:
            self._reader = threading.Thread(target=self._read, daemon=True)
            self._reader.start()
        found = self._inbox.get()
        if found is None:
            raise Leave
        if isinstance(found, Interrupted):
            sys.stdout.write("\n")
        return found

    def interrupt(self) -> None:
        self._inbox.put(Interrupted(""))

    def _read(self) -> None:
        for line in sys.stdin:
            self._inbox.put(line.rstrip("\n"))
        self._inbox.put(None)


# -- text in lines of a terminal ----------------------------------------------------------------------------------
#
# Broken where its language allows, the later lines below the beginning of the first.


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
