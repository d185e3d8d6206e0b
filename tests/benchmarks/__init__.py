"""What a check costs. Run with ``make bench`` or ``python -m tests.benchmarks``."""
