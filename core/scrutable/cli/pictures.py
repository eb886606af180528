"""Files of pictures: what their names say of the format, and what is written into them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scrutable.errors import InputError
from scrutable.writing import check_targets

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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


def check_outputs(
    picture: Path | None, others: Sequence[Path | None], inputs: Sequence[Path | None], *, overwrite: bool
) -> None:
    """Refuse a picture of `--picture` and other outputs now that writing would refuse after the work.

    Raises
    ------
    InputError : an ending of the picture that says no format, and as in `check_targets`.
    """
    if picture is not None:
        picture_format(picture, "--picture")
    targets, read = ([path for path in some if path is not None] for some in ((picture, *others), inputs))
    check_targets(targets, inputs=read, overwrite=overwrite)


def picture_content(
    picture: Path | None, figure: Callable[[], Figure], option: str = "--picture"
) -> dict[str, str | bytes]:
    """The content of the picture of an option by its path, where one is asked for."""
    if picture is None:
        return {}
    from scrutable.plots import render

    return {str(picture): render(figure(), picture_format(picture, option))}
