"""The binner of a review that names none, and the learner whose selection it shows."""

DEFAULT_BINNER = "optimal"
DEFAULT_SELECTING = "scorecard"
