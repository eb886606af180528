"""Number solving shared by several plugins: exact counts per bin, and logistic regression over binned inputs.

Nothing in here builds a model or knows one. Everything works on counts and grouped patterns, so that a database could
supply them. The modules import numpy and scipy, so import them where they are used: this package imports nothing.
"""
