"""Calls of compiled functions at their addresses.

A function that is called by name becomes a part of its caller, and is optimised and translated again with it.
For a large one that many call, that is most of the time of compiling.  Here the caller is given the address
of the one copy: as a number among its arguments, so that neither side's cached code knows where the other's
is.  Types are compared when the caller is compiled.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir
from numba.core import cgutils, imputils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic

Types = tuple[types.Type, ...]


def returned(function: Callable, arguments: Types) -> types.Type:
    """The type of what a kernel returns for arguments of these types."""
    return _compiled(function, arguments).signature.return_type


def address(function: Callable, arguments: Types) -> int:
    """Where a kernel for arguments of these types is, as long as the process lasts."""
    compiled = _compiled(function, arguments)
    found: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    return found


def _compiled(function: Callable, arguments: Types) -> object:
    """The result of compiling, or of reading from the cache; once a process."""
    function.compile(arguments)
    return function.overloads[arguments]


def at_address(function: Callable, arguments: Callable[[types.Type], Types], field: str) -> Callable:
    """A function for kernels: ``f(first, *rest)`` calls ``function(*rest)`` at the address in ``first``.

    Parameters
    ----------
    arguments: from the type of ``first``, a named tuple, to those of ``rest``: what the address is for.
        Others are refused at compilation.
    field: name of the field of ``first`` that holds the address.
    """

    @intrinsic
    def call(context, first, *rest):
        expected = arguments(first)
        if rest != expected:
            raise TypingError(f"{function.__name__} at an address takes {expected}, not {rest}")
        result = returned(function, expected)

        def generate(target, builder, signature, values):
            place = builder.extract_value(values[0], first.fields.index(field))
            convention = target.call_conv
            pointer = builder.inttoptr(place, ir.PointerType(convention.get_function_type(result, expected)))
            passed = cgutils.unpack_tuple(builder, values[1])
            status, found = convention.call_function(builder, pointer, result, expected, passed)
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return imputils.impl_ret_new_ref(target, builder, result, found)

        return result(first, types.StarArgTuple(rest)), generate

    return call
