"""Arithmetic, comparisons, functions of each element, copies, and arrays made from nothing."""

from __future__ import annotations

from shapecell.adapters.torch.call import Call, Describe
from shapecell.tracking.operation import Assign, Create, Meaning, Opaque, Same, Slice

PAIRED = ("eq", "ne", "sub", "rsub", "subtract", "not_equal")

NAMES = """
    add mul multiply div divide true_divide floor_divide pow float_power remainder fmod atan2 arctan2 hypot
    maximum minimum fmax fmin gt ge lt le greater greater_equal less less_equal isclose logaddexp logaddexp2 xlogy
    ldexp copysign nextafter gcd lcm heaviside bitwise_and bitwise_or bitwise_xor bitwise_left_shift
    bitwise_right_shift logical_and logical_or logical_xor where lerp addcmul addcdiv clamp clip clamp_min clamp_max
    masked_fill polar complex bernoulli normal
    abs absolute neg negative positive sign sgn signbit exp exp2 expm1 log log2 log10 log1p sqrt rsqrt square
    reciprocal sin cos tan asin acos atan arcsin arccos arctan sinh cosh tanh asinh acosh atanh arcsinh arccosh
    arctanh sinc ceil floor round trunc fix frac sigmoid logit erf erfc erfinv lgamma digamma polygamma mvlgamma i0
    igamma igammac angle conj conj_physical resolve_conj resolve_neg bitwise_not logical_not isnan isinf isfinite
    isposinf isneginf isreal nan_to_num deg2rad rad2deg cauchy exponential geometric log_normal random uniform zero
    relu relu6 leaky_relu rrelu prelu elu selu celu gelu silu mish hardtanh hardswish hardsigmoid hardshrink
    softshrink tanhshrink softplus softsign logsigmoid log_sigmoid threshold dropout alpha_dropout
    feature_dropout feature_alpha_dropout dropout1d dropout2d dropout3d native_dropout tril triu
    fake_quantize_per_tensor_affine
    special_entr special_erf special_erfc special_erfcx special_erfinv special_exp2 special_expit special_expm1
    special_i0 special_i0e special_i1 special_i1e special_log1p special_log_ndtr special_logit special_ndtr
    special_ndtri special_psi special_digamma special_gammaln special_sinc special_round special_xlogy
    special_xlog1py special_zeta special_gammainc special_gammaincc special_bessel_j0 special_bessel_j1
"""

COPIES = """
    clone detach contiguous to type type_as float double half bfloat16 int long short char byte bool cfloat cdouble
    cpu cuda numpy __array__ __array_wrap__ from_numpy as_tensor tensor asarray new_tensor data real imag grad alias
    pin_memory requires_grad __deepcopy__ fill quantize_per_tensor dequantize int_repr
    to_dense to_sparse coalesce share_memory set_ as_subclass
    rand_like randn_like zeros_like ones_like empty_like full_like randint_like
"""

CREATIONS = """
    zeros ones empty full rand randn randint randperm arange range linspace logspace eye new_zeros new_ones new_full
    new_empty empty_strided new_empty_strided tril_indices triu_indices hann_window hamming_window bartlett_window
    blackman_window kaiser_window scalar_tensor frombuffer
"""


def _elementwise(call: Call) -> Meaning | None:
    return call.elementwise() if call.operands else Create()


def _pairs(call: Call) -> Meaning | None:
    return call.elementwise(pairs=True)


def _where(call: Call) -> Meaning | None:
    return call.elementwise() if call.has(1, "input") else Opaque()


def _copy(call: Call) -> Meaning | None:
    """A copy keeps the axes; made from numbers, or under another shape, it is an array of its own."""
    if not call.operands:
        return Create()
    return Same() if not call.results or call.results[0] == call.shapes[0] else Opaque()


def _create(call: Call) -> Meaning | None:
    return Create()


def _prelu(call: Call) -> Meaning | None:
    """The slopes of ``prelu`` belong to axis 1: they are a parameter, not an operand to align."""
    return Same()


def _copy_into(call: Call) -> Meaning | None:
    """``target.copy_(source)`` broadcasts the source into the target."""
    if len(call.operands) < 2:
        return call.elementwise()
    return Assign(tuple(Slice() for _ in call.shapes[0]), call.shapes[0])


TABLE: dict[str, Describe] = {
    **dict.fromkeys(COPIES.split(), _copy),
    **dict.fromkeys(CREATIONS.split(), _create),
    **dict.fromkeys(NAMES.split(), _elementwise),
    **dict.fromkeys(PAIRED, _pairs),
    "where": _where,
    "prelu": _prelu,
    "copy": _copy_into,
}
"""Describing functions by base name."""

INSENSITIVE = frozenset(NAMES.split()) | frozenset(PAIRED) | frozenset(("fill", "copy", "tensor", "as_tensor"))
"""Functions whose numbers say nothing of axes: they do not tell calls apart."""
