"""Build the manual: one site from the pages in docs/, the rules of the games, and reference pages made from the code.

    python docs/manual.py [FOLDER]        # the default is dist/manual

The site needs no server and sends no request to another one. A link to a page that the manual has leads to that page;
a link to a source file becomes the path of that file. Any other dead link ends the build.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from os.path import relpath
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

import click
import yaml

from domain import tutorials
from domain.registry import BUILT_IN
from domain.texts import form
from service.api.deprecations import DEPRECATED
from service.api.http.errors import KINDS
from service.cli.main import main as plateau

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BESIDE = {
    "README.md": "readme.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "bench/README.md": "bench.md",
    "examples/hearts/README.md": "examples/hearts.md",
    "examples/liars-dice/README.md": "examples/liars-dice.md",
    "api_spec/clients/python/README.md": "clients/python.md",
    "api_spec/clients/typescript/README.md": "clients/typescript.md",
}
"""Pages of the manual that are not in docs/, by their paths in the project."""
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s:]*?)(#[^()\s]*)?\)")
_IMAGE = re.compile(r'(<img src=")([^":]+)(?=")')
_LIST_AFTER_TEXT = re.compile(r"^(?!\s*(?:[-*]|\d+\.) )(\S.*)\n(?=(?:[-*]|\d+\.) )", re.MULTILINE)
_FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_NOT_COPIED = {".md", ".py", ".pyc", ".yml"}


def pages() -> Mapping[str, str]:
    """Return where each page that is written by hand goes, by its path in the project."""
    rules = {
        f"domain/{path.parent.name}/rules.md": f"rules/{path.parent.name}.md" for path in ROOT.glob("domain/*/rules.md")
    }
    own = {f"docs/{name}": str(name) for name in (path.relative_to(DOCS) for path in DOCS.rglob("*.md"))}
    return {**own, **rules, **BESIDE}


def page(source: str, places: Mapping[str, str]) -> str:
    """Return a page as the manual has it: with its links, and with lists that follow a line of text set off."""
    text = (ROOT / source).read_text()
    parts = _FENCE.split(text)
    return "".join(
        part if part.startswith("```") else _LIST_AFTER_TEXT.sub(r"\1\n\n", linked(part, source, places))
        for part in parts
    )


def linked(text: str, source: str, places: Mapping[str, str]) -> str:
    def place_of(target: str) -> tuple[str, str | None]:
        """Return the path of a file in the project, and that from this page; None if the manual does not have it."""
        path = (ROOT / source).parent.joinpath(target).resolve()
        if not path.exists():
            raise SystemExit(f"{source}: there is no {target}")
        name = path.relative_to(ROOT).as_posix()
        place = places.get(name) or (
            name.removeprefix("docs/") if name.startswith("docs/") and path.is_file() else None
        )
        return name, place and relpath(place, PurePosixPath(places[source]).parent)

    def link(found: re.Match[str]) -> str:
        image, words, target, anchor = found[1], found[2], found[3], found[4] or ""
        if not target:
            return found[0]
        name, place = place_of(target)
        if place is not None:
            return f"{image}[{words}]({place}{anchor})"
        return words if name in words or words.startswith("`") else f"{words} (`{name}`)"

    return _IMAGE.sub(lambda found: f"{found[1]}{place_of(found[2])[1]}", _LINK.sub(link, text))


def _problems() -> Iterator[str]:
    yield "Every error is `application/problem+json`; its `type` is the address of one of these explanations.\n"
    for kind in KINDS.values():
        yield f"## {kind.name}\n\n**{kind.status}** · {kind.title()}\n\n{kind.text}\n"


def _commands() -> Iterator[str]:
    yield "The help of every command, as `plateau COMMAND --help` prints it.\n"
    for name, command in _each_command("plateau", plateau):
        with click.Context(command, info_name=name, max_content_width=100) as context:
            yield f"## {name}\n\n```text\n{command.get_help(context)}\n```\n"


def _each_command(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for child in command.list_commands(context):
            below = command.get_command(context, child)
            if below is not None:
                yield from _each_command(f"{name} {child}", below)


def _operations() -> Iterator[str]:
    spec = yaml.load((ROOT / "api_spec/openapi.yaml").read_text(), yaml.CSafeLoader)
    yield (
        "Every operation of the interface. A running service shows them at `/docs`, with examples. [The interface, by "
        "example](../api.md) explains the headers.\n"
    )
    ending = [f"- `{name}`: {each.sentence()}" for name, each in DEPRECATED.items()]
    yield "## What will end\n\n" + ("\n".join(ending) or "Nothing is deprecated.") + "\n"
    for tag in spec["tags"]:
        yield f"## {tag['name']}\n\n{tag.get('description', '')}\n"
        for path, methods in spec["paths"].items():
            for method, operation in methods.items():
                if isinstance(operation, dict) and tag["name"] in operation.get("tags", ()):
                    yield f"### {method.upper()} {path}\n\n{operation.get('description') or operation['summary']}\n"
                    yield from _parameters(operation)


def _parameters(operation: Mapping[str, Any]) -> Iterator[str]:
    """Explain what follows a question mark; headers mean the same everywhere, and the path names what is in it."""
    given = operation.get("parameters", ())
    rows = [
        f"| `{each['name']}` | {' '.join(each.get('description', '').split())} |"
        for each in given
        if each["in"] == "query"
    ]
    if rows:
        yield "| parameter | meaning |\n|---|---|\n" + "\n".join(rows) + "\n"
    headers = [f"`{each['name']}`" for each in given if each["in"] == "header"]
    if headers:
        yield f"Headers: {', '.join(headers)}\n"
    yield "Responses: " + ", ".join(f"`{status}`" for status in operation["responses"]) + "\n"


REFERENCES: Mapping[str, Callable[[], Iterator[str]]] = {
    "Problems": _problems,
    "Commands": _commands,
    "Operations": _operations,
}
"""The pages that are made from the code, by their titles."""


GAMES = {
    "en": (
        "The games in brief",
        "The rules on one screen",
        "A deal with comments",
        "The tutorial plays it with you.",
        "Options",
        ": ",
        ", ",
    ),
    "fr": (
        "Les jeux",
        "Les règles en bref",
        "Une donne commentée",
        "Ces explications sont celles du tutoriel.",
        "Options",
        " : ",
        ", ",
    ),
    "ja": ("ゲーム", "早わかり", "1ディールの解説", "チュートリアルの説明です。", "オプション", "：", "、"),
}
"""The words and separators of the page of games, in each language whose catalogues have all texts of the games."""


def _games(language: str) -> Iterator[str]:
    """Present every game as the catalogues of a language do: its name, its crib, a deal with comments, its options."""
    title, crib, deal, source, options, colon, comma = GAMES[language]
    yield f"# {title}\n"
    for ruleset in BUILT_IN:
        yield f"## {form.name(ruleset, language)}\n\n{form.summary(ruleset, language)}\n"
        yield f"### {crib}\n"
        yield "".join(f"- **{entry.term}**{colon}{entry.says}\n" for entry in form.crib(ruleset, language))
        yield f"### {deal}\n\n{source}\n"
        comments = tutorials.comments(ruleset, language)
        yield "".join(f"1. {comments[step]}\n" for step in tutorials.step_names(ruleset))
        yield f"### {options}\n"
        for option in form.option_words(ruleset, language).values():
            yield f"- {option.name}" + (colon + comma.join(option.values.values()) if option.values else "")
        yield ""


def write(folder: Path) -> None:
    """Write all pages and pictures of the manual into a folder."""
    places = pages()
    for path in DOCS.rglob("*"):
        if path.is_file() and path.suffix not in _NOT_COPIED:
            target = folder / path.relative_to(DOCS)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    shutil.copy(ROOT / "service/web/static/icon.svg", folder / "icon.svg")
    texts = {place: page(source, places) for source, place in places.items()}
    texts |= {
        f"reference/{title.lower()}.md": f"# {title}\n\n" + "\n".join(lines()) for title, lines in REFERENCES.items()
    }
    texts |= {f"{language}/games.md": "\n".join(_games(language)) for language in GAMES}
    for place, text in texts.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        language = place.partition("/")[0]
        target.write_text(f'<div lang="{language}" markdown="1">\n\n{text}\n\n</div>\n' if language in GAMES else text)


def build(site: Path) -> None:
    """Build the site into a folder, which is replaced."""
    with TemporaryDirectory() as work:
        write(Path(work, "docs"))
        config = (DOCS / "mkdocs.yml").read_text()
        version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
        Path(work, "mkdocs.yml").write_text(f"{config}copyright: Plateau {version}\nsite_dir: site\n")
        subprocess.run([sys.executable, "-m", "zensical", "build", "--strict", "-f", f"{work}/mkdocs.yml"], check=True)
        Path(work, "site/404.html").unlink()  # its links are those of a site at the root
        shutil.rmtree(site, ignore_errors=True)
        shutil.copytree(Path(work, "site"), site)


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist/manual")
