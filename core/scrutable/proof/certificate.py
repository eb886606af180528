"""A certificate: what each engine made of a model, row by row, beside what the model says."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from scrutable.data.frames.same_kind import rows_like
from scrutable.errors import InputError
from scrutable.model import Evidence, Model, fingerprint
from scrutable.model.evaluator import OutputFrame, evaluate, results
from scrutable.model.program import lowered
from scrutable.plugins.bases import Exporter
from scrutable.plugins.bases.answers import engine_of, exported, held_by, run_by
from scrutable.plugins.libraries import version_of
from scrutable.plugins.origins import Origin
from scrutable.plugins.registry import registry
from scrutable.proof.comparison import ColumnCheck, compare
from scrutable.proof.engine_identity import sha256, witnessed
from scrutable.proof.rows import VerificationRows, alone, edge_values

#: Libraries whose versions a certificate names besides the engines'.
_LIBRARIES = ("scrutable", "numpy", "pandas", "pyarrow")
#: Without these a result says nothing.
_NEEDED = {"score", "approved"}


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRun:
    """An export, run in one engine.

    Parameters
    ----------
    engine : its name and version; what the exporter says of it, where it is not attested.
    attested : whether Scrutable asked the engine itself, over the connection that then ran an exported file.
    exporter : class of the exporter, with its module.
    distribution, version : of the exporter; empty where its class came with none.
    files : SHA-256 of each exported file, by name.
    n_rows : rows that were compared.
    excluded_rows : rows that the engine cannot hold and that were left out.
    excluded : what these are, in words.
    columns : what was compared.
    edge_values, edge_values_held : how many different edge values the rows have, and how many of them were compared.
    not_exported : columns of the model's results that the options leave out.
    subject : what ran, where that is no export: what is deployed, or a script that others ran.
    returned : whether the engine's name and all that was seen are the word of whoever ran a script and gave its result
        back; nobody else was there.
    """

    engine: str
    attested: bool
    exporter: str
    distribution: str
    version: str
    files: Mapping[str, str]
    n_rows: int
    excluded_rows: int
    excluded: str
    columns: tuple[ColumnCheck, ...]
    edge_values: int
    edge_values_held: int
    not_exported: tuple[str, ...] = ()
    subject: str = ""
    returned: bool = False

    @property
    def title(self) -> str:
        """The engine, that only the exporter or a returned result says so where that is the case, and what ran."""
        whose = "" if self.attested else ", as returned" if self.returned else ", unattested"
        return f"{self.engine}{whose}{f': {self.subject}' if self.subject else ''}"

    @property
    def passed(self) -> bool:
        """Whether rows were compared and nothing differed in any of them."""
        return self.n_rows > 0 and not any(check.differing for check in self.columns)

    @property
    def ulp(self) -> int:
        """The largest distance of two probabilities, in units of the last place."""
        return max((check.ulp for check in self.columns), default=0)

    def differing(self) -> dict[str, int]:
        """The number of values that differ, by what they are: score, points, decision and so on."""
        counts: dict[str, int] = {}
        for check in self.columns:
            counts[check.what] = counts.get(check.what, 0) + check.differing
        return counts


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Certificate:
    """What was verified of a model, on which rows, in which engines, with what outcome.

    Parameters
    ----------
    model_sha256 : fingerprint of the model.
    model_kind : "scorecard", "regression-scorecard", "rule-set" or "tree-ensemble".
    target : what the model decides about.
    rows : counts of rows by where they come from, and the seed of the draws.
    data_sha256 : of the data file the rows come from, if any.
    runs : one an engine.
    versions : of this project and the libraries it computes with.
    issued : the date, in words; empty for the same bytes on any day.
    """

    model_sha256: str
    model_kind: str
    target: str
    rows: Mapping[str, int]
    data_sha256: str | None
    runs: tuple[EngineRun, ...]
    versions: Mapping[str, str]
    issued: str = ""

    @property
    def passed(self) -> bool:
        """Whether every engine gave what the model says."""
        return bool(self.runs) and all(run.passed for run in self.runs)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, with the outcome of each engine beside its counts."""
        told = asdict(self)
        for run, plain in zip(self.runs, told["runs"], strict=True):
            plain |= {"passed": run.passed, "differing": run.differing(), "probability_ulp": run.ulp}
        return {"passed": self.passed, **told}

    def frame(self) -> Any:
        """A row for each engine: rows compared and left out, values that differ by what they are, and the outcome."""
        return rows_like(
            {
                "engine": run.title,
                "rows": run.n_rows,
                "left_out": run.excluded_rows,
                **run.differing(),
                "ulp": run.ulp,
                "passed": run.passed,
            }
            for run in self.runs
        )

    def __repr__(self) -> str:
        engines = ", ".join(f"{run.title} {'passed' if run.passed else 'FAILED'}" for run in self.runs)
        return f"Certificate({self.model_kind} {self.model_sha256[:12]}: {engines})"


