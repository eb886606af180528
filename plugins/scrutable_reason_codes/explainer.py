"""Reasons by how far an applicant falls short of a baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, ClassVar, Self, cast, get_args

from scrutable.data import LabelledRows
from scrutable.data.frames import as_table
from scrutable.errors import InputError, did_you_mean, warn_caller
from scrutable.errors.checks import check_mapping
from scrutable.model import (
    DecisionModel,
    FrozenMapping,
    Interaction,
    Model,
    ReasonPolicy,
    Scorecard,
    SegmentedModel,
    SingleModel,
)
from scrutable.plugins import Limits, NotNegative, check_options
from scrutable.plugins.bases import Explainer, Needs
from scrutable_reason_codes.codes_in_words import Teller
from scrutable_reason_codes.comparison import Agreement, agreements
from scrutable_reason_codes.dictionary import Dictionary, reasonable, refuse_unknown
from scrutable_reason_codes.explanation import ReasonExplanation
from scrutable_reason_codes.methods import WITHOUT_POPULATION, Measure, Method, Taken, measure, method_for, methods_of
from scrutable_reason_codes.naming import narrowed
from scrutable_reason_codes.own_reasons import own_policy, single_model
from scrutable_reason_codes.population import Population
from scrutable_reason_codes.segments import changed_by_segment, compared_by_segment, explained_by_segment


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonCodes(Explainer):
    """Reasons are the features that fall furthest short of a baseline.

    Methods for scorecards, and for tree ensembles of which each tree asks for one feature: "below-average", the
    average points of all applicants, and "near-cutoff", those of applicants at or slightly above the cutoff, which the
    official commentary to Regulation B names as acceptable; "below-maximum"; "below-neutral", points at a weight of
    evidence of 0; "shapley", which for sums of points is "below-average". For trees of several features "shapley":
    exact interventional Shapley values. For rule sets "votes-against": the weight of the rules that vote against.

    Parameters
    ----------
    method : one of the above; by default the first that the kind of model has.
    k : how many reasons at most.
    codes : reason code by feature, several features may share one; "R01", "R02", … where none is given.
    texts : text by code; the feature's label where none is given. See `scrutable.model.reason_texts`.
    translations : by language, for example "de", the text of every code, those of knock-outs among them.
    never : features that may never be a reason. A model in which one could be is refused, for what was a principal
        reason may not be left out (12 CFR part 1002, Supplement I, comment 9(b)(2)-4).
    inquiries : features that count inquiries, which key factors name beyond their limit of four.
    near : points above the cutoff that count as near it; by default those of the lowest tenth of the approved. With
        the method "shapley" it takes the baselines near the cutoff.
    neutral : points by characteristic that are neutral; where not given, those at a weight of evidence of 0.
    population : the reference population, in words.

    References
    ----------
    12 CFR part 1002 (Regulation B), Supplement I, comments 9(b)(2)-1, -4 and -5.

    Examples
    --------
    >>> from scrutable.data.datasets import load_german_credit
    >>> from scrutable import registry
    >>> german = load_german_credit()
    >>> learner = registry().create("learner", "scorecard", binner="quantile", explainer=None).fit(german.X, german.y)
    >>> [explanation] = ReasonCodes(k=2).explain(learner.model_, german.X.iloc[[1]], reference=german.X)
    >>> explanation.approved, len(explanation.reasons), len(explanation.key_factors)
    (False, 2, 4)
    """

    takes_columns: ClassVar[bool] = True
    needs: ClassVar[Needs] = "codes"
    methods: ClassVar[tuple[str, ...]] = get_args(Method)

    method: Method | None = None
    k: Annotated[int, Limits(1, ReasonPolicy.MOST)] = 4
    codes: Mapping[str, str] | None = None
    texts: Mapping[str, str] | None = None
    translations: Mapping[str, Mapping[str, str]] | None = None
    never: Sequence[str] = ()
    inquiries: Sequence[str] = ()
    near: NotNegative | None = None
    neutral: Mapping[str, float] | None = None
    population: str = "all applicants that the model was fitted on"

    def __post_init__(self) -> None:
        for option in ("never", "inquiries"):
            if isinstance(given := getattr(self, option), str):
                object.__setattr__(self, option, (given,))
        check_options(self)
        for option in ("never", "inquiries"):
            object.__setattr__(self, option, tuple(getattr(self, option)))

    def policy(self, model: Model, reference: Any, *, weight: Any = None) -> ReasonPolicy:
        """The reason policy that these options give a model.

        Parameters
        ----------
        reference : all applicants, the declined among them, where there is a sample of them, or the rows that the model
            is learned from (`scrutable.data.LabelledRows`); None for methods that read their baselines off the model.
            What options say of its columns that can be no reason, because the model does not read them, is left out.
        weight : (m,) of its rows, for example to count declined applicants of whom only some are in the sample.

        Raises
        ------
        InputError : unknown names, a method that is not for this model, a feature that may never be a reason and
            could be one, a population without anybody near the cutoff.
        UnsupportedModel : a kind of model without reasons or with segments, see `with_policy`; trees too deep for exact
            Shapley values.
        """
        single = single_model(model)
        options = self._without_unread(single, reference)
        return options._policy(single, reference, weight)

    @classmethod
    def like(cls, policy: ReasonPolicy, model: SingleModel, *, population: str) -> Self:
        """The options that make a policy as it is, for baselines that are taken anew."""
        characteristics = model.characteristics if isinstance(model, Scorecard) else ()
        own = {attribute.reason_code for each in characteristics for attribute in each.attributes}
        return cls(
            method=cast(Method, policy.method),
            near=policy.near,
            neutral=dict(policy.baselines) if policy.method == "below-neutral" else None,
            codes=dict(policy.codes),
            texts={code: words for code, words in policy.texts.items() if code in own or code in policy.codes.values()},
            population=population,
        )

    def _policy(self, single: SingleModel, reference: Any, weight: Any) -> ReasonPolicy:
        words = self._words(single)
        taken = self._taken(single, method_for(single, self.method), reference, weight)
        self._refuse_never(single, taken.measure)
        assert single.cutoff is not None
        return ReasonPolicy(
            method=taken.method,
            population=taken.population,
            cutoff=single.cutoff,
            near=taken.near,
            baselines=FrozenMapping(dict(taken.measure.baselines)),
            effects=taken.measure.effects,
            retired=FrozenMapping() if single.reasons is None else single.reasons.retired,
            **self._told(words),
        )

    def reworded(self, model: Model) -> ReasonPolicy:
        """The model's own policy with the codes, texts, translations, inquiries and number of reasons of these options.

        Raises
        ------
        ModelError : the model holds no reason policy.
        InputError : unknown names, a feature that may never be a reason and could be one.
        """
        single = single_model(model)
        policy = own_policy(single)
        words = self._words(single)
        self._refuse_never(single, Measure(baselines=policy.baselines, effects=policy.effects))
        return replace(policy, **self._told(words))

    def with_policy(
        self,
        model: Model,
        reference: Any = None,
        *,
        weight: Any = None,
        by_segment: Mapping[str, ReasonCodes] | None = None,
    ) -> DecisionModel:
        """The model with the policy of `policy`; a model of segments with one in the model of each segment.

        A segment's baselines are those of its own applicants. Options name features and codes of any segment, texts
        those codes that `codes` names. Where default codes would mean different things in two segments, they are
        numbered anew.

        Parameters
        ----------
        reference, weight : as in `policy`.
        by_segment : options of segments that have other ones than these.

        Raises
        ------
        InputError : a name that no segment has, and as `policy`; the message names the segment.
        ModelError : segments disagree on the text of a code that `codes` names.
        UnsupportedModel : as `policy`.
        """
        if not isinstance(model, SegmentedModel):
            return _given_policy(self, single_model(model), reference, weight)
        return self._changed(model, by_segment, _given_policy, reference, weight)

    def with_words(self, model: Model, *, by_segment: Mapping[str, ReasonCodes] | None = None) -> DecisionModel:
        """The model with the policy of `reworded`; a model of segments with one in the model of each segment.

        Parameters and errors are those of `with_policy` and `reworded`.
        """
        if not isinstance(model, SegmentedModel):
            return _given_words(self, single_model(model))
        return self._changed(model, by_segment, _given_words)

    def explain(self, model: Model, X: Any, *, reference: Any = None) -> list[ReasonExplanation]:
        """The decision on each row and its reasons, by the model's own reason policy.

        In a model of segments each applicant is explained by the model, the cutoff and the policy of their segment.

        Parameters
        ----------
        reference : rows to take baselines from instead, as `with_policy` does.

        Raises
        ------
        ModelError : the model, or that of a segment with applicants, holds no reason policy, and there is no reference.
        InputError : options are given, and no reference to apply them to.
        UnsupportedModel : a kind of model without reasons.
        """
        return list(self.explain_each(model, X, reference=reference))

    def explain_each(self, model: Model, X: Any, *, reference: Any = None) -> Iterator[ReasonExplanation]:
        """Explain each applicant in turn, as `explain` does."""
        if reference is not None:
            model = self.with_policy(model, reference)
        elif self != ReasonCodes():
            raise InputError(
                "options shape a policy, and the model's own policy is used here",
                where="reason codes",
                got=self,
                fix="give a reference population, or fit the model with these options: explainer=ReasonCodes(...)",
            )
        if isinstance(model, SegmentedModel):
            return explained_by_segment(model, X)
        single = single_model(model)
        teller = Teller(single, own_policy(single), X)
        return map(teller.explanation, range(teller.n_rows))

    def compare(self, model: Model, X: Any, *, reference: Any, weight: Any = None) -> list[Agreement]:
        """Every method that the kind of model has beside the model's own policy, or beside the one of these options.

        Codes, texts and the number of reasons are the same for all methods. A method that cannot be taken says why.
        In a model of segments each segment is compared by itself.

        Parameters
        ----------
        X : applicants; the declined among them are compared.
        reference, weight : as in `policy`.
        """
        if isinstance(model, SegmentedModel):
            comparisons = {name: each.compare for name, each in self._each(model, None).items()}
            return list(compared_by_segment(model, comparisons, X, reference, weight))
        single = single_model(model)
        own = single.reasons if self == ReasonCodes() else None
        first = own or self.policy(single, reference, weight=weight)
        bare = replace(self, near=None, neutral=None)
        others: dict[str, ReasonPolicy | str] = {}
        for method in methods_of(single):
            if method != first.method:
                try:
                    others[method] = bare._taken(single, method, reference, weight).in_place_of(first)
                except InputError as error:
                    others[method] = error.what
        return agreements(single, first, others, X)

    def _each(self, model: SegmentedModel, by_segment: Mapping[str, ReasonCodes] | None) -> dict[str, ReasonCodes]:
        """The options of each segment, which name what its model has."""
        names = [segment.name for segment in model.segments]
        if by_segment is not None:
            check_mapping(by_segment, "by_segment", f"{{{names[0]!r}: ReasonCodes(...)}}")
        for name, own in (by_segment or {}).items():
            if name not in names:
                raise InputError("unknown segment", where="by_segment", got=name, fix=did_you_mean(name, names))
            if not isinstance(own, ReasonCodes):
                raise InputError(
                    "expected options", where=f"by_segment, segment {name!r}", got=own, allowed="ReasonCodes(...)"
                )
        options = {name: (by_segment or {}).get(name, self) for name in names}
        return {name: replace(options[name], **narrow) for name, narrow in narrowed(model, options).items()}

    def _changed(
        self,
        model: SegmentedModel,
        by_segment: Mapping[str, ReasonCodes] | None,
        change: Callable[[ReasonCodes, SingleModel, Any, Any], SingleModel],
        reference: Any = None,
        weight: Any = None,
    ) -> SegmentedModel:
        """The model with another policy in the model of each segment, by the options of each."""
        options = self._each(model, by_segment)
        changes = {name: partial(change, each) for name, each in options.items()}
        chosen = {code for each in options.values() for code in (each.codes or {}).values()}
        return changed_by_segment(model, changes, reference, weight, chosen=chosen)

    def _without_unread(self, model: SingleModel, reference: Any) -> ReasonCodes:
        """These options without what they say of columns of the reference that the model has no use for."""
        unread = set(_columns(reference)) - set(reasonable(model))
        codes = {name: code for name, code in (self.codes or {}).items() if name not in unread}
        gone = set((self.codes or {}).values()) - set(codes.values())

        def kept(texts: Mapping[str, str] | None) -> dict[str, str]:
            return {code: words for code, words in (texts or {}).items() if code not in gone}

        return replace(
            self,
            codes=codes,
            texts=kept(self.texts),
            translations={language: kept(texts) for language, texts in (self.translations or {}).items()},
            inquiries=tuple(name for name in self.inquiries if name not in unread),
            neutral={name: points for name, points in (self.neutral or {}).items() if name not in unread},
        )

    def _words(self, model: SingleModel) -> Dictionary:
        words = Dictionary.of(model, self.codes or {}, self.texts or {}, self.translations or {})
        refuse_unknown("inquiries", self.inquiries, words.codes)
        refuse_unknown("neutral", self.neutral or {}, words.codes)
        return words

    def _told(self, words: Dictionary) -> dict[str, Any]:
        """The fields of a policy that do not depend on its baselines."""
        return {
            "codes": FrozenMapping(words.codes),
            "texts": FrozenMapping(words.texts),
            "order": tuple(words.texts),
            "k": self.k,
            "inquiries": self.inquiries,
            "translations": words.translations,
        }

    def _taken(self, model: SingleModel, method: Method, reference: Any, weight: Any) -> Taken:
        """Baselines by a method, and the population that they are of."""
        if self.near is not None and method not in ("near-cutoff", "shapley"):
            fix = "'near-cutoff'"
            raise InputError("a width near the cutoff needs another method", where="near", got=self.near, fix=fix)
        if self.neutral and method != "below-neutral":
            fix = "'below-neutral'"
            raise InputError("neutral points need another method", where="neutral", got=dict(self.neutral), fix=fix)
        if method in WITHOUT_POPULATION:
            return Taken(method=method, measure=measure(model, method, None, self.neutral or {}))
        population = Population.of(reference, weight, self.population)
        if method == "near-cutoff" or self.near is not None:
            population = population.near_cutoff(model, self.near)
        return Taken(
            method=method,
            measure=measure(model, method, population, {}),
            population=population.words,
            near=population.near,
        )

    def _refuse_never(self, model: SingleModel, measured: Measure) -> None:
        declining = set(_can_decline(model, measured))
        for name in self.never:
            if name in declining:
                raise InputError(
                    "may never be a reason, and the model can decline for it",
                    where=f"never: feature {name!r}",
                    got=name,
                    fix="fit without it: a principal reason may not be left out of a notice "
                    "(12 CFR part 1002, Supplement I, comment 9(b)(2)-4)",
                )
            read = [feature.name for feature in model.features]
            alike = "" if name in read else did_you_mean(name, read)
            if alike.startswith("did you mean"):
                warn_caller(f"never: the model does not read {name!r}; {alike}", UserWarning)


def _columns(reference: Any) -> Iterable[str]:
    """Names of the columns of a reference."""
    if reference is None:
        return ()
    if isinstance(reference, LabelledRows):
        return [feature.name for feature in reference.features]
    return as_table(reference).names


def _can_decline(model: SingleModel, measured: Measure) -> Iterator[str]:
    """Features that can fall short, or that a knock-out reads."""
    yield from model.policy.features
    if not isinstance(model, Scorecard):
        yield from reasonable(model)
        return
    for name, term in model.terms.items():
        if term.points_range[0] < measured.baselines[name]:
            yield from term.features if isinstance(term, Interaction) else (name,)


def _given_policy(options: ReasonCodes, model: SingleModel, reference: Any, weight: Any) -> SingleModel:
    return replace(model, reasons=options.policy(model, reference, weight=weight))


def _given_words(options: ReasonCodes, model: SingleModel, *_: Any) -> SingleModel:
    return replace(model, reasons=options.reworded(model))
