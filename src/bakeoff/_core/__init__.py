"""What every room stands on: errors, notes, validation, random streams, frames and the base of results."""
