"""A line that is edited while news come from another thread."""

from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from service.cli.play.editor import Editor
from service.cli.play.inputs import Interrupted


def test_news_that_come_after_enter_end_the_wait_for_the_next_line() -> None:
    with create_pipe_input() as keys, create_app_session(keys, DummyOutput()):
        editor = Editor(colours=False)
        app = editor._session.app
        app.after_render += lambda _: editor.interrupt() if app.is_done else None
        keys.send_text("pass\r")
        assert editor.line("> ", "", str, (), keys=False) == "pass"
        assert editor.line("> ", "du", str, (), keys=False) == Interrupted("du")
