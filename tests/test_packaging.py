"""What people start the service with: the locks, the Makefile, the image and the compose file."""

import hashlib
import json
import os
import re
import runpy
import shlex
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
import yaml

from service.cli.main import main
from service.config.settings import Settings, documented
from service.store.redis import cluster_address

ROOT = Path(__file__).parents[1]
CLIENTS = ROOT / "api_spec/clients"
"""Packages of their own."""
QUADLET = ROOT / "docs/quadlet"
COMPARED = {
    *("Image", "Exec", "Environment", "Volume", "PublishPort", "HealthCmd", "StopTimeout", "Requires"),
    *("ReadOnly", "DropCapability", "NoNewPrivileges"),
}
"""The keys of units of Podman that say what a compose file says, too."""
LOCKS = ("requirements.lock", "requirements-client.lock", "requirements-dev.lock")


def pins(lock: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / lock).read_text(), re.MULTILINE))


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^A-Za-z0-9-]", requirement)[0] for requirement in requirements}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_hashes_for_every_pin_and_names_no_index_and_no_folder(lock: str) -> None:
    requirements = (ROOT / lock).read_text().replace("\\\n", " ").splitlines()
    for requirement in (line for line in requirements if not line.startswith("#")):
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+( ; [^/]+?)?\s+(--hash=sha256:[0-9a-f]{64}\s*)+", requirement)


def test_the_locks_pin_all_that_the_project_asks_for_and_agree_with_each_other() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    running, playing, developing = map(pins, LOCKS)
    to_build = {"hatchling", "editables"}
    archive = names(
        project["optional-dependencies"]["archive"]
    )  # the image is installed from the lock, and archives too
    assert names(project["dependencies"]) | archive | to_build <= running.keys()
    assert names(project["optional-dependencies"]["dev"]) <= developing.keys()
    client = tomllib.loads((ROOT / "api_spec/clients/python/pyproject.toml").read_text())["project"]
    assert names(client["dependencies"]) <= playing.keys()
    assert (running | playing).items() <= developing.items()


def test_make_help_names_every_target_for_people() -> None:
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^make ([\w-]+)  +\w", shown, re.MULTILINE) == [
        "help", "run", "example", "test", "test-again", "long", "test-browser", "firefox", "snapshots", "check",
        "format", "spec", "api-diff", "combinations", "pictures", "manual",
        "deb", "test-packages", "test-image", "release", "recording", "fuzz", "bench", "chaos",
        "league", "lock", "vendor", "research", "node", "generators", "clean",
    ]  # fmt: skip


