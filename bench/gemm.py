#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GEMM: heddle beside cuBLAS (torch.matmul) and Triton, on one GPU, in one run.

    python3 bench/gemm.py --kernel-dir build/kernels --preset spine --json gemm.json

Every system multiplies the same N(0,1) operands, is checked against float64 on
sampled rows before it is timed, and is timed by bench/protocol.py. The report
gives the median speed of each and the median ratio with its 95 % interval.
Exit code: 0 all timed, 1 a result was wrong, 2 a system or shape could not be
run, 3 bad input.
"""

import argparse
import datetime
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "python"))

import gemm_problem as problem  # noqa: E402
import protocol  # noqa: E402

PRESETS = {
    "spine": [(4096, 4096, 4096), (8192, 8192, 8192), (4095, 4095, 4095)]
    + [(8192, 8192, 2**i) for i in (8, 9, 10, 11, 12, 14)],
    "square": [(n, n, n) for n in (1024, 2048, 4096, 8192, 16384)],
    "quick": [(4096, 4096, 4096)],
}
SAMPLED_ROWS = 64
# The tensor core truncates f32 sums: some eps at large K. A wrong result has thousands.
SANE_EPS = 64
SYSTEMS = ("heddle", "cublas", "triton")
DEVICE = "cuda"


class Timed:
    """A system for the protocol: launches that rotate over the buffer sets."""

    def __init__(self, launches):
        import torch

        self.launches = launches
        self.next = 0
        self.start = torch.cuda.Event(enable_timing=True)
        self.end = torch.cuda.Event(enable_timing=True)

    def run(self, count):
        launches, sets = self.launches, len(self.launches)
        self.start.record()
        for i in range(self.next, self.next + count):
            launches[i % sets]()
        self.end.record()
        self.end.synchronize()
        self.next = (self.next + count) % sets
        return self.start.elapsed_time(self.end)


class Problem:
    """The operands of one shape, and a float64 reference on some rows."""

    def __init__(self, layout, in_type, out_type, m, n, k, seed):
        import torch

        self.layout, self.in_type, self.out_type = layout, in_type, out_type
        self.m, self.n, self.k = m, n, k
        in_dtype, out_dtype = problem.torch_type(in_type), problem.torch_type(out_type)
        shape_a, shape_b = problem.stored_shapes(layout, m, n, k)
        out_bytes = 4 if out_type == "f32" else 2
        count = protocol.buffer_sets(2 * (m * k + n * k) + out_bytes * m * n)
        generator = torch.Generator(device=DEVICE).manual_seed(seed)

        def normal(shape):
            return torch.randn(shape, generator=generator, device=DEVICE).to(in_dtype)

        self.sets = [
            (
                normal(shape_a),
                normal(shape_b),
                torch.empty((m, n), dtype=out_dtype, device=DEVICE),
            )
            for _ in range(count)
        ]
        rows = min(SAMPLED_ROWS, m)
        self.rows = torch.randperm(m, generator=generator, device=DEVICE)[:rows]
        a, b, _ = self.sets[0]
        a = problem.logical(a, layout[0])[self.rows].double()
        b = problem.logical(b, layout[1]).double()
        self.reference = a @ b
        self.magnitude = (a.abs() @ b.abs()).clamp_min(1e-300)

    def error_eps(self, launch):
        """The largest error on the sampled rows over |A|*|B|, in units of the
        output type's epsilon; infinite if an element was not written."""
        import torch

        c = self.sets[0][2]
        c.fill_(float("nan"))
        launch()
        torch.cuda.synchronize()
        if torch.isnan(c).any().item():
            return float("inf")
        error = (c[self.rows].double() - self.reference).abs() / self.magnitude
        return error.max().item() / problem.EPSILON[self.out_type]

    def flops(self):
        return 2.0 * self.m * self.n * self.k


