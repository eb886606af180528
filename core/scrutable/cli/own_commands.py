"""Plugin `shell`: the commands that the core brings itself."""

from __future__ import annotations

from scrutable.plugins.component import Command
from scrutable.plugins.hookspecs import hookimpl


@hookimpl
def scrutable_commands() -> list[Command]:
    """What is done with models, whatever made them, and with plugins."""
    return [
        Command(
            name="dictionary",
            path="scrutable.cli.commands.dictionary:dictionary",
            summary="Write a first data dictionary: role, type, range, special codes of each column, to be corrected.",
            order=15,
        ),
        Command(
            name="show",
            path="scrutable.cli.commands.show:show",
            summary="The points table of a scorecard, the rules of a rule set, or the questions of trees.",
            order=90,
        ),
        Command(
            name="plot",
            path="scrutable.cli.commands.plot:plot",
            summary="Draw how much each characteristic moves the score, and the points over its values; of a rule "
            "set the weights.",
            order=100,
        ),
        Command(
            name="score",
            path="scrutable.cli.commands.score:score",
            summary="Score, probability and decision for every applicant.",
            order=110,
        ),
        Command(
            name="explain",
            path="scrutable.cli.commands.explain:explain",
            summary="Why each applicant got the score and the decision; for a rule set, which rules voted for what.",
            order=120,
        ),
        Command(
            name="export",
            path="scrutable.cli.commands.export:export",
            summary="Write a model as files that another engine runs with the same results.",
            order=160,
        ),
        Command(
            name="new",
            path="scrutable.cli.commands.new:new",
            summary="Write a plugin of your own: an installable package that works, and tests that hold it to the "
            "contract.",
            order=220,
        ),
        Command(
            name="plugins",
            path="scrutable.cli.commands.plugins:plugins",
            summary="Binners, learners, constraints, explainers and exporters: list, show and check them.",
            order=240,
        ),
        Command(
            name="list",
            group="plugins",
            path="scrutable.cli.commands.plugins.listing:list_plugins",
            summary="List binners, learners, constraints, explainers and exporters, and plugins that failed.",
            order=10,
        ),
        Command(
            name="show",
            group="plugins",
            path="scrutable.cli.commands.plugins.show:show",
            summary="Show what a component does, needs and takes; its code is imported for that.",
            order=20,
        ),
        Command(
            name="check",
            group="plugins",
            path="scrutable.cli.commands.plugins.check:check",
            summary="Run the checks that every component of its kind has to pass; what fails comes with its reason "
            "and a hint.",
            order=30,
        ),
        Command(
            name="doctor",
            group="plugins",
            path="scrutable.cli.commands.plugins.doctor:doctor",
            summary="Look for plugins that fail or claim one name, libraries that are missing, and versions that "
            "clash.",
            order=40,
        ),
        Command(
            name="catalogue",
            group="plugins",
            path="scrutable.cli.commands.plugins.catalogue:catalogue",
            summary="Write the catalogue: name, kind, summary, reference, version, maintainer, and the last run of "
            "the checks.",
            order=50,
        ),
    ]
