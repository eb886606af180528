"""Parts of the benchmark of counterfactual explanations."""
