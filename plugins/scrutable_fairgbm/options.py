"""Options of the trees beyond those that stand in the learner's constructor."""

from __future__ import annotations

from dataclasses import dataclass, field

from scrutable.errors.checks import check_number, check_whole
from scrutable.model import TreeEnsemble
from scrutable_fairgbm.threads import threads

_TINY = 2.0**-60
#: Threads of the largest machines; of very many more the libraries' own memory ends the process.
_MOST_THREADS = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class BoosterOptions:
    """Less used options of the trees; each means the same with LightGBM and XGBoost.

    Parameters
    ----------
    subsample : share of the rows that each tree is grown on, drawn anew for each.
    colsample : share of the features that each tree is grown on, drawn anew for each.
    reg_lambda, min_child_weight : L2 penalty on the values of leaves, and smallest sum of hessians in a leaf; None for
        the library's own, 0 and 0.001 with LightGBM, 1 and 1 with XGBoost.
    reg_alpha : L1 penalty on the values of leaves.
    min_split_gain : smallest gain of a split.
    max_bin : most bins that a numeric feature is cut into.
    rare_share : categories with a smaller share of the rows are in no split by name.

    Raises
    ------
    InputError : a value out of range.

    Examples
    --------
    >>> BoosterOptions(subsample=0.8).reg_alpha
    0.0
    """

    subsample: float = 1.0
    colsample: float = 1.0
    reg_lambda: float | None = None
    reg_alpha: float = 0.0
    min_split_gain: float = 0.0
    min_child_weight: float | None = None
    max_bin: int = 255
    rare_share: float = 0.0

    def __post_init__(self) -> None:
        for name in ("subsample", "colsample"):
            check_number(getattr(self, name), name, "above 0, up to 1", low=_TINY, high=1)
        for name in ("reg_lambda", "reg_alpha", "min_split_gain"):
            if getattr(self, name) is not None:
                check_number(getattr(self, name), name, "0 or more, and finite")
        if self.min_child_weight is not None:  # LightGBM fails in leaves whose hessians add up to nothing
            check_number(self.min_child_weight, "min_child_weight", "above 0, and finite", low=_TINY)
        check_number(self.rare_share, "rare_share", "0 or more, below 1", high=1 - 2.0**-53)
        check_whole(self.max_bin, "max_bin", 2, 65535)


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeOptions:
    """What backends are told of the trees.

    Parameters
    ----------
    learning_rate : by which the values of leaves are multiplied.
    max_leaves : most leaves of a tree.
    max_depth : most splits on the way to a leaf; None for as many as a model can have.
    min_child_samples : fewest rows of a leaf; LightGBM only, as XGBoost has no such option.
    booster : further options.
    directions : for each column of the matrix 1, -1, or 0 where the score may move either way.
    n_jobs : threads.
    seed : of everything drawn.

    Raises
    ------
    InputError : a value out of range.
    """

    learning_rate: float = 0.1
    max_leaves: int = 31
    max_depth: int | None = None
    min_child_samples: int = 20
    booster: BoosterOptions = field(default_factory=BoosterOptions)
    directions: tuple[int, ...] = ()
    n_jobs: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        check_number(self.learning_rate, "learning_rate", "above 0, up to 1", low=_TINY, high=1)
        check_whole(self.max_leaves, "max_leaves", 2, 2**TreeEnsemble.MAX_DEPTH)
        if self.max_depth is not None:
            check_whole(self.max_depth, "max_depth", 1, TreeEnsemble.MAX_DEPTH)
        check_whole(self.min_child_samples, "min_child_samples", 1)
        check_whole(self.n_jobs, "n_jobs", 1, _MOST_THREADS)
        check_whole(self.seed, "random_state", 0, 2**31 - 1)

    @property
    def threads(self) -> int:
        """Threads that a library is asked for; see `scrutable_fairgbm.threads`."""
        return threads(self.n_jobs)

    @property
    def depth(self) -> int:
        """Most splits on the way to a leaf."""
        return TreeEnsemble.MAX_DEPTH if self.max_depth is None else int(self.max_depth)
