"""The room 'app' of the design."""
