"""What becomes of checks as they run: nothing ends the process, and what cannot be checked is not called a fault."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from scrutable.plugins.registry import registry
from scrutable.testing.contract import Outcome, Subject, checks_for, run_check, run_checks, subject_of
from scrutable.testing.contract.estimators.each_option import PREFIX

from .conftest import Checked, of_plugin


def test_what_exits_or_prints_ends_no_process_and_stays_out_of_the_results(capsys: pytest.CaptureFixture[str]) -> None:
    report = run_checks(of_plugin("contract_faulty", "exporter", "exiting"))
    [first] = [each for each in report.outcomes if each.reason.startswith("SystemExit: 0 (line ")]
    others = [each for each in report.outcomes if each.reason == f"fails as {first.check} does"]
    assert len(others) > 3
    assert {each.status for each in (first, *others)} == {"failed"}
    assert first.hint.startswith("mend what raises it; ")
    assert {each.hint for each in others} == {""}
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "so long" in printed.err


def test_an_interrupt_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = of_plugin("contract_samples", "exporter", "tiny-exporter")

    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(subject, "make", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_checks(subject)


def test_without_what_it_requires_one_check_fails_and_no_other_says_anything_of_its_class() -> None:
    subject = of_plugin("contract_faulty", "binner", "lacking")
    report = run_checks(subject)
    failed = [each.check for each in report.outcomes if each.status == "failed"]
    assert failed == ["what-it-requires-is-there"]
    other = {each.reason for each in report.outcomes if each.status == "not applicable"}
    assert other == {"what it requires is not installed: no_such_library"}
    passed = {each.check for each in report.outcomes if each.status == "passed"}
    assert passed == {each.name for each in checks_for(subject.component) if each.of_descriptor} - set(failed)


def test_the_extra_of_its_own_distribution_is_named() -> None:
    subject = of_plugin("contract_faulty", "binner", "lacking")
    object.__setattr__(subject.listing, "distribution", "their-plugins")
    with pytest.raises(Exception, match=r"pip install 'their-plugins\[more\]'"):
        subject.load()


def test_declared_failures_of_scikit_learn_are_known_with_their_reasons(checked: Checked) -> None:
    outcome = checked("binner", "declared", "scikit-learns-checks-pass")
    assert outcome.status == "known"
    assert outcome.reason == "scikit-learn's check_sample_weight_equivalence_on_dense_data: a row is a row"
    assert checked("binner", "declared", "known-failures-name-checks").status == "passed"


def test_what_decisions_hang_on_is_no_known_failure(checked: Checked) -> None:
    assert checked("binner", "excused", "weights-matter").status == "failed"
    outcome = checked("binner", "excused", "known-failures-name-checks")
    assert outcome.reason == "known_failures names a check that may not fail; got weights-matter."
    assert outcome.hint == "mend it, or take back what the descriptor claims"


def test_options_that_do_nothing_are_declared_one_by_one() -> None:
    segmented = subject_of("learner", "segmented", registry())
    outcome = _of_options(segmented, dict(segmented.component.known_failures))
    assert outcome == ("known", "min_rows: without segments there is none that is small")
    status, reason = _of_options(segmented, {})
    assert (status, reason.partition(";")[0]) == ("failed", "the option min_rows does nothing")


def test_an_option_that_is_declared_to_do_nothing_has_to_do_nothing() -> None:
    quantile = subject_of("binner", "quantile", registry())
    status, reason = _of_options(quantile, {f"{PREFIX}max_bins": "who knows"})
    assert (status, reason) == ("failed", "the option max_bins is declared to do nothing, and does something.")
    status, reason = _of_options(quantile, {f"{PREFIX}bins": "there is none"}, "known-failures-name-checks")
    assert status == "failed"
    assert reason.startswith("known_failures names a check that there is not")


def _of_options(
    subject: Subject, declared: dict[str, str], name: str = "every-option-does-something"
) -> tuple[str, str]:
    """What comes of a check where the descriptor declares these failures, and why."""
    listing = replace(subject.listing, descriptor=replace(subject.component, known_failures=declared))
    [check] = [each for each in checks_for(listing.component) if each.name == name]
    outcome = run_check(check, Subject(listing))
    return outcome.status, outcome.reason


def test_a_declared_failure_of_scikit_learn_that_does_not_fail_is_a_fault(checked: Checked) -> None:
    outcome = checked("binner", "careful", "scikit-learns-checks-pass")
    assert outcome.status == "failed"
    assert outcome.reason == "scikit-learn's check_estimators_unfitted is declared to fail, and does not."


def test_bounds_may_be_named_in_any_order(checked: Checked) -> None:
    assert checked("learner", "unordered", "the-bounds-it-accepts-are-declared").status == "passed"


def test_outcomes_pass_through_what_tracks_them() -> None:
    seen: list[str] = []

    def tracked(outcomes: Iterator[Outcome], total: int) -> Iterable[Outcome]:
        for outcome in outcomes:
            seen.append(f"{outcome.check} of {total}")
            yield outcome

    subject = of_plugin("contract_samples", "constraint", "tiny-constraint")
    report = run_checks(subject, tracked)
    assert seen == [f"{each.check} of {len(report.outcomes)}" for each in report.outcomes]
    json.dumps(report.to_dict())
