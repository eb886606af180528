"""Commands of the plugin."""
