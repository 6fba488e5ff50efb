"""A line to edit, with a history, which shows below it what typed text means and leaves nothing behind."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.styles import Style

from service.cli.play.inputs import Interrupted, Leave, Meaning


class Editor:
    """A line to edit, which leaves nothing behind."""

    def __init__(self, *, colours: bool) -> None:

        self._session: PromptSession[str | Interrupted] = PromptSession(
            erase_when_done=True,
            color_depth=ColorDepth.DEPTH_4_BIT if colours else ColorDepth.DEPTH_1_BIT,
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            style=Style([("bottom-toolbar", "noreverse"), ("bottom-toolbar.text", "noreverse")]),
            reserve_space_for_menu=0,
        )
        self._is_interrupted = threading.Event()

    def line(self, mark: str, typed: str, meaning: Meaning, words: Sequence[str], keys: bool) -> str | Interrupted:
        session = self._session
        try:
            found = session.prompt(
                mark,
                default=typed,
                bottom_toolbar=lambda: meaning(session.default_buffer.text),
                completer=WordCompleter([*words], sentence=True),
                key_bindings=_arrows() if keys else KeyBindings(),
                pre_run=self._begun,
            )
        except EOFError:
            raise Leave from None
        if isinstance(found, Interrupted):
            self._is_interrupted.clear()
        return found

    def interrupt(self) -> None:
        """End the wait for a line from another thread."""
        self._is_interrupted.set()
        loop = self._session.app.loop
        if loop is not None:
            with suppress(RuntimeError):  # the line has just been finished
                loop.call_soon_threadsafe(self._end)

    def _begun(self) -> None:
        if self._is_interrupted.is_set():
            self._session.app.create_background_task(self._soon())

    async def _soon(self) -> None:
        self._end()

    def _end(self) -> None:
        app = self._session.app
        if self._is_interrupted.is_set() and app.is_running and not app.is_done:
            app.exit(result=Interrupted(self._session.default_buffer.text))


def _arrows() -> KeyBindings:
    bindings = KeyBindings()
    for key, line in (("left", "<"), ("right", ">")):
        bindings.add(key)(_giving(line))
    return bindings


def _giving(line: str) -> Callable[[KeyPressEvent], None]:
    return lambda event: event.app.exit(result=line)
