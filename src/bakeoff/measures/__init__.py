"""The room 'measures' of the design."""
