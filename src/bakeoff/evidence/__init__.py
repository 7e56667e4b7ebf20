"""The room 'evidence' of the design."""
