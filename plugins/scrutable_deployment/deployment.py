"""What a deployment is to do, or did: statements, each with what it does in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scrutable.data.frames import rows_like
from scrutable.plugins import one_line
from scrutable_deployment.names import Named, spoken


@dataclass(frozen=True, slots=True)
class Step:
    """A statement, and what it does in words."""

    text: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Deployment:
    """What is to be done, or was done.

    Parameters
    ----------
    name : the view that others read.
    version : the number of the version.
    steps : none where all is as it should be.
    transactional : whether they happen together or not at all; else each is whole by itself.
    ran : whether they were run.
    warnings : what is unusual about the table's rows, in counts, and about views that are made anew.
    """

    name: Named
    version: int
    steps: tuple[Step, ...]
    transactional: bool
    ran: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The statements as one script."""
        if not self.steps:
            return f"-- version {self.version} is there already: nothing to do\n"
        steps = "".join(f"-- {one_line(step.about)}\n{step.text.rstrip().rstrip(';')};\n" for step in self.steps)
        return f"BEGIN;\n{steps}COMMIT;\n" if self.transactional else steps

    @property
    def statement(self) -> str | None:
        """What makes the version's view, as `scrutable export` writes it; None where the version is there already."""
        return made_by(self.version, self.steps)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "name": spoken(self.name),
            "version": self.version,
            "ran": self.ran,
            "warnings": list(self.warnings),
            "steps": [{"about": step.about, "text": step.text} for step in self.steps],
        }

    def frame(self) -> Any:
        """A row for each statement."""
        return rows_like({"about": step.about, "text": step.text} for step in self.steps)

    def __repr__(self) -> str:
        what = "ran" if self.ran else "to run"
        return f"Deployment(version {self.version} of {spoken(self.name)}, {len(self.steps)} statements {what})"


def made_by(version: int, steps: Sequence[Step]) -> str | None:
    """What makes the view of a version among some steps; None where it is none of them."""
    return next((step.text for step in steps if step.about == about_version(version)), None)


def about_version(version: int) -> str:
    """What the making of a version is called.

    >>> about_version(3)
    'version 3'
    """
    return f"version {version}"
