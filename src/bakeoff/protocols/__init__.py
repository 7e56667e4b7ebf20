"""The room 'protocols' of the design."""
