"""What every package uses: errors, notes, validation, random streams, frames and the base of results."""
