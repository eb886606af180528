"""Hostile files: `python -m hostile --seed 7 --inputs 30000`, or `make fuzz-deep SEED=7`.

Right files of every kind that people hand us are changed at random, byte by byte or value by value. Whatever comes of
it, reading ends in an error of ours, or gives what can be written, read back as the same, and used.
"""

from hostile.running import Finding, Tally, tried

__all__ = ["Finding", "Tally", "tried"]
