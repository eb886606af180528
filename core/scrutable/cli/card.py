"""Models as tables that a person can read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from scrutable.cli.output import table
from scrutable.cli.terminal import line, lines
from scrutable.model import (
    Attribute,
    Characteristic,
    Interaction,
    Leaf,
    MeanStatistics,
    RegressionScorecard,
    RuleSet,
    Scorecard,
    Statistics,
    TreeEnsemble,
    titles_of,
)
from scrutable.model.rulesets import deciding_sentence, fallback_sentences, read_rules, rule_set_figures
from scrutable.model.rulesets.learned_rows import RuleSeen
from scrutable.model.trees import Node
from scrutable.writing import decimals_apart, points_in_words
from scrutable.writing.decimals import in_digits

#: What stands below such a table.
UNSEEN = "Left out: attributes that nobody had in training, where they are worth 0 points."


def scorecard_table(card: Scorecard | RegressionScorecard, most: int | None = None, file: str = "model.json") -> Table:
    """Characteristics, widest range of points first; all of them, or `most`, the others being in the file.

    Attributes that nobody had in training are in it where they hold points; see `UNSEEN`.
    """
    widest = sorted(card.characteristics, key=lambda c: c.points_range[0] - c.points_range[1])
    titles = {feature.name: feature.title for feature in card.features}
    low, high = card.score_range
    decimals = _decimals(card)
    base, lowest, highest = (points_in_words(each, decimals) for each in (card.base_points, low, high))
    cutoff, told = "", ["mean"]
    if isinstance(card, Scorecard):
        digits = decimals_apart([low, high, card.cutoff])
        cutoff, told = f", cutoff {card.cutoff:.{digits}f}", ["bad rate", "WoE"]
    title = f"Base points {base}{cutoff}, scores from {lowest} to {highest}"
    headers = ("characteristic", "attribute", "points", "applicants", *told)
    made = table(headers, [], title=title, right=range(2, len(headers)))
    made.title_style = ""
    for characteristic in widest[:most]:
        _add(made, characteristic, titles[characteristic.feature], decimals)
    if most is not None and len(widest) > most:
        made.caption = f"{len(widest) - most} further characteristics, with smaller ranges of points, in {file}"
        made.caption_justify = "left"
    return made


def interaction_table(interaction: Interaction, card: Scorecard | RegressionScorecard) -> Table:
    """The points of two features, one down and one across."""
    rows, columns = interaction.axes
    titles = titles_of(card)
    down, across = titles[rows.feature], titles[columns.feature]
    decimals = _decimals(card)
    points = ([points_in_words(cell, decimals, sign=True) for cell in row] for row in interaction.points)
    told = [[title, *row] for title, row in zip(rows.titles, points, strict=True)]
    headers = (down, *columns.titles)
    title = f"Points by {down} (down) and {across} (across)"
    made = table(headers, told, title=title, right=range(1, len(headers)))
    made.title_style = ""
    return made


def leaves_out(card: Scorecard | RegressionScorecard) -> bool:
    """Whether the table leaves any attribute out."""
    return not all(_shown(attribute) for each in card.characteristics for attribute in each.attributes)


def rules_summary(rules: RuleSet) -> Text:
    """How many rules there are, how long they are, and how their votes decide."""
    return line(f"{size_of_rules(rules)}; {deciding_sentence(rules)}")


def size_of_rules(rules: RuleSet) -> str:
    """How many rules there are, and how long they are.

    >>> from scrutable.model import Outcome, Rule
    >>> size_of_rules(RuleSet(outcome=Outcome(classes=(0, 1), favourable=1), features=(), rules=(),
    ...     fallback=(Rule(when=(), outcome=1),)))
    '0 rules'
    """
    figures = rule_set_figures(rules)
    length = "" if figures.average_length is None else f" of {figures.average_length:.2f} conditions on average"
    return f"{figures.rules} rules{length}"


def rules_table(rules: RuleSet, seen: Sequence[RuleSeen] = ()) -> Table:
    """Rules as sentences, heaviest first, each with its number, weight, share of all weights and length.

    Parameters
    ----------
    seen : what each rule did on the rows learned from, in the model's order; adds columns.
    """
    headers = ["", "rule", "weight", "share", "conditions"]
    rows = []
    for each in sorted(read_rules(rules), key=lambda each: -each.rule.weight):
        row = [each.number, each.sentence, f"{each.rule.weight:.6g}", f"{each.share:.1%}", each.length]
        if seen:
            measured = seen[each.number - 1]
            row += [_share(measured.coverage), _share(measured.precision)]
        rows.append(row)
    if seen:
        headers += ["coverage", "precision"]
    return table(headers, rows, right=range(2, len(headers)))


def fallback_text(rules: RuleSet) -> Text:
    """What decides where no rule applies: a class, or rules of which one always applies."""
    last = fallback_sentences(rules)
    if len(last) == 1:
        return line(f"Where no rule applies: {last[0]}")
    return lines(["Where no rule applies, one of these does:", *(f"  {sentence}" for sentence in last)])


def trees_text(trees: TreeEnsemble) -> Text:
    """Trees as indented questions, one leaf value a line."""
    titles = {feature.name: feature.title for feature in trees.features}
    questions = [f"Base score {in_digits(trees.base_score)}, cutoff {in_digits(trees.cutoff)}"]
    for position, tree in enumerate(trees.trees):
        questions += [f"Tree {position + 1}", *_lines(tree, titles, "  ")]
    return lines(questions)


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def _lines(node: Node, titles: dict[str, str], indent: str) -> Iterator[str]:
    if isinstance(node, Leaf):
        yield f"{indent}{node.value:+g}"
        return
    yield f"{indent}if {node.when.describe(titles[node.when.feature])}"
    yield from _lines(node.then, titles, indent + "  ")
    yield f"{indent}else"
    yield from _lines(node.otherwise, titles, indent + "  ")


def _decimals(card: Scorecard | RegressionScorecard) -> int | None:
    """Those that its points are declared to have."""
    return card.scaling.decimals if isinstance(card, Scorecard) and card.scaling is not None else None


def _add(made: Table, characteristic: Characteristic, title: str, decimals: int | None) -> None:
    for attribute, words in zip(characteristic.attributes, characteristic.titles, strict=True):
        if _shown(attribute):
            points = points_in_words(attribute.points, decimals, sign=True)
            made.add_row(title, words, points, *_facts(attribute.statistics))
            title = ""
    made.add_section()


def _shown(attribute: Attribute) -> bool:
    return attribute.statistics is None or attribute.statistics.count > 0 or attribute.points != 0


def _facts(seen: Statistics | MeanStatistics | None) -> tuple[str, ...]:
    """Share of the applicants, and what is known of their outcomes."""
    if seen is None:
        return ()
    told = (
        (in_digits(seen.mean, 4),)
        if isinstance(seen, MeanStatistics)
        else (f"{seen.bad_rate:.1%}", f"{round(seen.woe, 2) + 0.0:+.2f}")
    )
    return (f"{seen.share:.1%}", *told) if seen.count else ("none",)
