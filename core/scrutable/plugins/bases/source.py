"""Sources of rows that plugins offer: what a modeller hands over in Python, or names on the command line."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Self

from scrutable.data import Source
from scrutable.errors import PluginError

if TYPE_CHECKING:
    from scrutable.measures import ScoredFile
    from scrutable.model import Model


class RowSource(Source):
    """Base of every source of a plugin: two ways to rows that live elsewhere, and what may be worked out there.

    Examples
    --------
    >>> from collections.abc import Iterator, Sequence
    >>> from scrutable.data.frames import Table, as_table
    >>> class Counted(RowSource):
    ...     "Whole numbers from 0 on."
    ...
    ...     def __init__(self, rows: int) -> None:
    ...         self.rows = rows
    ...
    ...     @classmethod
    ...     def taken(cls, given: Any) -> Self | None:
    ...         return cls(len(given)) if isinstance(given, range) else None
    ...
    ...     @classmethod
    ...     def opened(cls, place: str, **options: Any) -> Self:
    ...         return cls(int(place))
    ...
    ...     @property
    ...     def names(self) -> tuple[str, ...]:
    ...         return ("number",)
    ...
    ...     def batches(self, names: Sequence[str]) -> Iterator[Table]:
    ...         for start in range(0, self.rows, 1000):
    ...             yield as_table({name: range(start, min(start + 1000, self.rows)) for name in names})
    >>> [batch.n_rows for batch in Counted.opened("1500").batches(["number"])]
    [1000, 500]
    """

    @classmethod
    @abstractmethod
    def taken(cls, given: Any) -> Self | None:
        """A source of what stands in the place of a frame in Python; None where it is of another kind.

        It is asked only of objects whose class is of a package that the component's descriptor names in `accepts`.
        """

    @classmethod
    @abstractmethod
    def opened(cls, place: str, *args: Any, **options: Any) -> Self:
        """A source of what a text names, such as a file or a table.

        Parameters
        ----------
        options : keyword arguments that the class names itself, such as limits of memory.

        Raises
        ------
        InputError : there is no such place, or it cannot be read.
        """

    def score_into(
        self,
        model: Model,
        output: str,
        results: Sequence[str],
        *,
        identifier: str | None = None,
        overwrite: bool = False,
        say: Callable[[str], None] = lambda _: None,
    ) -> ScoredFile:
        """Write what a model says of each row, worked out where the rows live; whole or not at all.

        Parameters
        ----------
        output : a file, or another place that the source can write to.
        results : names of columns of `OutputFrame`, as `results_asked` gives them.
        identifier : a column to carry through.
        say : is told now and then how far it is.

        Raises
        ------
        InputError, KindError : a column that is not there or of another kind; a place that cannot be written to.
        PluginError : the source does not do that.
        """
        raise PluginError(
            "it reads rows, and works nothing out where they live",
            where=type(self).__name__,
            fix="score a file without an engine, or in Python the batches one by one",
        )
