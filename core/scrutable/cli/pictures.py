"""Files of pictures: what their names say of the format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrutable.errors import InputError

if TYPE_CHECKING:
    from scrutable.plots.style import Format

_ENDINGS: dict[str, Format] = {".svg": "svg", ".png": "png"}


def picture_format(path: Path, option: str) -> Format:
    """The format of a picture in a file that an option names.

    Raises
    ------
    InputError : an ending that says none.
    """
    form = _ENDINGS.get(path.suffix.lower())
    if form is None:
        raise InputError(
            "the ending says no format of a picture",
            where=f"{option} {str(path)!r}",
            got=path.suffix,
            allowed=" or ".join(_ENDINGS),
            fix=f"for example {option} model.svg",
        )
    return form