def certify(
    model: Model,
    exporters: Sequence[Exporter],
    rows: VerificationRows,
    *,
    evidence: Evidence | None = None,
    data_sha256: str | None = None,
    issued: str = "",
) -> Certificate:
    """Export the model, run the exports in their engines on the rows, and compare with the evaluator.

    Raises
    ------
    UnsupportedModel : an exporter cannot reproduce the model exactly.
    PluginError : an engine is not there.
    InputError : no exporter is given.

    Examples
    --------
    >>> from scrutable.proof import certify, exporter_at, verification_rows
    >>> from scrutable.model import *
    >>> young = Rule(when=(Clause("age", (Interval(upper=21),)),), outcome=0)
    >>> rules = RuleSet(outcome=Outcome(classes=(0, 1), favourable=1), features=(Feature(name="age", kind="numeric"),),
    ...     rules=(young,), fallback=(Rule(when=(), outcome=1),))
    >>> certificate = certify(rules, [exporter_at("sqlite")], verification_rows(rules, n_random=100))
    >>> certificate.passed, certificate.runs[0].differing()["score"]
    (True, 0)
    """
    if not exporters:
        raise InputError("nothing to run the model in", where="engines", fix="name one, for example duckdb")
    if not model.features:
        raise InputError("the model reads no column, so there is nothing to compare", where="model", got=repr(model))
    ours = evaluate(model, rows.frame).frame()
    runs = tuple(_run(model, exporter, ours, rows, evidence) for exporter in exporters)
    counts = {"edge": rows.edge, "drawn": rows.drawn, "data": rows.data, "seed": rows.seed}
    return certificate_of(model, runs, counts, data_sha256=data_sha256, issued=issued)


def certificate_of(
    model: Model,
    runs: Sequence[EngineRun],
    rows: Mapping[str, int],
    *,
    data_sha256: str | None = None,
    issued: str = "",
) -> Certificate:
    """The certificate of what was seen of a model.

    Parameters
    ----------
    rows : how many are of edge values (`edge`), of draws (`drawn`) and of `data`, and the `seed` of the draws.
    """
    return Certificate(
        model_sha256=fingerprint(model),
        model_kind=model.kind,
        target=model.outcome.target,
        rows=rows,
        data_sha256=data_sha256,
        runs=tuple(runs),
        versions={"python": platform.python_version(), **{name: version_of(name) for name in _LIBRARIES}},
        issued=issued,
    )


def _run(
    model: Model, exporter: Exporter, ours: OutputFrame, rows: VerificationRows, evidence: Evidence | None
) -> EngineRun:
    export = exported(exporter, model, evidence=evidence)
    held = np.flatnonzero(held_by(exporter, export, rows.frame))
    kept, mine = rows.frame.iloc[held], {name: values[held] for name, values in ours.items()}
    if len(held) < len(rows.frame):
        more = alone(rows.frame, held, lambda frame: held_by(exporter, export, frame))
        if len(more):
            kept, added = pd.concat([kept, more]), evaluate(model, more).frame()
            mine = {name: np.concatenate([values, added[name]]) for name, values in mine.items()}
    wanted = set(mine) if export.results is None else set(export.results) | _NEEDED
    asked = [name for name in lowered(model, words=False).on_request if name in wanted]
    mine |= results(model, kept, asked) if asked and len(kept) else {}
    places = np.concatenate([held, len(rows.frame) + np.arange(len(kept) - len(held))])
    files = {name: sha256(content) for name, content in export.files.items()}
    with witnessed() as witness:
        theirs = run_by(exporter, export, kept)
    attested, ran = witness.engine_of(files.values()), type(exporter)
    origin = registry().origin_of_class(ran) or Origin()
    return EngineRun(
        engine=engine_of(exporter) if attested is None else attested,
        attested=attested is not None,
        exporter=f"{ran.__module__}.{ran.__qualname__}",
        distribution=origin.distribution,
        version=origin.version,
        files=files,
        n_rows=len(kept),
        excluded_rows=len(rows.frame) - len(held),
        excluded=export.excluded,
        columns=compare(OutputFrame({name: mine[name] for name in mine if name in wanted}), theirs, places),
        edge_values=edge_values(rows.frame),
        edge_values_held=edge_values(kept),
        not_exported=tuple(name for name in mine if name not in wanted),
    )
