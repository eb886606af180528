"""A model, and fifty ways in which what is deployed may come to differ from it."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from scrutable import create
from scrutable.model import (
    Attribute,
    Calibration,
    Categories,
    Characteristic,
    Clause,
    Feature,
    FrozenMapping,
    Interval,
    KnockOut,
    Missing,
    Otherwise,
    Outcome,
    Policy,
    ReasonPolicy,
    Scorecard,
    Special,
)

#: Doubles, and numbers of half the digits, as each dialect calls them.
KINDS = {
    "postgres": "DOUBLE PRECISION",
    "duckdb": "DOUBLE",
    "sqlite": "REAL",
    "mariadb": "DOUBLE",
    "clickhouse": "Nullable(Float64)",
}
SINGLE = {"postgres": "REAL", "duckdb": "FLOAT", "mariadb": "FLOAT", "clickhouse": "Nullable(Float32)"}


def model() -> Scorecard:
    """Numbers with cuts, missing values and a special code, a text, a knock-out and reasons."""
    age = _ladder("age", 25.0, 40.5, 60.0)
    coded = replace(age, attributes=(*age.attributes, Attribute(condition=Special((-9.0,)), points=3.0)))
    housing = [Attribute(condition=Categories((each,)), points=i) for i, each in enumerate(("own", "rent"), 1)]
    rest = [Attribute(condition=Otherwise(), points=0), Attribute(condition=Missing(), points=-5)]
    return Scorecard(
        outcome=Outcome(classes=("bad", "good"), favourable="good"),
        features=(
            Feature(name="age", kind="numeric", special_codes=(-9.0,)),
            Feature(name="income", kind="numeric"),
            Feature(name="housing", kind="categorical"),
        ),
        characteristics=(
            coded,
            _ladder("income", 0.1, 1000.0, 2500.75),
            Characteristic(feature="housing", attributes=(*housing, *rest)),
        ),
        base_points=500,
        cutoff=510,
        calibration=Calibration(slope=0.01, intercept=-5),
        policy=Policy(
            knock_outs=(KnockOut(code="K1", reason="under age", when=(Clause("age", (Interval(upper=18.0),)),)),)
        ),
        reasons=_reasons(10),
    )


def _ladder(name: str, *cuts: float) -> Characteristic:
    """Attributes between cuts, worth 0, 10, 20, …, and -5 for missing."""
    ends = [-math.inf, *cuts, math.inf]
    attributes = [
        Attribute(condition=Interval(*pair), points=10.0 * i) for i, pair in enumerate(itertools.pairwise(ends))
    ]
    return Characteristic(feature=name, attributes=(*attributes, Attribute(condition=Missing(), points=-5)))


def _reasons(baseline: float) -> ReasonPolicy:
    """A code for each characteristic."""
    names = ("age", "income", "housing")
    return ReasonPolicy(
        method="fixed",
        population="everybody",
        cutoff=510,
        baselines=FrozenMapping(dict.fromkeys(names, baseline)),
        codes=FrozenMapping({name: f"R {name}" for name in names}),
        texts=FrozenMapping({f"R {name}": f"{name} is low" for name in names}),
        order=tuple(f"R {name}" for name in names),
        k=2,
    )


@dataclass(frozen=True)
class Planted:
    """One difference: in the model that was exported, in its text, or in the type of a column of the table."""

    label: str
    model: Callable[[Scorecard], Scorecard] = lambda whole: whole
    text: Callable[[str], str] = lambda text: text
    column: tuple[str, str] | None = None


def view(dialect: str, planted: Planted | None = None, name: Any = "score", table: Any = "applicants") -> str:
    """The text of a view with a planted difference, or without."""
    one = planted or Planted("nothing")
    exporter = create("exporter", "sql", dialect=dialect, form="view", name=name, ids=["id"], table=table)
    text = exporter.export(one.model(model())).text
    changed = one.text(text)
    assert planted is None or one.column is not None or changed != view(dialect, None, name, table), one.label
    return changed


def all_planted(dialect: str) -> list[Planted]:
    """At least fifty differences."""
    return [*_of_attributes(), *_of_rest(), *_of_texts(dialect), *_of_types(dialect)]


def _with(
    whole: Scorecard, place: int, attribute: int, changed: Attribute, following: Attribute | None = None
) -> Scorecard:
    one = whole.characteristics[place]
    more = () if following is None else (following,)
    attributes = (*one.attributes[:attribute], changed, *more, *one.attributes[attribute + 1 + len(more) :])
    characteristics = list(whole.characteristics)
    characteristics[place] = replace(one, attributes=attributes)
    return replace(whole, characteristics=tuple(characteristics))


def _of_attributes() -> Iterator[Planted]:
    """Each point one more, each cut one double on, each missing branch lost."""
    whole = model()
    for place, one in enumerate(whole.characteristics):
        for i, attribute in enumerate(one.attributes):
            more = replace(attribute, points=attribute.points + 1)
            yield Planted(
                f"{one.feature}, points of {attribute.condition}",
                partial(_with, place=place, attribute=i, changed=more),
            )
            if isinstance(attribute.condition, Missing):
                other = replace(attribute, points=one.attributes[0].points)
                yield Planted(
                    f"{one.feature}, missing like the first", partial(_with, place=place, attribute=i, changed=other)
                )
        yield from _cuts(place, one)


def _cuts(place: int, one: Characteristic) -> Iterator[Planted]:
    bins = [i for i, each in enumerate(one.attributes) if isinstance(each.condition, Interval)]
    for left, right in itertools.pairwise(bins):
        for way in (math.inf, -math.inf):

            def moved(whole: Scorecard, left: int = left, right: int = right, way: float = way) -> Scorecard:
                low, high = (whole.characteristics[place].attributes[i] for i in (left, right))
                assert isinstance(low.condition, Interval)
                assert isinstance(high.condition, Interval)
                cut = math.nextafter(low.condition.upper, way)
                below = replace(low, condition=replace(low.condition, upper=cut))
                return _with(whole, place, left, below, replace(high, condition=replace(high.condition, lower=cut)))

            yield Planted(f"{one.feature}, cut {left} a double on, {way}", moved)


def _of_rest() -> Iterator[Planted]:
    whole = model()
    assert whole.reasons is not None
    reasons = whole.reasons
    yield Planted("base points", lambda m: replace(m, base_points=501.0))
    yield Planted("cutoff", lambda m: replace(m, cutoff=math.nextafter(m.cutoff, math.inf)))
    yield Planted("slope", lambda m: replace(m, calibration=replace(m.calibration, slope=0.0101)))
    yield Planted("intercept", lambda m: replace(m, calibration=replace(m.calibration, intercept=-5.0001)))
    yield Planted("no knock-out", lambda m: replace(m, policy=Policy()))
    for upper in (math.nextafter(18.0, 19.0), 17.0):
        rule = KnockOut(code="K1", reason="under age", when=(Clause("age", (Interval(upper=upper),)),))
        yield Planted(f"knock-out below {upper}", partial(_under, rule=rule))
    other = KnockOut(code="K2", reason="under age", when=whole.policy.knock_outs[0].when)
    yield Planted("code of the knock-out", lambda m: replace(m, policy=Policy(knock_outs=(other,))))
    turned = replace(reasons, order=tuple(reversed(reasons.order)))
    yield Planted("order of reasons", lambda m: replace(m, reasons=turned))
    yield Planted("baselines", lambda m: replace(m, reasons=_reasons(11)))
    housing = whole.characteristics[2]
    renamed = replace(housing.attributes[0], condition=Categories(("own ",)))
    yield Planted("a category with a blank", lambda m: _with(m, 2, 0, renamed))
    yield Planted("a category in capitals", lambda m: _with(m, 2, 0, replace(renamed, condition=Categories(("OWN",)))))
    swapped = replace(housing.attributes[0], condition=Categories(("owned",)))
    yield Planted("another category", lambda m: _with(m, 2, 0, swapped))


def _under(whole: Scorecard, rule: KnockOut) -> Scorecard:
    return replace(whole, policy=Policy(knock_outs=(rule,)))


def _nth(old: str, new: str, n: int) -> Callable[[str], str]:
    """A text in which the n-th place that fits a pattern is another."""

    def change(text: str) -> str:
        places = list(re.finditer(old, text))
        place = places[n]
        return text[: place.start()] + place.expand(new) + text[place.end() :]

    return change


def _of_texts(dialect: str) -> Iterator[Planted]:
    """Comparisons that are nearly right, and branches that are gone, in the text alone."""
    quote = "`" if dialect in ("mariadb", "clickhouse") else '"'
    age = f"{quote}x_age{quote}"
    income = f"{quote}x_income{quote}"
    for column, cuts in ((age, 3), (income, 3)):
        for n in range(cuts):
            yield Planted(f"<= for < of {column}, {n}", text=_nth(rf"WHEN {column} < ", f"WHEN {column} <= ", n))
            yield Planted(
                f"a rung gone of {column}, {n}", text=_nth(rf"WHEN {column} < [^\n]+? THEN", "WHEN 1 = 0 THEN", n)
            )
    yield Planted("> for >=", text=_nth(r"score >= ", "score > ", 0))
    yield Planted("a score with a little more", text=_nth(r"THEN score END", "THEN score + 0.0001 END", 0))
    yield Planted("approved turned around", text=_nth(r"THEN 1 ELSE 0 END", "THEN 0 ELSE 1 END", 0))
    yield Planted("another category's text", text=_nth(r"'rent'(?= THEN)", "'rent '", 0))
    yield Planted("rows that are gone", text=lambda text: text.rstrip().rstrip(";") + " WHERE 1 = 0")


def _of_types(dialect: str) -> Iterator[Planted]:
    if dialect in SINGLE:
        yield Planted("single precision in the table", column=("income", SINGLE[dialect]))
        yield Planted("a text in the table", column=("age", "TEXT" if dialect != "clickhouse" else "Nullable(String)"))
