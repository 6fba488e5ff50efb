"""The files of the web client: sizes, the vendored library, types, words, and what they must not do."""

import json
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

import pytest

from domain.registry import RULESETS
from domain.sentences.catalogue import PLURALS, languages
from service.web.one_file import SAID
from service.web.site import STATIC, modules, resolved, site, without_comments
from tests.support import node
from tests.support.server import ROOT

VERIFIER = STATIC / "verify_bundle.mjs"
"""One file, which knows how each game is dealt: a program that verifies games without this service takes it alone."""
MODULES = sorted(path for path in (*STATIC.rglob("*.js"), VERIFIER))
LANGUAGES = sorted((STATIC / "words").glob("*.json"))
VENDORED = {
    "preact.mjs": "225d7a773766e6fb2cfcc45274fe41d2059f5782f3f2c4569aa5132a2d3a2902",
    "hooks.mjs": "13518e8899847145604866b14612f994ed70d894a423b64694b6e764d7b956c9",
    "LICENSE": "1fe6958409c8c257a70c587a18b6f7f412b179b456630790d30b2ec9a8e4b7d4",
}


def name(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()


def test_the_vendored_library_is_the_one_that_was_reviewed() -> None:
    kept = {path.name: sha256(path.read_bytes()).hexdigest() for path in (STATIC / "vendor").iterdir()}
    assert {each: text for each, text in kept.items() if not each.endswith(".d.mts")} == VENDORED


IMPORT = re.compile(r"""^(?:import|export)\b[^;"']*?["'](\.[^"']+)["']|\bimport\(\s*["'](\.[^"']+)["']""", re.MULTILINE)


def circle(needs: Mapping[str, Iterable[str]]) -> list[str]:
    """Return modules that need each other in a circle, or none."""
    left = {module: {*others} for module, others in needs.items()}
    while free := [module for module, others in left.items() if not others & left.keys()]:
        for module in free:
            del left[module]
    return sorted(left)


def test_no_module_imports_itself_through_others_also_not_later() -> None:
    needs = {
        name(path): [
            resolved(name(path), at_once or later)
            for at_once, later in IMPORT.findall(without_comments(path.read_text()))
        ]
        for path in MODULES
    }
    assert {"page.js", "views/table_elements.js"} <= {*needs["views/board.js"]}
    assert "views/people.js" in needs["views/side_panel.js"]
    assert circle(needs) == []
    assert circle({**needs, "page.js": ["app.js"]}) != []


HOOKS = {"also", "orders", "preview", "previewed", "sort"}
REFINEMENTS = sorted(path for path in (STATIC / "refine").glob("*.js") if path.stem in RULESETS)


@pytest.mark.parametrize("path", REFINEMENTS, ids=name)
def test_a_refinement_is_small_and_has_no_other_hooks(path: Path) -> None:
    code = path.read_text()
    hooks = re.findall(r"^export (?:const|function) (\w+)|^export \{ \w+ as (\w+) \}", code, re.MULTILINE)
    assert {one or other for one, other in hooks} <= HOOKS
    assert len(re.findall(r"^export ", code, re.MULTILINE)) == len(hooks) > 0
    assert len(site().files[name(path)].compressed) <= 1536


VIEWS = sorted(set(re.findall(r'import\("\./(views/\w+\.js)"\)', (STATIC / "app.js").read_text())))


def packed(names: Iterable[str]) -> int:
    return sum(len(site().files[each].compressed) for each in names)


@pytest.mark.parametrize("view", VIEWS)
def test_whatever_is_opened_first_loads_little(view: str) -> None:
    contents = {each: file.content for each, file in site().files.items()}
    scripts = packed({*modules(contents), *modules(contents, view)})
    sheets = re.findall(r'rel="stylesheet" href="/web/\w+/([^"]+)"', site().page.content.decode())
    assert scripts <= 34 * 1024
    most_words = max(packed([f"words/{path.name}"]) for path in LANGUAGES)
    assert scripts + packed([*sheets, "icon.svg"]) + most_words + len(site().page.compressed) <= 50 * 1024


def test_comments_are_not_sent_and_lines_keep_their_numbers() -> None:
    code = (
        '/** One\n * two. */\nlet a = "/* kept */"; // kept\n  // not kept\n/* x */\n'
        "  let b = /** @type {any} */ (1);\n  /** @type {any} */ (b).c = 2; /* kept */\n"
    )
    sent = '\n\nlet a = "/* kept */"; // kept\n\n\nlet b = (1);\n(b).c = 2; /* kept */\n'
    assert without_comments(code) == sent
    for path in MODULES:
        code = without_comments(path.read_text())
        assert code.count("\n") == path.read_text().count("\n")
        assert [line for line in code.splitlines() if re.sub(r"/(?:[^/\\\n]|\\.)+/", "", line).count("`") % 2] == []


def test_the_page_preloads_every_module_that_it_needs_and_they_all_exist() -> None:
    page = site().page.content.decode()
    linked = re.findall(rf'(?:href|src)="/web/{site().release}/([^"]+)"', page)
    assert set(linked) <= site().files.keys()
    preloaded = re.findall(r'rel="modulepreload" href="/web/\w+/([^"]+)"', page)
    assert {"app.js", "page.js", "vendor/preact.mjs"} <= set(preloaded)
    assert len(preloaded) == len(set(preloaded))
    assert "-/" not in page


def test_the_modules_are_found_by_their_imports() -> None:
    imports = (
        b'import { a } from "./b.js";\nimport "../c.js";\nimport { d, e } from "./d/e.mjs";\nimport("./later.js");\n'
    )
    contents = {"app.js": b'import "./x/a.js";', "x/a.js": imports, "x/b.js": b"", "c.js": b"", "x/d/e.mjs": b""}
    assert modules(contents, "x/a.js") == ["x/a.js", "x/b.js", "c.js", "x/d/e.mjs"]
    assert modules(contents) == ["app.js", "x/a.js", "x/b.js", "c.js", "x/d/e.mjs"]


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_loads_only_its_neighbours_and_runs_no_text(path: Path) -> None:
    code = path.read_text()
    targets = re.findall(r"""\bfrom\s+["']([^"']+)["']""", code)
    assert all(target.startswith(("./", "../")) for target in targets)
    assert not re.search(r"\beval\(|new Function|innerHTML|document\.cookie|https?://", code)


def test_markup_enters_the_page_in_one_place() -> None:
    assert [name(path) for path in MODULES if "DOMParser" in path.read_text()] == ["page.js"]


def test_the_client_knows_no_game() -> None:
    outside = [path for path in MODULES if path.parent.name != "refine" and path != VERIFIER]
    assert [name(path) for path in outside if re.search(r"le-plateau|french-tarot|\bplute\b", path.read_text())] == []


def test_the_types_of_the_modules_are_right() -> None:
    node.needed()
    node.tool("tsc", "--project", ROOT / "service/web")


def words(path: Path) -> dict[str, str | dict[str, str]]:
    return json.loads(path.read_text())


def params(text: str | dict[str, str]) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text if isinstance(text, str) else text["other"]))


