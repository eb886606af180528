"""Plugin `shell`: the commands that the core brings itself."""

from __future__ import annotations

from scrutable.component import Command
from scrutable.hookspecs import hookimpl


@hookimpl
def scrutable_commands() -> list[Command]:
    """What is done with models, whatever made them, and with plugins."""
    return [
        Command(
            name="demo",
            path="scrutable.cli.commands.demo:demo",
            summary="German credit, end to end, in under a minute.",
            order=10,
        ),
        Command(
            name="fit",
            path="scrutable.cli.commands.fit:fit",
            summary="Learn a model, and measure it on rows that it did not see.",
            order=20,
        ),
        Command(
            name="bins",
            path="scrutable.cli.commands.bins:bins",
            summary="Show binning tables: how many applicants each attribute has, its bad rate, WoE and information "
            "value.",
            order=40,
        ),
        Command(
            name="review",
            path="scrutable.cli.commands.review:review",
            summary="Review bins in the browser: see what each tells, move and merge them, and say why.",
            order=50,
        ),
        Command(
            name="search",
            path="scrutable.cli.commands.search:search",
            summary="Search for a less discriminatory alternative.",
            order=60,
        ),
        Command(
            name="compare",
            path="scrutable.cli.commands.compare:compare",
            summary="Compare a champion with its challengers, and pick one.",
            order=70,
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
            name="verify",
            path="scrutable.cli.commands.verify:verify",
            summary="Run the exported model in a real engine, row by row beside the model itself, and certify what "
            "was seen.",
            order=170,
        ),
        Command(
            name="validate",
            path="scrutable.cli.commands.validate:validate",
            summary="Measure separation, calibration, disparity and stability of a model, each with its interval.",
            order=180,
        ),
        Command(
            name="calibrate",
            path="scrutable.cli.commands.calibrate:calibrate",
            summary="Refit the probability of default that a model's score stands for, on applicants with known "
            "outcomes.",
            order=190,
        ),
        Command(
            name="rescale",
            path="scrutable.cli.commands.rescale:rescale",
            summary="Put the points of a scorecard on another scale, so that its score means exactly the odds "
            "declared.",
            order=200,
        ),
        Command(
            name="monitor",
            path="scrutable.cli.commands.monitor:monitor",
            summary="Compare new applicants with a baseline, and raise an alert where something drifted.",
            order=210,
        ),
        Command(
            name="new",
            path="scrutable.cli.commands.new:new",
            summary="Write a plugin of your own: an installable package that works, and tests that hold it to the "
            "contract.",
            order=220,
        ),
        Command(
            name="strategy",
            path="scrutable.cli.commands.strategy:strategy",
            summary="Score bands and gains, a cutoff, the swap set against the champion, the effect of rounding.",
            order=230,
        ),
        Command(
            name="plugins",
            path="scrutable.cli.commands.plugins:plugins",
            summary="Binners, learners, constraints, explainers and exporters: list, show and check them.",
            order=240,
        ),
        Command(
            name="bands",
            group="strategy",
            path="scrutable.cli.commands.strategy.bands:bands",
            summary="Count applicants by score band: outcomes, odds, what a cutoff there would mean, gains and KS.",
            order=10,
        ),
        Command(
            name="cutoff",
            group="strategy",
            path="scrutable.cli.commands.strategy.cutoff:cutoff",
            summary="Choose the cutoff for one aim, and show what it means beside the one the model has.",
            order=20,
        ),
        Command(
            name="swap",
            group="strategy",
            path="scrutable.cli.commands.strategy.swap:swap",
            summary="Compare the decisions of two models on the same applicants, overall and by group.",
            order=30,
        ),
        Command(
            name="rounding",
            group="strategy",
            path="scrutable.cli.commands.strategy.rounding:rounding",
            summary="Round the points of a scorecard, and show what that does to its ranking, its decisions and its "
            "groups.",
            order=40,
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
