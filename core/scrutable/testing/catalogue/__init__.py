"""The catalogue of plugins: a page made from what the checks of each found, in the manner of scikit-learn-contrib."""

from scrutable.testing.catalogue.page import page
from scrutable.testing.catalogue.sources import ThirdParty, read_results, read_third_parties

__all__ = ["ThirdParty", "page", "read_results", "read_third_parties"]
