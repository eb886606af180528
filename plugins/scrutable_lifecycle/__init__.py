"""Plugin: the commands of a model's life, from the first fit to years of decisions."""

from __future__ import annotations

from scrutable.plugins import Command, hookimpl


@hookimpl
def scrutable_commands() -> list[Command]:
    """What is done with a model while it is made, chosen, used and watched."""
    return [
        Command(
            name="demo",
            path="scrutable_lifecycle.commands.demo:demo",
            summary="German credit, end to end, in under a minute.",
            order=10,
        ),
        Command(
            name="fit",
            path="scrutable_lifecycle.commands.fit:fit",
            summary="Learn a model, and measure it on rows that it did not see.",
            order=20,
        ),
        Command(
            name="search",
            path="scrutable_lifecycle.commands.search:search",
            summary="Search for a less discriminatory alternative.",
            order=60,
        ),
        Command(
            name="compare",
            path="scrutable_lifecycle.commands.compare:compare",
            summary="Compare a champion with challengers by accuracy, calibration, decisions and groups, and pick one.",
            order=70,
        ),
        Command(
            name="validate",
            path="scrutable_lifecycle.commands.validate:validate",
            summary="Measure separation, calibration, disparity and stability of a model, each with its interval.",
            order=180,
        ),
        Command(
            name="calibrate",
            path="scrutable_lifecycle.commands.calibrate:calibrate",
            summary="Refit the probability of default that a model's score stands for, on applicants with known "
            "outcomes.",
            order=190,
        ),
        Command(
            name="rescale",
            path="scrutable_lifecycle.commands.rescale:rescale",
            summary="Put the points of a scorecard on another scale, so that its score means exactly the odds "
            "declared.",
            order=200,
        ),
        Command(
            name="monitor",
            path="scrutable_lifecycle.commands.monitor:monitor",
            summary="Compare new applicants with a baseline, and raise an alert where something drifted.",
            order=210,
        ),
        Command(
            name="strategy",
            path="scrutable_lifecycle.commands.strategy:strategy",
            summary="Score bands and gains, a cutoff, the swap set against the champion, the effect of rounding.",
            order=230,
        ),
        Command(
            name="bands",
            group="strategy",
            path="scrutable_lifecycle.commands.strategy.bands:bands",
            summary="Count applicants by score band: outcomes, odds, what a cutoff there would mean, gains and KS.",
            order=10,
        ),
        Command(
            name="cutoff",
            group="strategy",
            path="scrutable_lifecycle.commands.strategy.cutoff:cutoff",
            summary="Choose the cutoff for one aim, and show what it means beside the one the model has.",
            order=20,
        ),
        Command(
            name="swap",
            group="strategy",
            path="scrutable_lifecycle.commands.strategy.swap:swap",
            summary="Compare the decisions of two models on the same applicants, overall and by group.",
            order=30,
        ),
        Command(
            name="rounding",
            group="strategy",
            path="scrutable_lifecycle.commands.strategy.rounding:rounding",
            summary="Round the points of a scorecard, and show what that does to its ranking, its decisions and its "
            "groups.",
            order=40,
        ),
    ]
