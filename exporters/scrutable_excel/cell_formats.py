"""How cells look: fonts, colours, number formats."""

from __future__ import annotations

from typing import Any

from scrutable.model.program import Points, Program, Sum

_NAVY, _GREY, _BLUE, _PALE = "#1F3864", "#7F7F7F", "#DDEBF7", "#F2F2F2"
_GREEN, _DARK_GREEN, _RED, _DARK_RED = "#C6EFCE", "#006100", "#FFC7CE", "#9C0006"

_LOOKS: dict[str, dict[str, Any]] = {
    "title": {"bold": True, "font_size": 14, "font_color": _NAVY},
    "hint": {"italic": True, "font_color": _GREY},
    "section": {"bold": True, "font_size": 12, "font_color": _NAVY},
    "group": {"bold": True, "font_color": "white", "bg_color": _NAVY, "align": "center", "border": 1},
    "header": {"bold": True, "bg_color": _BLUE, "text_wrap": True, "valign": "top", "border": 1, "border_color": _GREY},
    "name": {"font_color": _GREY, "font_size": 8, "bottom": 2, "text_wrap": True, "valign": "top"},
    "key": {"bold": True, "valign": "top"},
    "prose": {"text_wrap": True, "valign": "top"},
    "first": {"top": 1, "top_color": _GREY},
    "number": {"bg_color": _BLUE, "border": 4, "border_color": _GREY},
    "text": {"num_format": "@", "bg_color": _BLUE, "border": 4, "border_color": _GREY},
    "check": {"num_format": '[=0]"ok";0" unreadable"', "align": "center", "font_color": _GREY},
    "probability": {"num_format": "0.0%"},
    "decision": {"num_format": '[=1]"Approved";[=0]"Declined";General', "align": "center", "bold": True},
    "code": {"align": "center"},
    "value": {"num_format": "@"},
    "count": {"font_color": _GREY, "bg_color": _PALE},
    "good": {"bg_color": _GREEN, "font_color": _DARK_GREEN},
    "bad": {"bg_color": _RED, "font_color": _DARK_RED},
}


class Looks:
    """The formats of a workbook, each made once.

    Parameters
    ----------
    book : an `xlsxwriter.Workbook`.
    program : points and shortfalls are shown with two decimals, predictions with four, unless all of them are whole.
    """

    def __init__(self, book: Any, program: Program) -> None:
        self._book = book
        tables = [node.values for node in program.nodes if isinstance(node, Points)]
        starts = [node.start for node in program.nodes if isinstance(node, Sum)]
        whole = all(value.is_integer() for values in (starts, *tables) for value in values)
        decides = any(name in ("approved", "predicted") for name in program.names)
        places = "0" if whole else "0.00" if decides else "0.0000"
        self._looks = {
            **_LOOKS,
            "score": {"num_format": places, "bold": True},
            "points": {"num_format": places},
            "first points": {"num_format": places, **_LOOKS["first"]},
            "short": {"num_format": places},
            "first short": {"num_format": places, **_LOOKS["first"]},
            "first value": {**_LOOKS["value"], **_LOOKS["first"]},
        }
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = self._book.add_format(self._looks[name])
        return self._made[name]
