"""The section on reason codes."""

from __future__ import annotations

from collections.abc import Iterator

from scrutable.model import ReasonPolicy, RegressionScorecard, Scorecard, SingleModel
from scrutable_documents.common.figures import largest, points
from scrutable_documents.common.part import ModelPart, told_by_part
from scrutable_documents.common.sections import ACROSS, Block, Cell, Facts, Gap, Section, Table
from scrutable_documents.reason_document.choosing import facts
from scrutable_documents.report.subject import Subject

#: What is told of the policy; the document of reasons tells more.
_FACTS = ("Method", "Population of the baselines", "Reasons at most", "Features that count inquiries")


def reasons(subject: Subject) -> Section:
    """How reasons are chosen, and the code, text in every language and baseline of each characteristic."""
    return Section("reasons", "Reasons of a decision", told_by_part(subject.parts, _blocks))


def _blocks(part: ModelPart) -> Iterator[Block]:
    policy = part.policy
    if policy is None:
        yield Gap("The model holds no policy of choosing reasons.")
        return
    yield Facts([pair for pair in facts(part, policy) if pair[0] in _FACTS])
    yield _codes(part, policy)
    yield from _translations(part, policy)


def _codes(part: ModelPart, policy: ReasonPolicy) -> Table:
    """Features by their codes in the order that settles ties, so that those with the same code stand together."""
    titles, every = part.titles, list(policy.baselines.values())
    places = {code: place for place, code in enumerate(policy.order)}
    scale = largest([*every, *_points(part.model)])
    rows = []
    for name, code in sorted(_carried(part.model, policy), key=lambda pair: (places[pair[1]], titles[pair[0]])):
        baseline = points(policy.baselines[name], every, scale) if name in policy.baselines else ""
        rows.append([code, policy.texts[code], titles[name], baseline])
    headers = ("Code", "Text", "Feature", "Baseline points")
    return Table(caption=part.titled("Codes"), headers=headers, rows=rows, numbers=frozenset({3}))


def _translations(part: ModelPart, policy: ReasonPolicy) -> Iterator[Table]:
    """Texts of every code, those of rules first, in every language."""
    own = {rule.code: rule.reason for rule in part.rules} | {code: policy.texts[code] for code in policy.order}
    for start in range(0, len(policy.languages), ACROSS):
        shown = policy.languages[start : start + ACROSS]
        rows: list[list[Cell]] = [
            [code, text, *(policy.words(code, language) for language in shown)] for code, text in own.items()
        ]
        caption = part.titled("Texts in every language")
        yield Table(caption=caption, headers=("Code", "Own text", *shown), rows=rows)


def _points(model: SingleModel | RegressionScorecard) -> list[float]:
    if not isinstance(model, Scorecard):
        return []
    cells = [cell for table in model.interactions for cell in table.cells]
    return [*(attribute.points for each in model.characteristics for attribute in each.attributes), *cells]


def _carried(model: SingleModel | RegressionScorecard, policy: ReasonPolicy) -> Iterator[tuple[str, str]]:
    """Each feature that can be a reason, with each of its codes."""
    yield from policy.codes.items()
    if isinstance(model, Scorecard):
        for characteristic in model.characteristics:
            own = dict.fromkeys(each.reason_code for each in characteristic.attributes if each.reason_code)
            yield from ((characteristic.feature, code) for code in own if code != policy.codes[characteristic.feature])
