"""The Statlog German credit data, with labels that a person can read."""

from __future__ import annotations

from importlib.resources import files

from scrutable.data.datasets.dataset import Dataset

_FILE = "german_credit.csv"
_TARGET = "credit_risk"
_PROTECTED = ("sex", "age_group")
# Protected characteristics, and columns that encode them: there to audit with, not to score with.
_NOT_INPUTS = ("personal_status", "sex", "marital_status", "age", "age_group", "foreign_worker", _TARGET)


def load_german_credit() -> Dataset:
    """Load 1,000 real credit applications from southern Germany, 700 repaid as agreed and 300 not.

    The smallest data that everyone in the field knows, so that results can be held against papers. Bad loans were
    oversampled: 30 % bad is not the bank's rate.

    Returns
    -------
    Dataset
        1,000 rows. The target is `credit_risk` ("good" or "bad"), the favourable value "good". 17 inputs, of which
        `duration_months`, `credit_amount` (Deutsche Mark), `installment_rate` (bands 1 to 4 of the instalment's share
        of income), `residence_since` (bands 1 to 4), `existing_credits` and `dependants` are numbers; the others are
        text. Nothing is missing. Protected attributes to audit: `sex` and `age_group`. `age` (years),
        `marital_status`, `personal_status` and `foreign_worker` are in the frame, but are not inputs.

    Notes
    -----
    `personal_status` is one code for sex and marital status; `sex` and `marital_status` are its two halves. The code
    book puts divorced, separated and married women under one code, so theirs cannot be told apart.

    `age_group` splits at "under 26" and "26 and over", that is at age <= 25 and > 25: the split of Kamiran and Calders
    (2009), which most later papers keep.

    **Labels follow the UCI code book, which is known to be wrong.** Grömping (2019) went back to the first publication
    and found the meanings of codes permuted in several columns, among them `checking_status`, `credit_history`,
    `purpose`, `savings`, `property`, `housing` and `personal_status`; that is why "no checking account" and "critical
    or credits elsewhere" look like the safest applicants here. By her table the code read as "female: divorced or
    separated or married" also holds single men, so `sex` is the literature's reading, not a fact about each person.
    Which applicants share a category is right, so a model predicts the same under either reading; what a label or a
    gap between groups says about people is not to be relied on.

    References
    ----------
    Hofmann, H. (1994). Statlog (German Credit Data). UCI Machine Learning Repository. https://doi.org/10.24432/C5NC77
    Kamiran, F. and Calders, T. (2009). Classifying without discriminating. IC4 2009.
    Grömping, U. (2019). South German Credit Data: Correcting a Widely Used Data Set. Report 4/2019, Beuth University of
    Applied Sciences Berlin.

    Examples
    --------
    >>> data = load_german_credit()
    >>> data.X.shape, data.favourable, data.y.value_counts().to_dict()
    ((1000, 17), 'good', {'good': 700, 'bad': 300})
    >>> data.sensitive_features["sex"].value_counts().to_dict()
    {'male': 690, 'female': 310}
    """
    import pandas as pd

    with (files(__package__) / _FILE).open(encoding="utf-8") as lines:
        frame = pd.read_csv(lines, keep_default_na=False)
    frame[["sex", "marital_status"]] = frame["personal_status"].str.split(": ", expand=True)
    frame["age_group"] = frame["age"].lt(26).map({True: "under 26", False: "26 and over"})
    return Dataset(
        frame,
        target=_TARGET,
        favourable="good",
        inputs=tuple(name for name in frame.columns if name not in _NOT_INPUTS),
        protected=_PROTECTED,
        description="1,000 credit applications from southern Germany, 1973 to 1975, 300 of them bad (oversampled); "
        "labels as in the UCI code book, several of which are known to be permuted",
        source="Hofmann, H. (1994). Statlog (German Credit Data). UCI Machine Learning Repository. "
        "https://doi.org/10.24432/C5NC77. Changes: codes replaced by readable labels, columns named; "
        "sex, marital status and age group derived",
        licence="CC BY 4.0, https://creativecommons.org/licenses/by/4.0/",
    )
