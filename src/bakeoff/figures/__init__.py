"""The room 'figures' of the design."""
