#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the examples as the benchmarks and GPU tests want them.

    python3 bench/compile.py --heddle build/bin/heddle --out build/kernels
    python3 bench/compile.py gemm attention

Writes OUT/<kernel>.ptx and .json for every kernel of the groups, all groups unless
some are named, or for some of their kernels (--only). Needs no GPU. Exit code: 0 all compiled, 1 some did not.
"""

import argparse
import itertools
import os
import subprocess
import sys

from conv_layers import GRADIENTS, LAYERS, TYPES, WAYS, gradient_kernels_of, kernels_of

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "python"))

from heddle import _sparse_rows  # noqa: E402

ORDERS = {"n": "#tile.order<1, 0>", "t": "#tile.order<0, 1>"}
# Results in f32 with f32's own accuracy, not the tensor core's: sums of 64 products
# are joined by ordinary additions.
EXACT = ["BN=192", "max_imprecise_acc=64 : i64"]
# Programs whose row is one tile, and the lengths of that tile.
ROW_TILES = (1024, 4096)


def gemm_kernels():
    types = itertools.product("nt", "nt", ["f16", "bf16"], ["f16", "bf16", "f32"])
    for a, b, in_type, out_type in types:
        settings = [f"a_order={ORDERS[a]}", f"b_order={ORDERS[b]}", f"in={in_type}", f"out={out_type}"]
        yield f"gemm_{a}{b}_{in_type}_{out_type}", "gemm", settings


def attention_kernels():
    # The result of a head of 256 takes half of the registers.
    keys = {64: 128, 96: 128, 128: 128, 256: 64}
    programs = [(program, depth) for depth in keys for program in ("attention", "attention_causal")]
    for program, depth in programs + [("attention_gqa", 128), ("attention_window", 128)]:
        # Where the program's own tile is meant, launches choose among the default's.
        tile = ["BM=128", f"BN={keys[depth]}"] if keys[depth] != 128 else []
        yield f"{program}_d{depth}", program, [f"D={depth}", *tile]
    yield "attention_backward_d64", "attention_backward", ["D=64", "BM=64", "BN=64"]
    for depth in (64, 128):  # two groups
        yield f"attention_backward_d{depth}_bn128", "attention_backward", [f"D={depth}", "BM=64", "BN=128"]


def backward_kernels():
    tiles = {64: (64, 128), 128: (64, 128)}  # queries a step for dK and dV, keys a step for dQ
    for depth, (queries, keys) in tiles.items():
        yield f"attention_backward_rows_d{depth}", "attention_backward_rows", [f"D={depth}"]
        yield f"attention_backward_keys_d{depth}", "attention_backward_keys", [f"D={depth}", f"BM={queries}"]
        yield f"attention_backward_queries_d{depth}", "attention_backward_queries", [f"D={depth}", f"BN={keys}"]
    yield "attention_backward_whole_d64", "attention_backward", ["D=64", "BM=64", "BN=128"]
    yield "attention_backward_whole_d128", "attention_backward_halves", ["--schedule=exact"]


def rowwise_kernels():
    for columns in ROW_TILES:
        for program in ("softmax", "layer_norm"):
            rows = 1 if columns > 1024 else 4
            yield f"{program}_{columns}", program, [f"COLS={columns}", f"ROWS={rows}"]


def other_kernels():
    for program in (
        "transpose", "column_sum", "silu_mul", "reduce_max_index", "cumsum", "gather_rows",
        "histogram_atomic", "wright_omega", "gemm_softmax", "gemm_reduction", "gemm_bias_gelu",
        "dual_gemm",
    ):  # fmt: skip
        yield program, program, []


def once_each(lists):
    """The kernels of several layers, whose programs are texts or in examples/conv."""
    names = set()
    for name, program, settings, tiles in itertools.chain.from_iterable(lists):
        if name not in names:
            names.add(name)
            yield name, program if "\n" in program else os.path.join("conv", program), settings, tiles


def conv_kernels():
    ways = itertools.product(LAYERS, (0, 1), WAYS)
    gradients = itertools.product(LAYERS, (0, 1), GRADIENTS)
    return once_each([kernels_of(*one) or [] for one in ways] + [gradient_kernels_of(*one) for one in gradients])


def conv_f32_kernels():
    return once_each(kernels_of(*one) or [] for one in itertools.product(LAYERS, (0, 1), WAYS, TYPES[1:]))


def weight_kernels():
    yield "weights", "gemm_int8_turned", []
    yield "weights_4", "gemm_int4", []
    yield "weights_4_few", "gemm_int4", ["BM=64", "BN=16"]
    yield "weights_few", "gemm_int8", ["BM=16", "BN=32", "BK=128"]
    yield "gemm_nt_f16_f16", "gemm", []


def sums_kernels():
    eight_bits = ["in=f8E4M3FN", "out=f16", "BK=128"]
    yield "sums_fp8", "gemm", [*eight_bits, "BN=192"]
    yield "sums_fp8_fast", "gemm", [*eight_bits, "fast_sums=true"]
    yield "sums_f32", "gemm", ["out=f32"]
    yield "sums_f32_exact", "gemm", ["out=f32", *EXACT]


def embedding_kernels():
    for mode, kind, columns in itertools.product(
        ("sum", "mean", "max", "weighted"), ("f32", "f16", "bf16"), (64, 128, 256)
    ):
        settings = [f"t={kind}", f"o={kind}", f"D={columns}"]
        if mode == "weighted":
            settings.append(f"w={kind}")
        yield f"bag_{mode}_{kind}_{columns}", os.path.join("embedding", "bag_" + mode), settings
    for kind, columns in itertools.product(("f32", "f16"), (64, 128)):
        program = os.path.join("..", "bench", "programs", f"sddmm_{columns}")
        yield f"sddmm_{kind}_{columns}", program, [f"t={kind}"]
        settings = [f"{name}={value}" for name, value in _sparse_rows.settings_of(kind, "i32", columns).items()]
        program = os.path.join("embedding", "message_passing")
        yield f"messages_{kind}_{columns}", program, [f"t={kind}", f"D={columns}"]
        yield f"parts_{kind}_{columns}", _sparse_rows.PARTS, settings
        yield f"join_{kind}_{columns}", _sparse_rows.JOIN, settings


GROUPS = {
    "embedding": embedding_kernels,
    "conv": conv_kernels,
    "conv_f32": conv_f32_kernels,
    "gemm": gemm_kernels,
    "attention": attention_kernels,
    "backward": backward_kernels,
    "rowwise": rowwise_kernels,
    "other": other_kernels,
    "weights": weight_kernels,
    "sums": sums_kernels,
}


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    parser.add_argument("--heddle", default=os.path.join(ROOT, "build", "bin", "heddle"))
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "kernels"))
    parser.add_argument("--only", action="append", metavar="KERNEL", help="of the groups' kernels, these")
    parser.add_argument("--set", action="append", default=[], help="settings in place of the groups', NAME=VALUE")
    parser.add_argument("--or-tile", action="append", default=[], help="as heddle compile has it")
    parser.add_argument("--schedule", help="as heddle compile has it")
    parser.add_argument("--machine", help="as heddle compile has it")
    options = parser.parse_args()
    unknown = set(options.groups) - set(GROUPS)
    if unknown:
        parser.error("no group %s; groups are %s" % (", ".join(sorted(unknown)), ", ".join(GROUPS)))
    kernels = {kernel for group in options.groups or GROUPS for kernel, *_ in GROUPS[group]()}
    unknown = set(options.only or ()) - kernels
    if unknown:
        parser.error("no kernel %s in these groups" % ", ".join(sorted(unknown)))
    return options


def compile_options(options):
    given = {"schedule": options.schedule, "machine": options.machine}
    given = [one for one in given.items() if one[1]] + [("or-tile", tiles) for tiles in options.or_tile]
    return ["--%s=%s" % one for one in given]


def settings_of(given, chosen):
    """The kernel's settings and options, but for what the command line sets."""
    names = {text.partition("=")[0] for text in chosen}
    return [text for text in given if text.partition("=")[0] not in names] + chosen


