"""`scrutable reasons`: what is shown, what is written, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import Result

from scrutable.model import FrozenMapping, Scorecard, dump, fingerprint, load, load_evidence
from scrutable.model.unfit_texts import COLUMN

Invoke = Callable[..., Result]

POPULATION = 'population = "applicants of spring"\n'
DICTIONARY = """
[columns.savings]
code = "CASH"
reason = "Balances of the accounts"
[columns.checking_status]
code = "CASH"
[columns.not_in_the_model]
code = "OTHER"
reason = "Something else"
[reasons]
k = 3
inquiries = ["telephone"]
"""


def card(path: Path) -> Scorecard:
    found = load(path)
    assert isinstance(found, Scorecard)
    return found


def test_it_shows_codes_texts_and_baselines(run: Invoke, model: Path) -> None:
    shown = run("reasons", model)
    assert shown.exit_code == 0, shown.output
    assert "Method below-average, at most 4 reasons." in " ".join(shown.output.split())
    assert "R01" in shown.output
    plain = json.loads(run("reasons", model, "--json").output)
    assert plain["method"] == "below-average"
    assert set(plain["codes"]) == {each.feature for each in card(model).characteristics}


def test_a_policy_is_taken_anew_with_a_dictionary(run: Invoke, model: Path, loans: Path, tmp_path: Path) -> None:
    words, output, evidence = tmp_path / "words.toml", tmp_path / "new.json", tmp_path / "new-evidence.json"
    words.write_text(DICTIONARY + POPULATION)
    done = run(
        *("reasons", model, "--method", "near-cutoff", "--reference", loans, "--dictionary", words),
        *("--evidence", model.with_name("evidence.json"), "--evidence-output", evidence, "--output", output),
    )
    assert done.exit_code == 0, done.output
    found = card(output)
    assert found.reasons is not None
    assert (found.reasons.method, found.reasons.k, found.reasons.near is None) == ("near-cutoff", 3, False)
    assert found.reasons.codes["savings"] == found.reasons.codes["checking_status"] == "CASH"
    assert found.reasons.population.startswith("applicants of spring, approved with up to")
    assert found.characteristics == card(model).characteristics
    assert load_evidence(evidence).model_sha256 == fingerprint(found)
    again = run("reasons", output)
    assert "Balances of the accounts" in again.output


def test_the_population_is_called_by_its_file(run: Invoke, model: Path, loans: Path, tmp_path: Path) -> None:
    output = tmp_path / "new.json"
    assert run("reasons", model, "--reference", loans, "--output", output).exit_code == 0
    reasons = card(output).reasons
    assert reasons is not None
    assert reasons.population == "all applicants of loans.csv"


def test_weights_of_the_reference_count(run: Invoke, model: Path, loans: Path) -> None:
    done = run("reasons", model, "--reference", loans, "--weight", "age", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["baselines"] != json.loads(run("reasons", model, "--json").output)["baselines"]
    shown = run("reasons", model, "--reference", loans, "--weight", "age")
    assert "the policy was not written: name a file with --output" in shown.stderr


def test_methods_are_compared_with_the_models_own_codes(run: Invoke, model: Path, loans: Path, tmp_path: Path) -> None:
    shown = run("reasons", model, "--compare", loans)
    assert shown.exit_code == 0, shown.output
    words, output, some = tmp_path / "words.toml", tmp_path / "new.json", tmp_path / "some.csv"
    words.write_text(DICTIONARY)
    some.write_text("".join(loans.read_text().splitlines(keepends=True)[:301]))
    both = run("reasons", model, "--dictionary", words, "--compare", some, "--output", output, "--json")
    assert output.exists()
    found = json.loads(both.stdout)
    assert [each["method"] for each in found] == [
        *("below-average", "near-cutoff", "below-maximum", "below-neutral", "shapley"),
    ]
    assert found[0]["same"] == 1.0
    assert 0.8 < found[4]["same"] < 1  # the same method, of these rows and not of those learned from
    assert found[1]["without"] == 0
    assert 0 < found[2]["first"] < 1


def test_words_change_and_the_baselines_stay(run: Invoke, model: Path, loans: Path, tmp_path: Path) -> None:
    near, words, output = tmp_path / "near.json", tmp_path / "words.toml", tmp_path / "new.json"
    done = run("reasons", model, "--method", "near-cutoff", "--reference", loans, "--output", near)
    assert done.exit_code == 0, done.output
    kept = tmp_path / "kept.json"
    printed = run("reasons", near, "--toml", "--output", kept)
    assert card(kept) == card(near)
    words.write_text(printed.stdout.replace("k = 4", "k = 2").replace('"Savings"', '"Money saved"'))
    done = run("reasons", near, "--dictionary", words, "--output", output)
    assert done.exit_code == 0, done.output
    before, after = card(near).reasons, card(output).reasons
    assert before is not None
    assert after is not None
    assert (after.baselines, after.method, after.near) == (before.baselines, "near-cutoff", before.near)
    assert after.k == 2
    assert after.texts[after.codes["savings"]] == "Money saved"


def test_baselines_are_taken_anew_and_the_words_stay(run: Invoke, model: Path, loans: Path, tmp_path: Path) -> None:
    words, named, output = tmp_path / "words.toml", tmp_path / "named.json", tmp_path / "new.json"
    words.write_text(DICTIONARY)
    assert run("reasons", model, "--dictionary", words, "--output", named).exit_code == 0
    done = run("reasons", named, "--reference", loans, "--weight", "age", "--output", output)
    assert done.exit_code == 0, done.output
    before, after = card(named).reasons, card(output).reasons
    assert before is not None
    assert after is not None
    assert (after.codes, after.texts, after.k, after.inquiries) == (*(before.codes, before.texts, 3, ("telephone",)),)
    assert after.baselines != before.baselines


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--weight", "age", "--method", "shapley"], "a weight without a reference"),
        (["--method", "near", "--reference", "LOANS"], "a value of the wrong type"),
        (["--method", "shapley", "--dictionary", "OTHER"], "the dictionary names another method"),
        (["--dictionary", "BROKEN"], "not valid TOML"),
        (["--dictionary", "OTHER"], "the dictionary says how baselines are taken, and they are not taken anew"),
        (["--toml", "--compare", "LOANS"], "prints a dictionary and nothing else"),
        (["--dictionary", "GENERIC", "--reference", "LOANS"], "too general to be a reason"),
        (["--method", "near-cutoff"], "the method takes averages over applicants"),
        (["--weight", "age"], "a weight without a reference"),
        (["--reference", "LOANS", "--weight", "housing"], "column 'housing', row 0\n"),
        (["--dictionary", "SHARED"], "a code that stands for several things needs a text"),
        (["--evidence", "EVIDENCE"], "evidence is read and written"),
        (["--reference", "LOANS", "--weight", "nobody"], "no such column"),
    ],
)
def test_refusals(run: Invoke, model: Path, loans: Path, tmp_path: Path, arguments: list[str], what: str) -> None:
    files = {
        "LOANS": str(loans),
        "EVIDENCE": str(model.with_name("evidence.json")),
        "OTHER": '[reasons]\nmethod = "near-cutoff"\n',
        "BROKEN": "k = \n",
        "SHARED": '[reasons.codes]\nsavings = "CASH"\nhousing = "CASH"\n',
        "GENERIC": '[reasons.texts]\nR01 = "Internal policy"\n',
    }
    for name in ("OTHER", "BROKEN", "GENERIC", "SHARED"):
        path = tmp_path / f"{name}.toml"
        path.write_text(files[name])
        files[name] = str(path)
    output = tmp_path / "never.json"
    refused = run("reasons", model, *(files.get(each, each) for each in arguments), "--output", output)
    assert refused.exit_code == 2, refused.output
    assert what in refused.stderr
    assert not output.exists()


def test_a_prediction_has_no_reasons(run: Invoke, loans: Path, tmp_path: Path) -> None:
    output = tmp_path / "amount.json"
    done = run(
        *("fit", loans, "--target", "credit_amount", "--learner", "scorecard-regressor", "--output", output),
        *("--id", "loan", "--drop=age", "--drop=personal_status", "--drop=sex", "--drop=age_group"),
        *("--drop=marital_status", "--drop=foreign_worker"),
    )
    assert done.exit_code == 0, done.output
    refused = run("reasons", output)
    assert refused.exit_code == 2
    assert "reasons are those of a model that decides" in refused.stderr


def test_a_code_of_attributes_is_shown_too(run: Invoke, model: Path, tmp_path: Path) -> None:
    own = card(model)
    first, *others = own.characteristics
    attributes = tuple(replace(each, reason_code="OWN") for each in first.attributes)
    reasons = own.reasons
    assert reasons is not None
    told = replace(
        reasons, texts=FrozenMapping({**reasons.texts, "OWN": "A word of its own"}), order=(*reasons.order, "OWN")
    )
    path = tmp_path / "own.json"
    dump(replace(own, characteristics=(replace(first, attributes=attributes), *others), reasons=told), path)
    shown = run("reasons", path)
    assert shown.exit_code == 0, shown.output
    assert "A word of its own" in shown.output
    assert "some attributes" in shown.output


def test_a_version_takes_the_codes_of_the_one_before_it(run: Invoke, model: Path, tmp_path: Path) -> None:
    old, new = card(model), tmp_path / "new.json"
    assert old.reasons is not None
    [first, *others] = [each.feature for each in old.characteristics]
    kept = tuple(each for each in old.characteristics if each.feature != first)
    codes = {name: f"R{number:02d}" for number, name in enumerate(others, 1)}
    policy = replace(
        old.reasons,
        baselines=FrozenMapping({name: old.reasons.baselines[name] for name in others}),
        codes=FrozenMapping(codes),
        texts=FrozenMapping({code: f"New words {code}" for code in codes.values()}),
        order=tuple(codes.values()),
    )
    features = tuple(each for each in old.features if each.name != first)
    dump(replace(old, features=features, characteristics=kept, reasons=policy), new)
    followed = tmp_path / "followed.json"
    result = run("reasons", new, "--predecessor", model, "--output", followed)
    assert result.exit_code == 0, result.output
    taken = card(followed).reasons
    assert taken is not None
    assert dict(taken.codes) == {name: code for name, code in old.reasons.codes.items() if name != first}
    gone = old.reasons.codes[first]
    assert dict(taken.retired) == {gone: old.reasons.texts[gone]}
    words = tmp_path / "reasons.toml"
    words.write_text(f'[reasons.codes]\n{others[0]} = "{gone}"\n')
    result = run("reasons", new, "--predecessor", model, "--dictionary", words, "--output", tmp_path / "x.json")
    assert result.exit_code == 2
    assert f"an earlier version's code for '{old.reasons.texts[gone]}'" in " ".join(result.stderr.split())
    assert not (tmp_path / "x.json").exists()


def test_texts_are_checked(run: Invoke, model: Path, tmp_path: Path) -> None:
    result = run("reasons", model, "--check", "--json")
    assert result.exit_code == 1
    listed = json.loads(result.stdout)
    assert {each["fault"] for each in listed} == {COLUMN}
    assert "is the name of a column" in " ".join(run("reasons", model, "--check").stdout.split())
    words = tmp_path / "reasons.toml"
    texts = (f'{each["code"]} = "What number {place} says"' for place, each in enumerate(listed))
    words.write_text("\n".join(["[reasons.texts]", *texts]))
    told = tmp_path / "told.json"
    assert run("reasons", model, "--dictionary", words, "--output", told).exit_code == 0
    assert run("reasons", told, "--check").exit_code == 0
    assert json.loads(run("reasons", told, "--check", "--json").stdout) == []
    assert run("reasons", told, "--check", "--toml").exit_code == 2