def test_the_example_is_installed_without_the_tools_of_developers(tmp_path: Path) -> None:
    steps = subprocess.run(
        ["make", "-n", f"VENV={tmp_path}", "example"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert re.findall(r"--requirement (\S+)", steps) == ["requirements.lock", "requirements-client.lock"]
    assert "examples/random_game.py" in steps


def test_compose_starts_the_service_once_a_redis_that_loses_nothing_is_healthy() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    redis, web = compose["services"]["redis"], compose["services"]["web"]
    flags = shlex.split(redis["command"])[1:]
    assert dict(zip(flags[::2], flags[1::2], strict=True)) == {
        "--appendonly": "yes",
        "--appendfsync": "always",
        "--maxmemory-policy": "noeviction",
        "--aof-load-truncated": "no",
    }
    assert redis["volumes"] == ["games:/data"]
    assert "games" in compose["volumes"]
    assert "healthcheck" in redis
    assert "healthcheck" in web
    for name in ("web", "dispatcher", "courier", "worker"):
        assert compose["services"][name]["depends_on"]["redis"]["condition"] == "service_healthy"
        assert compose["services"][name]["environment"]["REDIS_URL"] == "redis://redis:6379/0"


def test_compose_with_a_cluster_has_safe_nodes_and_a_queue_beside_them() -> None:
    cluster = yaml.safe_load((ROOT / "docker-compose.cluster.yml").read_text())
    services, simple = cluster["services"], yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    nodes = {name: each for name, each in services.items() if name.startswith("node")}
    places = [each["networks"]["nodes"]["ipv4_address"] for each in nodes.values()]
    assert len(set(places)) == len({each["volumes"][0] for each in nodes.values()}) == 6
    for each in nodes.values():
        flags = shlex.split(each["command"])[1:]
        assert dict(zip(flags[::2], flags[1::2], strict=True)) == {
            "--cluster-enabled": "yes",
            "--cluster-node-timeout": "5000",
            "--appendonly": "yes",
            "--appendfsync": "always",
            "--maxmemory-policy": "noeviction",
            "--aof-load-truncated": "no",
        }
        assert each["volumes"][0].split(":")[0] in cluster["volumes"]
    made = services["cluster"]["command"][2].replace("$$", "$")
    assert subprocess.run(["sh", "-n", "-c", made], check=False).returncode == 0
    assert all(f"{place}:6379" in made for place in places)
    for name in ("web", "dispatcher", "courier", "worker"):
        settings = Settings.from_environment(services[name]["environment"])
        assert [host for host, _ in cluster_address.read(settings.redis_url or "").nodes] == places[:3]
        assert settings.queue_url == simple[name]["environment"]["REDIS_URL"]
        assert services[name]["depends_on"]["cluster"]["condition"] == "service_completed_successfully"


def test_compose_runs_each_kind_of_worker_and_gives_it_time_to_stop() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    assert services["web"]["environment"]["PLATEAU_WORKERS"] == "0"
    assert services["dispatcher"]["command"] == ["plateau", "dispatch"]
    assert services["courier"]["command"] == ["plateau", "courier"]
    assert services["worker"]["command"] == ["plateau", "worker"]
    for name in ("dispatcher", "courier", "worker"):
        assert main.get_command(None, services[name]["command"][1])
        assert services[name]["healthcheck"] == {"disable": True}
        assert int(services[name]["stop_grace_period"].rstrip("s")) > Settings().bot_seconds


@pytest.mark.parametrize("path", sorted(ROOT.glob("docker-compose*.yml")), ids=lambda path: path.name)
def test_compose_sets_settings_that_there_are(path: Path) -> None:
    known = {variable for variable, _ in documented()}
    services = yaml.safe_load(path.read_text())["services"]
    own = [services[name] for name in ("web", "dispatcher", "courier", "worker") if name in services]
    assert {variable for each in own for variable in each.get("environment", {})} <= known
    assert all(each.get("build", ".") == "." for each in own)


def unit(path: Path) -> dict[str, list[str]]:
    """Return the values of each key of a unit of Podman; a key can be there several times."""
    values: dict[str, list[str]] = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", path.read_text(), re.MULTILINE):
        values.setdefault(key, []).append(value)
    return values


def as_unit(service: dict[str, Any]) -> dict[str, list[str]]:
    """Return what a unit of Podman says for a service of the compose file."""
    own = "build" in service
    kind, *test = service["healthcheck"].get("test", ["CMD-SHELL", "none"])
    command = service.get("command", [])
    grace = service.get("stop_grace_period", "").rstrip("s")
    hardened = {"ReadOnly": ["true"], "DropCapability": ["all"], "NoNewPrivileges": ["true"]}
    assert own == (service.get("read_only", False) and service.get("cap_drop") == ["ALL"])
    expected = {
        "Image": ["localhost/plateau" if own else f"docker.io/library/{service['image']}"],
        "Exec": [command if isinstance(command, str) else shlex.join(command)],
        "Environment": [
            f"{name}={text.replace('//redis', '//plateau-redis')}"
            for name, text in service.get("environment", {}).items()
        ],
        "Volume": [each.replace("games:", "plateau-games.volume:") for each in service.get("volumes", [])],
        "PublishPort": service.get("ports", []),
        "HealthCmd": [json.dumps(test) if kind == "CMD" else test[0]],
        "StopTimeout": [grace],
        "Requires": ["plateau-redis.service"] if own else [],
        **(hardened if own else {}),
    }
    return {key: values for key, values in expected.items() if any(values)}


def test_the_units_of_podman_start_what_compose_starts_and_hold_it_as_tight() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    units = {path.stem.removeprefix("plateau-").rstrip("@"): unit(path) for path in QUADLET.glob("*.container")}
    started = {name: service for name, service in compose.items() if "profiles" not in service}
    assert {name: {key: values for key, values in each.items() if key in COMPARED} for name, each in units.items()} == {
        name: as_unit(service) for name, service in started.items()
    }
    for each in units.values():
        assert each["Network"] == ["plateau.network"]
        assert each.get("After") == each.get("Requires")
        assert each["WantedBy"] == ["default.target"]
    assert {path.name for path in QUADLET.iterdir()} - {path.name for path in QUADLET.glob("*.container")} == {
        "plateau.network",
        "plateau-games.volume",
    }


def test_every_image_is_named_by_tag_and_digest_and_by_the_same_one_everywhere() -> None:
    used: dict[str, set[str]] = {}
    for path in sorted(ROOT.glob("docker-compose*.yml")):
        services = yaml.safe_load(path.read_text())["services"].values()
        for image in (each["image"] for each in services if "image" in each):
            used.setdefault(image.partition(":")[0], set()).add(image)
    dockerfile = (ROOT / "Dockerfile").read_text()
    arguments = dict(re.findall(r"^ARG (\w+)=(\S+)$", dockerfile, re.MULTILINE))
    for base in re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE):
        image = arguments[base.strip("${}")]
        used.setdefault(image.partition(":")[0], set()).add(image)
    assert used.keys() == {"grafana/grafana", "prom/prometheus", "python", "redis"}
    for images in used.values():
        (image,) = images
        assert re.fullmatch(r"[a-z/]+:v?[0-9]+\.[0-9]+\.[0-9]+(-slim)?@sha256:[0-9a-f]{64}", image), image


def test_the_image_installs_from_the_lock_and_runs_as_nobody_special() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    for line in ("--require-hashes --requirement requirements.lock", "USER plateau", 'CMD ["plateau", "serve"]'):
        assert line in dockerfile
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    copied = set(re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile, re.MULTILINE))
    assert {f"!{name}" for line in copied for name in line.split()} <= set(ignored)


