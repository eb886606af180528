"""The section on reason codes."""

from __future__ import annotations

from collections.abc import Iterator

from scrutable.model import ReasonPolicy, RegressionScorecard, Scorecard
from scrutable_documents.common.figures import largest, points
from scrutable_documents.common.sections import Block, Cell, Facts, Gap, Heading, Section, Table
from scrutable_documents.report.evaluated_model import Part, Subject
from scrutable_documents.report.script import SingleModel

#: Languages side by side in a table; more go into further tables, so that a page holds them.
_ACROSS = 3


def reasons(subject: Subject) -> Section:
    """How reasons are chosen, and the code, text in every language and baseline of each characteristic."""
    return Section("reasons", "Reasons of a decision", [block for part in subject.parts for block in _blocks(part)])


def _blocks(part: Part) -> Iterator[Block]:
    if part.segment:
        yield Heading(f"Segment {part.segment}")
    policy = None if isinstance(part.model, RegressionScorecard) else part.model.reasons
    if policy is None:
        yield Gap("The model holds no policy of choosing reasons.")
        return
    pairs = [
        ("Method", policy.method),
        ("Population of the baselines", policy.population or "not stated"),
        ("Reasons at most", str(policy.k)),
    ]
    if policy.inquiries:
        titles = _titles(part)
        pairs.append(("Features that count inquiries", ", ".join(titles[name] for name in policy.inquiries)))
    yield Facts(pairs)
    yield _codes(part, policy)
    yield from _translations(part, policy)


def _titles(part: Part) -> dict[str, str]:
    return {feature.name: feature.title for feature in part.model.features}


def _codes(part: Part, policy: ReasonPolicy) -> Table:
    """Features by their codes in the order that settles ties, so that those with the same code stand together."""
    titles, every = _titles(part), list(policy.baselines.values())
    places = {code: place for place, code in enumerate(policy.order)}
    scale = largest([*every, *_points(part.model)])
    rows = []
    for name, code in sorted(_carried(part.model, policy), key=lambda pair: (places[pair[1]], titles[pair[0]])):
        baseline = points(policy.baselines[name], every, scale) if name in policy.baselines else ""
        rows.append([code, policy.texts[code], titles[name], baseline])
    headers = ("Code", "Text", "Feature", "Baseline points")
    return Table(caption=part.titled("Codes"), headers=headers, rows=rows, numbers=frozenset({3}))


def _translations(part: Part, policy: ReasonPolicy) -> Iterator[Table]:
    """Texts of every code, those of knock-outs first, in every language."""
    assert not isinstance(part.model, RegressionScorecard)
    own = {rule.code: rule.reason for rule in part.model.policy.knock_outs} | {
        code: policy.texts[code] for code in policy.order
    }
    for start in range(0, len(policy.languages), _ACROSS):
        shown = policy.languages[start : start + _ACROSS]
        rows: list[list[Cell]] = [
            [code, text, *(policy.words(code, language) for language in shown)] for code, text in own.items()
        ]
        caption = part.titled("Texts in every language")
        yield Table(caption=caption, headers=("Code", "Own text", *shown), rows=rows)


def _points(model: SingleModel) -> list[float]:
    if not isinstance(model, Scorecard):
        return []
    return [attribute.points for each in model.characteristics for attribute in each.attributes]


def _carried(model: SingleModel, policy: ReasonPolicy) -> Iterator[tuple[str, str]]:
    """Each feature that can be a reason, with each of its codes."""
    yield from policy.codes.items()
    if isinstance(model, Scorecard):
        for characteristic in model.characteristics:
            own = dict.fromkeys(each.reason_code for each in characteristic.attributes if each.reason_code)
            yield from ((characteristic.feature, code) for code in own if code != policy.codes[characteristic.feature])
