"""Several models put together, and what that changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scrutable.model import Feature, Model, RegressionScorecard, SegmentedModel, fingerprint
from scrutable_segmented.combining import When, combine


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Combined:
    """A model of segments, and the reason codes that have other names in it than in the models it is made of.

    Parameters
    ----------
    model : the whole.
    renamed : old and new codes, by segment.
    """

    model: SegmentedModel
    renamed: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(cls, models: Mapping[str, Model], when: Mapping[str, When], *, features: Iterable[Feature] = ()) -> Combined:
        """Put models together; parameters and errors as in `combine`.

        Examples
        --------
        >>> from scrutable.testing.contract.examples.models import models_named
        >>> card = models_named()["scorecard"]
        >>> both = Combined.of({"young": card, "rest": card}, {"young": "age < 30"})
        >>> both
        Combined(young: age < 30; rest: everybody else)
        >>> both.frame()["name"].tolist()
        ['young', 'rest']
        """
        whole = combine(models, when, features=features)
        renamed = {each.name: _renamed(models[each.name], each.model) for each in whole.segments}
        return cls(model=whole, renamed={name: codes for name, codes in renamed.items() if codes})

    def frame(self) -> Any:
        """A row for each segment: its name, who belongs to it, its cutoff, and how many codes have other names."""
        from scrutable.data.frames import rows_like

        rows = self.to_dict()["segments"]
        return rows_like({**row, "renamed_codes": len(row["renamed_codes"])} for row in rows)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "model_sha256": fingerprint(self.model),
            "segments": [
                {
                    "name": each.name,
                    "when": each.describe(),
                    "cutoff": each.model.cutoff,
                    "renamed_codes": dict(self.renamed.get(each.name, {})),
                }
                for each in self.model.segments
            ],
        }

    def __repr__(self) -> str:
        return f"Combined({'; '.join(f'{each.name}: {each.describe()}' for each in self.model.segments)})"


def _renamed(before: Model, after: Model) -> dict[str, str]:
    """Old and new codes of a model, of reasons and of rules, where they differ."""
    old, new = ([*_codes(model)] for model in (before, after))
    return {code: other for code, other in zip(old, new, strict=True) if code != other}


def _codes(model: Model) -> Iterator[str]:
    if isinstance(model, RegressionScorecard | SegmentedModel):
        return
    yield from model.reasons.order if model.reasons else ()
    yield from (rule.code for rule in model.policy.rules)
