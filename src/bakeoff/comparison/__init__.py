"""The room 'comparison' of the design."""
