"""Code that only other kernels call: optimised as a whole with each of them, so lightly on its own."""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class Intermediate(Compiler):
    """Numba's compiler for what is put into its callers; see :class:`Library`."""

    def compile_extra(self, func: Any) -> Any:
        """The result of compiling a function, into a library of our own."""
        self.state.library = Library(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)


class Library(JITCodeLibrary):
    """Machine code that its callers have optimised once more.

    Numba runs all passes over every function and again over every one that it is linked into.  Of the first
    time the cheap half is enough: it is what makes the function small.
    """

    def _optimize_final_module(self) -> None:
        codegen = self._codegen
        level = {"opt": codegen._opt_level, "cost": "cheap"}
        passes, builder = codegen._module_pass_manager(loop_vectorize=False, slp_vectorize=False, **level)
        passes.run(self._final_module, builder)
