"""`python -m scrutable.cli` is the command `scrutable`."""

from scrutable.cli import main

main()
