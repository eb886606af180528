"""The published JSON Schema of model files, made from the same type hints that read and write them."""

from __future__ import annotations

import dataclasses
import json
import types
from typing import Annotated, Any, Literal, cast, get_args, get_origin

from scrutable.data.values import FrozenMapping
from scrutable.model.codec import fields_of, is_implied, is_json, is_required, members, tag
from scrutable.model.segments import Model
from scrutable.model.store import SCHEMA_VERSION

_SCALARS = {bool: "boolean", int: "integer", float: "number", str: "string", types.NoneType: "null"}


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of `model.json`.

    Files that fit the schema can still be refused by `load`, which also checks what a schema cannot say: gaps and
    overlaps between attributes, unknown features, sums of points too large to be exact.

    >>> sorted(json_schema()["$defs"])[:3]
    ['Adjustment', 'Attribute', 'Axis']
    """
    definitions: dict[str, Any] = {}
    kinds = [_document(member, definitions) for member in members(Model)]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Scrutable model, schema version {SCHEMA_VERSION}",
        "oneOf": kinds,
        "$defs": dict(sorted(definitions.items())),
    }


def _document(cls: type, definitions: dict[str, Any]) -> dict[str, Any]:
    """A whole file: the model's own object, its type and the schema version."""
    body = _object(cls, definitions)
    head = {"schema_version": {"enum": list(range(1, SCHEMA_VERSION + 1))}, "type": {"const": tag(cls)}}
    properties = {**head, "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, **body["properties"]}
    return {**body, "properties": properties, "required": [*head, *body["required"]]}


def _schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if is_json(hint):
        return {}
    options = members(hint)
    if len(options) > 1:
        ambiguous = sum(dataclasses.is_dataclass(option) for option in options) > 1
        return {"anyOf": [_tagged(o, definitions) if ambiguous else _schema(o, definitions) for o in options]}
    origin = get_origin(hint)
    if origin is Annotated:
        return {"anyOf": [{"type": "number"}, {"enum": ["inf", "-inf"]}]}
    if origin is Literal:
        return {"enum": list(get_args(hint))}
    if origin is tuple:
        return {"type": "array", "items": _schema(get_args(hint)[0], definitions)}
    if origin is FrozenMapping:
        return {"type": "object", "additionalProperties": _schema(get_args(hint)[0], definitions)}
    if dataclasses.is_dataclass(hint):
        return _reference(cast(type, hint), definitions)
    return {"type": _SCALARS[hint]}


def _reference(cls: type, definitions: dict[str, Any]) -> dict[str, Any]:
    if cls.__name__ not in definitions:
        definitions[cls.__name__] = {}  # holds the place while a class that refers to itself is written
        definitions[cls.__name__] = _object(cls, definitions)
    return {"$ref": f"#/$defs/{cls.__name__}"}


def _object(cls: type, definitions: dict[str, Any]) -> dict[str, Any]:
    known = fields_of(cls)
    return {
        "type": "object",
        "description": (cls.__doc__ or "").split("\n\n")[0].replace("\n    ", " "),
        "properties": {key: _schema(hint, definitions) for key, (hint, _) in known.items()},
        "required": [key for key, (_, field) in known.items() if is_required(field)],
        "additionalProperties": False,
    }


def _tagged(cls: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """A class among others: the `type` key says that it is meant, unless that is implied."""
    if not dataclasses.is_dataclass(cls) or is_implied(cast(type, cls)):
        return _schema(cls, definitions)
    key = f"Tagged{cast(type, cls).__name__}"
    if key not in definitions:
        definitions[key] = {}
        schema = _object(cast(type, cls), definitions)
        schema["properties"] = {"type": {"const": tag(cast(type, cls))}, **schema["properties"]}
        schema["required"] = ["type", *schema["required"]]
        definitions[key] = schema
    return {"$ref": f"#/$defs/{key}"}


if __name__ == "__main__":
    print(json.dumps(json_schema(), indent=2))
