"""The commands `scrutable notices` and `scrutable report`."""
