"""Broken model files: always a ModelError that says what and where, never another exception."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hostile.mutations import places

from scrutable.errors import InputError, ModelError
from scrutable.model import (
    Feature,
    FrozenMapping,
    Model,
    Provenance,
    ReasonPolicy,
    RuleSet,
    Scorecard,
    SegmentedModel,
    TreeEnsemble,
    dumps,
    load,
    loads,
    store,
)
from scrutable.writing.decoder import DEPTH, DIGITS, TEXT


def test_cut_off_at_every_character(scorecard: Scorecard) -> None:
    text = dumps(scorecard)
    for length in range(len(text) - 1):  # all but the line end
        with pytest.raises(ModelError, match="cut off"):
            loads(text[:length])


def test_cut_off_at_every_byte_of_a_file(trees: TreeEnsemble, tmp_path: Path) -> None:
    path, content = tmp_path / "model.json", dumps(trees).encode()
    assert len(content) > len(dumps(trees)), "some cut must fall within a character"
    for length in range(len(content) - 1):
        path.write_bytes(content[:length])
        with pytest.raises((ModelError, InputError), match=r"model\.json.*(cut off|not UTF-8)"):
            load(path)


def changed(model: Model, change: Callable[[Any], Any]) -> str:
    data = json.loads(dumps(model))
    change(data)
    return json.dumps(data)


def refuses(text: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        loads(text, source="model.json")


def test_a_newer_schema_version(scorecard: Scorecard) -> None:
    text = changed(scorecard, lambda data: data.update(schema_version=3, invented="later"))
    refuses(text, r"model.json: .*cannot read the schema version; got 3; allowed: 1 to 2. Fix: upgrade scrutable")


@pytest.mark.parametrize("version", [0, -1, "1", 1.0, True, None, []])
def test_no_schema_version(scorecard: Scorecard, version: Any) -> None:
    refuses(changed(scorecard, lambda data: data.update(schema_version=version)), "cannot read the schema version")


@pytest.mark.parametrize("text", ["{}", "[]", "1", '"a"', "null", '{"type": "scorecard"}'])
def test_not_a_scrutable_file(text: str) -> None:
    refuses(text, "not a Scrutable file; allowed: a JSON object with 'schema_version'")


@pytest.mark.parametrize("kind", ["score-card", None, [], {}, 1])
def test_unknown_type(scorecard: Scorecard, kind: Any) -> None:
    allowed = "allowed: regression-scorecard, rule-set, scorecard, segmented-model, tree-ensemble"
    refuses(changed(scorecard, lambda data: data.update(type=kind)), rf"unknown type of model; got .*{allowed}")


def test_unknown_field_with_a_suggestion(scorecard: Scorecard) -> None:
    text = changed(scorecard, lambda data: data["characteristics"][1]["attributes"][0].update(point=1))
    where = re.escape("model.json.characteristics[1].attributes[0]")
    refuses(text, rf"{where}: unknown field; got 'point'. Fix: did you mean 'points'\?")


def test_missing_field(scorecard: Scorecard) -> None:
    refuses(changed(scorecard, lambda data: data.pop("cutoff")), r"a field is missing; .*allowed: with 'cutoff'")


def test_repeated_key(scorecard: Scorecard) -> None:
    text = dumps(scorecard).replace('"cutoff": 530.0', '"cutoff": 530.0, "cutoff": 0', 1)
    refuses(text, "model.json: a key stands twice in one object; got 'cutoff'")


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have(scorecard: Scorecard, constant: str) -> None:
    refuses(dumps(scorecard).replace("530.0", constant), f"model.json: not a number that JSON has; got '{constant}'")


@pytest.mark.parametrize("number", ["1" * 400, "1" * 5000, "1e999", "-1e999"])
@pytest.mark.parametrize("old", ["530.0", "25.0"])
def test_numbers_beyond_doubles(scorecard: Scorecard, old: str, number: str) -> None:
    assert old in dumps(scorecard)
    refuses(dumps(scorecard).replace(old, number), "too long|too large|finite number|within the range of doubles")


@pytest.mark.parametrize("depth", [200, 990, 100_000])
def test_deep_nesting(trees: TreeEnsemble, depth: int) -> None:
    leaf = '{"type": "leaf", "value": 0.125}'
    when = '{"feature": "age", "any_of": [{"type": "missing"}]}'
    split = f'{{"type": "split", "when": {when}, "otherwise": {leaf}, "then": '
    text = json.dumps(json.loads(dumps(trees)))
    assert leaf in text
    refuses(text.replace(leaf, split * depth + leaf + "}" * depth), "nested too deeply|the tree is too deep")
    refuses("[" * depth + "]" * depth, "nested too deeply|not a Scrutable file")


def test_deep_parameters(scorecard: Scorecard) -> None:
    text = dumps(scorecard).replace('"é": null', '"é": ' + "[" * 900 + "]" * 900)
    assert text != dumps(scorecard)
    refuses(text, "nested too deeply")


@pytest.mark.parametrize("bad", ["\x00", "\ud800", "a\udfff"])
@pytest.mark.parametrize(
    "old", ["own", "age", "R1", "K1", "under age", "everybody", "no age", "credit_risk", "é", "by hand"]
)
def test_unstorable_texts(scorecard: Scorecard, old: str, bad: str) -> None:
    text = json.dumps(json.loads(dumps(scorecard)), ensure_ascii=True)
    broken = text.replace(json.dumps(old), json.dumps(bad))
    assert broken != text
    refuses(broken, "text with NUL or a lone surrogate cannot be stored in a database")


def test_points_too_large(scorecard: Scorecard, trees: TreeEnsemble, rule_set: RuleSet) -> None:
    refuses(dumps(scorecard).replace("10.5", "8388609"), "points are too large to add up exactly; got 8388609")
    refuses(
        dumps(scorecard).replace("10.5", "8388608"), "the largest possible score is too large .*Fix: use a smaller PDO"
    )
    refuses(dumps(trees).replace("0.25", "8388608"), "tree ensemble: the largest possible score")
    refuses(dumps(rule_set).replace("1.5", "8388608"), "rule set: the largest possible score")


def test_classes_and_cutoffs(scorecard: Scorecard, trees: TreeEnsemble, rule_set: RuleSet) -> None:
    def third(data: Any) -> None:
        data["outcome"]["classes"].append("unknown")

    refuses(changed(scorecard, third), "a scorecard decides between two classes; got .*'unknown'")
    refuses(changed(trees, third), "a tree ensemble decides between two classes")
    refuses(changed(rule_set, lambda data: data.update(cutoff=1)), "a cutoff needs two classes")
    knock_out = {"code": "K", "reason": "r", "when": [{"feature": "age", "any_of": [{"type": "missing"}]}]}
    refuses(
        changed(rule_set, lambda data: data.update(policy={"knock_outs": [knock_out]})),
        "knock-outs, overrides and grades need two",
    )
    refuses(changed(scorecard, lambda data: data["outcome"].update(favourable="god")), r"allowed: \['bad', 'good'\]")
    refuses(changed(scorecard, lambda data: data["outcome"].update(classes=["good"])), "at least two classes")
    refuses(changed(scorecard, lambda data: data["outcome"].update(classes=["good", "good"])), "classes.*listed twice")


def test_segments(segmented: SegmentedModel) -> None:
    refuses(changed(segmented, lambda data: data["segments"].pop()), "nobody may be left without a model")
    refuses(changed(segmented, lambda data: data.update(segments=[])), "nobody may be left without a model")
    refuses(changed(segmented, lambda data: data["segments"].append(data["segments"][-1])), "segments: listed twice")
    refuses(changed(segmented, lambda data: data["routing"].append(data["routing"][0])), "features: listed twice")
    unused = {"name": "sex", "kind": "categorical"}
    refuses(changed(segmented, lambda data: data["routing"].append(unused)), "feature 'sex': the feature is not used")
    refuses(changed(segmented, lambda data: data.update(routing=[])), "segment 'thin file': unknown feature; got 'age'")
    refuses(
        changed(segmented, lambda data: data["segments"][0]["model"]["outcome"].update(favourable="bad")),
        "segments must decide about one outcome",
    )


def test_lone_surrogates_are_refused_wherever_they_stand(every_kind: tuple[Model, ...]) -> None:
    count = 0
    for model in every_kind:
        data = json.loads(dumps(model))
        for holder, key in places(data):
            for broken in broken_texts(data, holder, key):
                refuses(json.dumps(broken), r"text with NUL or a lone surrogate .*\\ud8ff")
                count += 1
    assert count > 400


def broken_texts(data: Any, holder: Any, key: Any) -> Any:
    """The data with half a character in the text at a place, and in the key that leads to it."""
    old = holder[key]
    if isinstance(old, str):
        holder[key] = old + "\ud8ff"
        yield data
        holder[key] = old
    if isinstance(holder, dict):
        holder[key + "\ud8ff"] = holder.pop(key)
        yield data
        holder[key] = holder.pop(key + "\ud8ff")


def test_what_could_not_be_read_is_not_written(scorecard: Scorecard, monkeypatch: pytest.MonkeyPatch) -> None:
    assert scorecard.reasons is not None
    deep: Any = 1
    for _ in range(DEPTH + 1):
        deep = (deep,)
    for broken, where in (
        (
            replace(scorecard, reasons=reworded(scorecard.reasons, "\ud8ff")),
            "model.reasons.translations: text with NUL",
        ),
        (with_parameter(scorecard, deep), "nested too deeply"),
        (with_parameter(scorecard, 10**DIGITS), "model.provenance.parameters.p: a number is too long"),
    ):
        with pytest.raises(ModelError, match=where):
            dumps(broken)
    with pytest.raises(ModelError, match="a text is too long"):
        Feature(name="x" * (TEXT + 1), kind="numeric")
    monkeypatch.setattr(store, "LARGEST", 1000)
    with pytest.raises(ModelError, match=r"model: too large to be read again; got '\d,\d{3} bytes'"):
        dumps(scorecard)


def reworded(reasons: ReasonPolicy, language: str) -> ReasonPolicy:
    words = FrozenMapping({**reasons.texts, "K1": "under age"})
    return replace(reasons, translations=FrozenMapping({language: words}))


def with_parameter(model: Scorecard, value: Any) -> Scorecard:
    return replace(model, provenance=Provenance(parameters=FrozenMapping({"p": value})))


def fallback_of(n: int, kind: str) -> str:
    """A rule set whose fallback has a class for each of n parts of a feature."""
    parts: list[Any]
    if kind == "numeric":
        ends = ["-inf", *range(1, n), "inf"]
        parts = [[{"type": "interval", "lower": low, "upper": high}] for low, high in itertools.pairwise(ends)]
    else:
        parts = [[{"type": "categories", "values": [f"c{i}"]}] for i in range(n - 1)]
        parts.append([{"type": "categories", "values": [f"c{i}" for i in range(n - 1)], "negated": True}])
    parts[0].append({"type": "missing"})
    rules = [{"when": [{"feature": "x", "any_of": part}], "outcome": i} for i, part in enumerate(parts)]
    return rule_file(n, [{"name": "x", "kind": kind}], fallback=rules)


def rule_file(n_classes: int, features: list[Any], **rules: Any) -> str:
    default = {"rules": [], "fallback": [{"when": [], "outcome": 0}]}
    outcome = {"classes": list(range(n_classes)), "favourable": 0}
    return json.dumps(
        {"schema_version": 1, "type": "rule-set", "outcome": outcome, "features": features, **default, **rules}
    )


def wide_rule(n: int) -> str:
    """One rule that asks n features."""
    names = [f"f{i}" for i in range(n)]
    when = [{"feature": name, "any_of": [{"type": "missing"}]} for name in names]
    return rule_file(2, [{"name": name, "kind": "numeric"} for name in names], rules=[{"when": when, "outcome": 0}])


def wide_fallback(n: int) -> str:
    """A fallback whose every rule asks one of n features, so that most of them overlap."""
    names = [f"f{i}" for i in range(n)]
    rules = [{"when": [{"feature": name, "any_of": [{"type": "missing"}]}], "outcome": 0} for name in names]
    return rule_file(2, [{"name": name, "kind": "numeric"} for name in names], fallback=rules)


def many_codes(n: int) -> str:
    """A feature with n special codes, of which each of n conditions names one."""
    any_of = [{"type": "special", "codes": [i]} for i in range(n)] + [{"type": "categories", "values": [-1]}]
    rule = {"when": [{"feature": "x", "any_of": any_of}], "outcome": 0}
    return rule_file(2, [{"name": "x", "kind": "numeric", "special_codes": list(range(n))}], rules=[rule])


def long_names(n: int) -> str:
    """A feature with a long name, of which many categories are named."""
    any_of = [{"type": "categories", "values": list(range(n))}]
    rule = {"when": [{"feature": "x" * 20 * n, "any_of": any_of}], "outcome": 0}
    return rule_file(2, [{"name": "x" * 20 * n, "kind": "numeric"}], rules=[rule])


def long_parameters(n: int) -> str:
    """Parameters under long keys, the last of which cannot be."""
    return rule_file(2, [], provenance={"parameters": {"k" * n: [{"k" * n: [0] * n + [1e999]}]}})


@pytest.mark.deep
@pytest.mark.parametrize(
    "write",
    [
        lambda n: fallback_of(n, "numeric"),
        lambda n: fallback_of(n, "categorical"),
        wide_rule,
        wide_fallback,
        many_codes,
        long_names,
        long_parameters,
    ],
    ids=["intervals", "categories", "clauses", "features", "codes", "names", "parameters"],
)
def test_reading_takes_time_in_proportion_to_what_is_in_the_file(
    proportional: Any, write: Callable[[int], str]
) -> None:
    def made(n: int) -> Callable[[], object]:
        text = write(n)

        def work() -> None:
            try:
                loads(text)
            except ModelError:
                return

        return work

    proportional(made, 750)
