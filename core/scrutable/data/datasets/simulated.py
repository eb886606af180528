"""A simulator of credit applicants whose truth is written down."""

from __future__ import annotations

from numbers import Integral

from scrutable.data.datasets.dataset import Dataset
from scrutable.errors import InputError


def make_credit(n: int = 10_000, *, seed: int = 0, missing: float = 0.02, disparity: float = 1.0) -> Dataset:
    """Simulate credit applicants with known effects and a known cause of group disparity.

    For what real data cannot give: any size, and a truth to compare a model with. Neither `sex` nor `group` has an
    effect of its own on default. Groups differ only because their inputs differ, by the amounts below.

    Parameters
    ----------
    n : number of applicants, at least 1.
    seed : non-negative; the same arguments give the same frame. Another `n` gives other rows, not more of the same.
    missing : share of missing values, 0 to 1 (1 excluded), in each of the columns that applicants state themselves:
        `income`, `employment_months`, `debt_ratio`, `housing`, `contract`. Cells are blanked at random, after the
        outcome is drawn, so a different share changes nothing else.
    disparity : 0 to 2; multiplies every group difference below. At 0 the groups are exchangeable.

    Returns
    -------
    Dataset
        Target `default` (int8; 1 = defaulted, 0 = the favourable outcome, about 20 % ones at disparity 1). Numbers are
        whole, in float32, which holds them exactly; text columns are pandas Categoricals. That is 35 bytes a row:
        10 million applicants take 0.35 GB, and below 1 GB while they are drawn.

    Raises
    ------
    InputError : an argument outside its range.

    Notes
    -----
    **Effects**, in log-odds of default, added to an intercept of -1.89. They act on the values as recorded, before any
    are blanked:

    ====================  ===============================================  ===========================================
    input                 values                                           effect on the log-odds of default
    ====================  ===============================================  ===========================================
    `income`              a month, median 2,400 for men of group A         -0.7 ln(income / 2400)
    `employment_months`   0 to 480                                         -0.006 min(months, 120)
    `debt_ratio`          0 to 100, % of income                            +0.03 (ratio - 35)
    `credit_amount`       median 6,000                                     +0.25 ln(amount / 6000)
    `duration_months`     12, 24, 36, 48, 60                               +0.015 (months - 36)
    `bureau_score`        300 to 850; -9 is "no bureau record"             -0.010 (score - 620); no record: +0.5
    `late_payments`       0, 1, 2 ... in the last 12 months                +0.6 min(count, 4)
    `housing`             owned, with family, rented                       -0.3, 0, +0.25
    `contract`            permanent, fixed term, self-employed, none       -0.25, +0.2, +0.3, +0.7
    `purpose`             home, car, other, debt consolidation             -0.2, -0.1, 0, +0.4
    `region`              north, east, south, west                         none: only a proxy for `group`
    ====================  ===============================================  ===========================================

    A common unseen factor makes income, debt ratio and bureau score move together; it has no effect beyond them.

    **Groups.** `sex` is female or male (half each), `group` is A, B or C (60, 25, 15 %), independent of one another.
    Compared with men of group A, with the differences of sex and group added up (points are percentage points):

    ====================  ==============  ==============  ==============
    input                 female          B               C
    ====================  ==============  ==============  ==============
    ln(income)            -0.18           -0.08           -0.22
    ln(employment)        -0.20           0               -0.30
    debt ratio            0               +2              +4
    bureau score          0               -12             -30
    no bureau record      0               +3 points       +8 points
    housing: owned        0               -6 points       -14 points
    contract: permanent   -8 points       0               -6 points
    region: south         0               0               +36 points
    region: west          0               +15 points      0
    ====================  ==============  ==============  ==============

    Points taken from a category go to rented housing and to fixed-term contracts; points given to a region are taken
    from the others in equal parts.

    Examples
    --------
    >>> data = make_credit(1_000, seed=7)
    >>> data.X.shape, data.protected, data.favourable
    ((1000, 11), ('sex', 'group'), 0)
    >>> data.special_codes
    {'bureau_score': (-9.0,)}
    >>> bool(data.frame.equals(make_credit(1_000, seed=7).frame))
    True
    """
    _check_whole("n", n, least=1)
    _check_whole("seed", seed, least=0)
    _check_range("missing", missing, "at least 0 and less than 1", 0 <= missing < 1)
    _check_range("disparity", disparity, "0 to 2", 0 <= disparity <= 2)
    from scrutable.data.datasets.draws import INPUTS, NO_RECORD, draw_applicants

    return Dataset(
        draw_applicants(n, seed, missing, disparity),
        target="default",
        favourable=0,
        inputs=INPUTS,
        protected=("sex", "group"),
        description=f"{n:,} simulated credit applicants, seed {seed}, {missing:.1%} missing, disparity {disparity:g}",
        source="scrutable.data.datasets.make_credit; no real persons",
        licence="BSD-3-Clause",
        special_codes={"bureau_score": (NO_RECORD,)},
    )


def _check_whole(name: str, value: object, *, least: int) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        allowed = f"a whole number, {least} or more"
        raise InputError("not usable", where=f"make_credit({name}=)", got=value, allowed=allowed, fix=f"give {allowed}")


def _check_range(name: str, value: float, allowed: str, inside: bool) -> None:
    if not inside:
        fix = f"give a number, {allowed}"
        raise InputError("outside its range", where=f"make_credit({name}=)", got=value, allowed=allowed, fix=fix)
