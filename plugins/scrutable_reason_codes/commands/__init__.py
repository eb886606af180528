"""The command `scrutable reasons`."""
