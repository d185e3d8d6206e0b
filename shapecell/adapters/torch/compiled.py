"""Compiled functions run eagerly during a check: their operations are seen, and nothing is compiled again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import torch

NOTE = ("torch.compile", "compiled functions run eagerly while a check runs; their last digits may differ")


def in_compiled(frame: FrameType | None) -> bool:
    """True if `frame` runs on behalf of a compiled function."""
    module = sys.modules.get("torch._dynamo.eval_frame")
    filename = getattr(module, "__file__", None)
    while frame is not None and filename is not None:
        if frame.f_code.co_filename == filename and frame.f_code.co_qualname.startswith("_TorchDynamoContext."):
            return True
        frame = frame.f_back
    return False


class Stance:
    """The compiler's stance during a check.

    A compiled function guards on the function modes around it: with ours in place it would be compiled again, our
    handler and all. Torch has stances from 2.6 on; before that, compiled functions are left alone.
    """

    def __init__(self) -> None:
        self._held: Any = None
        self._wanted = False

    def take(self) -> None:
        """From now on compiled functions run eagerly, at the latest from the first ``torch.compile`` on."""
        self._wanted = True
        if self._held is None and "torch._dynamo" in sys.modules and hasattr(torch.compiler, "set_stance"):
            self._held = torch.compiler.set_stance("force_eager")

    def wrap_compile(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """``torch.compile``, which imports the compiler when it is first called."""

        def compile(*args: Any, **kwargs: Any) -> Any:  # noqa: A001  # the name of the original
            made = original(*args, **kwargs)
            if self._wanted:
                self.take()
            return made

        compile.__doc__ = original.__doc__
        return compile

    def release(self) -> None:
        """Give the stance back, unless the checked code took another one meanwhile."""
        held, self._held, self._wanted = self._held, None, False
        if held is None:
            return
        current = getattr(sys.modules.get("torch._dynamo.eval_frame"), "_stance", held.stance)
        if current is held.stance:
            held.__exit__(None, None, None)
