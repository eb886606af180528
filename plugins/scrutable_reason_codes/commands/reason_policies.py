"""One run of `scrutable reasons`: the model's reason policy as it is, taken anew, or beside other methods'."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.table import Table

from scrutable.cli.output import table, working
from scrutable.cli.tables import read_evidence, read_model, read_model_and_data
from scrutable.errors import InputError
from scrutable.model import (
    DecisionModel,
    Evidence,
    FrozenMapping,
    Model,
    ReasonPolicy,
    RegressionScorecard,
    Scorecard,
    SegmentedModel,
    fingerprint,
)
from scrutable.model.codec import encode
from scrutable.model.segments import SingleModel
from scrutable.model.whole import single_models
from scrutable.plugins.bases.explainer import Explainer
from scrutable.plugins.bases.explanation import Agreement
from scrutable.plugins.bases.reason_explainers import reasons_explainer
from scrutable.plugins.choices import Choice
from scrutable.plugins.coerce import checked_options
from scrutable.plugins.registry import registry
from scrutable.writing.decoder import read_toml
from scrutable.writing.toml import toml_key, toml_value

#: Options that words do not depend on.
_OF_BASELINES = ("method", "near", "neutral", "population")
#: Options that say what codes mean and how many are given; where an explainer has them not, they are put in afterwards.
_OF_WORDS = ("k", "inquiries", "codes", "texts", "translations")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked for; see `scrutable_reason_codes.commands.reasons`."""

    model: Path
    reference: Path | None = None
    weight: str | None = None
    method: str | None = None
    explainer: str | None = None
    dictionary: Path | None = None
    evidence: Path | None = None

    @property
    def name(self) -> str:
        """The explainer that is asked for, or the one whose reasons are given where none is named."""
        return self.explainer or reasons_explainer()

    @property
    def anew(self) -> bool:
        """Whether baselines are taken anew."""
        return any(each is not None for each in (self.reference, self.method, self.explainer, self.weight))

    def explainers(self, model: DecisionModel) -> tuple[Explainer, dict[str, Explainer]]:
        """The explainer with the options of the dictionary, and that of each segment whose model has a policy.

        What neither options nor dictionary name is as in the policy of the model, or of the segment's.

        Raises
        ------
        InputError : no TOML, an option that it does not have, a method given twice; a policy of another explainer than
            reason codes, taken anew without that explainer's name.
        """
        options = self.dictionary_options()
        baselines = [name for name in _OF_BASELINES if name in options]
        if baselines and not self.anew:
            raise InputError(
                "the dictionary says how baselines are taken, and they are not taken anew",
                where=f"file {str(self.dictionary)!r}",
                got=", ".join(baselines),
                fix="give --reference or --method, or leave it out of the dictionary",
            )
        if self.method is not None and options.setdefault("method", self.method) != self.method:
            raise InputError(
                "the dictionary names another method", where="--method", got=self.method, allowed=options["method"]
            )
        options = {key: value for key, value in options.items() if key not in self.afterwards()}
        if self.reference is not None and "population" in self._known():
            options.setdefault("population", f"all applicants of {self.reference.name}")
        if not isinstance(model, SegmentedModel):
            return self._create(model, options), {}
        own = {
            each.name: self._create(each.model, options) for each in model.segments if each.model.reasons is not None
        }
        return _explainer(self.name, options), own

    def _create(self, model: SingleModel, options: dict[str, Any]) -> Explainer:
        """The explainer with what the model's policy says, as far as it has options for that, and with the options."""
        if model.reasons is not None:
            known = self._known()
            kept = _kept(model, model.reasons, options)
            if self.explainer is None and self.anew and "method" not in options:
                kept["method"] = _own_method(model, model.reasons)
            options = {key: value for key, value in kept.items() if key in known or key in options}
        return _explainer(self.name, options)

    def in_words_of(self, before: DecisionModel, after: DecisionModel) -> DecisionModel:
        """The model after its policy was taken anew, with words of before and of the dictionary that got lost by it."""
        if not self.afterwards():
            return after
        by_segment = {}
        if isinstance(before, SegmentedModel) and isinstance(after, SegmentedModel):
            pairs = zip(before.segments, after.segments, strict=True)
            by_segment = {old.name: self._words(old.model, new.model) for old, new in pairs}
            teller = _explainer(reasons_explainer())
        else:
            teller = self._words(*single_models(before), *single_models(after))
        return teller.with_words(after, by_segment=by_segment)

    def dictionary_options(self) -> dict[str, Any]:
        """What the dictionary says, each option of the type that an explainer states; nothing where there is none."""
        if self.dictionary is None:
            return {}
        given, where = read_toml(self.dictionary), f"file {str(self.dictionary)!r}"
        words = {name: given.pop(name) for name in self.afterwards() if name in given}
        return {
            **checked_options(self._class(), given, where),
            **checked_options(registry().load("explainer", reasons_explainer()), words, where),
        }

    def afterwards(self) -> list[str]:
        """Options of words that the explainer has not."""
        return [name for name in _OF_WORDS if name not in self._known()]

    def _known(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self._class()).parameters

    def _class(self) -> type[Explainer]:
        """The explainer that is asked for."""
        explainer: type[Explainer] = registry().load("explainer", self.name)
        return explainer

    def _words(self, before: SingleModel, after: SingleModel) -> Explainer:
        """What puts the words of one policy into another."""
        given = self.dictionary_options()
        said = given if before.reasons is None else _kept(before, before.reasons, given)
        assert after.reasons is not None
        lost = {name: said[name] for name in self.afterwards() if name in said}
        return _explainer(reasons_explainer(), _kept(after, after.reasons, lost))


