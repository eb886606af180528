"""The risk score beside the learner `scorecard` on German credit: AUC and log loss over five folds, and its size."""

from __future__ import annotations

from typing import Any

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.model import Scorecard
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

LEARNERS: dict[str, tuple[str, dict[str, Any]]] = {
    "risk-score, 5 characteristics": ("risk-score", {"max_characteristics": 5}),
    "risk-score, 10 characteristics": ("risk-score", {"max_characteristics": 10}),
    "scorecard, quantile bins": ("scorecard", {"binner": "quantile"}),
    "scorecard, optimal bins": ("scorecard", {"binner": "optimal"}),
}


def main() -> None:
    """Print a line a learner."""
    german = load_german_credit()
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    print(f"{'':32}    AUC  log loss  characteristics  distinct points")
    for title, (name, options) in LEARNERS.items():
        learner = create("learner", name, explainer=None, **options)
        probability = cross_val_predict(learner, german.X, german.y, cv=folds, method="predict_proba")[:, 1]
        learner.fit(german.X, german.y)
        good = german.y == learner.classes_[1]
        model = learner.model_
        assert isinstance(model, Scorecard)
        points = {attribute.points for item in model.characteristics for attribute in item.attributes}
        figures = roc_auc_score(good, probability), log_loss(good, probability)
        print(f"{title:32} {figures[0]:.4f}    {figures[1]:.4f} {len(model.characteristics):16} {len(points):16}")


if __name__ == "__main__":
    main()
