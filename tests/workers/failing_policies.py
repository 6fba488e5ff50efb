"""Policies that do what no policy should; asked by the name of this module, in the process where policies think."""

import os
import time


def hangs(_view, _rng):
    """Think for ever."""
    while True:
        time.sleep(60)


def hangs_and_does_not_listen(_view, _rng):
    """Think for ever, whatever happens."""
    while True:
        try:
            while True:
                pass
        except BaseException:  # noqa: BLE001 - that is the point
            continue


def hangs_in_c(_view, _rng):
    """Think for ever where the interpreter hears of nothing."""
    return sum(range(10**15))


def raises(view, _rng):
    """Fail, and quote what it saw."""
    raise ValueError(f"secret: {view}")


def leaves(_view, _rng):
    """Exit the process."""
    raise SystemExit(0)


def dies(_view, _rng):
    """End the process."""
    os._exit(3)


def prints(view, _rng):
    """Talk, and answer what is fine."""
    print('{"action": "nonsense"}', flush=True)
    return view["legal_actions"]["actions"][0]


def answers_nothing(_view, _rng):
    """Return no action."""


def answers_nonsense(_view, _rng):
    """Return something of another form."""
    return {"type": "bid", "objective": ["bridge"], "no": {"such": "field"}}


def answers_what_cannot_be_sent(_view, _rng):
    """Return something that is not JSON."""
    return object()


def breaks_the_rules(view, _rng):
    """Return a well-formed action that is not legal."""
    everything = [{"type": "play", "card": "RH"}, {"type": "keep"}, {"type": "announce", "card": "RH"}]
    return next(action for action in everything if action not in view["legal_actions"]["actions"])


def first(view, _rng):
    """Return the first legal action."""
    return view["legal_actions"]["actions"][0]
