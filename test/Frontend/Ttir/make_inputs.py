#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes Inputs/VERSION/KERNEL.ttir for each of kernels.py, VERSION being that of
the installed Triton (3.6 or 3.8). Needs neither torch nor a GPU:

    CUDA_VISIBLE_DEVICES= python3 make_inputs.py [KERNEL...]
"""

import pathlib
import re
import sys

import triton
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, make_backend

import kernels

HERE = pathlib.Path(__file__).resolve().parent


def ttir_of(function, types, constants, divisible):
    """What Triton's front end makes of `function`, with locations."""
    names = list(function.arg_names)
    signature = {name: types.get(name, "constexpr") for name in names}
    constexprs = {(names.index(name),): value for name, value in constants.items()}
    aligned = [name for name in names if name in divisible or types.get(name, "").startswith("*")]
    attributes = {(names.index(name),): [["tt.divisibility", 16]] for name in aligned}
    target = GPUTarget("cuda", 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({})
    source = ASTSource(function, signature, constexprs, attributes)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(target, options, backend.get_codegen_implementation(options),
                            backend.get_module_map(), context)
    stages = {}
    backend.add_stages(stages, options, source.language)
    return str(stages["ttir"](module, {}))


def main():
    version = ".".join(triton.__version__.split(".")[:2])
    folder = HERE / "Inputs" / version
    folder.mkdir(parents=True, exist_ok=True)
    for name, (function, types, constants, *divisible) in kernels.KERNELS.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        text = ttir_of(function, types, constants, divisible[0] if divisible else [])
        text = text.replace(str(HERE) + "/", "")
        text = re.sub(r'"[^"]*/(triton/language/\w+\.py)"', r'"\1"', text)
        (folder / f"{name}.ttir").write_text(text)


if __name__ == "__main__":
    main()
