"""What fits and other calls take as data grow: the data, the calls, and processes that make one of them."""
