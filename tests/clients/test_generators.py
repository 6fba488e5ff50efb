"""Clients that common generators write from the document alone: they compile strictly, and two play whole games.

``make generators`` installs the generators. What a client in Rust, Kotlin, C# or Swift is made of is only looked at.
"""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import yaml

from tests.clients.conftest import DOCUMENT
from tests.support import node
from tests.support.server import ROOT, RunningService

pytestmark = pytest.mark.long

HERE = ROOT / "tests/clients/generators"
JAR = HERE / "node_modules/openapi_generator_cli/openapi-generator.jar"
GO_LIBRARIES = Path("/usr/share/gocode")
"""Where Debian's golang-gopkg-validator.v2-dev is, of which the generated Go makes use."""
OPTIONS = {
    "go": "packageName=plateau,enumClassPrefix=true,useOneOfDiscriminatorLookup=true",
    "java": "library=native,openApiNullable=false,useJakartaEe=false,hideGenerationTimestamp=true",
}
STRICT = ("--strict", "--skipLibCheck", "false", "--target", "es2022", "--lib", "es2022,dom,dom.iterable",
          "--types", "node")  # fmt: skip
GENERATED = (
    'package javax.annotation;\npublic @interface Generated { String[] value(); String comments() default ""; }\n'
)
CLASSES = {
    "rust": (r"^pub use self::\w+::(\w+)", "src/models"),
    "kotlin": (r"^(?:data |enum |sealed |)(?:class|interface) (\w+)", "src/main/kotlin/org/openapitools/client/models"),
    "csharp": (r"^    public (?:partial |sealed |)(?:class|enum) (\w+)", "src/Org.OpenAPITools/Model"),
    "swift6": (r"^public (?:final |indirect |)(?:struct|class|enum) (\w+)", "Sources/OpenAPIClient/Models"),
}
"""How each of these languages begins, or exports, the type of a component, and where the generator writes them."""


@pytest.fixture(autouse=True)
def tools() -> None:
    node.needed()
    lacking = [name for name in ("java", "javac", "go") if not shutil.which(name)]
    lacking += [str(path) for path in (JAR, GO_LIBRARIES / "src/gopkg.in/validator.v2") if not path.exists()]
    if lacking:
        (pytest.fail if os.environ.get("PLATEAU_NEEDS_GENERATORS") == "1" else pytest.skip)(f"not installed: {lacking}")


def generated(language: str, folder: Path) -> Path:
    """Let openapi-generator write a client; it loses no component but those that are any object."""
    options = OPTIONS.get(language)
    command = ["java", "-jar", JAR, "generate", "-g", language, "-i", DOCUMENT, "-o", folder / language,
               "--global-property", "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"]  # fmt: skip
    if options:
        command.append(f"--additional-properties={options}")
    printed = node.run(*map(str, command), cwd=folder)
    assert not re.search(r"\bERROR\b|^Exception", printed, re.MULTILINE), printed
    lost = set(re.findall(r"Model (\w+) not generated", printed))
    assert lost <= {"Nothing", "JsonSchema", "NoData", "TextByPointer"}, lost
    return folder / language


def tsc(*arguments: str, cwd: Path) -> None:
    (cwd / "package.json").write_text('{"type": "module"}')
    if not (cwd / "node_modules").exists():
        (cwd / "node_modules").symlink_to(HERE / "node_modules")
    node.run(str(HERE / "node_modules/.bin/tsc"), *STRICT, *arguments, cwd=cwd)


def test_go_compiles_and_plays_a_whole_game_against_bots(tmp_path: Path, service: RunningService) -> None:
    client = generated("go", tmp_path)
    shutil.rmtree(client / "test", ignore_errors=True)
    shutil.copytree(client, tmp_path / "path/src/plateau")
    player = tmp_path / "path/src/player"
    player.mkdir()
    shutil.copy(HERE / "player.go", player)
    env = {"GO111MODULE": "off", "GOPATH": f"{tmp_path}/path:{GO_LIBRARIES}", "GOFLAGS": ""}
    node.run("go", "vet", "plateau", "player", cwd=player, env=env)
    node.run("go", "build", "-o", "player", ".", cwd=player, env=env)
    game, turns, *_ = node.run("./player", service.url, cwd=player).split()
    assert game.startswith("gm_")
    assert int(turns) > 5


def test_oazapfts_compiles_and_plays_a_whole_game_against_bots(tmp_path: Path, service: RunningService) -> None:
    node.run(str(HERE / "node_modules/.bin/oazapfts"), str(DOCUMENT), str(tmp_path / "api.ts"))
    shutil.copy(HERE / "player.ts", tmp_path)
    tsc("--module", "nodenext", "--outDir", "out", "player.ts", cwd=tmp_path)
    game, turns = node.run("node", "out/player.js", service.url, cwd=tmp_path).split()
    assert game.startswith("gm_")
    assert int(turns) > 5


def test_java_compiles(tmp_path: Path) -> None:
    client = generated("java", tmp_path)
    (tmp_path / "Generated.java").write_text(GENERATED)
    sources = [str(path) for path in (client / "src/main").rglob("*.java")]
    node.run("javac", "-proc:none", "-nowarn", "-cp", str(JAR), "-d", "out", "Generated.java", *sources, cwd=tmp_path)


@pytest.mark.parametrize(("language", "begins"), [("typescript-axios", "index.ts"), ("typescript-fetch", "index.ts")])
def test_typescript_compiles_strictly(tmp_path: Path, language: str, begins: str) -> None:
    client = generated(language, tmp_path)
    begins = begins if (client / begins).exists() else f"src/{begins}"
    tsc("--noEmit", "--module", "esnext", "--moduleResolution", "bundler", begins, cwd=client)


@pytest.mark.parametrize(
    ("tool", "arguments", "begins"),
    [("openapi-ts", ("-i", str(DOCUMENT), "-o", "src"), "src/index.ts"),
     ("openapi-zod-client", (str(DOCUMENT), "-o", "api.ts"), "api.ts")],
)  # fmt: skip
def test_other_generators_of_typescript_compile_strictly(
    tmp_path: Path, tool: str, arguments: tuple[str, ...], begins: str
) -> None:
    node.run(str(HERE / "node_modules/.bin" / tool), *arguments, cwd=tmp_path)
    tsc("--noEmit", "--module", "esnext", "--moduleResolution", "bundler", begins, cwd=tmp_path)


def test_the_python_of_openapi_generator_is_valid(tmp_path: Path) -> None:
    client = generated("python", tmp_path)
    subprocess.run([sys.executable, "-W", "error", "-m", "compileall", "-q", client / "openapi_client"], check=True)


@pytest.mark.parametrize("language", CLASSES)
def test_other_languages_have_a_type_for_each_component_and_no_two_of_a_name(tmp_path: Path, language: str) -> None:
    begins, folder = CLASSES[language]
    written = [path.read_text() for path in (generated(language, tmp_path) / folder).rglob("*") if path.is_file()]
    names = Counter(name for text in written for name in re.findall(begins, text, re.MULTILINE))
    components = yaml.load(DOCUMENT.read_text(), yaml.CSafeLoader)["components"]["schemas"]
    assert len(names.keys() & components.keys()) > 600
    assert {"PluteView", "PluteGameInput", "FrenchTarotBidAction"} < names.keys() & components.keys()
    assert [name for name in components if names[name] > 1] == []
