"""The binner of a review that names none."""

DEFAULT_BINNER = "optimal"
