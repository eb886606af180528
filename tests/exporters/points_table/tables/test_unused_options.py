"""An option that a table gives nothing to do is refused, so that no misspelt name passes in silence."""

from __future__ import annotations

from typing import Any

import pytest

from scrutable import evaluate
from scrutable.errors import InputError
from scrutable.model import Outcome
from scrutable_points_table.tables import read_points_table

PLAIN = {
    "characteristic": ["age", "age", "job", "job", "job"],
    "attribute": ["interval", "missing", "values", "other", "missing"],
    "values": [None, None, "cook", None, None],
    "points": [1, 2, 3, 4, 5],
}
CODED = {
    "Variable": ["age"] * 4 + ["job"] * 3,
    "Bin": ["(-inf, inf)", "no record", "not asked", "Missing", "['cook']", "Special", "Missing"],
    "Points": [1, 2, 3, 4, 5, 6, 7],
}
ROWS = {"no record": -9, "not asked": (-8,)}
CARD = {
    "variable": ["age", "age", "age"],
    "bin": ["[-inf,10)", "[10,inf)", "missing"],
    "points": [-10, 20, 0],
}
NEG_POS = {"neg": [10, 90, 0], "pos": [40, 10, 0]}
GOOD_BAD = {"good": [10, 90, 0], "bad": [40, 10, 0]}


@pytest.mark.parametrize(
    ("table", "options", "text"),
    [
        (PLAIN, {"kinds": {"jbo": "categorical"}}, "kinds: no such characteristic; got 'jbo'.*did you mean 'job'"),
        (PLAIN, {"special_codes": -9}, "special_codes: no row of special codes can hold it; got -9"),
        (PLAIN, {"special_codes": {"age": -9}}, "'age'.*no row of special codes can hold it; got -9"),
        (PLAIN, {"special_codes": {"aeg": ()}}, "special_codes: no such characteristic.*did you mean 'age'"),
        (CODED, {"special_codes": {"age": ROWS | {"not askd": 1}}}, "no such row; got 'not askd'.*did you mean 'not a"),
        (CODED, {"special_codes": {"age": ROWS, "job": -9}}, "'job'.*no row of special codes can hold it; got -9"),
        (CARD, {"closed": "right"}, "closed: the table's brackets say.*got 'right'.*leave it out"),
        (CODED, {"closed": "left"}, "closed: the table's brackets say"),
        (PLAIN, {"event": "bad"}, "event: the table counts no event; got 'bad'"),
        (CODED, {"event": "bad"}, "event: the table counts no event; got 'bad'; allowed: a column 'Event'"),
        (CARD | GOOD_BAD, {"event": "bad"}, "event: the table counts no event; got 'bad'; allowed: a column 'pos'"),
        (PLAIN, {"sheet": "Card"}, "sheet: only workbooks have sheets; got 'Card'"),
    ],
)
def test_options_without_a_use_are_refused(table: dict[str, Any], options: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError, match=text):
        read_points_table(table, **options)


@pytest.mark.parametrize("codes", [[None], [-9, [-8]], object()])
def test_what_is_no_code_is_refused(codes: Any) -> None:
    with pytest.raises(InputError, match="special_codes: not special codes"):
        read_points_table(CODED, special_codes=codes, cutoff=1)


def test_what_says_that_there_are_none_is_no_fault() -> None:
    for codes in ((), {"age": ()}, {"age": {}}):
        assert read_points_table(PLAIN, special_codes=codes, cutoff=1).model.features[0].special_codes == ()


def test_codes_for_every_characteristic_go_where_they_can_be() -> None:
    """A column of texts holds no number, and a column of numbers no text."""
    table = {
        "Variable": ["age"] * 3 + ["job"] * 3,
        "Bin": ["(-inf, inf)", "Special", "Missing", "['cook']", "Special", "Missing"],
        "Points": [1, 2, 3, 4, 5, 6],
    }
    found = read_points_table(table, special_codes=(-9, "?"), cutoff=1)
    assert {each.name: each.special_codes for each in found.model.features} == {"age": (-9.0,), "job": ("?",)}
    numbers = read_points_table(table, special_codes=-9, cutoff=1)
    assert numbers.model.features[1].special_codes == ()
    assert any("none of the codes given is a text" in each.what for each in numbers.report.of("note"))
    counted = {"Non-event": [5, 5, 5, 5, 5, 5], "Event": [1, 1, 1, 1, 1, 1]}
    with pytest.raises(InputError, match="which codes are 'Special'"):
        read_points_table(table | counted, special_codes=-9, cutoff=1)


@pytest.mark.parametrize(
    ("outcome", "event", "negated"),
    [
        (Outcome(classes=("bad", "good"), favourable="good"), None, False),
        (Outcome(classes=("bad", "good"), favourable="good"), "good", True),
        (Outcome(classes=(0, 1), favourable=0), None, False),
        (Outcome(classes=(0, 1), favourable=1), None, True),
        (Outcome(classes=(0, 1), favourable=1), 0, False),
    ],
)
def test_the_positive_rows_of_a_card_are_the_event(outcome: Outcome, event: Any, negated: bool) -> None:
    found = read_points_table(CARD | NEG_POS, outcome=outcome, event=event, cutoff=0)
    assert found.report.negated is negated
    first = found.model.characteristics[0].attributes[0].statistics
    assert (first.good, first.bad) == ((40, 10) if negated else (10, 40))
    assert evaluate(found.model, {"age": [5.0]}).score.tolist() == [10 if negated else -10]


def test_the_event_is_told_only_of_tables_that_count_it() -> None:
    assert "the table's event is 'bad'" in read_points_table(CARD | NEG_POS, cutoff=0).report.describe()
    assert "event" not in read_points_table(CARD | GOOD_BAD, cutoff=0).report.describe()
