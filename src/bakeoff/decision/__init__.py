"""The room 'decision' of the design."""
