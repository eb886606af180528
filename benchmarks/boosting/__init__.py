"""Parts of the FairGBM benchmark."""

from __future__ import annotations

import os

# Before LightGBM is imported: threads of OpenMP that wait for work otherwise spin, which counts as CPU time, and on a
# busy machine is most of it. It holds for every side, the fork's own process included.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
