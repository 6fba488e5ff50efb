"""Functions on plain integers that run as they are, or compiled by numba if it is installed, with equal results.

``@kernel(signature)`` marks such a function. Nothing is compiled before ``prepared`` is called, and never during a move
(see ``warming``): until then, and without numba (the optional extra ``fast-bots``), the plain source runs. Callers
write ``fast(function)`` and ``words(values)``, so they need not know which of the two runs.

A kernel can use: 64-bit signed integers, arrays of them, loops, ``popcount`` and other kernels, and as globals numbers
and tuples of them, whose values are fixed when it is compiled; no recursion, no floats.
"""

import hashlib
import inspect
import logging
import sys
from collections.abc import Callable, Iterable, Mapping, MutableSequence
from fcntl import LOCK_EX, flock
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any, TypeAlias, TypeVar, cast

Words: TypeAlias = MutableSequence[int]
"""An array of integers: a list, or an array of numpy for compiled code."""

INT, WORDS = "i8", "i8[::1]"
"""The numba types of an integer and of an array of them."""

F = TypeVar("F", bound=Callable[..., Any])
_log = logging.getLogger("plateau.bots")
_COMPLETE = "complete"
"""A file in a folder whose kernels have all been compiled."""
signatures: dict[Any, str] = {}
"""The functions to compile, with their signatures."""
Twins: TypeAlias = dict[Any, Any]
"""Functions, each with its compiled twin."""
_twins: Twins = {}
"""The compiled twin of each function, once there is one."""


def kernel(result: str, *parameters: str) -> Callable[[F], F]:
    """Mark a function that can be compiled, with the types of its result and its parameters."""

    def mark(function: F) -> F:
        signatures[function] = f"{result}({','.join(parameters)})"
        return function

    return mark


def popcount(bits: int) -> int:
    """Count the bits that are set; compiled code has an instruction of the processor for it."""
    return bits.bit_count()


def fast(function: F) -> F:
    """Return the compiled twin of a kernel if it is ready, else the function itself."""
    return cast("F", _twins.get(function, function))


def words(values: Iterable[int]) -> Words:
    """Return an array in the form that kernels take now: a list, or one of numpy's when compiled code is ready."""
    if not _twins:
        return [*values]
    numpy: Any = import_module("numpy")
    return cast("Words", numpy.array([*values], dtype=numpy.int64))


def warm(folder: Path | None = None) -> bool:
    """Run compiled code from now on, if numba is installed; return whether it is. See ``prepared`` and ``adopt``."""
    twins = prepared(folder)
    if twins is None:
        return False
    adopt(twins)
    return True


def prepared(folder: Path | None = None, done: Callable[[], object] = lambda: None) -> Twins | None:
    """Compile all imported kernels, or load them from ``folder``; None without numba. They do not run yet.

    If the folder cannot be written, nothing is cached; this is not an error. Loading takes about a second, compiling
    takes many. Processes that compile into the same folder wait for each other. ``done`` is called after each kernel.
    """
    place = None if folder is None else place_in(folder)
    if not is_installed():
        return None
    numba: Any = import_module("numba")
    if place is None:
        return _all_twins(numba, done, cached=False)
    numba.config.CACHE_DIR = str(place)
    with (place / "lock").open("w") as lock:
        if not is_complete(place):
            flock(lock, LOCK_EX)
        twins = _all_twins(numba, done, cached=True)
        (place / _COMPLETE).touch()
    return twins


def adopt(twins: Twins) -> None:
    """Run compiled code from now on. Call it between two moves: within a move, there would be arrays of both kinds."""
    _twins.update(twins)


def _all_twins(numba: Any, done: Callable[[], object], *, cached: bool) -> Twins:
    twins: Twins = {popcount: _popcount_of(numba)}
    for function in signatures:
        _twin(function, twins, numba, cached=cached)
        done()
    return twins


def cool() -> None:
    """Return to the plain source, for comparisons and tests."""
    _twins.clear()


def _twin(function: Any, twins: Twins, numba: Any, *, cached: bool) -> Any:
    """Compile a function, after those that it calls: compiled code finds them in globals of its own."""
    if function in twins:
        return twins[function]
    names = {
        name: _twin(value, twins, numba, cached=cached)
        for name in function.__code__.co_names
        if isinstance(value := function.__globals__.get(name), FunctionType) and (value in signatures or value in twins)
    }
    copy = FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    twins[function] = numba.njit(signatures[function], cache=cached)(copy)
    return twins[function]


def _popcount_of(numba: Any) -> Any:
    """Return an intrinsic of numba, which does not support ``int.bit_count``."""

    def count(_typing: Any, _bits: Any) -> Any:
        def written(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return numba.int64(numba.int64), written

    return numba.extending.intrinsic(count)


def is_installed() -> bool:
    """Return whether numba can be imported, without doing so."""
    return find_spec("numba") is not None


def number_of_kernels() -> int:
    """Return how many kernels the imported modules have."""
    return len(signatures)


def place_in(folder: Path) -> Path | None:
    """Create and return the subfolder for the code that is compiled here; None if nothing can be cached.

    Its name depends on the processor, so that machines can share the folder, and on every source and every constant,
    because numba does not detect a change in a function that another one calls, or in a constant of another file.
    """
    if not is_installed():
        return None
    place = folder / "kernels" / _seal()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.mkdir(parents=True, exist_ok=True)
        (place / "lock").touch()
    except OSError as error:
        _log.info("compiled bots are not cached: %s", error)
        return None
    return place


def _seal() -> str:
    llvm: Any = import_module("llvmlite.binding")
    seal = hashlib.sha256(f"{version('numba')} {sys.version_info} {llvm.get_host_cpu_name()}".encode())
    for source in sorted({inspect.getsourcefile(function) or "" for function in signatures}):
        seal.update(Path(source).read_bytes())
    for function in sorted(signatures, key=lambda each: (each.__module__, each.__qualname__)):
        seal.update(repr(constants_of(function)).encode())
    return seal.hexdigest()[:16]


def constants_of(function: Any) -> Mapping[str, object]:
    """Return the globals that a kernel uses but does not call: compiled code keeps their values."""
    used = {name: function.__globals__.get(name) for name in function.__code__.co_names}
    return {name: value for name, value in used.items() if value is not None and not callable(value)}


def is_complete(place: Path) -> bool:
    """Return whether all kernels have been compiled there once."""
    return (place / _COMPLETE).exists()
