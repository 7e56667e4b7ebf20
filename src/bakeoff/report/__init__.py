"""The room 'report' of the design."""
