"""Developing a model: read, split, infer rejects, learn, and measure on rows that were not learned from.

Names are imported on first use, so that `import scrutable_lifecycle.development` loads neither numpy nor pandas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing import lazily

if TYPE_CHECKING:
    from scrutable.data import DataConfig, SplitConfig
    from scrutable.plugins import Choice
    from scrutable_lifecycle.config import (
        MissingConfig,
        OutputConfig,
        RejectConfig,
        ReportConfig,
        ReviewConfig,
        Run,
        dump_run,
        load_run,
    )
    from scrutable_lifecycle.development.developed import Developed
    from scrutable_lifecycle.development.developing import develop

__all__ = [
    "Choice",
    "DataConfig",
    "Developed",
    "MissingConfig",
    "OutputConfig",
    "RejectConfig",
    "ReportConfig",
    "ReviewConfig",
    "Run",
    "SplitConfig",
    "develop",
    "dump_run",
    "load_run",
]

__getattr__ = lazily(__name__)
