"""Write docs/plugins/signatures.md: `python docs/plugins/signatures.py`."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from scrutable.testing.public_names import FOR_PLUGINS, FOR_TESTS

PAGE = Path(__file__).with_suffix(".md")
_HEAD = """# Signatures of what plugins use

Every [public name](compatibility.md#public-names) with its signature and what it is, in a line.
`help(...)` of it tells the rest. Written by `make signatures`, and compared with the code by a test.
"""
_LONGEST = 400  # characters of a value
_TITLES = ("In plugins", "In tests of plugins, and programs beside them")


def page() -> str:
    """The text of the page."""
    parts = [_HEAD]
    for title, modules in zip(_TITLES, (FOR_PLUGINS, FOR_TESTS), strict=True):
        parts += [f"\n## {title}\n", *_of_facades(modules)]
    return "\n".join(parts) + "\n"


def _of_facades(modules: Iterable[str]) -> Iterator[str]:
    for module in modules:
        loaded = importlib.import_module(module)
        yield f"\n### `{module}`\n"
        for name in sorted(loaded.__all__):
            yield from _of_name(name, getattr(loaded, name))


def _of_name(name: str, value: Any) -> Iterator[str]:
    value = inspect.unwrap(value) if hasattr(value, "cache_info") else value  # what is kept once made
    if isinstance(value, type) and value.__module__.startswith("scrutable"):
        yield _line(name, _signature(value), value)
        for member, its in _members(value):
            is_property = isinstance(its, property)
            yield "  " + _line(f".{member}", "" if is_property else _signature(its), its)
    elif callable(value) and inspect.isroutine(value):
        yield _line(name, _signature(value), value)
    else:
        plain = getattr(value, "__module__", "") != "pluggy._hooks" and not hasattr(value, "project_name")
        yield (
            f"* `{name} = {_shown(value)}`{_help(value)}"
            if plain
            else f"* `@{name}`: marks a function as the implementation of a hook"
        )


def _members(cls: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties that a class of ours, or a base of it of ours, defines."""
    seen: dict[str, Any] = {}
    for base in cls.__mro__:
        if base.__module__.startswith("scrutable"):
            for name, value in vars(base).items():
                function = getattr(value, "__func__", value)
                if not name.startswith("_") and (inspect.isfunction(function) or isinstance(value, property)):
                    seen.setdefault(name, getattr(cls, name) if isinstance(value, classmethod) else value)
    return iter(seen.items())


def _line(name: str, signature: str, value: Any) -> str:
    said = (inspect.getdoc(value) or "").partition("\n")[0]
    return f"* `{name}{signature}`" + (f": {said}" if said else "")


def _signature(value: Any) -> str:
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)"
    parts: list[str] = []
    keywords = False
    for parameter in found.parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not keywords:
            keywords = True
            parts.append("*")
        keywords = keywords or parameter.kind is parameter.VAR_POSITIONAL
        parts.append(_parameter(parameter))
        if parameter.kind is parameter.POSITIONAL_ONLY:
            parts = [each for each in parts if each != "/"] + ["/"]
    told = isinstance(found.return_annotation, str)  # what a library made of it is no promise of ours
    returned = f" -> {found.return_annotation}" if told else ""
    return f"({', '.join(parts)}){'' if isinstance(value, type) else returned}"


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    text = stars + parameter.name
    if parameter.annotation is not parameter.empty:
        text += f": {_annotation(parameter.annotation)}"
    if parameter.default is not parameter.empty:
        text += f" = {_shown(parameter.default)}"
    return text


def _annotation(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _shown(value: Any) -> str:
    text = repr(value)
    if len(text) > _LONGEST and isinstance(value, Sequence):
        return f"({value[0]!r}, ...)  # {len(value)} of them"
    return "..." if len(text) > _LONGEST or text.startswith("<") or " object at 0x" in text else text


def _help(option: Any) -> str:
    """What a command says of an option that is shared."""
    texts = [each.help for each in getattr(option, "__metadata__", ()) if getattr(each, "help", None)]
    return "".join(f": {text}" for text in texts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