def test_the_image_and_the_package_bring_their_bill_of_materials_which_nothing_but_python_writes(
    tmp_path: Path,
) -> None:
    place = "/usr/share/doc/plateau-server/"
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert f"COPY --from=build /build/sbom.cdx.json {place}\n" in dockerfile
    (command,) = re.findall(r"^RUN /opt/plateau/bin/python (\S+) > sbom.cdx.json$", dockerfile, re.MULTILINE)
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    for name in (command, "requirements.lock", "pyproject.toml", "api_spec/clients/typescript/package.json"):
        assert f"!{name}" in ignored
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    written = subprocess.run(
        [sys.executable, tmp_path / command], cwd=tmp_path, env={}, capture_output=True, text=True, check=True
    ).stdout
    assert json.loads(written)["metadata"]["component"]["name"] == "plateau-server"
    deb = runpy.run_path(str(ROOT / ".ci/deb/build.py"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    contents = deb["_package"](project, "1.0.0", "amd64", tmp_path)["contents"]
    assert f"{place}sbom.cdx.json" in {each["dst"] for each in contents}


def built(source: Path, target: Path, *kinds: str) -> dict[str, str]:
    """Build a wheel and an sdist of what is in a folder; return their hashes by their names."""
    wanted = [word for kind in kinds or ("sdist", "wheel") for word in ("--target", kind)]
    build = [sys.executable, "-m", "hatchling", "build", *wanted, "--directory", str(target)]
    environ = os.environ | {"SOURCE_DATE_EPOCH": "1700000000"}
    subprocess.run(build, cwd=source, env=environ, capture_output=True, check=True)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in target.iterdir()}


def test_a_wheel_holds_all_that_the_packages_read(tmp_path: Path) -> None:
    (wheel,) = built(ROOT, tmp_path, "wheel")
    held = set(zipfile.ZipFile(tmp_path / wheel).namelist())
    data = {
        str(file.relative_to(ROOT))
        for package in ("api_spec", "domain", "service", "workers")
        for file in (ROOT / package).rglob("*.*")
        if file.suffix in {".css", ".html", ".js", ".json", ".lua", ".md", ".mjs", ".svg", ".yaml"}
        and CLIENTS not in file.parents
    }
    assert {"service/store/append.lua", "service/web/static/app.js", "domain/plute/rules.md"} <= data <= held
    assert not [name for name in held if CLIENTS in (ROOT / name).parents]


@pytest.mark.long
def test_builds_at_two_places_at_two_times_are_the_same_and_one_from_the_sdist_too(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes((ROOT / name).read_bytes())
        (copy / name).chmod(0o600 | (ROOT / name).stat().st_mode & 0o100)
    first, second = built(ROOT, tmp_path / "first"), built(copy, tmp_path / "second")
    assert len(first) == 2
    assert first == second
    (sdist,) = (tmp_path / "first").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    third = built(tmp_path / "unpacked" / sdist.name.removesuffix(".tar.gz"), tmp_path / "third", "wheel")
    assert third.items() <= first.items()


@pytest.mark.long
def test_a_wheel_and_the_lock_are_enough_to_serve(tmp_path: Path) -> None:
    (wheel,) = built(ROOT, tmp_path / "dist", "wheel")
    venv.create(tmp_path / "venv", with_pip=True)
    pip = [tmp_path / "venv/bin/python", "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    subprocess.run([*pip, "--require-hashes", "--requirement", ROOT / "requirements.lock"], check=True)
    subprocess.run([*pip, "--no-deps", "--no-index", tmp_path / "dist" / wheel], check=True)
    subprocess.run([*pip[:3], "--disable-pip-version-check", "check"], check=True)
    serve = [tmp_path / "venv/bin/plateau", "serve", "--port", "0", "--data", tmp_path / "data"]
    with subprocess.Popen(serve, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        address = re.match(r"Plateau is up:  (\S+)", service.stdout.readline())
        assert address, service.returncode
        assert b"<title>Plateau" in fetch_page(address[1])
        service.terminate()
        assert service.wait(60) == 0


def fetch_page(url: str) -> bytes:
    with urlopen(Request(url, headers={"Accept": "text/html"}), timeout=10) as response:
        return bytes(response.read())


def test_the_debian_package_starts_commands_that_there_are_and_sets_settings_that_there_are() -> None:
    built = runpy.run_path(str(ROOT / ".ci/deb/build.py"))
    known = {variable for variable, _ in documented()}
    assert set(re.findall(r"^#([A-Z_]+)=$", built["configuration"](), re.MULTILINE)) == known - {"PLATEAU_DATA"}
    for unit in built["UNITS"]:
        text = (ROOT / ".ci/deb" / unit).read_text()
        assert set(re.findall(r"^Environment=([A-Z_]+)=", text, re.MULTILINE)) <= known
        for command in re.findall(r"^ExecStart=/usr/bin/plateau (.*)$", text, re.MULTILINE):
            with pytest.raises(SystemExit) as ended:
                main([*command.split(), "--help"], prog_name="plateau")
            assert ended.value.code == 0
