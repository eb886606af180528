"""Labels that files of statistics software hold beside their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrutable.data.frames.formats import format_of
from scrutable.data.frames.reading import Reading


@dataclass(frozen=True, slots=True)
class Labels:
    """What a file says of its columns, by name, and of their codes."""

    columns: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def labels_of(file: Path, **told: Any) -> Labels:
    """The labels of a data file; none where its format has none. Parameters and errors as of `read_file`."""
    labels: Labels = format_of(file).read_labels(file, Reading.of(**told))
    return labels
