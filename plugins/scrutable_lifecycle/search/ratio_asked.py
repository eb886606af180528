"""Which ratio of approval rates a search is asked to judge: over what, of which groups, from which size on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scrutable.data import MIN_GROUP_SIZE, finite_number, label
from scrutable.errors import InputError, did_you_mean
from scrutable.errors.checks import check_mapping
from scrutable.fairness import MISSING, Groups, ProtectedAttribute, RatioKind, check_ratio_kind
from scrutable.model import FrozenMapping, Json, freeze
from scrutable_lifecycle.search.ratio_words import meaning_of

#: How errors call `RatioAsked.groups`, which commands have as an option.
_COMPARED = "groups to compare"


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioAsked:
    """What a ratio compares, by attribute.

    Parameters
    ----------
    kind : which ratio, of every attribute. None means "adverse-impact" where a reference is named, because who names
        one wants to know who fares worse than it, and "four-fifths" where none is: the largest group, which would take
        its place, may be the one that fares worst.
    references : the references that are named, by attribute.
    groups : the groups that are compared, by attribute; all of an attribute that is not named. The reference need not
        be among them.
    min_group_size : groups of fewer effective rows are not compared; `MIN_GROUP_SIZE` or more, since a ratio has no
        interval below it.

    Raises
    ------
    InputError : no kind of ratio, a size below `MIN_GROUP_SIZE`, no group of an attribute, or what is no mapping.

    Examples
    --------
    >>> asked = RatioAsked(references={"race": "white"})
    >>> asked.kind_of("race"), asked.kind_of("sex")
    ('adverse-impact', 'four-fifths')
    """

    kind: RatioKind | None = None
    references: Mapping[str, str] = FrozenMapping()
    groups: Mapping[str, Sequence[str]] = FrozenMapping()
    min_group_size: float = MIN_GROUP_SIZE

    def __post_init__(self) -> None:
        if self.kind is not None:
            check_ratio_kind(self.kind)
        if finite_number(self.min_group_size, "min_group_size") < MIN_GROUP_SIZE:
            raise InputError(
                "a ratio of so few rows has no interval, and says little",
                where="min_group_size",
                got=self.min_group_size,
                allowed=f"{MIN_GROUP_SIZE} or more",
                fix="merge small groups",
            )
        check_mapping(self.references, "references", "{'race': 'white'}")
        check_mapping(self.groups, _COMPARED, "{'race': ['black', 'hispanic']}")
        for attribute, labels in self.groups.items():
            if isinstance(labels, str) or not labels:
                raise InputError(
                    "expected the groups to compare",
                    where=f"{_COMPARED}, attribute {attribute!r}",
                    got=labels,
                    fix=f"for example {{{attribute!r}: ['a', 'b']}}, or leave the attribute out for all of its groups",
                )
        references = {name: label(value) for name, value in self.references.items()}
        groups = {name: tuple(dict.fromkeys(map(label, values))) for name, values in self.groups.items()}
        object.__setattr__(self, "references", FrozenMapping(references))
        object.__setattr__(self, "groups", FrozenMapping(groups))

    @classmethod
    def read(cls, ratio: RatioKind | RatioAsked | None, references: Mapping[str, str] | None = None) -> RatioAsked:
        """What an option `ratio` says, with references that are named elsewhere, such as a learner's.

        >>> RatioAsked.read("four-fifths", {"sex": "m"}) == RatioAsked(kind="four-fifths", references={"sex": "m"})
        True
        """
        asked = ratio if isinstance(ratio, RatioAsked) else cls(kind=ratio)
        return replace(asked, references={**(references or {}), **asked.references})

    def kind_of(self, attribute: str) -> RatioKind:
        """The ratio of an attribute."""
        return self.kind or ("adverse-impact" if attribute in self.references else "four-fifths")

    def labels_of(self, attribute: ProtectedAttribute) -> tuple[str, ...]:
        """The groups of an attribute that are to be compared, whatever their size; not the reference of its ratio."""
        named = self.groups.get(attribute.name, attribute.known)
        beside = attribute.reference if self.kind_of(attribute.name) == "adverse-impact" else None
        return tuple(group for group in attribute.known if group in named and group != beside)

    def with_references(self, groups: Groups) -> Groups:
        """The groups with the references that are named.

        Raises
        ------
        InputError : an attribute or a group that there is not, or nothing beside the reference to compare.
        """
        for option, named in self._named():
            for name, labels in named.items():
                _check_labels(groups, name, labels, option)
        attributes = [
            replace(each, reference=self.references.get(each.name, each.reference)) for each in groups.attributes
        ]
        for each in attributes:
            least = 1 if self.kind_of(each.name) == "adverse-impact" else 2
            if len(self.labels_of(each)) < least:
                raise InputError(
                    "there is nothing to compare",
                    where=f"{_COMPARED}, attribute {each.name!r}",
                    got=list(self.groups.get(each.name, each.known)),
                    allowed="two groups or more" if least == 2 else f"a group beside the reference {each.reference!r}",
                    fix="name another group, or leave the attribute out for all of its groups",
                )
        return Groups(tuple(attributes))

    def compared(self, groups: Groups) -> Groups:
        """The groups of which learners are told: rows of those that are not compared count as of unknown membership.

        So constraints bind the compared groups alone. A reference that four-fifths ratios leave out gives way to the
        largest group that is compared.

        >>> groups = Groups.from_frame({"race": ["a", "b", "c", "c"]}, min_group_size=0)
        >>> RatioAsked(groups={"race": ["a", "b"]}).compared(groups)["race"].sizes
        {'a': 1.0, 'b': 1.0, '(missing)': 2.0}
        """
        return Groups(tuple(map(self._only_compared, groups.attributes)))

    def in_words(self, groups: Groups) -> str:
        """What the ratios of a decision divide, and whom they compare, for a reader.

        >>> groups = Groups.from_frame({"sex": ["f", "m", "m"]}, min_group_size=0)
        >>> RatioAsked(groups={"sex": ["f", "m"]}).in_words(groups)
        "sex: the lowest approval rate among groups divided by the highest, of 'f', 'm'; groups of 30 rows or more"
        """
        told = []
        for each in groups.attributes:
            meaning = meaning_of(self.kind_of(each.name), each.reference)
            among = f", of {', '.join(map(repr, self.groups[each.name]))}" if each.name in self.groups else ""
            told.append(f"{each.name}: {meaning}{among}")
        return f"{'; '.join(told)}; groups of {self.min_group_size:g} rows or more"

    def of_four_fifths(self) -> dict[str, Any]:
        """What `decision_points` is told of the four-fifths ratio."""
        return {"among": self.groups, "min_group_size": self.min_group_size}

    def to_json(self) -> dict[str, Json]:
        """The options as the log holds them."""
        return {
            "ratio": self.kind or "by attribute",
            "reference_groups": freeze(self.references),
            "compared_groups": freeze(self.groups),
            "min_group_size": self.min_group_size,
        }

    def _only_compared(self, attribute: ProtectedAttribute) -> ProtectedAttribute:
        beside = [attribute.reference] if self.kind_of(attribute.name) == "adverse-impact" else []
        told = [group for group in attribute.known if group in (*self.labels_of(attribute), *beside)]
        if len(told) == len(attribute.known):
            return attribute
        membership = attribute.membership[:, [attribute.labels.index(group) for group in told]]
        unknown = np.clip(1 - membership.sum(axis=1), 0, 1)
        sizes = attribute.sizes
        return replace(
            attribute,
            labels=(*told, MISSING),
            reference=attribute.reference if attribute.reference in told else max(told, key=lambda group: sizes[group]),
            membership=np.column_stack([membership, unknown]),
        )

    def _named(self) -> Iterator[tuple[str, Mapping[str, Sequence[str]]]]:
        yield "reference", {name: (group,) for name, group in self.references.items()}
        yield _COMPARED, self.groups


#: All groups of all attributes, the lowest rate by the highest.
EVERYTHING = RatioAsked()


def _check_labels(groups: Groups, name: str, labels: Sequence[str], option: str) -> None:
    if name not in groups.names:
        fix, allowed = did_you_mean(name, groups.names), ", ".join(map(repr, groups.names))
        raise InputError("there is no such protected attribute", where=option, got=name, allowed=allowed, fix=fix)
    for group in labels:
        if group not in groups[name].known:
            where, fix = f"{option}, attribute {name!r}", did_you_mean(group, groups[name].known)
            allowed = ", ".join(map(repr, groups[name].known))
            raise InputError("there is no such group", where=where, got=group, allowed=allowed, fix=fix)
