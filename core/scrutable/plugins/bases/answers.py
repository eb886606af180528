"""What components answer, checked where it comes in: a plugin that gives something else is named, and not Scrutable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError, PluginError, ScrutableError
from scrutable.model import Evidence, FrozenMapping, Model, ReasonPolicy
from scrutable.model.evaluator import OutputFrame
from scrutable.plugins.bases.component_names import advice_on, called
from scrutable.plugins.bases.explanation import Explanation
from scrutable.plugins.bases.exporter import Export, Exporter


class MakesPolicies(Protocol):
    """A component that makes reason policies, as explainers do."""

    def policy(self, model: Model, reference: Any, *, weight: Any = None) -> ReasonPolicy:
        """The reason policy of a model, with baselines of a reference."""


def exported(exporter: Exporter, model: Model, *, evidence: Evidence | None = None) -> Export:
    """The files of a model.

    Raises
    ------
    PluginError : `export` gives no `Export`, or one without files of texts or bytes.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.testing.cards import card
    >>> exported(create("exporter", "sql"), card()).frame()["file"].tolist()
    ['score.sql', 'score_check.sql', 'score_columns.sql']
    """
    made = exporter.export(model, evidence=evidence)
    if not isinstance(made, Export) or not made.files:
        _refuse(exporter, "export", made, "an Export with a file or more")
    wrong = [content for content in made.files.values() if not isinstance(content, str | bytes)]
    if wrong:
        _refuse(exporter, "export", wrong[0], "files that are texts or bytes")
    return made


def held_by(exporter: Exporter, export: Export, rows: Any) -> NDArray[np.bool_]:
    """(n,) rows that an engine can hold.

    Raises
    ------
    PluginError : `holds` gives something else.
    """
    held = np.asarray(exporter.holds(export, rows))
    if held.shape != (len(rows),) or held.dtype != bool:
        _refuse(exporter, "holds", f"{held.dtype} of shape {held.shape}", f"{len(rows)} booleans")
    return held


def run_by(exporter: Exporter, export: Export, rows: Any) -> OutputFrame:
    """The results of files in their engine.

    Raises
    ------
    PluginError : `run` gives no columns.
    """
    results = exporter.run(export, rows)
    if not (isinstance(results, Mapping) and results and all(hasattr(each, "__len__") for each in results.values())):
        _refuse(exporter, "run", results, "an OutputFrame: arrays of results by name")
    return results


def engine_of(exporter: Exporter) -> str:
    """The engine's name and version.

    Raises
    ------
    PluginError : `engine` gives no text.
    """
    name = exporter.engine()
    if not isinstance(name, str) or not name.strip():
        _refuse(exporter, "engine", name, "a name and version, for example 'DuckDB 1.4.1'")
    return name


def explained(explainer: object, explanations: Any, n_rows: int) -> list[Any]:
    """What `explain` gave for so many rows, as a list.

    Raises
    ------
    PluginError : it is no list of an explanation for each row, or one of them cannot be shown.
    """
    if not isinstance(explanations, list | tuple) or len(explanations) != n_rows:
        got = f"{len(explanations)} explanations" if isinstance(explanations, list | tuple) else explanations
        _refuse(explainer, "explain", got, f"a list of {n_rows} explanations, one for each row")
    wrong = [each for each in explanations if not isinstance(each, Explanation)]
    if wrong:
        _refuse(explainer, "explain", wrong[0], "explanations with approved, describe() and to_dict()")
    return list(explanations)


def policy_by(explainer: MakesPolicies, model: Model, reference: Any, *, weight: Any = None) -> ReasonPolicy:
    """The reason policy of an explainer; codes that the model's own policy has retired stay so.

    Raises
    ------
    InputError : without a reference the explainer fails in a way that says nothing of it.
    PluginError : `policy` gives something else.
    """
    try:
        policy = explainer.policy(model, reference, weight=weight)
    except Exception as error:
        if reference is not None or (isinstance(error, ScrutableError) and error.where is not None):
            raise
        raise InputError(
            f"{called(explainer)} makes no policy without applicants to take baselines from",
            where="reference",
            got=f"{type(error).__name__}: {error}",
            fix="name applicants, the declined among them",
        ) from error
    if not isinstance(policy, ReasonPolicy):
        _refuse(explainer, "policy", policy, "a ReasonPolicy")
    own = getattr(model, "reasons", None)
    return policy if own is None else replace(policy, retired=FrozenMapping({**own.retired, **policy.retired}))


def _refuse(component: object, method: str, got: object, wanted: str) -> NoReturn:
    shown = got if isinstance(got, str) else type(got).__name__
    raise PluginError(
        "it gives something else than it has to",
        where=called(component, method),
        got=shown,
        allowed=wanted,
        fix=advice_on(component),
    )
