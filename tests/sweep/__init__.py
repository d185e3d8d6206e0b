"""Real, correct code of real libraries, run under a check: what is raised here is (nearly always) a false alarm."""
