"""Who runs a command, for records that say who did what."""

from __future__ import annotations

import getpass


def login_name() -> str:
    """The login name, or nothing: a container may have a user without a name."""
    try:
        return getpass.getuser()
    except (KeyError, ImportError, OSError):
        return ""
