"""Entries of the metrics of evidence that are values of the core: written whole, and read back whole or refused."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from scrutable.data.values import Json, freeze
from scrutable.errors import InputError
from scrutable.model.codec import decode, encode
from scrutable.model.evidence import Evidence


class MetricEntry:
    """Base of frozen dataclasses that a learner puts into the metrics of its evidence.

    Attributes
    ----------
    entry : the name among the metrics.
    missing : what there is not where evidence has no such entry, in words.
    source : evidence of what has one, in words.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from scrutable.model import FrozenMapping
    >>> @dataclass(frozen=True)
    ... class Rounds(MetricEntry):
    ...     entry, missing, source = "rounds", "there are no rounds", "a model that is trained in rounds"
    ...     number: int
    >>> evidence = Evidence(model_sha256="", metrics=FrozenMapping({Rounds.entry: Rounds(7).to_json()}))
    >>> Rounds.of(evidence), Rounds.of(Evidence(model_sha256=""))
    (Rounds(number=7), None)
    """

    __slots__ = ()

    entry: ClassVar[str]
    missing: ClassVar[str]
    source: ClassVar[str] = "a model whose learner makes one"

    @classmethod
    def of(cls, evidence: Evidence) -> Self | None:
        """What evidence tells of it; None where it tells nothing.

        Raises
        ------
        ModelError : an entry that cannot be read.
        """
        told: Any = evidence.metrics.get(cls.entry)
        return None if told is None else decode(cls, encode(told), f"metrics, {cls.entry}")

    @classmethod
    def read(cls, evidence: Evidence, where: str = "evidence") -> Self:
        """What evidence that has to have it tells of it.

        Raises
        ------
        InputError : there is no such entry; `where` says what was read.
        ModelError : as of `of`.

        Examples
        --------
        >>> from scrutable.plugins import CardPath
        >>> try:
        ...     CardPath.read(Evidence(model_sha256=""))
        ... except InputError as error:
        ...     print(error.what, "in", error.where)
        there is no path of cards in evidence
        """
        told = cls.of(evidence)
        if told is None:
            raise InputError(
                cls.missing,
                where=where,
                got=", ".join(sorted(evidence.metrics)) or "no figures",
                allowed=f"evidence with {cls.entry}",
                fix=f"give the evidence of {cls.source}",
            )
        return told

    def to_json(self) -> Json:
        """The entry of the metrics."""
        return freeze(encode(self))
