"""The command of this plugin."""
