# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TTIR of Triton kernels by the front end of the installed Triton; no GPU needed."""

from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, make_backend

TARGET = GPUTarget("cuda", 90, 32)


def ttir_of(source, target, options):
    """The text of a triton.compiler.ASTSource after Triton's own passes on this
    level (inlined, folded, unrolled), with locations."""
    backend = make_backend(target)
    options = backend.parse_options(dict(options))
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    codegen = backend.get_codegen_implementation(options)
    module = source.make_ir(target, options, codegen, backend.get_module_map(), context)
    stages = {}
    backend.add_stages(stages, options, source.language)
    return str(stages["ttir"](module, {}))


def source_of(fn, signature, constexprs):
    """`signature` has Triton's types by argument; "*fp16:16" promises that the
    address, "i32:16" that the number is divisible by 16; "i32:1" is the constant 1."""
    while not hasattr(fn, "params"):  # autotuners and heuristics around the kernel
        fn = fn.fn
    constants, types, hints = dict(constexprs), {}, {}
    for index, name in enumerate(fn.arg_names):
        if name in constants:
            types[name] = "constexpr"
            continue
        if name not in signature:
            raise TypeError(
                "kernel '%s' needs argument '%s' in the signature or among the constexprs"
                % (fn.__name__, name)
            )
        types[name], _, hint = signature[name].partition(":")
        if hint == "1":
            types[name], constants[name] = "constexpr", 1
        elif hint == "16":
            hints[(index,)] = [["tt.divisibility", 16]]
        elif hint:
            raise TypeError("argument '%s' is '%s'; a hint is :16 or :1" % (name, signature[name]))
    unknown = set(signature) | set(constexprs)
    unknown -= set(fn.arg_names)
    if unknown:
        raise TypeError("kernel '%s' has no argument '%s'" % (fn.__name__, min(unknown)))
    return ASTSource(fn, types, constants, hints)


def ttir_text(fn, signature, constexprs, options):
    """For heddle.compile."""
    return ttir_of(source_of(fn, signature, constexprs), TARGET, options)
