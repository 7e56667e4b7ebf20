"""The room 'runner' of the design."""
