"""JPMML-Evaluator, in a Java virtual machine in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any

from scrutable.errors import PluginError

_INSTALL = "pip install 'scrutable-interchange[jpmml]'; it needs Java 11 or later"


def version() -> str:
    """Name and version, for example "JPMML-Evaluator 0.16.0" by the version of its Python package.

    Raises
    ------
    PluginError : the package or Java is not there.
    """
    _backend()
    return f"JPMML-Evaluator {metadata.version('jpmml-evaluator')}"


def evaluate(
    text: str, columns: Mapping[str, Sequence[Any]], n_rows: int, results: Sequence[str]
) -> dict[str, list[Any]]:
    """The named results of a PMML document on rows of doubles, texts and None, as Java objects.

    Rows go over one by one as Java maps, with no serialised Python objects on the way.

    Raises
    ------
    PluginError : the engine is not there, or stops with an error.
    """
    import jpype
    from jpmml_evaluator import make_evaluator

    backend = _backend()
    row_class = jpype.JClass("java.util.HashMap")
    found: dict[str, list[Any]] = {name: [] for name in results}
    try:
        evaluator = make_evaluator(text.encode("ascii"), backend=backend).javaEvaluator
        for i in range(n_rows):
            row = row_class()
            for name, values in columns.items():
                row.put(name, values[i])
            told = evaluator.evaluate(row)
            for name, its in found.items():
                its.append(told.get(name))
    except Exception as error:
        raise PluginError("JPMML-Evaluator stopped with an error", where="engine jpmml", got=str(error)) from error
    return found


def _backend() -> Any:
    try:
        from jpmml_evaluator import make_backend

        return make_backend("jpype")
    except ImportError as error:
        what, got = "JPMML-Evaluator is not installed", str(error)
    except Exception as error:  # JPype finds no Java, or one that does not start
        what, got = "Java does not start", str(error)
    raise PluginError(what, where="engine jpmml", got=got, fix=_INSTALL)
