"""A file of other software as a model, by the importer that is named, or the first that recognises it."""

from __future__ import annotations

import inspect
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

from scrutable import registry
from scrutable.errors import InputError, did_you_mean
from scrutable.plugins.bases import Imported, Importer
from scrutable.writing import AnyPath
from scrutable_points_table.tables import LAYOUTS, read_points_table

AUTO = "auto"


def import_model(source: AnyPath, *, layout: str = AUTO, **options: Any) -> Imported:
    """The model of a file of other software, and a report of what the file leaves open.

    Parameters
    ----------
    source : the file, such as a points table in .csv or .xlsx.
    layout : the importer, or `auto` for the first that recognises the file.
    options : of the importer, which has to take them; of points tables those of `ImportOptions`, and `sheet`.

    Raises
    ------
    InputError, PluginError : as `importer_for`; a file that says something which a model cannot reproduce exactly.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "card.csv")
    >>> rows = ("age,,25,,480", "age,25,,,530", "age,,,missing,500")
    >>> _ = path.write_text("\\n".join(("characteristic,lower,upper,attribute,points", *rows)))
    >>> made = import_model(path, cutoff=510)
    >>> made
    ImportedCard(Scorecard(1 characteristics, 3 attributes, cutoff 510), 5 findings)
    >>> made.frame()["kind"].tolist()
    ['assumption', 'assumption', 'assumption', 'assumption', 'note']
    """
    path = Path(source)
    return importer_for(path, options, layout=layout, given=options).read(path)


def importer_for(
    source: Path, options: Mapping[str, Any], *, layout: str = AUTO, given: Container[str] = ()
) -> Importer:
    """The importer of a file, with the options that it takes.

    Parameters
    ----------
    options : of all importers.
    layout : the importer, or `auto` for the first that recognises the file, ours before others.
    given : the options that are the user's own, which the importer has to take.

    Raises
    ------
    InputError : no such importer, one that does not take an option that is given, or a file that none recognises.
    PluginError : the importer's plugin cannot be used.
    """
    name = _recognising(source, options) if layout == AUTO else layout
    if name is None:
        read_points_table(source, **options)  # which says what is wrong with it
        raise InputError("no importer recognises it", where=f"file {str(source)!r}", fix="say which with layout")
    _check(name)
    importer = _made(name, options)
    taken = taken_by(importer)
    for option, value in options.items():
        if option in given and option not in taken:
            allowed = ", ".join(taken) or "no option"
            raise InputError(f"the importer {name!r} does not take it", where=option, got=value, allowed=allowed)
    return importer


def taken_by(importer: Importer) -> tuple[str, ...]:
    """The options that an importer takes."""
    return tuple(inspect.signature(type(importer)).parameters)


def importers() -> list[str]:
    """The names of all importers, ours first."""
    ours = [name for name in LAYOUTS if name in registry().names("importer")]
    return [*ours, *(name for name in registry().names("importer") if name not in ours)]


def _recognising(source: Path, options: Mapping[str, Any]) -> str | None:
    usable = [name for name in importers() if not registry().component("importer", name).absent]
    return next((name for name in usable if _made(name, options).recognises(source)), None)


def _check(name: str) -> None:
    """That there is an importer of a name."""
    if any(each.is_called(name) for each in registry().listings("importer")):
        return
    names = importers()
    raise registry().cause(name, "importer") or InputError(
        "unknown layout", where="layout", got=name, allowed=", ".join(names), fix=did_you_mean(name, names)
    )


def _made(name: str, options: Mapping[str, Any]) -> Importer:
    taken = inspect.signature(registry().load("importer", name)).parameters
    made: Importer = registry().create("importer", name, **{key: options[key] for key in options if key in taken})
    return made
