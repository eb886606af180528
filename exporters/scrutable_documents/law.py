"""Of which day the texts of law are that were read, and what is known to have come after."""

from __future__ import annotations

#: What was read are copies of Regulation B of that day; whoever relies on them checks the text in force.
REGULATION_B_READ = "as amended to 2023-08-29"
#: What amends it since, and was not read.
REGULATION_B_SINCE = "a final rule of 2026-04-22, effective 2026-07-21, came after and could not be read"
