"""The files of the web client, read and compressed once, and the policy that their page runs under.

Every file but the page is served under a path that names the content of all of them, so browsers can keep it for ever.
A new release has a new path, and no page mixes files of two releases.
"""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path, PurePosixPath

STATIC = Path(__file__).parent / "static"
PAGE = "index.html"
TABLE = "views/game.js"
_LIBRARY = "vendor/"
"""What others have written is sent as it is."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types plateau beside",
    )
)
"""What the page can load and run: its own files; markup through one Trusted Types policy, and through another the
scripts that run beside it."""

EMBEDDED_POLICY = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""The policy of the page that shows a game within another site: the same, but for who can frame it."""

KINDS: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
_PLACE = "/web/-/"
"""Stands in the page for the path of the files, which depends on their content."""
_PRELOADS = "<!-- modules -->"
_WORKER = "sw.js"
_FILES = "const FILES = [];"
"""Stands in the service worker for the names of the files that it keeps."""
_COMMENT = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*$|//[^\n]*$)", re.MULTILINE | re.DOTALL)
"""A comment that has its lines to itself."""
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_EMPTY_LINES = re.compile(rb"\n{2,}")
_TYPE = re.compile(r"/\*\* @[^\n]*?\*/ ?")
"""A type within a line of code."""
_IMPORT = re.compile(r"""^(?:import|export)\b(?!\()[^;"']*?["'](\.[^"']+)["']""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent; ``compressed`` is what clients that accept gzip get."""

    kind: str
    content: bytes
    compressed: bytes


@dataclass(frozen=True, slots=True)
class Site:
    release: str
    page: File
    files: Mapping[str, File]


@cache
def site() -> Site:
    contents = {str(path.relative_to(STATIC).as_posix()): path.read_bytes() for path in sorted(_served())}
    page = contents.pop(PAGE).decode()
    release = blake2b(b"\0".join(name.encode() + b"\0" + text for name, text in contents.items()), digest_size=8)
    preloads = "\n".join(_preloads(contents))
    page = page.replace(_PRELOADS, preloads).replace(_PLACE, f"/web/{release.hexdigest()}/")
    kept = json.dumps([name for name in contents if name != _WORKER])
    worker = contents[_WORKER].decode().replace(_FILES, f"const FILES = {kept};")
    contents[_WORKER] = worker.replace(_PLACE, f"/web/{release.hexdigest()}/").encode()
    files = {name: _file(name, content) for name, content in contents.items()}
    return Site(release.hexdigest(), _file(PAGE, page.encode()), files)


def _preloads(contents: Mapping[str, bytes]) -> Iterator[str]:
    """Name the modules of the page, and those of a table, which ``app.js`` preloads if the page is opened with one."""
    needed = modules(contents)
    yield from (f'<link rel="modulepreload" href="{_PLACE}{name}">' for name in needed)
    yield from (f'<link rel="table" href="{_PLACE}{name}">' for name in modules(contents, TABLE) if name not in needed)


def modules(contents: Mapping[str, bytes], first: str = "app.js") -> list[str]:
    """List the modules that must be there before the first one can run: what it imports, and so on."""
    found: dict[str, None] = {}
    waiting = [first]
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found[name] = None
            waiting += (resolved(name, target) for target in _IMPORT.findall(contents[name].decode()))
    return [*found]


def resolved(importer: str, target: str) -> str:
    parts: list[str] = [*PurePosixPath(importer).parent.parts]
    for part in target.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _served() -> Iterator[Path]:
    return (path for path in STATIC.rglob("*") if path.is_file() and path.suffix in KINDS)


def without_comments(code: str) -> str:
    """Leave out comments and types, a third of what would be sent, and indentation; every line keeps its number.

    It is for scripts and style sheets. No text in a module can span several lines.
    """
    bare = _TYPE.sub("", _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), code))
    return _INDENT.sub("", bare)


def _file(name: str, content: bytes) -> File:
    if name.endswith((".css", ".js", ".mjs")) and not name.startswith(_LIBRARY):
        content = without_comments(content.decode()).encode()
    if name.endswith(".css"):
        content = _EMPTY_LINES.sub(b"\n", content)
    if name.endswith(".json"):
        content = json.dumps(json.loads(content), ensure_ascii=False, separators=(",", ":")).encode()
    return File(KINDS[PurePosixPath(name).suffix], content, gzip.compress(content, mtime=0))
