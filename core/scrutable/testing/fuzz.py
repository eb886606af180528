"""Random models on random rows in every engine: `python -m scrutable.testing.fuzz --seed 7`, or `make fuzz SEED=7`.

Whatever differs is told with the options that give it again, and the model is kept as a file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from scrutable.errors import UnsupportedModel
from scrutable.model import Model, dump
from scrutable.model.codec import tag
from scrutable.plugins.bases import Exporter
from scrutable.proof import certify, verification_rows
from scrutable.proof.certificate import EngineRun
from scrutable.testing.engines import exporters_here
from scrutable.testing.strategies import regression_scorecards, rule_sets, scorecards, tree_ensembles
from scrutable.writing.files import make_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one engine made of one model; no run where the model was refused or the engine failed."""

    number: int
    engine: str
    model: Model
    run: EngineRun | None
    error: str = ""

    @property
    def differs(self) -> bool:
        """Whether any value is another than the model's, or there is none."""
        return bool(self.error) or (self.run is not None and any(self.run.differing().values()))

    def told(self, seed: int, models: int) -> str:
        """A difference in a line, with what gives it again."""
        counts = {} if self.run is None else self.run.differing()
        wrong = self.error or f"{ {what: count for what, count in counts.items() if count} } differ"
        again = f"--seed {seed} --models {models} --only {self.number} --engine {self.engine}"
        return f"model {self.number} ({tag(type(self.model))}), {self.engine}: {wrong}; again with {again}"


def drawn_models(n: int, seed_of: int) -> list[Model]:
    """n models: scorecards of both kinds, rule sets and tree ensembles; the same n and seed give the same ones.

    >>> drawn_models(3, 7) == drawn_models(3, 7)
    True
    """
    models: list[Model] = []

    @seed(seed_of)
    @settings(max_examples=n, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(scorecards() | rule_sets(2) | rule_sets(3) | tree_ensembles() | regression_scorecards())
    def collect(model: Model) -> None:
        models.append(model)

    collect()
    return models[:n]


def fuzz(
    exporters: dict[str, Exporter], models: int, seed: int, n_random: int, only: int | None = None
) -> Iterator[Finding]:
    """Every model in every engine, or only the model of a number; one finding each."""
    for number, model in enumerate(drawn_models(models, seed)):
        if not model.features or only not in (None, number):
            continue
        rows = verification_rows(model, n_random=n_random, seed=seed + number)
        for engine, exporter in exporters.items():
            try:
                (run,) = certify(model, [exporter], rows).runs
                yield Finding(number=number, engine=engine, model=model, run=run)
            except UnsupportedModel:
                yield Finding(number=number, engine=engine, model=model, run=None)
            except Exception as error:  # whatever an engine fails with is told with the seed
                yield Finding(number=number, engine=engine, model=model, run=None, error=repr(error)[:300])


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if anything differed, 2 if nothing ran or an engine that was asked for is not here."""
    parser = argparse.ArgumentParser(description="Random models on random rows in every engine.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--models", type=int, default=100, help="how many models")
    parser.add_argument("--only", type=int, help="the number of the one model to run")
    parser.add_argument("--rows", type=int, default=200, help="random rows of each model, besides every edge value")
    parser.add_argument(
        "--engine", action="append", help="a name or URL; repeatable; every engine that is here if none"
    )
    parser.add_argument("--keep", type=Path, default=Path("fuzz-findings"), help="folder for models that differ")
    chosen = parser.parse_args(arguments)
    with exporters_here(chosen.engine) as (exporters, absent):
        for engine, reason in absent.items():
            print(f"{engine} is not here: {reason}", file=sys.stderr)
        counts = {engine: dict.fromkeys(("models", "rows", "left out", "refused", "differ"), 0) for engine in exporters}
        for finding in fuzz(exporters, chosen.models, chosen.seed, chosen.rows, chosen.only):
            _count(finding, counts[finding.engine])
            if finding.differs:
                path = chosen.keep / f"seed-{chosen.seed}-model-{finding.number}.json"
                make_folder(chosen.keep)
                dump(finding.model, path, overwrite=True)
                print(f"{finding.told(chosen.seed, chosen.models)}; kept as {path}")
    for engine, count in counts.items():
        print(f"{engine}: " + ", ".join(f"{value:,} {what}" for what, value in count.items()))
    if any(count["differ"] for count in counts.values()):
        return 1
    return 2 if (chosen.engine and absent) or not any(count["models"] for count in counts.values()) else 0


def _count(finding: Finding, count: dict[str, int]) -> None:
    if finding.run is None:
        count["differ" if finding.error else "refused"] += 1
        return
    count["models"] += 1
    count["rows"] += finding.run.n_rows
    count["left out"] += finding.run.excluded_rows
    count["differ"] += finding.differs


if __name__ == "__main__":
    sys.exit(main())
