"""The command `scrutable combine`."""
