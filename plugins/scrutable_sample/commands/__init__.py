"""The command `scrutable sample`."""