def with_policy(asked: Asked) -> tuple[DecisionModel, Evidence | None]:
    """The model, with a policy taken anew or told in other words where that is asked for, and its evidence.

    Raises
    ------
    InputError, ModelError, UnsupportedModel : files or options that do not fit; a model without reasons.
    """
    model = _deciding(read_model(asked.model))
    known = None if asked.evidence is None else read_evidence(asked.evidence, model)
    found = model
    if asked.anew:
        rows, weight = _reference(asked)
        explainer, own = asked.explainers(model)
        with working("Taking the baselines"):
            found = asked.in_words_of(model, explainer.with_policy(model, rows, weight=weight, by_segment=own))
    elif not _policies(model):
        raise InputError(
            "the model holds no reason policy",
            where=f"file {str(asked.model)!r}",
            fix="take one from the applicants: --reference FILE",
        )
    elif asked.dictionary is not None:
        explainer, own = asked.explainers(model)
        found = explainer.with_words(model, by_segment=own)
    return found, None if known is None else replace(known, model_sha256=fingerprint(found))


def compared_with(asked: Asked, model: DecisionModel, applicants: Path) -> Sequence[Agreement]:
    """Every method beside the model's policy on the applicants of a file, who are the reference without another."""
    compared = read_model_and_data(asked.model, applicants, None)[1]
    rows, weight = (compared, None) if asked.reference is None else _reference(asked)
    explainer = _explainer(reasons_explainer())
    with working("Comparing methods"):
        return explainer.compare(model, compared, reference=rows, weight=weight)


def policies_json(model: DecisionModel) -> Any:
    """The policy of a model as plain values; those of a model of segments by segment, None where it has none."""
    if not isinstance(model, SegmentedModel):
        return encode(model.reasons)
    return {each.name: each.model.reasons and encode(each.model.reasons) for each in model.segments}


def dictionary_text(model: DecisionModel) -> str:
    """The words of a model's policies as TOML, to be edited and given back.

    Segments share the words. A feature has the code of the first segment that has it, and where segments give
    different numbers of reasons, the number is left out.
    """
    policies = _policies(model)
    numbers = {policy.k for policy in policies}
    inquiries = dict.fromkeys(name for policy in policies for name in policy.inquiries)
    codes = _first(policy.codes for policy in policies)
    languages = dict.fromkeys(language for policy in policies for language in policy.translations)
    tables = {
        "codes": codes,
        "texts": _first(policy.texts for policy in policies),
        **{
            f"translations.{toml_key(each)}": _first(policy.translations.get(each, {}) for policy in policies)
            for each in languages
        },
    }
    lines = [f"k = {number}" for number in numbers if len(numbers) == 1] + [
        f"inquiries = {toml_value(list(inquiries))}"
    ]
    for name, values in tables.items():
        lines += ["", f"[{name}]", *(f"{toml_key(key)} = {toml_value(value)}" for key, value in values.items())]
    return "\n".join(lines) + "\n"


def compared_tables(found: Sequence[Agreement]) -> list[Table]:
    """A row for each method, in a table for each segment."""
    segments = dict.fromkeys(each.segment for each in found)
    return [_compared_table([each for each in found if each.segment == segment]) for segment in segments]


def policy_tables(model: DecisionModel) -> list[Table]:
    """A row for each code and feature that has it, or for a code of attributes, in the order that settles ties.

    A model of segments has a table for each of them.
    """
    if not isinstance(model, SegmentedModel):
        return [_policy_table(model, "")]
    return [_policy_table(each.model, f"Segment {each.name!r}. ") for each in model.segments]