def heddle_launches(options, case):
    import heddle.runtime

    path = problem.kernel_path(options.kernel_dir, case.layout, case.in_type, case.out_type)
    if path is None:
        raise RuntimeError(
            "no kernel gemm_%s_%s_%s.ptx in %s"
            % (case.layout, case.in_type, case.out_type, options.kernel_dir)
        )
    kernel = heddle.runtime.Kernel(path)
    launches = [problem.bind(kernel, *one) for one in case.sets]
    variant, grid = kernel.plan(
        *[problem.kernel_view(x, arg) for x, arg in zip(case.sets[0], kernel.arguments)]
    )
    description = {"file": os.path.basename(path), "grid": grid}
    description.update(kernel.variants[variant])
    description.update(kernel.resources(variant))
    description["jit_log"] = kernel.jit_log
    return launches, description, []


def cublas_launches(case):
    import torch

    def launch(one):
        a = problem.logical(one[0], case.layout[0])
        b = problem.logical(one[1], case.layout[1])
        if one[2].dtype == a.dtype:
            return lambda: torch.matmul(a, b, out=one[2])
        return lambda: torch.mm(a, b, out_dtype=one[2].dtype, out=one[2])

    return [launch(one) for one in case.sets], {"call": "torch.matmul"}, []


def triton_launches(case):
    import torch

    import triton_gemm

    programs = torch.cuda.get_device_properties(0).multi_processor_count
    return triton_gemm.launches(case.layout, case.sets, case.m, case.n, case.k, programs)


def prepare(options, case):
    """Builds and checks every system. Returns {name: Timed} and what happened."""
    makers = {
        "heddle": lambda: heddle_launches(options, case),
        "cublas": lambda: cublas_launches(case),
        "triton": lambda: triton_launches(case),
    }
    systems, notes = {}, {}
    for name in options.systems:
        try:
            launches, description, failures = makers[name]()
            error = case.error_eps(launches[0])
        except Exception as reason:  # a missing kernel, package or feature
            notes[name] = {"skipped": "%s: %s" % (type(reason).__name__, reason)}
            continue
        notes[name] = {"description": description, "failures": failures, "error_eps": error}
        systems[name] = Timed(launches)
    judge(systems, notes)
    return systems, notes


def judge(systems, notes):
    """Takes out the systems whose error is not within twice cuBLAS's. Without
    cuBLAS an error below one epsilon of |A|*|B| must do."""
    peer = notes.get("cublas", {}).get("error_eps")
    bound = 2 * peer if peer is not None and peer < SANE_EPS else 1.0
    for name in list(systems):
        if not notes[name]["error_eps"] <= bound:
            notes[name]["wrong"] = "error of %.3g eps, allowed %.3g" % (
                notes[name]["error_eps"],
                bound,
            )
            del systems[name]


def run_shape(options, shape):
    import torch

    m, n, k = shape
    case = Problem(options.layout, options.dtype, options.out_dtype, m, n, k, options.seed)
    systems, notes = prepare(options, case)
    result = {
        "shape": shape,
        "layout": options.layout,
        "in": options.dtype,
        "out": options.out_dtype,
        "buffer_sets": len(case.sets),
        "buffer_bytes": sum(x.numel() * x.element_size() for one in case.sets for x in one),
        "systems": notes,
        "comparisons": [],
    }
    if systems:
        monitor = protocol.GpuMonitor(options.gpu)
        # The monitor covers warm-up too; only samples taken in the rounds count.
        with monitor:
            rounds = protocol.measure(
                systems,
                rounds=options.rounds,
                round_ms=options.round_ms,
                warm_up_s=options.warm_up,
                on_rounds=monitor.samples.clear,
            )
        result["rounds"] = rounds
        result["gpu"] = monitor.summary()
        for name in systems:
            speeds = [case.flops() / entry[name]["ms_per_launch"] * 1e-9 for entry in rounds]
            notes[name]["tflops"] = protocol.median(speeds)
            notes[name]["tflops_range"] = protocol.bootstrap(speeds)
        for baseline in ("cublas", "triton"):
            if "heddle" in systems and baseline in systems:
                result["comparisons"].append(protocol.compare(rounds, "heddle", baseline))
    del case, systems
    torch.cuda.empty_cache()
    return result


