"""A plugin package to begin with: small, installable, and working from the first minute."""

from __future__ import annotations

from scrutable.testing.scaffold.names import Names
from scrutable.testing.scaffold.plugin import NewPlugin, new_plugin

__all__ = ["Names", "NewPlugin", "new_plugin"]
