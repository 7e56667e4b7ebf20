"""Speed of bakeoff against the packages people use today, as ratios measured in one run: ``python -m benchmarks``."""
