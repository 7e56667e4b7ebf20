"""The room 'intervals' of the design."""
