"""The room 'stats' of the design."""
