#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of test/triton/corpus by heddle and by Triton, on one GPU, in one run.

    PYTHONPATH=installed python3 bench/triton_kernels.py --json triton_kernels.json

    python3 bench/triton_kernels.py --ttir DIR                  # no GPU needed
    for f in DIR/*.ttir; do heddle compile $f -o ${f%ttir}ptx; done
    PYTHONPATH=installed python3 bench/triton_kernels.py --systems heddle --variant before=DIR

Both get the same source, tiles and arguments by kernel[grid](...). Triton's warps and
stages are tuned by timing first; heddle has none to tune. With --variant, kernels that
another heddle compiled are timed beside this one's. Results are compared with
each other first, within the tolerance of the case (test/gpu/triton_correctness.py
holds both to float64). The last lines are the geometric mean of heddle's time over
Triton's and the slowest kernel. Exit code: 0 all timed, 1 a result was wrong, 2 a
system or case could not be run, which a kernel that heddle declines is, 3 bad input.
"""

import argparse
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "test", "triton"))

import harness  # noqa: E402
import protocol  # noqa: E402
from harness import DEVICE  # noqa: E402

SYSTEMS = ("heddle", "triton")
WARPS = (4, 8)
STAGES = (2, 3, 4)
# Large enough that the host launches ahead of the GPU.
SIZES = {
    "vector_add": {"n": 1 << 26},
    "swiglu": {"rows": 16384, "cols": 8192},
    "dropout": {"n": 1 << 26},
    "rotary_embedding": {"batch": 4, "seq_len": 4096, "q_heads": 32, "k_heads": 8, "head_dim": 128},
    "softmax": {"rows": 16384, "cols": 4096, "programs": 132 * 4},
    "layer_norm_forward": {"rows": 16384, "cols": 4096},
    "layer_norm_backward": {"rows": 16384, "cols": 4096, "programs": 132 * 4},
    "rms_norm": {"rows": 16384, "cols": 4096},
    "cross_entropy": {"rows": 4096, "cols": 32000, "block": 4096},
    "column_sums": {"matrices": 256, "rows": 128, "columns": 4096, "xblock": 16, "rblock": 32},
    "column_sums_across": {"matrices": 256, "rows": 128, "columns": 3072, "xblock": 128, "rblock": 16},
    "words_and_bias": {"rows": 1 << 16, "columns": 768, "words": 50304, "block": 1024},
    "heads_apart": {"tokens": 1 << 16, "heads": 12, "depth": 64, "block": 1024},
    "sort_rows": {"rows": 1 << 18, "cols": 128},
    "route": {"rows": 1 << 18, "experts": 60, "best": 4},
    "select": {"n": 1 << 26},
    "matmul_pointers": {"m": 8192, "n": 8192, "k": 4096},
    "matmul_short_tiles": {"m": 8192, "n": 8192, "k": 4096},
    "matmul_descriptors": {"m": 8192, "n": 8192, "k": 4096},
    "matmul_persistent": {"m": 8192, "n": 8192, "k": 4096, "programs": 132},
    "matmul_grouped": {"experts": 8, "blocks": 64, "n": 4096, "k": 4096},
    "matmul_split_k": {"m": 512, "n": 4096, "k": 16384, "split": 2},
    "matmul_epilogue": {"m": 8192, "n": 8192, "k": 4096},
    "matmul_fp8": {"m": 8192, "n": 8192, "k": 4096},
    "matmul_tf32": {"m": 8192, "n": 8192, "k": 4096},
    "matmul_weights": {"m": 8192, "n": 8192, "k": 4096},
    "matmul_counted": {"m": 8192, "n": 8192, "k": 4096, "programs": 132},
    "matmul_counted_flat": {"m": 8192, "n": 8192, "k": 4096, "programs": 132},
    "matmul_in_turns": {"m": 8192, "n": 8192, "k": 4096, "tile": (128, 128, 64), "programs": 132},
    "matmul_gated": {"m": 8192, "n": 1024, "k": 1024, "heads": 8},
    "matmul_strides": {"m": 8192, "n": 4096, "k": 2048},
    "matmul_ragged": {"sizes": (4096, 1000, 0, 3077, 2048, 500, 4000, 1663), "n": 4096, "k": 4096, "programs": 32},
    "matmul_experts": {"tokens": 8192, "experts": 8, "n": 4096, "k": 2048},
    "convolution": {"length": 65536, "channels": 1024, "outputs": 1024},
    "attention": {"heads": 64, "seq_len": 4096},
    "attention_causal": {"heads": 64, "seq_len": 4096},
    "attention_gqa": {"batch": 2, "heads": 32, "kv_heads": 8, "q_len": 4096, "k_len": 4096, "head_dim": 128},
    "attention_bias": {"heads": 32, "seq_len": 4096},
    "attention_bytes": {"heads": 64, "q_len": 4096, "k_len": 4096},
    "attention_bytes_causal": {"heads": 64, "q_len": 4096, "k_len": 4096},
    "attention_rows": {"batch": 4, "heads": 16, "seq_len": 4096},
    "attention_gradients": {"batch": 2, "heads": 16, "seq_len": 4096},
    "attention_gradients_causal": {"batch": 2, "heads": 16, "seq_len": 4096},
    "attention_packed": {"lengths": (4096, 1000, 3077, 2048, 4000, 500), "heads": 16},
    "attention_documents": {"lengths": (1000, 4096, 300, 1500, 1296), "heads": 32, "bm": 64, "bn": 64},
    "gradients_listed": {"length": 16384, "span": 128, "bm": 128, "bn": 64},
    "attention_lengths": {"lengths": (4096, 2048, 3077, 1000) * 16, "q_len": 2048, "k_len": 4096},
    "attention_paged": {"queries": (512, 300, 1000, 64) * 4, "lengths": (4096, 3000, 1000, 2048) * 4, "heads": 16},
    "matmul_int4": {"m": 4096, "n": 8192, "k": 8192},
    "experts_int4": {"tokens": 1024, "experts": 8, "n": 4096, "k": 4096, "bm": 64, "bn": 64, "bk": 64},
    "norm_matmul": {"m": 8192, "n": 4096, "k": 4096},
    "rms_matmul": {"m": 8192, "n": 4096, "k": 4096},
    "states_in_place": {"heads": 256, "seq_len": 4096},
    "taylor_chunks": {"heads": 256, "seq_len": 4096},
    "scores_of_channels": {"heads": 32, "seq_len": 8192, "d": 128},
    "matmul_jagged": {"lengths": (4096, 1000, 0, 3077, 2048, 500, 4000, 1663), "m": 1024, "n": 1024, "most": 4096},
    "attention_mixed": {
        "queries": (2048, 1000, 1, 1, 777, 1), "before": (0, 3000, 8000, 4096, 100, 1),
        "heads": 8, "group": 4, "d": 128, "window": 4096,
    },
    "chunk_states": {"heads": 64, "seq_len": 8192, "chunk_size": 256},
    "scan_chunks": {"heads": 256, "length": 8192},
    "adapters_in_place": {"lengths": (512,) * 64, "adapters": tuple(range(8)) * 8, "n": 4096},
    "attention_grouped_keys": {"heads": 64, "length": 4096},
    "matmul_streamed": {"m": 4096, "n": 4096, "k": 4096, "bm": 128, "bn": 128, "bk": 64, "programs": 132},
    "attention_continued": {"queries": (512, 300, 1000, 64) * 4, "keys": (4096, 3000, 1000, 2048) * 4, "heads": 16},
    "nearest_centre": {"n": 1 << 16, "centres": 4096},
    "decode_paged": {"lengths": (4096, 1000, 3077, 2048) * 16, "shared": 8, "head_dim": 128, "page": 64},
    "decode_split": {"lengths": (4096, 1000, 3077, 2048) * 8, "splits": 4, "shared": 8, "head_dim": 128},
}


class Problem:
    """The arguments of one case, in sets that rotate."""

    def __init__(self, name, seed, sizes=None):
        from compile import kernel_of
        from corpus_cases import builders
        from torch_arguments import bytes_of, passed, random_tensors

        self.name = name
        self.sizes = sizes or SIZES[name]
        self.case = builders()[name](**self.sizes)
        self.kernel = kernel_of(self.case)
        count = protocol.buffer_sets(bytes_of(self.case))
        self.tensors = [random_tensors(self.case, DEVICE, seed + index) for index in range(count)]
        self.arguments = [passed(self.case, tensors) for tensors in self.tensors]
        self.before = {name: tensor.clone() for name, tensor in self.tensors[0].items()}
        self.first = None

    def launches(self, kernel, **options):
        def launch(arguments):
            return lambda: kernel[self.case.grid](**arguments, **options)

        return [launch(arguments) for arguments in self.arguments]

    def error_of(self, launch):
        """Against the first system: the largest difference over the largest magnitude."""
        import torch

        for name, tensor in self.tensors[0].items():
            tensor.copy_(self.before[name])
        launch()
        torch.cuda.synchronize()
        found = {name: tensor.float() for name, tensor in self.tensors[0].items()}
        if self.first is None:
            self.first = found
        worst = 0.0
        for name, values in found.items():
            if torch.isnan(values).any().item():
                return float("inf")
            scale = max(self.first[name].abs().max().item(), 1e-30)
            worst = max(worst, (values - self.first[name]).abs().max().item() / scale)
        return worst


def allocate(size, alignment, stream):
    """Where Triton's kernels make descriptors; heddle's need nothing."""
    import torch

    return torch.empty(size, dtype=torch.int8, device=DEVICE)


def triton_launches(problem):
    import triton
    from triton_tuning import tune

    triton.set_allocator(allocate)
    kernel = triton.jit(problem.kernel.fn)
    make = lambda config: problem.launches(kernel, **config)[0]
    stages = STAGES if problem.case.stages > 1 else (1,)
    configs = [{"num_warps": warps, "num_stages": count} for warps in WARPS for count in stages]
    config, failures = tune(make, configs)
    if config is None:
        raise RuntimeError("no configuration compiles: %s" % failures[0]["error"])
    return problem.launches(kernel, **config), {"config": config}, failures


def heddle_launches(options, problem):
    import heddle.triton
    import triton

    kernel = heddle.triton.kernel(triton.jit(problem.kernel.fn), schedule=options.schedule)
    heddle.triton.forget_declined()
    launches = problem.launches(kernel, num_warps=problem.case.warps)
    launches[0]()
    if heddle.triton.declined():
        raise RuntimeError("left to Triton: %s" % list(heddle.triton.declined().values())[0])
    (compiled,) = heddle.triton.compiled(kernel)
    description = {"outcome": compiled.outcome, "resources": compiled.kernel.resources(0)}
    return launches, description, []


def file_launches(options, problem):
    """Of a kernel that is compiled already. TTIR has no constants of the source among its
    arguments, and the grid's extents behind them."""
    kernel = harness.heddle_kernel(options, problem.name)
    grid = dict(zip(("grid_x", "grid_y", "grid_z"), (*problem.case.grid, 1, 1)))
    values = [
        [{**arguments, **grid, **tensors}[one["name"]] for one in kernel.arguments]
        for arguments, tensors in zip(problem.arguments, problem.tensors)
    ]
    return [kernel.bind(*one) for one in values], harness.describe_kernel(kernel, values[0]), []


def write_ttir(folder, names):
    """The kernels as Triton's front end makes them for these sizes."""
    from compile import kernel_of, options_of, source_of
    from corpus_cases import builders
    from heddle._triton_source import TARGET, ttir_of

    os.makedirs(folder, exist_ok=True)
    for name in names:
        case = builders()[name](**SIZES[name])
        case.kernel = kernel_of(case)
        with open(os.path.join(folder, name + ".ttir"), "w", encoding="utf-8") as file:
            file.write(ttir_of(source_of(case), TARGET, options_of(case)))
    return 0


def run_case(options, name):
    import torch

    problem = Problem(name, options.seed)
    makers = {
        "heddle": lambda: heddle_launches(options, problem),
        "triton": lambda: triton_launches(problem),
    }
    makers.update(harness.variant_makers(options, file_launches, problem))
    systems, notes = harness.prepare(options.systems[::-1], makers, problem.error_of)
    harness.drop_wrong(systems, notes, 2 * problem.case.tolerance)
    result = {"name": name, "sizes": SIZES[name], "sets": len(problem.tensors), "systems": notes}
    result.update(harness.time_systems(options, systems, notes, 1e-3, "per_ms", ("triton",)))
    del problem, systems, makers
    torch.cuda.empty_cache()
    return result


def summary(results):
    """heddle's time over Triton's: a line for the mean and one for the worst."""
    ratios = {
        result["name"]: 1 / comparison["ratio"]
        for result in results
        for comparison in result["comparisons"]
    }
    if not ratios:
        return "nothing was compared"
    mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
    worst = max(ratios, key=ratios.get)
    return "heddle's time / Triton's over %d kernels: geometric mean %.3f, worst %.3f (%s)" % (
        len(ratios), mean, ratios[worst], worst,
    )  # fmt: skip


def add_ttir(parser):
    parser.add_argument("--ttir", metavar="DIR", help="write the kernels' TTIR there, for any heddle to compile")


def parse_options(arguments, description, systems, known, noun="kernel", further=lambda parser: None):
    """Options of a benchmark whose cases go by the names in `known`."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="all unless some are named")
    parser.add_argument("--schedule", default="auto", choices=("auto", "heuristic", "exact"))
    harness.add_options(parser, systems)
    further(parser)
    options = parser.parse_args(arguments)
    wrong = harness.check_options(options, systems)
    unknown = set(options.names) - set(known)
    if unknown:
        wrong = "no %s %s; there are %s" % (noun, ", ".join(sorted(unknown)), ", ".join(known))
    if wrong:
        harness.bad_input(wrong)
    return options


def main(arguments=None):
    options = parse_options(arguments, __doc__, SYSTEMS, SIZES, further=add_ttir)
    if options.ttir:
        return write_ttir(options.ttir, options.names or SIZES)
    if not harness.start(options):
        return 2
    return harness.run_cases(options, options.names or SIZES, run_case, "per_ms", "launches/ms", summary)


if __name__ == "__main__":
    sys.exit(main())
