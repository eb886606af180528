"""The command `scrutable import`."""
