"""What stands at the top of an exported file: what the model predicts, how it decides, and its fingerprint."""

from __future__ import annotations

from scrutable.data.values import UNIT
from scrutable.model import Model, RegressionScorecard, RuleSet, SegmentedModel, exception_in_words, fingerprint
from scrutable.model.contents import routing_in_words
from scrutable.model.rulesets import deciding_sentence


def heading_lines(model: Model) -> list[str]:
    """The heading of an export, as plain texts: whoever writes them into a file quotes them.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> for line in heading_lines(models_named()["stumps"]):
    ...     print(line.partition(": ")[0])
    Tree ensemble for 'outcome', favourable class 'good'.
    Approved is 1 where the score is at least 0.09999999962747097 and no knock-out applies.
    Model fingerprint (SHA-256)
    """
    lines = subject_lines(model)
    decision = decision_line(model)
    return [*lines, *([decision] if decision else []), f"Model fingerprint (SHA-256): {fingerprint(model)}"]


def decision_line(model: Model) -> str:
    """When the model approves; empty for models that decide otherwise, or nothing.

    >>> from scrutable.testing.contract.examples.models import models_named
    >>> decision_line(models_named()["stumps"])
    'Approved is 1 where the score is at least 0.09999999962747097 and no knock-out applies.'
    """
    if isinstance(model, SegmentedModel | RegressionScorecard) or model.cutoff is None:
        return ""
    least = ", the least difference," if isinstance(model, RuleSet) and model.cutoff == UNIT else ""
    exception = exception_in_words(model)
    return f"Approved is 1 where the score is at least {model.cutoff!r}{least} and no knock-out applies{exception}."


def kind_in_words(model: Model) -> str:
    """The kind of a model, as a heading begins.

    >>> from scrutable.testing.contract.examples.models import models_named
    >>> kind_in_words(models_named()["rule-set"]), kind_in_words(models_named()["segmented-model"])
    ('Rule set', 'Segments, each with a model of its own,')
    """
    if isinstance(model, SegmentedModel):
        return "Segments, each with a model of its own,"
    return model.kind.replace("-", " ").capitalize()


def subject_lines(model: Model) -> list[str]:
    """What the model predicts: its outcome, how votes decide, who belongs to which segment, and more than two classes.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> subject_lines(models_named()["regression-scorecard"])
    ["Regression scorecard for 'outcome': the score is the prediction."]
    """
    kind = kind_in_words(model)
    if isinstance(model, RegressionScorecard):
        return [f"{kind} for {model.outcome.title!r}: the score is the prediction."]
    outcome = model.outcome
    lines = [f"{kind} for {outcome.target!r}, favourable class {outcome.favourable!r}."]
    if isinstance(model, RuleSet):
        lines.append(f"Votes decide: {deciding_sentence(model)}.")
    if isinstance(model, SegmentedModel):
        lines += routing_in_words(model)
    if not outcome.binary:
        lines += [f"Class {i}: {label!r}." for i, label in enumerate(outcome.classes)]
    return lines
