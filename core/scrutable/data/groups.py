"""Protected groups of the rows of a data set, made from columns of labels or of probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scrutable.data.attribute import (
    MISSING,
    SUM_TOLERANCE,
    ProtectedAttribute,
    attribute_place,
    check_membership,
    sizes_of_groups,
)
from scrutable.data.disclosure.smallest_count import min_cell
from scrutable.data.frames import as_table
from scrutable.data.labelling import Codes, as_columns, cross, encode, label
from scrutable.data.sizes import MIN_GROUP_SIZE, is_small
from scrutable.errors import InputError, KindError, ScrutableWarning, did_you_mean, warn_caller
from scrutable.errors.checks import check_mapping

__all__ = ["Groups", "ProtectedAttribute", "SmallGroupWarning"]

_WHAT = "sensitive_features"
_REFERENCE = "reference (a learner's reference_groups)"
#: Sums of probabilities that lie no further from 1 are those of rounded numbers.
_ROUNDED = 0.01


class SmallGroupWarning(ScrutableWarning):
    """A group so small that its rates say little."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Protected attributes of the same n rows. Make one with `from_frame` or `from_probabilities`.

    Known groups and probabilities are joined by `Groups(known.attributes + probable.attributes)`.

    Examples
    --------
    >>> groups = Groups.from_frame({"sex": ["f", "m", "m"], "age": [25, 61, 40]}, bins={"age": [26, 40]},
    ...                            reference={"age": ">= 40"}, min_group_size=0)
    >>> groups["age"].labels, groups["age"].reference, groups["sex"].reference
    (('< 26', '>= 40'), '>= 40', 'm')
    >>> groups.labels_of("sex").tolist()
    ['f', 'm', 'm']
    """

    attributes: tuple[ProtectedAttribute, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", tuple(self.attributes))
        rows = {attribute.name: len(attribute.membership) for attribute in self.attributes}
        if not rows:
            raise InputError("there is no protected attribute", where=_WHAT, fix="pass at least one column")
        if len(rows) < len(self.attributes):
            names = [attribute.name for attribute in self.attributes]
            raise InputError("two protected attributes share a name", where=_WHAT, got=names, fix="rename one of them")
        if len(set(rows.values())) > 1:
            raise InputError(
                "protected attributes differ in their number of rows", where=_WHAT, got=rows, fix="use the same rows"
            )

    @classmethod
    def from_frame(
        cls,
        sensitive_features: Any,
        *,
        reference: Mapping[str, Any] | None = None,
        bins: Mapping[str, Sequence[float]] | None = None,
        intersections: Iterable[Sequence[str]] = (),
        min_group_size: int = MIN_GROUP_SIZE,
        expected_rows: int | None = None,
        count: Codes | None = None,
    ) -> Groups:
        """Groups from columns of known values.

        Parameters
        ----------
        sensitive_features : pandas, polars or pyarrow frame or series, mapping of columns, or one-dimensional array
            (then the attribute is called "group"). Groups that are already made are returned as they are.
        reference : label to compare with, by attribute; the default is the largest group of known membership, ties
            to the first label.
        bins : cuts by numeric attribute; a bin is [lower, upper). Numeric attributes with more than ten distinct
            values that are not listed are cut at their quartiles.
        intersections : attributes to cross, such as [("sex", "age")]; the new attribute is called "sex & age", and
            its labels "f & < 26", only as far as they occur. Where a part is not known, neither is the combination.
        min_group_size : smaller groups bring one `SmallGroupWarning`.
        expected_rows : number of rows of the data that these groups describe.
        count : (n,) how many rows each of these stands for; 1 each if None.

        Missing values form a group of their own, "(missing)", which is measured and never bounded.

        Raises
        ------
        InputError : an attribute with one group or more than 200, an unknown attribute or reference, rows that do not
            match, repeated column names, cuts that do not increase.
        KindError : cuts for text, or something that is not a frame, series, mapping or one-dimensional array.
        """
        if isinstance(sensitive_features, cls):
            options = {_REFERENCE: reference, "bins": bins, "intersections": tuple(intersections)}
            return _as_given(sensitive_features, [name for name, value in options.items() if value], expected_rows)
        table = as_columns(sensitive_features)
        cuts = dict(bins or {})
        _check_names(cuts, table.names, "bins")
        coded = {name: encode(table.column(name), cuts.get(name), attribute_place(name), count) for name in table.names}
        for parts in map(tuple, intersections):
            _check_names(parts, table.names, "intersections")
            Groups.check_crossed(parts)
            name = " & ".join(parts)
            coded[name] = cross([coded[part] for part in parts], attribute_place(name))
        memberships = {name: (labels, _one_hot(codes, len(labels))) for name, (codes, labels) in coded.items()}
        return cls._build(memberships, reference, min_group_size, expected_rows, count)

    @classmethod
    def from_codes(
        cls,
        codes: Mapping[str, Codes],
        labels: Mapping[str, tuple[str, ...]],
        *,
        reference: Mapping[str, Any] | None = None,
        min_group_size: int = MIN_GROUP_SIZE,
        count: Codes | None = None,
    ) -> Groups:
        """Groups whose codes are known.

        Parameters
        ----------
        codes : by attribute, (n,) the position of each row's group among the labels.
        labels : by attribute, the groups; "(missing)" is the last.
        reference, min_group_size, count : as in `from_frame`.

        Examples
        --------
        >>> groups = Groups.from_codes({"sex": np.array([0, 1])}, {"sex": ("f", "m")}, count=np.array([40, 60]))
        >>> groups["sex"].reference
        'm'
        """
        memberships = {name: (labels[name], _one_hot(own, len(labels[name]))) for name, own in codes.items()}
        return cls._build(memberships, reference, min_group_size, None, count)

    @classmethod
    def from_probabilities(
        cls,
        probabilities: Mapping[str, Any],
        *,
        reference: Mapping[str, Any] | None = None,
        min_group_size: int = MIN_GROUP_SIZE,
        expected_rows: int | None = None,
        count: Codes | None = None,
    ) -> Groups:
        """Groups from membership probabilities, one frame per attribute with one column per group.

        A row counts in every group, with its probability as a weight. A row in which all probabilities of an attribute
        are missing is of unknown membership, "(missing)". Where they are rounded, so that a row sums to 1 within 0.01,
        they are divided by their sum.

        Parameters
        ----------
        probabilities : by attribute, a frame or mapping of columns.
        reference, min_group_size, expected_rows, count : as in `from_frame`; sizes are sums of probabilities.

        Raises
        ------
        InputError : a probability outside [0, 1], one that is missing beside others that are not, a row that does not
            sum to 1 within 0.01, and as in `from_frame`.
        KindError : a column that is not numeric.

        Examples
        --------
        >>> race = {"a": [0.9, 0.2], "b": [0.1, 0.8]}
        >>> groups = Groups.from_probabilities({"race": race}, reference={"race": "b"}, min_group_size=0)
        >>> groups["race"].membership.tolist()
        [[0.9, 0.1], [0.2, 0.8]]
        """
        memberships = {str(name): _probabilities(str(name), frame) for name, frame in probabilities.items()}
        return cls._build(memberships, reference, min_group_size, expected_rows, count)

    @classmethod
    def _build(
        cls,
        memberships: Mapping[str, tuple[tuple[str, ...], npt.NDArray[np.float64]]],
        reference: Mapping[str, Any] | None,
        min_group_size: int,
        expected_rows: int | None,
        count: Codes | None,
    ) -> Groups:
        if reference is not None:
            check_mapping(reference, _REFERENCE, "{'sex': 'male'}")
        chosen = {name: label(value) for name, value in (reference or {}).items()}
        _check_names(chosen, memberships, "reference")
        attributes = [
            ProtectedAttribute(
                name, labels, chosen[name] if name in chosen else largest(labels, membership, count), membership
            )
            for name, (labels, membership) in memberships.items()
        ]
        groups = cls(tuple(attributes))
        _check_rows(groups, expected_rows)
        _warn_of_small(groups, min_group_size, count)
        return groups

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the protected attributes."""
        return tuple(attribute.name for attribute in self.attributes)

    @property
    def rows(self) -> int:
        """Number of rows described."""
        return len(self.attributes[0].membership)

    def __getitem__(self, name: str) -> ProtectedAttribute:
        _check_names([name], self.names, "groups")
        return self.attributes[self.names.index(name)]

    def labels_of(self, attribute: str) -> npt.NDArray[np.object_]:
        """(n,) the most probable group of each row, as text; ties go to the first label."""
        protected = self[attribute]
        return np.array(protected.labels, dtype=object)[protected.codes]

    def subset(self, rows: Any) -> Groups:
        """Some rows, by a boolean mask or positions, with all attributes, labels and references."""
        return Groups(
            tuple(
                ProtectedAttribute(each.name, each.labels, each.reference, each.membership[np.asarray(rows)])
                for each in self.attributes
            )
        )

    @staticmethod
    def check(groups: object) -> None:
        """Refuse what is no `Groups`, such as a frame.

        Raises
        ------
        InputError : says how to make them.
        """
        if not isinstance(groups, Groups):
            raise InputError(
                "expected groups",
                where="groups",
                got=type(groups).__name__,
                allowed="scrutable.fairness.Groups",
                fix="make them of a frame of protected columns: Groups.from_frame(frame)",
            )

    @staticmethod
    def check_crossed(parts: Sequence[str]) -> None:
        """Refuse an intersection of fewer than two different attributes."""
        if len(set(parts)) < max(2, len(parts)):
            raise InputError(
                "an intersection crosses two or more different attributes",
                where="intersections",
                got=parts,
                allowed="tuples of attribute names",
                fix="give for example intersections=[('sex', 'age')]",
            )


