"""Compare the interface with those of all released versions: ``python -m api_spec.compare [OLD.yaml [NEW.yaml]]``.

Prints every change that breaks a client, and exits with 1 if there is one. docs/versioning.md says what a client must
accept. What a request may contain must not become less. What a response may contain must not become more, except for
new fields and new variants that a discriminator names.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import yaml

Json = Mapping[str, Any]
_CURRENT = Path(__file__).parent / "openapi.yaml"
_RELEASED = Path(__file__).parent / "released"
"""The document of each released version, such as ``1.0.0.yaml``."""
_METHODS = ("get", "head", "post", "put", "patch", "delete")
_LIMITS = {
    "minimum": 1, "minLength": 1, "minItems": 1, "exclusiveMinimum": 1,
    "maximum": -1, "maxLength": -1, "maxItems": -1, "exclusiveMaximum": -1,
}  # fmt: skip
"""The direction in which a limit of a request gets narrower."""
_UNIONS = ("oneOf", "anyOf")


class Change(NamedTuple):
    """A change that breaks clients: its kind, the place in the document, and what has changed."""

    kind: str
    place: str
    what: str


def latest(released: Path = _RELEASED) -> Path | None:
    """Return the document of the last release; None before the first one."""
    return max(released.glob("*.yaml"), key=lambda path: [*map(int, path.stem.split("."))], default=None)


def breaking(old: Json, new: Json) -> Sequence[Change]:
    """Return every change from one OpenAPI document to another that breaks a client of the old one."""
    return [*_Comparison(old, new).operations()]


@dataclass
class _Comparison:
    old: Json
    new: Json
    compared: set[tuple[str, str, bool]] = field(default_factory=set)
    """The pairs of named schemas that are compared already, or are being compared, in requests or in responses."""

    def operations(self) -> Iterator[Change]:
        for path, method, before in _operations(self.old):
            place = f"{method.upper()} {path}"
            after = self.new["paths"].get(path, {}).get(method)
            if after is None:
                yield Change("operation-removed", place, "there is none any more")
                continue
            if before.get("operationId") != after.get("operationId"):
                yield Change("operation-renamed", place, f"{before.get('operationId')} → {after.get('operationId')}")
            if {} in before.get("security", [{}]) and {} not in after.get("security", [{}]):
                yield Change("token-required", place, "it worked without a token")
            yield from self._parameters(place, before.get("parameters", ()), after.get("parameters", ()))
            yield from self._bodies(place, before.get("requestBody"), after.get("requestBody"))
            yield from self._responses(place, before["responses"], after["responses"])

    def _parameters(self, place: str, old: Sequence[Json], new: Sequence[Json]) -> Iterator[Change]:
        before, after = ({(each["name"], each["in"]): each for each in parameters} for parameters in (old, new))
        for key, parameter in after.items():
            if parameter.get("required") and not before.get(key, {}).get("required"):
                yield Change("parameter-required", f"{place} {key[0]}", "requests without it are rejected")
        for key, parameter in before.items():
            at = f"{place} {key[0]}"
            if key not in after:
                yield Change("parameter-removed", at, f"in {key[1]}")
                continue
            yield from self._default(at, parameter.get("schema", {}), after[key].get("schema", {}))
            yield from self._schemas(at, parameter.get("schema", {}), after[key].get("schema", {}), is_request=True)

    def _bodies(self, place: str, old: Json | None, new: Json | None) -> Iterator[Change]:
        if new is not None and new.get("required") and not (old or {}).get("required"):
            yield Change("body-required", place, "requests without a body are rejected")
        if old is None:
            return
        if new is None:
            yield Change("body-removed", place, "the operation has no body any more")
            return
        yield from self._contents("body-type-removed", place, old["content"], new["content"], is_request=True)

    def _responses(self, place: str, old: Json, new: Json) -> Iterator[Change]:
        for status in sorted(new.keys() - old.keys()):
            if status.startswith("2"):
                yield Change("status-added", f"{place} {status}", "a client does not know this success")
        for status, before in old.items():
            at, after = f"{place} {status}", new.get(status)
            if after is None:
                if status.startswith("2"):
                    yield Change("status-removed", at, "the operation no longer succeeds with it")
                continue
            for name in sorted(before.get("headers", {}).keys() - after.get("headers", {}).keys()):
                yield Change("header-removed", f"{at} {name}", "responses have it no more")
            contents = before.get("content", {}), after.get("content", {})
            yield from self._contents("response-type-removed", at, *contents, is_request=False)

    def _contents(self, kind: str, place: str, old: Json, new: Json, *, is_request: bool) -> Iterator[Change]:
        for media, before in old.items():
            if media not in new:
                yield Change(kind, f"{place} {media}", "is not supported any more")
            else:
                schemas = before.get("schema", {}), new[media].get("schema", {})
                yield from self._schemas(place, *schemas, is_request=is_request)

    def _default(self, place: str, old: Json, new: Json) -> Iterator[Change]:
        if "default" in old and old["default"] != new.get("default"):
            yield Change("default-changed", place, f"{old['default']} → {new.get('default')}")

    # -- schemas ---------------------------------------------------------------------------------------------------

    def _schemas(self, place: str, old: Json, new: Json, *, is_request: bool) -> Iterator[Change]:
        names = old.get("$ref"), new.get("$ref")
        if names[0] is not None or names[1] is not None:
            pair = (str(names[0]), str(names[1]), is_request)
            if pair in self.compared and None not in names:
                return
            self.compared.add(pair)
            old, new = _resolved(self.old, old), _resolved(self.new, new)
        yield from self._types(place, old, new, is_request=is_request)
        yield from self._values(place, old, new, is_request=is_request)
        if is_request:
            yield from self._limits(place, old, new)
        yield from self._properties(place, old, new, is_request=is_request)
        if "items" in old and "items" in new:
            yield from self._schemas(f"{place}[]", old["items"], new["items"], is_request=is_request)
        before, after = old.get("additionalProperties"), new.get("additionalProperties")
        if isinstance(before, dict) and isinstance(after, dict):
            yield from self._schemas(f"{place}{{}}", before, after, is_request=is_request)
        yield from self._variants(place, old, new, is_request=is_request)

    def _types(self, place: str, old: Json, new: Json, *, is_request: bool) -> Iterator[Change]:
        before, after = _types_of(old), _types_of(new)
        if is_request and after and (not before or not before <= after):
            yield Change("request-type-narrowed", place, f"{_list(before)} → {_list(after)}")
        if not is_request and before and (not after or not after <= before):
            yield Change("response-type-widened", place, f"{_list(before)} → {_list(after)}")
        if old.get("format") != new.get("format") and (new.get("format") if is_request else old.get("format")):
            yield Change("format-changed", place, f"{old.get('format')} → {new.get('format')}")

    def _values(self, place: str, old: Json, new: Json, *, is_request: bool) -> Iterator[Change]:
        before, after = _values_of(old), _values_of(new)
        if is_request and after is not None and (gone := [each for each in before or ["any"] if each not in after]):
            yield Change("request-value-removed", place, _list(gone))
        if (
            not is_request
            and before is not None
            and (more := [each for each in after or ["any"] if each not in before])
        ):
            yield Change("response-value-added", place, _list(more))

    def _limits(self, place: str, old: Json, new: Json) -> Iterator[Change]:
        for name, direction in _LIMITS.items():
            if name in new and (name not in old or (new[name] - old[name]) * direction > 0):
                yield Change(f"request-{name}-narrowed", place, f"{old.get(name, 'none')} → {new[name]}")
        if "pattern" in new and old.get("pattern") != new["pattern"]:
            yield Change("request-pattern-changed", place, f"{old.get('pattern')} → {new['pattern']}")
        if new.get("uniqueItems") and not old.get("uniqueItems"):
            yield Change("request-duplicates-refused", place, "items must be unique")

    def _properties(self, place: str, old: Json, new: Json, *, is_request: bool) -> Iterator[Change]:
        before, after = old.get("properties", {}), new.get("properties", {})
        for name, schema in before.items():
            at = f"{place}.{name}"
            if name in after:
                if is_request:
                    yield from self._default(at, _resolved(self.old, schema), _resolved(self.new, after[name]))
                yield from self._schemas(at, schema, after[name], is_request=is_request)
            elif not is_request:
                yield Change("response-field-removed", at, "responses have it no more")
            elif new.get("additionalProperties") is False:
                yield Change("request-field-removed", at, "requests with it are rejected")
        yield from self._required(place, old, new, is_request=is_request)

    def _required(self, place: str, old: Json, new: Json, *, is_request: bool) -> Iterator[Change]:
        before, after = set(old.get("required", ())), set(new.get("required", ()))
        if is_request:
            for name in sorted(after - before):
                yield Change("request-field-required", f"{place}.{name}", "requests without it are rejected")
        else:
            for name in sorted((before - after) & new.get("properties", {}).keys()):
                yield Change("response-field-optional", f"{place}.{name}", "responses can be without it")

    def _variants(self, place: str, old: Json, new: Json, *, is_request: bool) -> Iterator[Change]:
        for union in _UNIONS:
            before, after = (_named(document, schema, union) for document, schema in ((self.old, old), (self.new, new)))
            if not before and not after:
                continue
            for name in sorted(before.keys() & after.keys()):
                yield from self._schemas(f"{place}<{name}>", before[name], after[name], is_request=is_request)
            if is_request and before:
                for name in sorted(before.keys() - after.keys()):
                    yield Change("request-variant-removed", place, name)
            elif not is_request and after and "discriminator" not in old:
                for name in sorted(after.keys() - before.keys()):
                    yield Change("response-variant-added", place, name)


def _operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    for path, item in document["paths"].items():
        for method in _METHODS:
            if method in item:
                yield path, method, item[method]


def _resolved(document: Json, schema: Json) -> Json:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _types_of(schema: Json) -> set[str]:
    types = schema.get("type", ())
    return {types} if isinstance(types, str) else set(types)


def _values_of(schema: Json) -> Sequence[Any] | None:
    return [schema["const"]] if "const" in schema else schema.get("enum")


def _named(document: Json, schema: Json, union: str) -> Mapping[str, Json]:
    """Return the variants of a union, by the name of the schema, by the constant ``type`` in it, or by its place."""
    names: dict[str, Json] = {}
    for place, variant in enumerate(schema.get(union, ())):
        constant = _resolved(document, variant).get("properties", {}).get("type", {}).get("const")
        name = constant or variant.get("$ref", "").rpartition("/")[2] or _list(sorted(_types_of(variant))) or str(place)
        names[name if name not in names else f"{name} {place}"] = variant
    return names


def _list(values: object) -> str:
    return ", ".join(map(str, values)) if isinstance(values, (list, set, tuple)) else str(values)


def main() -> None:
    """Print the changes that break clients of each released document; exit with 1 if there are any."""
    given = [Path(argument) for argument in sys.argv[1:]]
    new = _read(given[1] if given[1:] else _CURRENT)
    olds = given[:1] or sorted(_RELEASED.glob("*.yaml"))
    changes = [(old, change) for old in olds for change in breaking(_read(old), new)]
    for old, change in changes:
        sys.stdout.write(f"{old.stem}: {change.kind}: {change.place}: {change.what}\n")
    if changes:
        sys.exit(1)
    sys.stdout.write(f"compared with {len(olds)} released documents: no change breaks a client\n")


def _read(path: Path) -> Json:
    document: Json = yaml.load(path.read_text(), yaml.CSafeLoader)
    return document


if __name__ == "__main__":
    main()
