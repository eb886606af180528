"""Plugin: selection of characteristics."""
