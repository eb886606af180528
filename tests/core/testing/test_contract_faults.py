"""Plugins with one fault each: the check that is there for it says what is wrong, and how to mend it."""

from __future__ import annotations

import pytest

from scrutable.plugins.component import Kind
from scrutable.testing.contract import checks_of, run_check
from scrutable.testing.contract.exporters import parity

from .conftest import Checked, of_plugin

#: What a check says of a fault, by the kind of component, its name and the check.
SAID: dict[Kind, dict[str, str]] = {
    "binner": {
        "mutating: fit-leaves-its-data-as-it-was": "fit changes the data that it is given; got X, column 'income', row",
        "row-dropping: every-row-counts": "rows with a missing value are lost: the attributes of 'income' count",
        "row-dropping: rows-with-missing-values-are-learned-from": "is the same whatever their outcomes are",
        "no-binning: fit-gives-what-its-descriptor-says": "binning_ is no Binning after fit; got {'tables'",
        "trendless: trends-hold": "the rates are not descending; got [",
        "cut-ignoring: fixed-cuts-are-honoured": "the cuts [1500.0, 2500.5] that the user fixes are not kept",
        "miscounting: tables-match-a-group-by": "of 'income' counts other good and bad rows than (",
        "random: fit-is-deterministic": "differ, so it is not deterministic; got the binning differs",
        "random: another-process-gives-the-same": "in another process the binning differs",
        "undocumented: every-option-is-documented": "its docstring does not explain; got knob",
        "half-fitted: a-refused-fit-changes-nothing": "an estimator that was unfitted; got ['rows_']",
        "vague: columns-without-values-are-refused": "does not name 'nothing'; got something is wrong",
        "steering: its-summary-is-a-line": "the summary has characters that cannot be printed; got 'red\\x1b",
        "wordy: its-summary-is-a-line": "the summary is more than a line; got Two\nlines",
        "Capital_Name: its-name-is-plain": "the name is not lower-case words; got Capital_Name",
        "unsourced: it-names-a-reference": "no reference says what it follows",
        "lacking: what-it-requires-is-there": "a library that it requires is not installed; got no_such_library",
        "misdeclared: it-names-a-reference": "it is declared to fail, and passes; the reason given was: hard",
        "misdeclared: known-failures-name-checks": "that there is not for binner 'misdeclared'; got no-",
        "all-taking: no-rows-are-refused": "fit takes data without any row",
        "all-taking: useless-outcomes-are-refused": "fit takes an outcome that is missing",
        "all-taking: mixed-columns-are-refused": "fit takes a column of numbers and texts",
        "all-taking: negative-weights-are-refused": "fit takes negative weights",
        "crashing: columns-without-values-are-refused": "that is no ScrutableError; got RuntimeError: oops",
        "unasking: unfitted-it-says-so": "transform of an unfitted estimator raises no NotFittedError",
        "unasking: columns-must-be-those-of-fit": "transform takes rows that lack a column",
        "group-blind: metadata-is-routed": "or sensitive_features do not reach it",
        "group-blind: protected-inputs-are-refused": "fit takes an input that is a protected attribute",
        "weight-blind: fit-leaves-its-data-as-it-was": "unexpected keyword argument 'sensitive_features'",
        "code-blind: missing-special-and-unseen-values-have-attributes": "no attribute for its special code",
        "cut-ignoring: merges-are-honoured": "['rented', 'with family'] are not in one attribute",
        "bulky: limits-on-bins-hold": "has more bins than max_bins=2; got 5",
        "bare: it-takes-the-options-of-every-binner": "that its constructor lacks; got trends, cuts, merges",
        "weight-ignoring: weights-matter": "is the same whichever rows weigh 40 times as much, so weights are lo",
        "weight-ignoring: tables-match-a-group-by": "their weights summed; got (",
        "overstating: limits-it-enforces-are-known": "a limit that no check of a binner knows of; got trends",
        "inapplicable: known-failures-name-checks": "that there is not for binner 'inapplicable'; got limits-on",
        "basic: known-failures-name-checks": "names a check that may not fail; got it-can-be-made",
        "sparse: known-failures-name-checks": "is not for binner 'sparse'; got check_sample_weight_equivalence",
    },
    "learner": {
        "anonymous: its-origin-is-recorded": "the model does not name its learner",
        "nosy: sensitive-features-are-for-fit-only": "ValueError: who are they? (line ",
        "unbound: the-bounds-it-accepts-are-declared": "accepts_bounds is ('rate',), and its descriptor",
        "undeclaring: bounds-it-accepts-work-and-others-are-refused": "it takes a constraint on a rate, which",
        "unbound: bounds-it-enforces-hold": "is broken: the gap of approval rates is ",
        "unbound: trends-hold-in-the-score": "the score is not ascending in income; got a step",
        "second-guessing: predictions-are-the-models": "predict_proba gives other than the model",
        "row-losing: every-row-counts": "rows with a missing value are lost: the attributes of 'income' count",
        "row-losing: rows-with-missing-values-are-learned-from": "is the same whatever their outcomes are",
        "dicing: fit-is-deterministic": "two fits of the same rows differ, so it is not deterministic",
        "counting-calls: a-clone-fits-the-same": "a clone learns something else; got the model differs",
        "sighing: every-value-is-scored": "the score gives no finite number for a row; got {'income': nan",
        "another-kind: fit-gives-what-its-descriptor-says": "model_ is of no kind that it produces (rule-set); got",
        "boastful: the-bounds-it-accepts-are-declared": "accepts_bounds is (), and its descriptor accepts ('rate',)",
        "weight-ignoring: weights-matter": "what is learned is the same whichever rows weigh 40 times as muc",
    },
    "constraint": {
        "mutable: it-is-immutable": "an option can be changed after it is made",
        "wishful: it-makes-bounds-of-the-kinds-it-produces": "something that is no bound; got ",
        "partial: every-known-group-is-bounded": "a known group is not bounded; got ['west']",
        "tampering: binding-is-deterministic": "bind changes the outcomes",
        "remembering: binding-is-deterministic": "bound twice it gives other bounds, so it is not deterministic",
        "lenient: options-out-of-range-are-refused": "it takes slack=-0.1",
        "greedy: attributes-restrict-it": "restricted to 'sex', it bounds other attributes; got",
        "label-shy: labels-do-or-are-refused-as-labels": "an error that is no KindError; got KeyError",
        "unequalled: it-is-immutable": "two that are made with the same options are not equal",
        "lonely: what-cannot-be-compared-is-refused": "it takes a single known group",
        "noting: binding-is-deterministic": "bind changes the constraint itself; got its _bound became 2",
        "deaf: its-limit-reaches-the-bounds": "slack=0.05 and slack=0.2 give the same bounds; got (RateB",
    },
    "explainer": {
        "changeable: its-options-cannot-change": "an option can be changed after it is made; got words",
        "scribbling: explaining-leaves-all-as-it-was": "changes the rows; got column 'amount', row",
        "literal: words-may-hold-anything": "SyntaxError: invalid syntax",
        "contrary: explanations-can-be-shown": "a decision that is declined does not begin so; got Appr",
        "forgetful: every-row-is-explained": "explain returns no list of explanations; got None",
        "backwards: every-row-is-explained": "the explanation of row ",
        "shortened: every-row-is-explained": "rows of a scorecard get ",
        "unprintable: explanations-can-be-shown": "is nothing that JSON holds; got TypeError",
        "all-accepting: other-models-are-refused": "is explained, which its descriptor does not accept",
        "fickle: explaining-is-deterministic": "the explanations of a scorecard differ, so it is not deterministic",
        "rotating: rows-are-explained-by-themselves": "of a scorecard is explained otherwise in another order",
        "comparing: rows-are-explained-by-themselves": "of a scorecard is explained otherwise alone; got {",
        "needy: a-reference-is-asked-for-or-not-needed": "is refused by no InputError; got TypeError: ",
        "option-setting: its-surroundings-stay-as-they-were": "using it changes options of pandas (display.max_rows)",
        "recalling: explaining-leaves-all-as-it-was": "changes the explainer itself; got its _last became [",
    },
    "exporter": {
        "off-by-one-ulp: runs-equal-the-evaluator": "column 'score' differs in 1 of ",
        "column-losing: runs-equal-the-evaluator": "column 'approved' is missing, or of another length",
        "escaping: files-have-safe-names": "leads out of its folder or is unusable; got ../model.json",
        "dict-giving: models-it-accepts-are-exported": "export of a scorecard gives no Export; got {'model.json'",
        "hashing: another-process-gives-the-same": "the file 'hash.txt' of a scorecard differs",
        "swallowing: unknown-options-are-refused": "is taken and passed over; got no_such_option=1",
        "not-one: its-class-is-of-its-kind": "NotOne is no Exporter; got ",
        "demanding: it-can-be-made": "Demanding() raises; got TypeError: ",
        "drawing: exporting-is-deterministic": "exported twice, the file 'model.json' of a",
        "rude: models-of-other-kinds-are-refused": "is refused by no UnsupportedModel; got ValueError",
        "unquoting: labels-and-categories-may-hold-anything": "neither exported nor refused by Unsupported",
        "unquoting: names-of-columns-may-hold-anything": "neither exported nor refused by UnsupportedModel",
        "unquoting: hostile-models-run-alike": "with hostile texts does not run in tiny; got SyntaxError",
        "unversioned: the-engine-has-a-name": "engine() names no version; got Tiny",
        "silent: rows-that-cannot-run-are-declared": "are not held, and excluded does not say which",
        "unrunnable: documents-do-not-run": "raises no PluginError; got NotImplementedError",
        "tagging: exporting-leaves-all-as-it-was": "leaves something behind in the exporter; got its last became",
        "choosy: models-it-accepts-are-exported": "it accepts a stumps, and does not export this one; got Unsup",
        "exiting: exporting-is-deterministic": "SystemExit: 0 (line ",
        "rounding: runs-equal-the-evaluator": "a scorecard gives something else in tiny: column 'score' differs",
        "file-ordered: runs-equal-the-evaluator": "something else in tiny: column 'reason_1' differs in ",
        "meaningless: files-tell-models-apart": "the files of a scorecard do not depend on its points; got [",
        "model-asking: what-runs-are-the-files": "those of another model do not give its score in tiny",
        "declining: ordinary-rows-are-held": "ordinary rows of a scorecard are not held; got {'amount': nan",
        "counting: exporting-leaves-all-as-it-was": "got its exports became [1] from [0]",
        "seeding: its-surroundings-stay-as-they-were": "using it changes the state of NumPy's random numbers.",
        "moving-in: its-surroundings-stay-as-they-were": "environment variables (CONTRACT_FAULTY)",
    },
}
CASES = [(kind, *key.split(": "), told) for kind, said in SAID.items() for key, told in said.items()]


@pytest.mark.parametrize(("kind", "name", "check", "told"), CASES, ids=[f"{case[1]}-{case[2]}" for case in CASES])
def test_the_fault_is_named(checked: Checked, kind: Kind, name: str, check: str, told: str) -> None:
    outcome = checked(kind, name, check)
    assert outcome.status == "failed"
    assert told in outcome.reason
    assert outcome.hint


def test_an_exporter_that_gives_something_else_is_named_to_the_learner(monkeypatch: pytest.MonkeyPatch) -> None:
    exporter = of_plugin("contract_faulty", "exporter", "off-by-one-ulp")
    monkeypatch.setattr(parity, "_exporters", lambda: (exporter,))
    [check] = [each for each in checks_of("learner") if each.name == "exports-equal-the-model"]
    outcome = run_check(check, of_plugin("contract_samples", "learner", "tiny-learner"))
    assert "the exporter 'off-by-one-ulp' gives something else in its engine: column 'score' differs" in outcome.reason
