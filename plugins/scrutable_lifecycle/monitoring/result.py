"""What a monitoring gives: its figures as a frame, a page and a picture."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from scrutable.data.frames import PANDAS, FrameKind, rows_like
from scrutable_lifecycle.monitoring.document import to_html
from scrutable_lifecycle.monitoring.figures import MonitoringFigures

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Monitoring(MonitoringFigures):
    """A model on new applicants beside a baseline; other parameters as in `MonitoringFigures`.

    Parameters
    ----------
    kind : of the frame that `frame` gives.
    """

    kind: FrameKind = field(default=PANDAS, compare=False)

    def __repr__(self) -> str:
        alerts = f"{len(self.alerts)} of {len(self.checks)} checks an alert"
        return f"Monitoring({self.status}: {alerts}, {self._compared()})"

    def frame(self) -> Any:
        """A row for each check: the figure, of what and of whom, its value, its threshold, and its status."""
        return rows_like(map(asdict, self.checks), self.kind)

    def html(self) -> str:
        """A page that stands alone: no script, nothing from elsewhere, and all that comes from data is escaped."""
        return to_html(self)

    def plot(self) -> Figure:
        """The indices of score, characteristics and reasons, with what is beyond a threshold; as in `plot_drift`."""
        from scrutable_lifecycle.plots.drift import plot_drift

        return plot_drift(self.checks, self._compared())

    def _compared(self) -> str:
        return f"{self.new.rows:,} new applicants beside {self.baseline.rows:,}"
