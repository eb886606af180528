"""What figures of a regression say, and what they do not, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scrutable.measures.regression_figures import RegressionFigures

#: Names of a kind that are told before the rest is counted.
_NAMED = 12
#: Below this a p value is told by its size alone.
_SMALLEST = 1e-4


def p_in_words(p: float | None) -> str:
    """A p value with four decimals.

    >>> p_in_words(0.0312), p_in_words(1e-9), p_in_words(None)
    ('.0312', '<.0001', '')
    """
    if p is None:
        return ""
    return "<.0001" if p < _SMALLEST else f"{p:.4f}".removeprefix("0")


def fit_in_words(figures: RegressionFigures) -> str:
    """How the regression fits, in a sentence without its full stop.

    >>> from scrutable.measures.regression_coefficients import Coefficient
    >>> print(fit_in_words(RegressionFigures(
    ...     kind="logistic", multiplies="weight of evidence", rows=8, weight=8, rank=2, log_likelihood=-4.4987,
    ...     null_log_likelihood=-5.5452, coefficients=(Coefficient(value=-1.1), Coefficient(feature="age", value=2.2)),
    ... )))  # doctest: +NORMALIZE_WHITESPACE
    Logistic regression on 8 rows: likelihood ratio against the intercept alone 2.09, 1 degree of freedom, p .1480;
    AIC 13.0, BIC 13.2
    """
    kind = "Logistic" if figures.kind == "logistic" else "Linear"
    weighed = "" if figures.weight == figures.rows else f" of weight {figures.weight:,.6g}"
    told = f"{kind} regression on {figures.rows:,} rows{weighed}: "
    ratio = figures.likelihood_ratio
    if ratio is None:
        return f"{told}the fit is perfect, so there is no test"
    degrees = figures.rank - 1
    tested = f", p {p_in_words(figures.likelihood_ratio_p)}" if degrees else ""
    told += f"likelihood ratio against the intercept alone {ratio:.2f}, {_many(degrees, 'degree')} of freedom{tested}"
    told += f"; AIC {figures.aic:.1f}" + ("" if figures.bic is None else f", BIC {figures.bic:.1f}")
    if figures.condition_number is not None:
        told += f"; condition number {condition_in_words(figures.condition_number)}"
    return told


def condition_in_words(number: float) -> str:
    """A condition number, or a variance inflation factor.

    >>> condition_in_words(3.14159), condition_in_words(float("inf"))
    ('3.14', 'infinite')
    """
    return "infinite" if number == float("inf") else f"{number:,.2f}"


def warnings_in_words(figures: RegressionFigures) -> Iterator[str]:
    """What holds coefficients, and which of them the rows do not tell, each a sentence without its full stop."""
    held = {each: _named(figures, each) for each in ("sign", "pure", "dependent")}
    several = len({each.feature for each in figures.coefficients}) > 2
    if held["sign"]:
        given = ", and those of the others take it as given" if several else ""
        yield (
            f"Held at 0 by their sign, since the fit would turn their {figures.multiplies} round: {held['sign']}; "
            f"they have no standard error{given}"
        )
    if figures.tied:
        told = [f"{each.feature!r} {' with '.join(each.attributes)}" for each in figures.tied]
        yield (
            f"Held together by a trend, since the fit would go against it: {_listed(told)}; "
            "standard errors take that as given"
        )
    if held["dependent"]:
        by_penalty = (
            "only the ridge divides among them what they tell together" if figures.ridge else "no fit is unique"
        )
        yield (
            f"These add up to one another, or hardly vary, on these rows, so that their VIF is infinite: "
            f"{held['dependent']}; {by_penalty}, and they have no standard error"
        )
    if figures.pure:
        told = [
            f"{each.feature!r} {each.attribute} (only {'' if each.favourable else 'un'}favourable)"
            for each in figures.pure
        ]
        yield f"Separated attributes, whose rows have one outcome alone: {_listed(told)}{_pure_effect(figures)}"
    if figures.separated:
        yield (
            "The score divides these rows wholly by their outcome: coefficients are finite by the ridge alone, and "
            "their errors and tests mean nothing"
        )
    if any(each.held == "many" for each in figures.coefficients):
        yield (
            f"{_many(len(figures.coefficients) - 1, 'coefficient')}: too many for these rows, or for a table of all "
            "pairs; no standard error is worked out"
        )


def remarks(figures: RegressionFigures) -> Iterator[str]:
    """What errors, tests and intervals mean, each a sentence with its full stop."""
    if all(figures.error(each) is None for each in figures.coefficients):
        return
    if figures.errors == "sandwich":
        yield (
            "Standard errors are the sandwich's (HC0), which take weights as those of a sample: each row is one "
            "applicant, however much it weighs. AIC, BIC and likelihood ratio take a weight as so many applicants."
        )
    elif figures.kind == "logistic":
        yield "Standard errors are the model's; the sandwich's (HC0) are in the evidence, too."
    else:
        yield (
            "Standard errors are the model's, which take the spread to be the same for all; the sandwich's (HC0) are "
            "in the evidence, too."
        )
    yield (
        f"Coefficients multiply the {figures.multiplies}. Bins and what they are worth were made of the same rows, and "
        "errors take them as given: they are rather too small."
        if figures.multiplies != ATTRIBUTES
        else "Coefficients compare each attribute with the reference of its characteristic. Bins were made of the same "
        "rows, and errors take them as given: they are rather too small."
    )
    if figures.ridge:
        yield (
            f"A ridge of {figures.ridge:g} draws coefficients towards 0; errors are by the penalised curvature, and "
            "say nothing of what that moves."
        )


#: What coefficients of attributes multiply.
ATTRIBUTES = "attribute"


def _pure_effect(figures: RegressionFigures) -> str:
    if figures.multiplies == ATTRIBUTES:
        return "; their coefficients are finite by the ridge alone and have no standard error"
    return "; their WoE is that of half a row more of either outcome"


def _named(figures: RegressionFigures, held: str) -> str:
    """The characteristics of which a coefficient is held so."""
    names = dict.fromkeys(each.feature for each in figures.coefficients if each.held == held)
    return _listed([repr(name) if name else "the intercept" for name in names])


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join([*names[:_NAMED], *([f"{more:,} more"] if more > 0 else [])])


def _many(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
