"""The words of names of columns and labels of classes."""

from __future__ import annotations

import re


def words_of(name: str) -> set[str]:
    """The words of a name, as of loan_id, loanId and loan.id.

    >>> sorted(words_of("loanId")), sorted(words_of("SEX_of_applicant"))
    (['id', 'loan'], ['applicant', 'of', 'sex'])
    """
    return set(re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])", " ", name).casefold()))
