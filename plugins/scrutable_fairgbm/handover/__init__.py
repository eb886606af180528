"""From a trained booster to a model of the core that sends every row where the booster does."""
