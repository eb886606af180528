"""The commands `scrutable bins` and `scrutable review`."""
