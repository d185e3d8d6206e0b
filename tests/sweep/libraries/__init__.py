"""One file per library: a list ``EXAMPLES`` of (name, callable), written as a user of the library would write them.

`TUNED` libraries were looked at while the rules were made. `UNTUNED` ones were not: their rate is the honest one.
"""

TUNED = {
    "transformers": "transformers_models",
    "torchmetrics": "torchmetrics_metrics",
    "distributions": "torch_distributions",
    "sklearn": "sklearn_estimators",
    "scipy": "scipy_routines",
    "einops": "einops_layers",
}

UNTUNED = {
    "untuned:statsmodels": "statsmodels_models",
    "untuned:gpytorch": "gpytorch_models",
    "untuned:pykalman": "pykalman_filters",
    "untuned:torchdiffeq": "torchdiffeq_solvers",
}

LIBRARIES = TUNED | UNTUNED
"""Name on the command line → module in this package."""
