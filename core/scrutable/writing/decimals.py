"""Numbers for people: as few decimals as it takes to tell them apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

#: Points are multiples of 2^-30, which so many decimals tell apart.
_MOST = 10
#: Decimals of points of which none are declared.
_USUAL = 4
#: Units of large numbers, which those below `_SPELLED` and from `_POWERS` on have not.
_UNITS = ((1e12, "tn"), (1e9, "bn"), (1e6, "M"), (1e3, "k"))
_SPELLED, _LARGEST = 1e5, 15
_POWERS = 10.0**_LARGEST
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def decimals_apart(numbers: Iterable[float], least: int = 1) -> int:
    """The fewest decimals, at least so many, with which different numbers read differently.

    A score just below a cutoff must not be shown as the cutoff. Where all numbers lie close together, two digits of
    their range are shown.

    >>> decimals_apart([571.2, 600]), decimals_apart([571.2, 599.96, 600]), decimals_apart([0.25, 0.5])
    (1, 2, 2)
    """
    finite = {number for number in numbers if math.isfinite(number)}
    spread = max(finite, default=0.0) - min(finite, default=0.0)
    if spread > 0:
        least = min(max(least, 1 - math.floor(math.log10(spread))), _MOST)
    enough = (n for n in range(least, _MOST) if len({f"{number:.{n}f}" for number in finite}) == len(finite))
    return next(enough, _MOST)


def decimal(number: float, decimals: int, *, sign: bool = False) -> str:
    """A number with at most so many decimals, without zeros at their end.

    >>> decimal(1200.0, 1), decimal(-0.001, 1), decimal(18.25, 2, sign=True)
    ('1,200', '0', '+18.25')
    """
    text = f"{number:{'+' if sign else ''},.{decimals}f}"
    short = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if short in ("-0", "+0") else short


def points_in_words(points: float, decimals: int | None = None, *, sign: bool = False) -> str:
    """Points or a score for people: with the decimals that are declared, or six digits where none are.

    Points are held as multiples of 2^-30, which is not for people to see.

    Parameters
    ----------
    decimals : those of the scaling.

    Examples
    --------
    >>> points_in_words(-0.0020000003278255463, 3, sign=True), points_in_words(1234.5669999998063, 3)
    ('-0.002', '1234.567')
    >>> points_in_words(12.123456, sign=True), points_in_words(-2**-30, 2, sign=True)
    ('+12.1235', '+0')
    """
    marked = "+" if sign else ""
    if decimals is None:
        return f"{round(points, _USUAL) + 0.0:{marked}g}"
    text = f"{round(points, decimals) + 0.0:{marked}.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def amount(value: float, digits: int = 3) -> str:
    """A number for an axis or a label: short, and never in the notation of programs.

    Parameters
    ----------
    digits : that large numbers are rounded to; others have four at least.

    Examples
    --------
    >>> [amount(value) for value in (0.5, 36, 1234.5, 45_000, 450_000, 2_255_000, -9, 3.1e9)]
    ['0.5', '36', '1,234', '45,000', '450 k', '2.26 M', '−9', '3.1 bn']
    >>> [amount(value) for value in (2.5e-7, 1e300, -math.inf)], amount(2_255_000, 4)
    (['2.5 × 10⁻⁷', '10³⁰⁰', '−∞'], '2.255 M')
    """
    rounded = float(f"{value:.{digits}g}")
    text = in_digits(value, max(digits, 4))
    if _SPELLED <= abs(rounded) < _POWERS:
        unit, name = next((unit, name) for unit, name in _UNITS if abs(rounded) >= unit)
        text = f"{rounded / unit:.{digits}g} {name}"
    return text.replace("-", "−")


def amounts(values: Iterable[float]) -> list[str]:
    """Numbers that stand beside each other, such as the ticks of an axis: with as many digits as tell them apart.

    >>> amounts([2_255_000, 2_256_000, 1e6]), amounts([0, 50_000, 100_000])
    (['2.255 M', '2.256 M', '1 M'], ['0', '50,000', '100 k'])
    """
    listed = list(values)
    digits = _digits_apart(listed, 3)
    return [amount(value, digits) for value in listed]


def shortened(values: Iterable[float]) -> Callable[[float], str]:
    """How limits are written in a picture: as they are, but those from 100,000 on with a unit and four digits.

    They have more digits where it takes these to tell the values apart.

    >>> [*map(shortened([-1.5, 2_255_000]), [-1.5, 2_255_000])], shortened([2_255_000, 2_255_123])(2_255_000)
    (['−1.5', '2.255 M'], '2.255 M')
    >>> [*map(shortened([2_255_000, 2_255_123]), [99_999.5, 2_255_123, 2_255_000])]
    ['99999.5', '2.2551 M', '2.255 M']
    """
    digits = _digits_apart([value for value in values if abs(value) >= _SPELLED], 4)
    return lambda value: amount(value, digits) if abs(value) >= _SPELLED else number(value).replace("-", "−")


def in_digits(value: float, digits: int = 6) -> str:
    """A number with so many digits that count, and all digits before the point.

    >>> [in_digits(value) for value in (2_255_123.4, 12_345.678, 0.25, -0.00001, 1e15, math.nan)]
    ['2,255,123', '12,345.7', '0.25', '-10⁻⁵', '10¹⁵', 'nan']
    >>> in_digits(13_457.2, 4), in_digits(0.123456, 4)
    ('13,457', '0.1235')
    """
    if math.isinf(value):
        return "-∞" if value < 0 else "∞"
    if math.isnan(value) or value == 0:
        return "nan" if math.isnan(value) else "0"
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    exponent = int(power)
    if not -5 < exponent < _LARGEST:
        short = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        tens = f"10{str(exponent).translate(_RAISED)}"
        return tens if short == "1" else f"-{tens}" if short == "-1" else f"{short} × {tens}"
    return decimal(value, max(0, digits - 1 - exponent))


def number(value: float) -> str:
    """The shortest text that reads back as this double, without a needless '.0'."""
    return str(int(value)) if math.isfinite(value) and value == int(value) and abs(value) < 1e15 else repr(value)


def _digits_apart(values: Sequence[float], least: int) -> int:
    """So many digits, or the fewest above with which amounts tell different values apart."""
    enough = (n for n in range(least, 16) if len({amount(value, n) for value in values}) == len(set(values)))
    return next(enough, 16)