def show(result):
    print("%dx%dx%d %s %s->%s" % (*result["shape"], result["layout"], result["in"], result["out"]))
    for name, note in result["systems"].items():
        if "tflops" in note:
            low, high = note["tflops_range"]
            line = "%8.1f TFLOP/s [%.1f, %.1f], error %.3g eps" % (
                note["tflops"], low, high, note["error_eps"],
            )  # fmt: skip
        else:
            line = "WRONG: " + note["wrong"] if "wrong" in note else "skipped: " + note["skipped"]
        print("  %-7s %s" % (name, line))
    for one in result["comparisons"]:
        print(
            "  %s / %s: %.4f [%.4f, %.4f] over %d rounds"
            % (one["system"], one["baseline"], one["ratio"], one["low"], one["high"], one["rounds"])
        )
    for field, value in result.get("gpu", {}).items():
        print("  %s: %g (%g to %g)" % (field, value["median"], value["min"], value["max"]))
    sys.stdout.flush()


def environment(options):
    import torch

    properties = torch.cuda.get_device_properties(0)
    versions = {"torch": torch.__version__, "cuda": torch.version.cuda}
    try:
        import triton

        versions["triton"] = triton.__version__
    except ImportError:
        pass
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "gpu": properties.name,
        "sms": properties.multi_processor_count,
        "versions": versions,
        "protocol": {
            "rounds": options.rounds,
            "round_ms": options.round_ms,
            "warm_up_s": options.warm_up,
            "operand_bytes": protocol.OPERAND_BYTES,
        },
        "command": [os.path.basename(sys.argv[0])] + sys.argv[1:],
    }


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernel-dir", default="build/kernels")
    parser.add_argument("--library", help="libheddle_runtime.so, if not in build/lib")
    parser.add_argument("--shape", action="append", default=[], metavar="MxNxK")
    parser.add_argument("--preset", action="append", default=[], choices=sorted(PRESETS))
    parser.add_argument("--dtype", default="f16")
    parser.add_argument("--out-dtype", help="default: the input's")
    parser.add_argument("--layout", default="nt", choices=problem.LAYOUTS)
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--rounds", type=int, default=protocol.MIN_ROUNDS)
    parser.add_argument("--round-ms", type=float, default=protocol.ROUND_MS)
    parser.add_argument("--warm-up", type=float, default=protocol.WARM_UP_S)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", help="write every round here")
    options = parser.parse_args(arguments)
    try:
        options.dtype = problem.type_name(options.dtype)
        options.out_dtype = problem.type_name(options.out_dtype or options.dtype)
        options.shapes = [problem.parse_shape(text) for text in options.shape]
    except ValueError as error:
        bad_input(str(error))
    for preset in options.preset:
        options.shapes += PRESETS[preset]
    options.shapes = options.shapes or PRESETS["quick"]
    options.systems = options.systems.split(",")
    unknown = set(options.systems) - set(SYSTEMS)
    if unknown or options.dtype == "f32" or options.rounds < protocol.MIN_ROUNDS:
        bad_input(
            "systems are %s; inputs are f16 or bf16; rounds are at least %d"
            % (", ".join(SYSTEMS), protocol.MIN_ROUNDS)
        )
    return options


def bad_input(message):
    print("gemm.py: error: " + message, file=sys.stderr)
    sys.exit(3)


def gpu_id():
    """nvidia-smi's name for torch's device 0, which may not be its own."""
    import torch

    uuid = str(getattr(torch.cuda.get_device_properties(0), "uuid", ""))
    return "GPU-" + uuid if uuid and not uuid.startswith("GPU-") else uuid or None


def main(arguments=None):
    options = parse_options(arguments)
    import torch

    if not torch.cuda.is_available():
        print("gemm.py: there is no GPU here", file=sys.stderr)
        return 2
    torch.cuda.init()
    torch.zeros(1, device=DEVICE)  # makes torch's context current for heddle
    if options.library:
        import heddle.runtime

        heddle.runtime.use_library(options.library)
    options.gpu = gpu_id()
    report = {"environment": environment(options), "results": []}
    code = 0
    for shape in options.shapes:
        result = run_shape(options, shape)
        report["results"].append(result)
        show(result)
        notes = result["systems"].values()
        if any("skipped" in note for note in notes) and code == 0:
            code = 2
        if any("wrong" in note for note in notes):
            code = 1
        if options.json:  # after every shape: a later failure loses nothing
            with open(options.json, "w") as file:
                json.dump(report, file, indent=1)
    return code


if __name__ == "__main__":
    sys.exit(main())
