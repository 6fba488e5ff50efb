"""The settings: what they are without any wish, what is refused, and how the refusal teaches."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from service.accounts.limits import DEFAULTS
from service.cli.main import main
from service.config.setting_fields import InvalidSettings
from service.config.settings import Settings, documented
from service.store.redis import cluster_address
from service.store.redis.sentinel_address import SentinelAddress


def test_without_settings_the_service_listens_on_this_machine_and_keeps_games() -> None:
    settings = Settings.from_environment({})
    assert (settings.host, settings.port, settings.web_processes, settings.web_threads) == ("127.0.0.1", 8000, 2, 16)
    assert (settings.redis_url, settings.memory, settings.fsync, settings.shards) == (None, False, "always", 16)
    assert settings.data == Path.home() / ".local/share/plateau"


def test_every_setting_can_be_given() -> None:
    settings = Settings.from_environment(
        {
            "PLATEAU_HOST": "0.0.0.0",
            "PLATEAU_PORT": "9000",
            "PLATEAU_DATA": "/srv/games",
            "REDIS_URL": "rediss://user:word@store.example:6380/1",
            "PLATEAU_MEMORY": "off",
            "PLATEAU_WEB_PROCESSES": "4",
            "PLATEAU_WEB_THREADS": "64",
            "PLATEAU_FSYNC": "EverySec",
            "PLATEAU_SHARDS": "32",
            "PLATEAU_ALLOW_UNSAFE_REDIS": "yes",
            "PLATEAU_LOG_LEVEL": "debug",
            "PLATEAU_CORS_ORIGINS": "https://Play.example, http://localhost:5173",
            "PLATEAU_PUBLIC_URL": "https://play.example/games/",
            "PLATEAU_SMTP_URL": "smtp://ada:word@mail.example:2525?starttls=no",
            "PLATEAU_MAIL_FROM": "Plateau <games@play.example>",
        }
    )
    assert settings == Settings(
        host="0.0.0.0",
        port=9000,
        data=Path("/srv/games"),
        redis_url="rediss://user:word@store.example:6380/1",
        web_processes=4,
        web_threads=64,
        fsync="everysec",
        shards=32,
        allow_unsafe_redis=True,
        log_level="debug",
        cors_origins=frozenset({"https://play.example", "http://localhost:5173"}),
        public_url="https://play.example/games",
        smtp_url="smtp://ada:word@mail.example:2525?starttls=no",
        mail_from="Plateau <games@play.example>",
    )


def test_an_empty_variable_counts_as_unset() -> None:
    assert Settings.from_environment({"PLATEAU_PORT": "", "REDIS_URL": " "}) == Settings.from_environment({})


def test_the_data_follow_the_users_own_place_for_data() -> None:
    assert Settings.from_environment({"XDG_DATA_HOME": "/home/ada/data"}).data == Path("/home/ada/data/plateau")


def test_a_relative_data_folder_is_taken_from_where_the_service_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Settings.from_environment({"PLATEAU_DATA": "games"}).data == tmp_path / "games"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PLATEAU_HOST", "http://here"),
        ("PLATEAU_PORT", "65536"),
        ("PLATEAU_PORT", "-1"),
        ("PLATEAU_PORT", "tcp://10.0.0.1:8000"),
        ("PLATEAU_LIMITS", "moves=1"),
        ("PLATEAU_LIMITS", "hints"),
        ("PLATEAU_LIMITS", "hints=-1"),
        ("PLATEAU_LIMITS", "tokens=0"),
        ("PLATEAU_LIMITS", "hints=1,,"),
        ("REDIS_URL", "http://localhost"),
        ("REDIS_URL", "redis://"),
        ("REDIS_URL", "localhost:6379"),
        ("REDIS_URL", "redis://localhost:sixty"),
        ("REDIS_URL", "unix://"),
        ("REDIS_URL", "redis+cluster://"),
        ("REDIS_URL", "redis+cluster://one:6379,"),
        ("REDIS_URL", "redis+cluster://one:6379,two:sixty"),
        ("REDIS_URL", "redis+cluster://one:6379/1"),
        ("REDIS_URL", "unix+cluster://one"),
        ("QUEUE_URL", "redis+cluster://one:6379"),
        ("REDIS_URL", "redis+sentinel://"),
        ("REDIS_URL", "redis+sentinel://one.example"),
        ("REDIS_URL", "redis+sentinel:///games/0"),
        ("REDIS_URL", "redis+sentinel://one.example:26379,/games/0"),
        ("REDIS_URL", "redis+sentinel://one.example:many/games/0"),
        ("REDIS_URL", "redis+sentinel://one.example/games/zero"),
        ("PLATEAU_MEMORY", "perhaps"),
        ("PLATEAU_CORS_ORIGINS", "play.example"),
        ("PLATEAU_CORS_ORIGINS", "https://play.example/"),
        ("PLATEAU_CORS_ORIGINS", "*, https://play.example"),
        ("PLATEAU_WEB_PROCESSES", "0"),
        ("PLATEAU_WEB_THREADS", "many"),
        ("PLATEAU_FSYNC", "no"),
        ("PLATEAU_SHARDS", "0"),
        ("PLATEAU_LOG_LEVEL", "loud"),
        ("PLATEAU_SMTP_URL", "mail.example:25"),
        ("PLATEAU_SMTP_URL", "smtp://"),
        ("PLATEAU_SMTP_URL", "smtp://mail.example/folder"),
        ("PLATEAU_SMTP_URL", "file://mails"),
        ("PLATEAU_MAIL_FROM", "Plateau"),
        ("PLATEAU_MAIL_FROM", "Plateau <games@play.example>, eve@play.example"),
        ("PLATEAU_PUBLIC_URL", "play.example"),
        ("PLATEAU_PUBLIC_URL", "https://play.example/?a=b"),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused_with_what_is_allowed(variable: str, value: str) -> None:
    with pytest.raises(InvalidSettings) as refusal:
        Settings.from_environment({variable: value})
    assert str(refusal.value).startswith(f"{variable} is {value!r}; allowed: ")


def test_a_misspelt_setting_is_refused_and_a_variable_of_another_program_is_not() -> None:
    for misspelt, meant in (("PLATEAU_PROT", "PLATEAU_PORT"), ("PLATEAU_WORKER", "PLATEAU_WORKERS")):
        with pytest.raises(InvalidSettings, match=f"{misspelt} is no setting; set {meant}, or unset it"):
            Settings.from_environment({misspelt: "1"})
    of_others = (
        "PLATEAU_TOKEN",
        "PLATEAU_URL",
        "PLATEAU_NEEDS_NODE",
        "PLATEAU_WORKER_PASSWORD",
        "PLATEAU_ADMIN_PASSWORD",
    )
    assert Settings.from_environment(dict.fromkeys(of_others, "1")).port == Settings().port


@pytest.mark.parametrize(
    ("url", "nodes", "first"),
    [
        ("redis+cluster://one", [("one", 6379)], "redis://one"),
        ("redis+cluster://one:7001,10.0.0.2:7002/0", [("one", 7001), ("10.0.0.2", 7002)], "redis://one:7001"),
        (
            "rediss+cluster://ada:word@[::1]:7001,two?ssl_ca_certs=/ca.pem",
            [("::1", 7001), ("two", 6379)],
            "rediss://ada:word@[::1]:7001?ssl_ca_certs=/ca.pem",
        ),
    ],
)
def test_the_address_of_a_cluster_names_its_nodes(url: str, nodes: list[tuple[str, int]], first: str) -> None:
    settings = Settings.from_environment({"REDIS_URL": url, "QUEUE_URL": "redis://queue"})
    assert cluster_address.read(settings.redis_url or "") == (tuple(nodes), first)


@pytest.mark.parametrize("url", ["redis+cluster://one?ssl_ca_certs=/a", "rediss+cluster://one?max_connections=1"])
def test_a_parameter_that_a_cluster_does_not_have_is_refused(url: str) -> None:
    with pytest.raises(InvalidSettings, match=r"after the '\?' is not one of "):
        Settings.from_environment({"REDIS_URL": url, "QUEUE_URL": "redis://queue"})


def test_with_a_cluster_the_queue_needs_a_server_of_its_own() -> None:
    with pytest.raises(InvalidSettings, match="With a cluster in REDIS_URL, QUEUE_URL must be set too"):
        Settings.from_environment({"REDIS_URL": "redis+cluster://one:6379"})


def test_no_password_of_a_cluster_is_shown() -> None:
    given = {"REDIS_URL": "redis+cluster://ada:secret@one:6379,two:6379?client_name=secret", "QUEUE_URL": "redis://q"}
    settings = Settings.from_environment(given)
    assert "secret" not in f"{settings!r} {settings.redis_place}"
    assert settings.redis_place == "redis+cluster://one:6379,two:6379"


def test_no_password_is_shown() -> None:
    with pytest.raises(InvalidSettings) as refusal:
        Settings.from_environment({"REDIS_URL": "http://ada:secret@store.example/?password=secret"})
    settings = Settings.from_environment({"REDIS_URL": "redis://ada:secret@store.example/2?password=secret"})
    assert "secret" not in f"{refusal.value} {settings!r} {settings.redis_place}"
    assert settings.redis_place == "redis://store.example/2"
    watched = "redis+sentinel://ada:secret@one.example,two.example/games/0?sentinel_password=secret"
    settings = Settings.from_environment({"REDIS_URL": watched})
    assert "secret" not in f"{settings!r} {settings.redis_place} {SentinelAddress.read(watched)!r}"
    assert settings.redis_place == "redis+sentinel://one.example,two.example/games/0"


@pytest.mark.parametrize(
    ("url", "shown"), [("smtps://mail.example?starttls=no", "ca_certs"), ("smtp://mail.example?timeout=1", "starttls")]
)
def test_a_parameter_that_a_mail_server_does_not_have_is_refused(url: str, shown: str) -> None:
    with pytest.raises(InvalidSettings, match=f"after the '\\?' is not one of .*{shown}"):
        Settings.from_environment({"PLATEAU_SMTP_URL": url})


def test_no_password_of_a_mail_server_is_shown() -> None:
    wanted = {"PLATEAU_MAIL_FROM": "games@play.example", "PLATEAU_PUBLIC_URL": "https://play.example"}
    settings = Settings.from_environment({"PLATEAU_SMTP_URL": "smtps://ada:secret@mail.example", **wanted})
    assert "secret" not in f"{settings!r} {settings.mail_place}"
    assert settings.mail_place == "smtps://mail.example"


def test_limits_are_given_by_name_and_the_others_stay_as_they_are() -> None:
    limits = Settings.from_environment({"PLATEAU_LIMITS": " writes=7, hints=0"}).limits
    assert {name: most for name, most in limits.items() if most != DEFAULTS[name]} == {"writes": 7, "hints": 0}
    with pytest.raises(InvalidSettings, match=r"'moves' is no limit; the limits are requests, writes, "):
        Settings.from_environment({"PLATEAU_LIMITS": "moves=1"})


def test_memory_and_a_redis_server_exclude_each_other() -> None:
    with pytest.raises(InvalidSettings, match="PLATEAU_MEMORY and REDIS_URL exclude each other"):
        Settings.from_environment({"PLATEAU_MEMORY": "1", "REDIS_URL": "redis://localhost"})


def test_the_help_of_serve_lists_every_setting_with_its_default() -> None:
    shown = CliRunner().invoke(main, ["serve", "--help"])
    assert shown.exit_code == 0
    assert all(variable in shown.output for variable, _ in documented())
    assert "Default: 8000." in " ".join(shown.output.split())
