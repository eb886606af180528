"""Parts of the benchmark of the learner `additive`."""
