"""The commands `scrutable segments` and `scrutable combine`."""