def arguments_of(settings):
    """Options stand for themselves, other settings behind --set."""
    for setting in settings:
        yield from [setting] if setting.startswith("--") else ["--set", setting]


def main():
    options = parse_options()
    os.makedirs(options.out, exist_ok=True)
    compiled, failed = 0, []
    for group in options.groups or GROUPS:
        for kernel, program, settings, *tiles in GROUPS[group]():
            if options.only and kernel not in options.only:
                continue
            path = os.path.join(options.out, kernel + ".ptx")
            source = os.path.join("examples", program + ".mlir")
            if "\n" in program:  # a text
                source = os.path.splitext(path)[0] + ".mlir"
                with open(source, "w", encoding="utf-8") as file:
                    file.write(program)
            command = [options.heddle, "compile", os.path.abspath(source) if "\n" in program else source, "-o", path]
            command += ["--or-tile=%s" % each for one in tiles for each in one]
            command += arguments_of(settings_of(settings, compile_options(options) + options.set))
            if subprocess.run(command, cwd=ROOT).returncode == 0:
                compiled += 1
                continue
            failed.append(kernel)
            for stale in (path, os.path.splitext(path)[0] + ".json"):
                if os.path.exists(stale):
                    os.remove(stale)
    print(f"{compiled} kernels in {options.out}, {len(failed)} failed {' '.join(failed)}".rstrip())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
