"""NumPy's own tests end alike with and without the hooks."""

from __future__ import annotations

import pytest

from tests.upstream.run_numpy_tests import compare

MODULES = (
    "numpy._core.tests.test_ufunc",
    "numpy._core.tests.test_indexing",
    "numpy.lib.tests.test_stride_tricks",
)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_numpys_own_tests_end_alike() -> None:
    comparison = compare(MODULES)
    assert len(comparison.plain["outcomes"]) > 900
    assert comparison.hooked["operations"] > 100_000
    assert comparison.unexplained == []
    assert comparison.hooked["problems"] == {}
