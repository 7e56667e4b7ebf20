"""The tests of the catalogue, one file per family: a family's `TESTS` are its entries, in the order of preference."""
