"""Data to try things on: real German credit applications, and a simulator of any size.

Importing this package imports neither numpy nor pandas; the functions do when they are called.
"""

from __future__ import annotations

from scrutable.data.datasets.dataset import Dataset
from scrutable.data.datasets.german_credit import load_german_credit
from scrutable.data.datasets.simulated import make_credit

__all__ = ["Dataset", "load_german_credit", "make_credit"]
