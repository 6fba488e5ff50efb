"""The exit codes of all commands: their numbers, and what each means for a command. Help, docs and tests read them."""

from collections.abc import Mapping
from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ends. A number that means different things has a name for each of them."""

    DONE = 0
    REFUSED = 1
    WRONG = 1
    FAILED = 1
    DAMAGED = 1
    USAGE = 2
    CONFIGURATION = 2
    UNREADABLE = 2
    UNREACHABLE = 3
    INCOMPLETE = 3
    NOT_KEPT = 3
    CONTRADICTED = 4
    DIFFERS = 4
    BOT_FAILED = 4
    NOT_DONE = 4
    NOT_REPEATABLE = 5
    UNWITNESSED = 5


_ASKS = {
    ExitCode.REFUSED: "the service rejected the request",
    ExitCode.USAGE: "wrong usage",
    ExitCode.UNREACHABLE: "the service cannot be reached",
}
_AT_STORE = {ExitCode.CONFIGURATION: "configuration", ExitCode.UNREACHABLE: "the store cannot be reached"}
_PROCESS = {
    ExitCode.DONE: "stopped on request",
    ExitCode.FAILED: "ended by a defect",
    ExitCode.CONFIGURATION: "configuration",
    ExitCode.UNREACHABLE: "Redis failed",
}

_NOT_HERE = (
    "the game cannot be analysed here: it is not over, its log does not verify, its rules are not installed in this "
    "version, or no such bot plays it"
)
MEANINGS: Mapping[str, Mapping[ExitCode, str]] = {
    "admin": {
        ExitCode.DONE: "done",
        ExitCode.REFUSED: "rejected",
        ExitCode.USAGE: "wrong usage",
        ExitCode.UNREACHABLE: "the service or its store cannot be reached",
    },
    "analyse": {
        ExitCode.DONE: "every decision was analysed",
        **_ASKS,
        ExitCode.BOT_FAILED: "the bot failed at a decision",
        ExitCode.NOT_REPEATABLE: _NOT_HERE,
    },
    "archive": {
        ExitCode.DONE: "done",
        ExitCode.FAILED: "some games could not be moved",
        ExitCode.CONFIGURATION: "configuration",
        ExitCode.UNREACHABLE: "the store or the archive cannot be reached",
    },
    "backup": {
        ExitCode.DONE: "done",
        ExitCode.DAMAGED: "done, but logs in the store are damaged",
        **_AT_STORE,
        ExitCode.NOT_DONE: "no backup was made, or an earlier one could not be removed; a line says which",
    },
    "board": {ExitCode.DONE: "shown", **_ASKS},
    "check": {
        ExitCode.DONE: "the text is right",
        ExitCode.WRONG: "the text has an error",
        ExitCode.UNREADABLE: "the file cannot be read",
    },
    "courier": _PROCESS,
    "dispatch": _PROCESS,
    "doctor": {
        ExitCode.DONE: "no problems; there can be warnings",
        ExitCode.WRONG: "there are problems",
        ExitCode.CONFIGURATION: "the settings are not valid",
        ExitCode.UNREACHABLE: "the store cannot be reached",
    },
    "entries": {ExitCode.DONE: "done", ExitCode.FAILED: "there is no such game or its log is damaged", **_AT_STORE},
    "export": {ExitCode.DONE: "saved", **_ASKS},
    "generate": {
        ExitCode.DONE: "the file is complete",
        ExitCode.FAILED: "a bot or its process failed",
        ExitCode.USAGE: "wrong usage",
    },
    "import": {
        ExitCode.DONE: "all games are in the store",
        ExitCode.REFUSED: "a game was rejected; takes precedence over 2",
        ExitCode.UNREADABLE: "a file cannot be read or wrong usage",
        ExitCode.UNREACHABLE: "the store cannot be reached",
    },
    "keys": {ExitCode.DONE: "done", **_AT_STORE},
    "log": {ExitCode.DONE: "printed", **_ASKS},
    "luck": {
        ExitCode.DONE: "every deal was replayed",
        **_ASKS,
        ExitCode.BOT_FAILED: "the bot failed at a replay",
        ExitCode.NOT_REPEATABLE: _NOT_HERE,
    },
    "mail-test": {
        ExitCode.DONE: "the mail server accepted the mail",
        ExitCode.FAILED: "it did not",
        ExitCode.CONFIGURATION: "configuration",
    },
    "monitor": {
        ExitCode.DONE: "the log has only grown",
        **_ASKS,
        ExitCode.UNREACHABLE: "the service cannot be reached (only with --once; otherwise the command retries)",
        ExitCode.CONTRADICTED: "the log contradicts an earlier one, is gone, or is not signed by a trusted key",
        ExitCode.UNWITNESSED: "the latest root is not co-signed yet (only with --once)",
    },
    "play": {ExitCode.DONE: "left or over", **_ASKS},
    "rerun": {
        ExitCode.DONE: "all moves are the same",
        **_ASKS,
        ExitCode.DIFFERS: "a move differs",
        ExitCode.NOT_REPEATABLE: "a move cannot be recomputed: the game is not over, the log does not verify, or the "
        "ruleset or that version of the bot is not installed",
    },
    "restore": {
        ExitCode.DONE: "done",
        ExitCode.DAMAGED: "done, but some logs were already damaged in the backup",
        ExitCode.CONFIGURATION: "configuration",
        ExitCode.UNREACHABLE: "the store cannot be used",
        ExitCode.NOT_DONE: "the backup is damaged or the store is not empty, so nothing was restored, or a line says "
        "that the restoration is incomplete",
    },
    "serve": {
        ExitCode.DONE: "stopped on request",
        ExitCode.FAILED: "the web processes failed",
        ExitCode.CONFIGURATION: "configuration",
        ExitCode.UNREACHABLE: "the engine, Redis or the folder of the archive cannot be used",
    },
    "shards": {ExitCode.DONE: "done", **_AT_STORE},
    "verify": {
        ExitCode.DONE: "verified",
        ExitCode.WRONG: "there is a fault; takes precedence over 2, and 2 over 3",
        ExitCode.UNREADABLE: "a file or the store cannot be read, or wrong usage",
        ExitCode.INCOMPLETE: "no fault, but something could not be checked; a line says what",
    },
    "verify-receipt": {
        ExitCode.DONE: "all receipts are signed",
        ExitCode.WRONG: "a receipt is not signed by these keys",
        ExitCode.UNREADABLE: "a file cannot be read",
        ExitCode.CONTRADICTED: "signed receipts contradict each other",
    },
    "verify-release": {
        ExitCode.DONE: "all files are as they were released",
        ExitCode.WRONG: "a file or its bill of materials is not, or no known key has signed the release",
        ExitCode.UNREADABLE: "a file cannot be read, or wrong usage",
        ExitCode.INCOMPLETE: "nothing could be checked: no key is known, or there is no ssh-keygen or no sigstore",
    },
    "warm": {
        ExitCode.DONE: "everything is compiled",
        ExitCode.FAILED: "numba is not installed",
        ExitCode.CONFIGURATION: "configuration",
        ExitCode.NOT_KEPT: "the folder cannot be written",
    },
    "worker": _PROCESS,
}
"""What the exit codes of each command mean."""
