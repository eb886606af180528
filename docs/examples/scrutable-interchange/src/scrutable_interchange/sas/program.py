"""The DATA step: a ladder for each characteristic, the score, and the reasons ranked by comparing."""

from __future__ import annotations

from collections.abc import Iterator

from scrutable.model import (
    Attribute,
    Calibration,
    Categories,
    Characteristic,
    Feature,
    Interval,
    Missing,
    Otherwise,
    ReasonPolicy,
    Scorecard,
    Special,
    fingerprint,
)

from scrutable_interchange.sas.conditions import conjunction, one_of
from scrutable_interchange.sas.lines import broken
from scrutable_interchange.sas.quoting import LONGEST_TEXT, comment, name, number, text


def program(scorecard: Scorecard, input_table: str, output_table: str) -> str:
    """The whole file."""
    features = {feature.name: feature for feature in scorecard.features}
    names = {feature: name(feature) for feature in features}
    policy = scorecard.reasons
    lines = [
        comment(f"Scorecard for {scorecard.outcome.target}. Model fingerprint (SHA-256): {fingerprint(scorecard)}"),
        comment("Made for SAS 9.4 and later on hosts with IEEE doubles; this file was run in no SAS."),
    ]
    if any(written.endswith("'n") for written in names.values()):
        lines.append("options validvarname=any;")
    lines += [f"data {output_table};", f"  set {input_table};", f"  length knock_out $ {LONGEST_TEXT};"]
    codes: dict[str, int] = {}
    if policy is not None:
        codes = {code: place for place, code in enumerate(policy.order, 1)}
        lines.append(f"  length {' '.join(f'reason_{rank}' for rank in _ranks(policy))} $ {LONGEST_TEXT};")
        lines += [f"  fall_{place} = 0; {comment(f'{code}: {policy.texts[code]}')}" for code, place in codes.items()]
    for position, item in enumerate(scorecard.characteristics, 1):
        lines += _ladder(position, item, features[item.feature], names[item.feature], policy, codes)
    lines += _knock_outs(scorecard, features)
    lines += _score(scorecard)
    if policy is not None:
        lines += _reasons(policy, codes)
        lines += _knock_out_first(policy, scorecard.cutoff)
    dropped = ["z_", *(f"fall_{place}" for place in codes.values()), *(["best_"] if codes else [])]
    lines += [f"  drop {' '.join(dropped)};", "run;"]
    return "\n".join(part for line in lines for part in broken(line)) + "\n"


def _ranks(policy: ReasonPolicy) -> range:
    return range(1, policy.k + 1)


def _ladder(
    position: int,
    item: Characteristic,
    feature: Feature,
    variable: str,
    policy: ReasonPolicy | None,
    codes: dict[str, int],
) -> Iterator[str]:
    """Missing first, since SAS sorts it below every number, then special codes, then the rest in order."""
    yield "  " + comment(feature.title)
    order = (Missing, Special, Interval, Categories, Otherwise)
    titled = zip(item.attributes, item.titles, strict=True)
    attributes = sorted(titled, key=lambda pair: order.index(type(pair[0].condition)))
    for index, (attribute, title) in enumerate(attributes):
        test = "" if index == len(attributes) - 1 else f"if {_test(attribute, feature, variable)} then "
        yield f"  {'else ' if index else ''}{test}do;"
        yield f"    points_{position} = {number(attribute.points)}; {comment(title)}"
        if policy is not None:
            short = policy.baselines[item.feature] - attribute.points
            place = codes[attribute.reason_code or policy.codes[item.feature]]
            if short > 0:
                yield f"    fall_{place} = max(fall_{place}, {number(short)});"
        yield "  end;"


def _test(attribute: Attribute, feature: Feature, variable: str) -> str:
    condition = attribute.condition
    if isinstance(condition, Missing):
        return f"missing({variable})"
    if isinstance(condition, Interval):  # what lies below its lower end was taken by those before it
        return f"{variable} < {number(condition.upper)}"
    if isinstance(condition, Special):
        return one_of(condition.codes, feature)
    assert isinstance(condition, Categories)  # Otherwise is last, and needs no test
    return one_of(condition.values, feature)


def _knock_outs(scorecard: Scorecard, features: dict[str, Feature]) -> Iterator[str]:
    """The code of the first rule that applies."""
    for index, rule in enumerate(scorecard.policy.knock_outs):
        when, code = conjunction(rule.when, features), text(rule.code, "knock-out")
        yield f"  {'else ' if index else ''}if {when} then knock_out = {code}; {comment(rule.reason)}"


def _score(scorecard: Scorecard) -> Iterator[str]:
    points = [f"points_{position}" for position in range(1, len(scorecard.characteristics) + 1)]
    yield f"  score = {' + '.join([number(scorecard.base_points), *points])};"
    yield from _probability(scorecard.calibration)
    yield f"  approved = (score >= {number(scorecard.cutoff)} and missing(knock_out));"


def _probability(calibration: Calibration) -> Iterator[str]:
    """In the order of operations that `Calibration` declares."""
    yield f"  z_ = {number(calibration.intercept)} + {number(calibration.slope)} * score;"
    if calibration.link == "identity":
        yield "  probability = min(1, max(0, z_));"
    else:
        yield "  z_ = min(36, max(-36, z_));"
        yield "  probability = 1 / (1 + exp(0 - z_));"


def _reasons(policy: ReasonPolicy, codes: dict[str, int]) -> Iterator[str]:
    """For each rank the greatest shortfall that is left; of equal ones the first in the policy's order."""
    falls = [f"fall_{place}" for place in codes.values()]
    for rank in _ranks(policy):
        yield f"  best_ = max(0, {', '.join(falls)});"
        yield "  if best_ > 0 then do;"
        yield f"    short_{rank} = best_;"
        for index, (code, place) in enumerate(codes.items()):
            given = f"reason_{rank} = {text(code, 'reason code')}; fall_{place} = 0;"
            yield f"    {'else ' if index else ''}if fall_{place} = best_ then do; {given} end;"
        yield "  end;"


def _knock_out_first(policy: ReasonPolicy, cutoff: float) -> Iterator[str]:
    """A knock-out comes before the other reasons, and stands alone where the score passed."""
    yield "  if not missing(knock_out) then do;"
    for rank in reversed(_ranks(policy)[1:]):
        yield f"    if score >= {number(cutoff)} then do; reason_{rank} = ' '; short_{rank} = .; end;"
        yield f"    else do; reason_{rank} = reason_{rank - 1}; short_{rank} = short_{rank - 1}; end;"
    yield "    reason_1 = knock_out; short_1 = .;"
    yield "  end;"
