"""The player's decision as it is made: what has been typed of it, what is left, and how both are shown."""

from collections.abc import Iterator

from rich.console import RenderableType

from service.cli.output import clean
from service.cli.play import drawing
from service.cli.play.choosing import Choice
from service.cli.play.screen import Paragraph
from service.cli.play.slots import Action
from service.cli.play.words import Words

_FEW = 6


class Turn:
    """A decision of the player's, which one line makes, or several that narrow it."""

    def __init__(self, choice: Choice | None, *, is_awaited: bool) -> None:
        self.choice = choice
        self.is_awaited = is_awaited
        self._earlier: list[Choice] = []

    def back(self) -> None:
        if self._earlier:
            self.choice = self._earlier.pop()

    def read(self, text: str) -> tuple[Action | None, str | None]:
        """Read a line: the action to send, if one is chosen, and the first word that fits nothing, if any.

        What was chosen in several lines, or has no sentence, waits for an empty line that confirms it. An empty line
        plays the only action that there is, unless the game does not wait for it.
        """
        choice = self.choice
        if choice is None:
            return None, None
        if not text:
            return (choice.ready if self.is_awaited or choice.is_begun else None), None
        reading = choice.read(text)
        if reading.unknown:
            return None, reading.unknown
        left, at_once = reading.choice, not self._earlier or reading.choice.says is not None
        if left.finished and at_once:
            return left.ready, None
        self._earlier.append(choice)
        self.choice = left
        return None, None

    def drawn(self, words: Words) -> Iterator[RenderableType]:
        choice = self.choice
        if choice is None:
            yield Paragraph(words("not.turn"))
            return
        if not choice.finished:
            if choice.part:
                yield Paragraph(self._part(choice, words), "bold", mark=" ")
            yield drawing.options_of(choice.options(), in_rows=choice.part is not None)
        if choice.ready and (choice.finished or choice.is_begun):
            which = "confirm.back" if self._earlier else "confirm"
            yield Paragraph(words(which, what=_in_words(choice)), "bold", mark=" ")

    def hint(self, text: str, words: Words) -> str | None:
        if self.choice is None:
            return None
        if not text and not self.is_awaited and not self.choice.is_begun:
            return words("can", what=", ".join(clean(each) for each in self.choice.sentences()[:_FEW]))
        reading = self.choice.read(text)
        left = reading.choice
        if reading.unknown:
            return words("fits.none", word=clean(reading.unknown))
        if left.ready and (left.finished or (left.is_begun and not text)):
            return words("confirm", what=_in_words(left))
        if not text:
            return words("turn.hint", count=len(left.options()))
        options = left.options()
        return words("fits.more", count=len(options), what=", ".join(clean(each.label) for each in options[:_FEW]))

    def _part(self, choice: Choice, words: Words) -> str:
        if choice.part is None:
            return words("choose")
        name, bag = clean(choice.label.part(*choice.part)), choice.part[1].bag
        if bag.most == 1:
            return name
        known: dict[str, str | int] = {"part": name, "count": len(choice.held), "least": bag.least, "most": bag.most}
        said = words("chosen" if bag.least == bag.most else "chosen.range", **known)
        return f"{said}  {clean(' '.join(map(str, choice.held)))}"


def _in_words(choice: Choice) -> str:
    return clean(choice.says or (choice.label.whole(choice.ready) if choice.ready else ""))