def _compared_table(found: Sequence[Agreement]) -> Table:
    headers = ("method", "same first reason", "same reasons", "reasons shared", "without a reason", "")
    segment = "" if found[0].segment is None else f"Segment {found[0].segment!r}: "
    title = f"{segment}{found[0].declined:,} declined applicants, each method beside {found[0].method!r}"
    rows = [
        (
            each.method,
            *("-" if share is None else f"{share:.1%}" for share in (each.first, each.same, each.shared)),
            "-" if each.without is None else f"{each.without:,}",
            each.note,
        )
        for each in found
    ]
    return table(headers, rows, title=title, right=(1, 2, 3, 4))


def _policy_table(model: SingleModel, segment: str) -> Table:
    policy = model.reasons
    headers = ("code", "text", "feature", "baseline")
    if policy is None:
        return table(headers, [], title=f"{segment}No reason policy.")
    titles = {feature.name: feature.title for feature in model.features}
    rows = [
        (code, policy.texts[code], titles.get(name, "some attributes"), _baseline(policy, name))
        for code, names in policy.features().items()
        for name in names or ("",)
    ]
    rows += [(rule.code, rule.reason, "knock-out", "") for rule in model.policy.knock_outs]
    about = f"{segment}Method {policy.method}, at most {policy.k} reasons. Population: {policy.population}."
    if policy.languages:
        about += f" Also in: {', '.join(policy.languages)}."
    return table(headers, rows, title=about, right=(3,))


def _baseline(policy: ReasonPolicy, name: str) -> str:
    return f"{policy.baselines[name]:.4g}" if name in policy.baselines else ""


def _explainer(name: str, options: Mapping[str, Any] = FrozenMapping()) -> Explainer:
    """An explainer with options."""
    made: Explainer = Choice(name=name, options=dict(options)).create("explainer")
    return made


def _policies(model: DecisionModel) -> list[ReasonPolicy]:
    """The policies of a model, in the order of its segments."""
    return [each.reasons for each in single_models(model) if each.reasons is not None]


def _first(mappings: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """All keys, with the value of the first mapping that has them."""
    found: dict[str, Any] = {}
    for each in mappings:
        found = {**found, **{key: value for key, value in each.items() if key not in found}}
    return found


def _own_method(model: SingleModel, policy: ReasonPolicy) -> str:
    """The method of a policy that reason codes made.

    Raises
    ------
    InputError : another explainer made it.
    """
    name = reasons_explainer()
    methods = registry().load("explainer", name).methods
    if policy.method not in methods:
        fitted = model.provenance.parameters.get("explainer")
        known = isinstance(fitted, str) and fitted != name
        unknown = "" if known else ", and which explainer made it is not known"
        which = f"{fitted}, by which the model was fitted," if known else "the explainer"
        raise InputError(
            f"the model's policy is not of reason codes{unknown}",
            where="--reference",
            got=policy.method,
            fix=f"name {which} with --explainer, or a method of reason codes with --method",
        )
    return policy.method


def _kept(model: SingleModel, policy: ReasonPolicy, given: Mapping[str, Any]) -> dict[str, Any]:
    """Options that make the policy as it is, but for those given; codes and texts are given one by one."""
    codes = {**policy.codes, **given.get("codes", {})}
    characteristics = model.characteristics if isinstance(model, Scorecard) else ()
    own = {each.reason_code for item in characteristics for each in item.attributes}
    used = {*codes.values(), *own}
    knock_outs = {rule.code for rule in model.policy.knock_outs}
    translations = {
        language: {code: words for code, words in its.items() if code in used | knock_outs}
        for language, its in policy.translations.items()
    }
    for language, its in given.get("translations", {}).items():
        translations[language] = {**translations.get(language, {}), **its}
    return {
        "k": policy.k,
        "inquiries": list(policy.inquiries),
        **given,
        "codes": codes,
        "texts": {**{code: words for code, words in policy.texts.items() if code in used}, **given.get("texts", {})},
        "translations": translations,
    }


def _reference(asked: Asked) -> tuple[Any, Any]:
    """The rows of the reference and their weights; neither where there is no file."""
    from scrutable.data.cohort_file import weights_of

    if asked.reference is None:
        if asked.weight is not None:
            raise InputError("a weight without a reference", where="--weight", got=asked.weight, fix="give --reference")
        return None, None
    with working(f"Reading {asked.reference}"):
        rows = read_model_and_data(asked.model, asked.reference, None)[1]
    if asked.weight is None:
        return rows, None
    return rows, weights_of(rows, asked.weight, f"--weight, file {str(asked.reference)!r}")


def _deciding(model: Model) -> DecisionModel:
    if not isinstance(model, RegressionScorecard):
        return model
    raise InputError(
        "reasons are those of a model that decides",
        where="scrutable reasons",
        got=repr(model),
        fix="name a scorecard, a rule set, trees, or segments of these",
    )
