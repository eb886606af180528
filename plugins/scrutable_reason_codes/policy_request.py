"""What is wanted of a reason policy that is taken anew or told in other words, and the explainers that do it."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scrutable import registry
from scrutable.errors import InputError
from scrutable.model import (
    DecisionModel,
    FrozenMapping,
    ReasonPolicy,
    Scorecard,
    SegmentedModel,
    SingleModel,
    features_read,
)
from scrutable.plugins import Choice, DataDictionary, checked_options
from scrutable.plugins.bases import Explainer, reasons_explainer

#: Options that words do not depend on.
_OF_BASELINES = ("method", "near", "neutral", "population")
#: Options that say what codes mean and how many are given; where an explainer has them not, they are put in afterwards.
_OF_WORDS = ("k", "inquiries", "codes", "texts", "translations")


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is wanted of a policy.

    Parameters
    ----------
    anew : whether baselines are taken anew.
    method, explainer : how; as in the model's policy where not given.
    dictionary : a data dictionary, which has codes, texts and other options: a mapping, or a TOML file.
    population : the applicants that baselines are taken from, in words, where the dictionary does not say it.
    """

    anew: bool = False
    method: str | None = None
    explainer: str | None = None
    dictionary: Mapping[str, Any] | str | os.PathLike[str] | None = None
    population: str | None = None

    @property
    def name(self) -> str:
        """The explainer that is asked for, or the one whose reasons are given where none is named."""
        return self.explainer or reasons_explainer()

    def explainers(self, model: DecisionModel) -> tuple[Explainer, dict[str, Explainer]]:
        """The explainer with the options of the dictionary, and that of each segment whose model has a policy.

        What neither options nor dictionary name is as in the policy of the model, or of the segment's.

        Raises
        ------
        InputError : no TOML, an option that it does not have, a method given twice; a policy of another explainer than
            reason codes, taken anew without that explainer's name.
        """
        options = self.dictionary_options(model)
        baselines = [name for name in _OF_BASELINES if name in options]
        if baselines and not self.anew:
            raise InputError(
                "the dictionary says how baselines are taken, and they are not taken anew",
                where=self._where,
                got=", ".join(baselines),
                fix="give --reference or --method, or leave it out of the dictionary",
            )
        if self.method is not None and options.setdefault("method", self.method) != self.method:
            raise InputError(
                "the dictionary names another method", where="--method", got=self.method, allowed=options["method"]
            )
        options = {key: value for key, value in options.items() if key not in self.afterwards()}
        if self.population is not None and "population" in self._known():
            options.setdefault("population", self.population)
        if not isinstance(model, SegmentedModel):
            return self._create(model, options), {}
        own = {
            each.name: self._create(each.model, options) for each in model.segments if each.model.reasons is not None
        }
        return explainer_named(self.name, options), own

    def _create(self, model: SingleModel, options: dict[str, Any]) -> Explainer:
        """The explainer with what the model's policy says, as far as it has options for that, and with the options."""
        if model.reasons is not None:
            known = self._known()
            kept = _kept(model, model.reasons, options)
            if self.explainer is None and self.anew and "method" not in options:
                kept["method"] = _own_method(model, model.reasons)
            options = {key: value for key, value in kept.items() if key in known or key in options}
        return explainer_named(self.name, options)

    def in_words_of(self, before: DecisionModel, after: DecisionModel) -> DecisionModel:
        """The model after its policy was taken anew, with words of before and of the dictionary that got lost by it."""
        if not self.afterwards():
            return after
        by_segment = {}
        if isinstance(before, SegmentedModel) and isinstance(after, SegmentedModel):
            pairs = zip(before.segments, after.segments, strict=True)
            by_segment = {old.name: self._words(old.model, new.model) for old, new in pairs}
            teller = explainer_named(reasons_explainer())
        else:
            teller = self._words(*before.parts, *after.parts)
        return teller.with_words(after, by_segment=by_segment)

    def dictionary_options(self, model: DecisionModel) -> dict[str, Any]:
        """What the dictionary says of reasons, each option of the type that an explainer states."""
        if self.dictionary is None:
            return {}
        given = self.said.reason_options({feature.name for feature in features_read(model)})
        if "never" not in self._known():
            given.pop("never", None)  # it is of all models, and not of this explainer
        words = {name: given.pop(name) for name in self.afterwards() if name in given}
        return {
            **checked_options(self._class(), given, self._where),
            **checked_options(registry().load("explainer", reasons_explainer()), words, self._where),
        }

    @property
    def said(self) -> DataDictionary:
        """The data dictionary; an empty one where there is none."""
        if self.dictionary is None:
            return DataDictionary()
        if isinstance(self.dictionary, Mapping):
            return DataDictionary.of(self.dictionary, self._where)
        return DataDictionary.read(self.dictionary)

    @property
    def _where(self) -> str:
        """How errors name the dictionary."""
        return "dictionary" if isinstance(self.dictionary, Mapping) else f"file {str(self.dictionary)!r}"

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
        given = self.dictionary_options(before)
        said = given if before.reasons is None else _kept(before, before.reasons, given)
        assert after.reasons is not None
        lost = {name: said[name] for name in self.afterwards() if name in said}
        return explainer_named(reasons_explainer(), _kept(after, after.reasons, lost))


def explainer_named(name: str, options: Mapping[str, Any] = FrozenMapping()) -> Explainer:
    """An explainer with options."""
    made: Explainer = Choice(name=name, options=dict(options)).create("explainer")
    return made


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
    kept = used.union(model.policy.reasons)
    translations = {
        language: {code: words for code, words in texts.items() if code in kept}
        for language, texts in policy.translations.items()
    }
    for language, texts in given.get("translations", {}).items():
        translations[language] = {**translations.get(language, {}), **texts}
    return {
        "k": policy.k,
        "inquiries": list(policy.inquiries),
        **given,
        "codes": codes,
        "texts": {**{code: words for code, words in policy.texts.items() if code in used}, **given.get("texts", {})},
        "translations": translations,
    }
