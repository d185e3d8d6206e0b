"""Calls that are passed on unseen: questions about a tensor that have no array for an answer."""

from __future__ import annotations

from typing import Any

import torch

_ATTRIBUTES_SEEN = {"T", "mT", "H", "mH", "real", "imag", "data", "grad"}

_METHODS = """
    dim ndimension size numel nelement stride is_contiguous is_floating_point is_complex is_signed is_same_size
    is_set_to is_inference is_conj is_neg is_pinned is_shared data_ptr element_size storage_offset storage
    untyped_storage item tolist get_device requires_grad_ retain_grad register_hook
    register_post_accumulate_grad_hook has_names backward is_coalesced sparse_dim dense_dim is_nonzero
    __len__ __bool__ __int__ __float__ __index__ __complex__ __repr__ __format__ __hash__ __dir__ __reduce_ex__
    __setstate__ __contains__ __iter__ __reversed__ _is_view _version dim_order
"""

_FUNCTIONS = """
    numel is_floating_point is_complex is_signed is_conj is_neg is_inference is_nonzero is_same_size result_type
    can_cast promote_types _is_all_true _is_any_true equal allclose get_device is_grad_enabled _assert_async
"""


_MAY_WARN = """
    item tolist backward is_nonzero __bool__ __int__ __float__ __index__ __complex__ __format__ __contains__
"""


def _collect() -> frozenset[Any]:
    found: set[Any] = {torch._C._set_grad_enabled}
    for holder in (torch.Tensor, *torch.Tensor.__mro__[1:]):
        for name, value in vars(holder).items():
            if type(value).__name__ in ("getset_descriptor", "member_descriptor"):
                for access in ("__set__", "__delete__"):
                    found.add(getattr(value, access))
                if name not in _ATTRIBUTES_SEEN:
                    found.add(value.__get__)
            elif isinstance(value, property):
                if value.fset is not None:
                    found.add(value.__set__)
                if name not in _ATTRIBUTES_SEEN and name != "names":
                    found.add(value.__get__)
    for name in _METHODS.split():
        found.add(getattr(torch.Tensor, name, None))
    for name in _FUNCTIONS.split():
        found.add(getattr(torch, name, None))
    found.discard(None)
    return frozenset(found)


QUIET: frozenset[Any] = _collect()
"""The functions, as a mode sees them."""

MAY_WARN: frozenset[Any] = frozenset(getattr(torch.Tensor, name) for name in _MAY_WARN.split())
"""Those of them that may give a warning, which must name the user's line."""
