"""The room 'learners' of the design."""