def test_every_text_that_the_modules_say_is_there_and_no_other() -> None:
    code = "\n".join(path.read_text() for path in MODULES)
    calls = re.findall(r"""\bt\(([^`){]*?)[,)]""", code)
    said = {each for call in calls for each in re.findall(r"""["']([\w.]+)["']""", call)} | {*SAID}
    said |= {*re.findall(r'\blink: "(\w+)"', code)}
    made = [re.sub(r"\\\$\\\{.*?\\\}", "[^.]+", re.escape(each)) for each in re.findall(r"\bt\(\s*`([^`]+)`", code)]
    known = words(STATIC / "words/en.json").keys()
    assert said <= known
    assert [each for each in known - said if not any(re.fullmatch(pattern, each) for pattern in made)] == []
    assert [pattern for pattern in made if not any(re.fullmatch(pattern, each) for each in known)] == []


@pytest.mark.parametrize("path", LANGUAGES, ids=name)
def test_a_language_has_every_text_with_the_same_parameters(path: Path) -> None:
    english, own = words(STATIC / "words/en.json"), words(path)
    assert own.keys() == english.keys()
    assert {key for key in own if params(own[key]) != params(english[key])} == set()
    assert list(own) == sorted(own)
    counted = {key for key, text in english.items() if isinstance(text, dict)}
    categories = {PLURALS[path.stem](number) for number in range(200)}
    assert {key: {*text} for key, text in own.items() if isinstance(text, dict)} == dict.fromkeys(counted, categories)


def test_the_client_has_the_languages_of_the_service_and_no_other() -> None:
    listed = re.search(r"LANGUAGES = \[(.*)\]", (STATIC / "page.js").read_text())
    assert listed
    assert [*languages()] == re.findall(r'"(\w+)"', listed[1])
    assert {*languages()} == {path.stem for path in LANGUAGES}


def texts(language: str) -> list[str]:
    entries = words(STATIC / f"words/{language}.json").values()
    return [text for entry in entries for text in (entry.values() if isinstance(entry, dict) else [entry])]


def test_each_language_keeps_the_rules_of_its_writing() -> None:
    assert [text for text in texts("fr") if re.search(r"(?<!\u00a0)[:;!?]|'", text)] == []
    assert [text for text in texts("ja") if re.search(r"[.,:;()!?]", text)] == []
