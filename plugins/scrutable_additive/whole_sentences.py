"""What fit and show say of a scorecard that was improved, as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scrutable.writing import number

#: Turns of a characteristic that are said.
_TURNS = 3
#: Entries of the metrics with what was measured on rows held out, of the whole card and of the one before.
_WHOLE, _BEFORE = "held_out", "held_out_before"


def about_whole(improves: Mapping[str, Any], metrics: Mapping[str, Any]) -> Iterator[str]:
    """Its size and how good it is, beside the scorecard before, and where sums of points turn.

    Parameters
    ----------
    improves : as `scrutable_additive.beside.about_whole` tells it.
    metrics : of the evidence.
    """
    whole, before = improves["whole"], improves["before"]
    yield (
        f"Scorecard of {_size(whole)} with {whole['steps']:,} steps (different points); the one that was improved has "
        f"{_size(before)} with {before['steps']:,}"
    )
    yield (
        f"On the training rows: AUC {whole['auc']:.4f}, before {before['auc']:.4f}; log-loss {whole['log_loss']:.4f}, "
        f"before {before['log_loss']:.4f}, or {before['log_loss_level']:.4f} with other base points alone"
    )
    now, then = (_auc(metrics.get(name)) for name in (_WHOLE, _BEFORE))
    if now is not None and then is not None:
        yield f"On the rows held out: AUC {now:.4f}, before {then:.4f}"
    for name, turns in improves["turns"].items():
        if len(turns) > 1:
            both = "" if name in improves["unchanged"] else ", the points before and those added taken together"
            yield f"{name!r} {ways(turns)}{both}"


def size_in_words(characteristics: int, pairs: int) -> str:
    """How many there are of both.

    >>> size_in_words(9, 0), size_in_words(1, 2)
    ('9 characteristics', '1 characteristic and 2 pairs')
    """
    beside = f" and {pairs:,} pair{'s' * (pairs != 1)}" if pairs else ""
    return f"{characteristics:,} characteristic{'s' * (characteristics != 1)}{beside}"


def ways(turns: Sequence[Mapping[str, Any]]) -> str:
    """How points move as a value rises.

    >>> ways([{"at": None, "then": "loses"}, {"at": 0.55, "then": "gains"}])
    'loses points as it rises, then gains from 0.55 on'
    >>> ways([{"at": None, "then": "loses"}, *({"at": at, "then": "gains" if at % 2 else "loses"} for at in (1, 2))])
    'loses points as it rises, then gains from 1 on, loses from 2 on'
    """
    first, *later = turns
    told = f"{first['then']} points as it rises"
    further = ", ".join(f"{turn['then']} from {number(turn['at'])} on" for turn in later[:_TURNS])
    more = len(later) - _TURNS
    return (
        told
        + (f", then {further}" if further else "")
        + (f", and turns {'once' if more == 1 else f'{more} times'} more" if more > 0 else "")
    )


def _size(card: Mapping[str, Any]) -> str:
    return size_in_words(card["characteristics"], card["pairs"])


def _auc(measured: Any) -> float | None:
    performance = measured.get("performance") if isinstance(measured, Mapping) else None
    return None if performance is None else float(performance["auc"])
