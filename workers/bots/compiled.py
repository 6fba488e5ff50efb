"""Functions in plain integers that run as they are, or compiled by numba if it is installed: one source, equal results.

``@kernel(signature)`` marks such a function. Nothing is compiled before ``warm`` is called, and never by a move: until
then, and without numba (the optional extra ``fast-bots``), the plain source runs. Callers write ``fast(function)`` and
``words(values)``, and so do not know which of the two runs.

What a kernel can use: integers within 64 bits with a sign, arrays of them, loops, ``popcount`` and other kernels; no
recursion, no floats.
"""

import hashlib
import inspect
import logging
from collections.abc import Callable, Iterable, MutableSequence
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, TypeAlias, TypeVar, cast

Words: TypeAlias = MutableSequence[int]
"""An array of integers: a list, or an array of numpy for compiled code."""

INT, WORDS = "i8", "i8[::1]"
"""How signatures write an integer and an array of them."""

F = TypeVar("F", bound=Callable[..., Any])
_log = logging.getLogger("plateau.bots")
_signatures: dict[Any, str] = {}
_twins: dict[Any, Any] = {}
"""The compiled twin of each function, once there is one."""


def kernel(result: str, *parameters: str) -> Callable[[F], F]:
    """Mark a function that can be compiled, with the types of its result and its parameters."""

    def mark(function: F) -> F:
        _signatures[function] = f"{result}({','.join(parameters)})"
        return function

    return mark


def popcount(bits: int) -> int:
    """Count the bits that are set; compiled code has an instruction of the processor for it."""
    return bits.bit_count()


def fast(function: F) -> F:
    """Return the compiled twin of a kernel if it is ready, else the function itself."""
    return cast("F", _twins.get(function, function))


def words(values: Iterable[int]) -> Words:
    """Return an array as kernels take it now: a list, or one of numpy's when compiled code is ready."""
    if not _twins:
        return [*values]
    numpy: Any = import_module("numpy")
    return cast("Words", numpy.array([*values], dtype=numpy.int64))


def warm(folder: Path | None = None) -> bool:
    """Compile all kernels that are imported, or load them from a cache in ``folder``; return whether they are ready.

    A folder that cannot be written means no cache, not an error. Loading takes some tenths of a second, compiling many
    seconds: call this at the start of a process, or beside the work.
    """
    try:
        numba: Any = import_module("numba")
    except ImportError:
        return False
    place = _writable(folder, numba.__version__)
    if place is not None:
        numba.config.CACHE_DIR = str(place)
    twins: dict[Any, Any] = {popcount: _popcount_of(numba)}
    for function in _signatures:
        _twin(function, twins, numba, cached=place is not None)
    _twins.update(twins)
    return True


def cool() -> None:
    """Go back to the plain source: for comparisons and tests."""
    _twins.clear()


def _twin(function: Any, twins: dict[Any, Any], numba: Any, *, cached: bool) -> Any:
    """Compile a function, and before it those that it calls: compiled code finds them in globals of its own."""
    if function in twins:
        return twins[function]
    names = {
        name: _twin(value, twins, numba, cached=cached)
        for name in function.__code__.co_names
        if isinstance(value := function.__globals__.get(name), FunctionType)
        and (value in _signatures or value in twins)
    }
    copy = FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    twins[function] = numba.njit(_signatures[function], cache=cached)(copy)
    return twins[function]


def _popcount_of(numba: Any) -> Any:
    """Return an intrinsic of numba, which knows no ``int.bit_count``."""

    def count(_typing: Any, _bits: Any) -> Any:
        def written(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return numba.int64(numba.int64), written

    return numba.extending.intrinsic(count)


def _writable(folder: Path | None, version: str) -> Path | None:
    """Return a folder for this version of all kernels, created; None if there cannot be one.

    Its name depends on every source, for numba notices no change in a function that another one calls.
    """
    if folder is None:
        return None
    sources = sorted({inspect.getsourcefile(function) or "" for function in _signatures})
    seal = hashlib.sha256(version.encode())
    for source in sources:
        seal.update(Path(source).read_bytes())
    place = folder / "kernels" / seal.hexdigest()[:16]
    try:
        place.mkdir(parents=True, exist_ok=True)
        (place / "writable").touch()
    except OSError as error:
        _log.info("compiled bots are not kept: %s", error)
        return None
    return place
