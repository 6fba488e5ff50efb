"""Policies that do what no policy should; asked by the name of this module, in the process where policies think."""

import os
import stat
import time

from workers.bots.policy import Thought


def hangs(_asked):
    """Think for ever."""
    while True:
        time.sleep(60)


def hangs_and_does_not_listen(_asked):
    """Think for ever, whatever happens."""
    while True:
        try:
            while True:
                pass
        except BaseException:  # noqa: BLE001 - that is the point
            continue


def hangs_in_c(_asked):
    """Think for ever where the interpreter hears of nothing."""
    return sum(range(10**15))


def raises(asked):
    """Fail, and quote what it saw."""
    raise ValueError(f"secret: {asked.view}")


def leaves(_asked):
    """Exit the process."""
    raise SystemExit(0)


def dies(_asked):
    """End the process."""
    os._exit(3)


def prints(asked):
    """Talk, and answer what is fine."""
    print('{"action": "nonsense", "playouts": 0, "estimates": []}', flush=True)
    return Thought(asked.view["legal_actions"]["actions"][0])


def answers_nothing(_asked):
    """Return no thought."""


def answers_what_cannot_be_sent(_asked):
    """Return something that is not JSON."""
    return Thought(object())


def claims_nonsense(asked):
    """Return a legal action after half a playout."""
    return Thought(asked.view["legal_actions"]["actions"][0], playouts=0.5)


def answers_nonsense_for_estimates(asked):
    """Return a legal action, and beside it what is no estimate."""
    return Thought(asked.view["legal_actions"]["actions"][0], estimates=({"guess": 1},))


def writes_beside_its_answer(asked):
    """Write a line of its own to where answers go."""
    for pipe in range(3, 10):
        if stat.S_ISFIFO(os.fstat(pipe).st_mode):
            os.write(pipe, b"nonsense\n")
            return first(asked)
    return None


def first(asked):
    """Return the first legal action."""
    return Thought(asked.view["legal_actions"]["actions"][0])