def size_of(attribute: str, group: str, size: float) -> str:
    """How warnings state the size of a group; one of so few that it is not told of stays without its name.

    >>> size_of("sex", "f", 12.0), size_of("sex", "x", 1.0)
    ("'f' of 'sex' has 12 rows", "a group of 'sex' has fewer than 5 rows, which count with others")
    """
    if 0 < size < (least := min_cell()):
        return f"a group of {attribute!r} has fewer than {least} rows, which count with others"
    return f"{group!r} of {attribute!r} has {size:.6g} row{'' if size == 1 else 's'}"


def _check_names(names: Iterable[str], known: Iterable[str], where: str) -> None:
    known = list(known)
    for name in names:
        if name not in known:
            raise InputError(
                "there is no such protected attribute",
                where=where,
                got=name,
                allowed=did_you_mean(name, known),
                fix="correct the name, or add the column to sensitive_features",
            )


def _check_rows(groups: Groups, expected: int | None) -> None:
    if expected is not None and groups.rows != expected:
        raise InputError(
            "the number of rows differs from the data's",
            where=_WHAT,
            got=groups.rows,
            allowed=f"{expected} rows",
            fix="take sensitive_features from the same rows as the data",
        )


def _as_given(groups: Groups, options: Sequence[str], expected_rows: int | None) -> Groups:
    if options:
        named = " and ".join(options)
        raise InputError(
            f"these groups are already made, so {named} can no longer be chosen",
            where=_WHAT,
            fix=f"leave {named} out, and give the choice to Groups.from_frame or Groups.from_probabilities",
        )
    _check_rows(groups, expected_rows)
    return groups


