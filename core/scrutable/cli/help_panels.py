"""Parts of a command's help, and the options that stand in each."""

from __future__ import annotations

from typing import Any

import typer


class Panel(str):
    """The title of a part of a command's help."""

    __slots__ = ()

    def option(self, *names: str, **looks: Any) -> Any:
        """An option of this part, as `typer.Option` makes it."""
        return typer.Option(*names, rich_help_panel=self, **looks)


DATA, MODEL, MEASURES = Panel("Data"), Panel("Model"), Panel("Split and report")
OUTPUT = Panel("Output")
