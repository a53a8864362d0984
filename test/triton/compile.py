#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles all cases for sm_90 by Triton, without a GPU: compile.py FOLDER [NAME ...]

Writes NAME.ptx and NAME.json: what Triton's launcher would pass beside the
arguments, in words that check.py turns into options of `heddle emulate`.
"""

import dataclasses
import importlib
import json
import pathlib
import sys

import triton
from case import Buffer, Descriptor, Scalar
from corpus_cases import corpus_cases, load
from triton.backends.compiler import GPUTarget

HERE = pathlib.Path(__file__).resolve().parent
TRITON_TYPES = {
    "f16": "fp16", "bf16": "bf16", "f32": "fp32", "f64": "fp64", "e4m3": "fp8e4nv", "e5m2": "fp8e5",
    "i1": "i1", "i8": "i8", "i32": "i32", "i64": "i64",
}  # fmt: skip


def all_cases():
    sys.path.insert(0, str(HERE / "kernels"))
    for path in sorted((HERE / "kernels").glob("*.py")):
        yield from importlib.import_module(path.stem).CASES
    for case in corpus_cases():
        yield dataclasses.replace(case, name=f"corpus_{case.name}", kernel=kernel_of(case))


def kernel_of(case):
    """The Triton kernel of a case of the corpus."""
    module, function = case.kernel.split(".")
    return getattr(load("corpus", module), function)


def signature_of(argument):
    if isinstance(argument, Buffer):
        return "*" + TRITON_TYPES[argument.element]
    if isinstance(argument, Scalar):
        return TRITON_TYPES[argument.element]
    block = ",".join(str(extent) for extent in argument.block)
    return f"tensordesc<{TRITON_TYPES[argument.buffer.element]}[{block}]>"


def is_divisible(argument):
    """What Triton's launcher would find out: pointers and extents in multiples of 16."""
    if isinstance(argument, Scalar):
        return is_integer(argument) and argument.value % 16 == 0
    return isinstance(argument, Buffer)


def is_integer(argument):
    """Of a truth value Triton's launcher knows nothing."""
    is_scalar = isinstance(argument, Scalar) and argument.element.startswith("i")
    return is_scalar and argument.element != "i1"


def is_one(argument):
    """Triton's launcher makes a constant of an integer 1."""
    return is_integer(argument) and argument.value == 1


def constants_of(case):
    ones = {name: 1 for name, argument in case.arguments.items() if is_one(argument)}
    return {**case.constants, **ones}


def source_of(case):
    """The kernel, specialised as Triton's launcher would."""
    names = case.kernel.arg_names
    constants = constants_of(case)
    signature = {
        name: "constexpr" if name in constants else signature_of(case.arguments[name])
        for name in names
    }
    hints = {
        (index,): [["tt.divisibility", 16]]
        for index, name in enumerate(names)
        if name not in constants and is_divisible(case.arguments[name])
    }
    return triton.compiler.ASTSource(case.kernel, signature, constants, hints)


def options_of(case):
    return {"num_warps": case.warps, "num_stages": case.stages, "num_ctas": case.ctas}


def compile_case(case):
    return triton.compile(
        source_of(case), target=GPUTarget("cuda", 90, 32), options=options_of(case)
    )


def launch_of(case, compiled):
    """The parameters of the PTX, in order, and the launch."""
    metadata = compiled.metadata
    constants = constants_of(case)
    descriptors = iter(metadata.tensordesc_meta or [])
    parameters = []
    for name in case.kernel.arg_names:
        if name in constants:
            continue
        argument = case.arguments[name]
        if not isinstance(argument, Descriptor):
            parameters.append({"name": name, "kind": type(argument).__name__})
            continue
        meta = next(descriptors)
        parameters.append({
            "name": name,
            "kind": "Descriptor",
            "swizzle": [0, 32, 64, 128][meta["swizzle"]],
            "block": list(meta["block_size"]),
        })  # fmt: skip
    return {
        "entry": metadata.name,
        "grid": [case.grid[0] * case.ctas, *case.grid[1:]],
        "threads": 32 * metadata.num_warps,
        "shared": metadata.shared,
        "scratch": metadata.global_scratch_size,
        "scratch_align": metadata.global_scratch_align,
        "parameters": parameters,
    }


def main():
    folder, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    for case in all_cases():
        if names and case.name not in names:
            continue
        compiled = compile_case(case)
        (folder / f"{case.name}.ptx").write_text(compiled.asm["ptx"])
        launch = launch_of(case, compiled)
        (folder / f"{case.name}.json").write_text(json.dumps(launch, indent=1) + "\n")
        print(f"{case.name}: {launch['threads']} threads, {launch['shared']} bytes shared")


if __name__ == "__main__":
    main()
