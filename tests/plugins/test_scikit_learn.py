"""Binners and learners work inside scikit-learn's tools; that they pass its checks is in the contract."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from scrutable.data.datasets import Dataset
from scrutable.plugins.registry import registry


def test_binners_feed_pipelines(binner: Any, german: Dataset) -> None:
    pipeline = make_pipeline(binner(), LogisticRegression())
    assert cross_val_score(pipeline, german.X, german.y, cv=3, scoring="roc_auc").mean() > 0.7
    names = pipeline.fit(german.X, german.y)[0].get_feature_names_out()
    assert list(names) == list(german.X.columns)


def test_transform_returns_a_frame_on_request(binner: Any, german: Dataset) -> None:
    found = binner(encoding="index").set_output(transform="pandas").fit_transform(german.X, german.y)
    assert isinstance(found, pd.DataFrame)
    assert list(found.columns) == list(german.X.columns)


def test_grid_search_tunes_a_binner_inside_a_learner(german: Dataset) -> None:
    learner = registry().create("learner", "scorecard", binner=registry().create("binner", "quantile"))
    search = GridSearchCV(learner, {"binner__max_bins": [2, 6], "encoding": ["woe", "one-hot"]}, cv=3)
    search.fit(german.X, german.y)
    assert search.best_score_ > 0.7
    assert search.best_estimator_.model_.provenance.parameters["encoding"] == search.best_params_["encoding"]


def test_sensitive_features_are_routed_and_never_needed_to_predict(german: Dataset) -> None:
    bound = registry().create("constraint", "fairness-information-value", bound=0.05)
    with sklearn.config_context(enable_metadata_routing=True):
        learner = registry().create("learner", "lda-xgb1", constraints=(bound,))
        learner.set_fit_request(sensitive_features=True, sample_weight=True).set_score_request(sample_weight=True)
        search = GridSearchCV(learner, {"min_share": [0.05, 0.1]}, cv=3)
        weight = np.ones(len(german.y))
        search.fit(german.X, german.y, sensitive_features=german.sensitive_features, sample_weight=weight)
    values = search.best_estimator_.evidence_.metrics["fairness_information_value"].values()
    assert max(values) <= 0.05
    assert set(search.predict(german.X)) == {"good", "bad"}


def test_sensitive_features_reach_a_learner_inside_a_pipeline(german: Dataset) -> None:
    with sklearn.config_context(enable_metadata_routing=True):
        learner = registry().create("learner", "scorecard", binner="quantile").set_fit_request(sensitive_features=True)
        pipeline = make_pipeline("passthrough", learner)
        protected = german.sensitive_features.assign(told=german.X["housing"])
        with pytest.raises(ValueError, match="column 'housing': an input tells the protected attribute 'told'"):
            pipeline.fit(german.X, german.y, sensitive_features=protected)


def test_weights_count_like_repeated_rows(simulated: Dataset) -> None:
    weight = np.random.default_rng(0).integers(1, 4, len(simulated.y))
    learner = registry().create("learner", "scorecard", binner="quantile", favourable=simulated.favourable)
    weighted = clone(learner).fit(simulated.X, simulated.y, sample_weight=weight).model_
    X = simulated.X.loc[simulated.X.index.repeat(weight)]
    repeated = clone(learner).fit(X, simulated.y.repeat(weight)).model_
    assert weighted.characteristics == repeated.characteristics
    assert weighted.base_points == repeated.base_points
