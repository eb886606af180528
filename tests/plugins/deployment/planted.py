"""The planted differences of the benchmark, some of which the tests try."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

_PATH = Path(__file__).parents[3] / "benchmarks" / "producing" / "planted.py"
_SPEC = spec_from_file_location("planted_differences", _PATH)
assert _SPEC is not None
assert _SPEC.loader is not None
_MODULE = module_from_spec(_SPEC)
sys.modules[_SPEC.name] = _MODULE
_SPEC.loader.exec_module(_MODULE)

KINDS, Planted = _MODULE.KINDS, _MODULE.Planted
all_planted, model, view = _MODULE.all_planted, _MODULE.model, _MODULE.view
