"""Pictures of frontiers, reliability and strategies."""
