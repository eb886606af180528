"""Plugin: learner `segmented`."""

from __future__ import annotations

from scrutable.plugins import Command, Component, hookimpl


@hookimpl
def scrutable_learners() -> list[Component]:
    """A model for each segment."""
    return [
        Component(
            name="segmented",
            kind="learner",
            path="scrutable_segmented.learner:SegmentedClassifier",
            summary="A model of its own, with its own cutoff, for each segment of applicants",
            reference="Siddiqi (2006), Credit Risk Scorecards, chapter 4, on segmentation",
            produces=("segmented-model", "alternatives"),
            known_failures={"every-option-does-something: min_rows": "without segments there is none that is small"},
        )
    ]


@hookimpl
def scrutable_commands() -> list[Command]:
    """Segments found, and models put together."""
    return [
        Command(
            name="combine",
            path="scrutable_segmented.commands.combine:combine",
            summary="Put models together: each applicant gets the model of the first segment whose condition holds.",
            order=80,
        ),
        Command(
            name="segments",
            path="scrutable_segmented.commands.segments:segments",
            summary="Look for segments that are worth cards of their own, with what they gain on rows held out.",
            order=78,
        ),
    ]