def _one_hot(codes: Codes, count: int) -> npt.NDArray[np.float64]:
    membership = np.zeros((codes.size, count))
    membership[np.arange(codes.size), codes] = 1.0
    return membership


def _probabilities(name: str, frame: Any) -> tuple[tuple[str, ...], npt.NDArray[np.float64]]:
    table = as_table(frame)
    columns = [table.column(each) for each in sorted(table.names)]
    for column in columns:
        if column.kind != "numeric":
            raise KindError(
                "membership probabilities are numbers",
                where=f"{attribute_place(name)}, group {column.name!r}",
                got=f"a column that is {column.kind}",
                allowed="numbers from 0 to 1",
                fix="use from_frame for known labels (on the command line, --protected)",
            )
    if len(columns) == 1:
        raise InputError(
            "there is only one group, so nothing can be compared",
            where=attribute_place(name),
            got=columns[0].name,
            allowed="a column for each of two or more groups",
            fix=f"add a column for the others, which holds 1 minus {columns[0].name!r}",
        )
    given = np.column_stack([column.values for column in columns])
    labels, membership = _with_unknown(tuple(column.name for column in columns), given)
    check_membership(name, labels, membership, _ROUNDED + SUM_TOLERANCE)
    return labels, _unrounded(membership)


def _unrounded(membership: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Memberships of which those rounded to a few decimals sum to 1 again; others stay as they are, to the bit."""
    sums = membership.sum(axis=1)
    rounded = (np.abs(sums - 1) > SUM_TOLERANCE) & (np.abs(sums - 1) <= _ROUNDED + SUM_TOLERANCE)
    membership[rounded] /= sums[rounded, None]
    return membership


def _with_unknown(
    labels: tuple[str, ...], membership: npt.NDArray[np.float64]
) -> tuple[tuple[str, ...], npt.NDArray[np.float64]]:
    """Put the rows that have no probability at all in "(missing)", which stands last."""
    unknown = np.isnan(membership).all(axis=1)
    membership[unknown] = 0.0
    known = [i for i, text in enumerate(labels) if text != MISSING]
    share = membership[:, [i for i, text in enumerate(labels) if text == MISSING]].sum(axis=1) + unknown
    if len(known) == len(labels) and not unknown.any():
        return labels, membership
    return (*(labels[i] for i in known), MISSING), np.column_stack([membership[:, known], share])


def largest(labels: tuple[str, ...], membership: npt.NDArray[np.float64], count: Codes | None = None) -> str:
    """The group of the most rows, ties to the first; of known membership where there is one."""
    sizes = sizes_of_groups(membership, count)
    known = [i for i, text in enumerate(labels) if text != MISSING] or [0]
    return labels[max(known, key=lambda i: (sizes[i], -i))] if labels else ""


def _warn_of_small(groups: Groups, minimum: int, count: Codes | None) -> None:
    small = [
        size_of(attribute.name, group, size)
        for attribute in groups.attributes
        for group, size in zip(attribute.labels, sizes_of_groups(attribute.membership, count), strict=True)
        if is_small(size, minimum)
    ]
    if small:
        advice = "Fix: merge them with others, or read their rates with care"
        warn_caller(f"groups smaller than {minimum}: {'; '.join(dict.fromkeys(small))}. {advice}.", SmallGroupWarning)
