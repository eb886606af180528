"""Bins: attributes of each feature with what they looked like in training, and the edits that made them."""
