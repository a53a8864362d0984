#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Triton corpus by heddle's drop-in on a GPU, and what surrounds a launch.

    python3 -m zipfile -e heddle-*.whl installed      # or pip install
    PYTHONPATH=installed python3 test/gpu/triton_correctness.py [NAME ...]

Each kernel of test/triton/corpus runs twice by kernel[grid](...), into poisoned
outputs between guard bands, against float64; one that is left to Triton has failed.
Then graphs, streams, threads, devices, fallback, autotuning and the cost of a launch.
Needs PyTorch, numpy and Triton. Exit code: 0 all passed, 1 some failed, 2 no GPU.
"""

import argparse
import os
import subprocess
import sys
import threading
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "bench"))
sys.path.insert(0, os.path.join(ROOT, "test", "triton"))
sys.path.insert(0, HERE)

# Beside the sizes that the emulator takes: several waves, ragged and smooth.
FURTHER_SIZES = {
    "vector_add": [{"n": 1000003}, {"n": 1 << 20}],
    "swiglu": [{"rows": 300, "cols": 4096}],
    "dropout": [{"n": 1000003}],
    "rotary_embedding": [{"batch": 3, "seq_len": 333, "q_heads": 32, "k_heads": 8, "head_dim": 128}],
    "softmax": [{"rows": 1823, "cols": 781, "programs": 264}, {"rows": 300, "cols": 4096}],
    "layer_norm_forward": [{"rows": 300, "cols": 4096}],
    "layer_norm_backward": [{"rows": 1000, "cols": 1024, "programs": 132}],
    "rms_norm": [{"rows": 300, "cols": 4096}],
    "cross_entropy": [{"rows": 100, "cols": 32000, "block": 4096}],
    "matmul_pointers": [{"m": 1024, "n": 2048, "k": 512}, {"m": 1000, "n": 1032, "k": 520}],
    "matmul_short_tiles": [{"m": 1024, "n": 2048, "k": 480}, {"m": 1000, "n": 1032, "k": 520}],
    "matmul_descriptors": [{"m": 1024, "n": 2048, "k": 512}, {"m": 1000, "n": 1032, "k": 520}],
    "matmul_persistent": [{"m": 2048, "n": 4096, "k": 512, "programs": 132}],
    "matmul_grouped": [{"experts": 8, "blocks": 16, "n": 1024, "k": 512}],
    "matmul_split_k": [{"m": 256, "n": 512, "k": 4096, "split": 4}],
    "matmul_epilogue": [{"m": 1024, "n": 2048, "k": 512}],
    "matmul_fp8": [{"m": 1024, "n": 2048, "k": 1024}],
    "matmul_tf32": [{"m": 1024, "n": 2048, "k": 512}, {"m": 1000, "n": 1032, "k": 523}],
    "matmul_counted": [{"m": 2048, "n": 4096, "k": 512, "programs": 132}],
    "matmul_counted_flat": [{"m": 2048, "n": 4096, "k": 512, "programs": 132}],
    "matmul_in_turns": [{"m": 2048, "n": 4096, "k": 512, "tile": (128, 128, 64), "programs": 132}],
    "matmul_gated": [{"m": 1000, "n": 512, "k": 512, "heads": 4}],
    "matmul_strides": [{"m": 1000, "n": 520, "k": 1000}],
    "matmul_ragged": [{"sizes": (1000, 0, 513, 64), "n": 520, "k": 1000, "programs": 16}],
    "matmul_experts": [{"tokens": 1000, "experts": 7, "n": 520, "k": 520}],
    "convolution": [{"length": 3000, "channels": 200, "outputs": 264, "taps": 5}],
    "matmul_int4": [{"m": 1000, "n": 1032, "k": 1024}],
    "experts_int4": [{"tokens": 300, "experts": 7, "n": 520, "k": 512, "bm": 64, "bn": 64, "bk": 64}],
    "norm_matmul": [{"m": 1000, "n": 1032, "k": 520}],
    "rms_matmul": [{"m": 1000, "n": 1032, "k": 512}],
    "states_in_place": [{"heads": 132, "seq_len": 1000}],
    "taylor_chunks": [{"heads": 132, "seq_len": 1000}],
    "scores_of_channels": [{"heads": 4, "seq_len": 500}],
    "matmul_jagged": [{"lengths": (1000, 0, 513, 64), "m": 520, "n": 264, "most": 900}],
    "attention_mixed": [{"queries": (500, 1, 77, 1), "before": (0, 1000, 300, 3), "group": 4}],
    "adapters_in_place": [{"lengths": (500, 1, 300), "adapters": (1, 0, -1), "n": 1000}],
    "attention_grouped_keys": [{"heads": 16, "length": 1000}],
    "attention": [{"heads": 16, "seq_len": 1024}],
    "attention_rows": [{"batch": 2, "heads": 8, "seq_len": 1024}],
    "attention_gradients": [{"batch": 2, "heads": 8, "seq_len": 1024}],
    "attention_gradients_causal": [{"batch": 2, "heads": 8, "seq_len": 1024}],
    "attention_packed": [{"lengths": (1000, 1, 0, 777), "heads": 4}],
    "attention_paged": [{"queries": (100, 513, 64), "lengths": (1000, 777, 64), "heads": 8}],
    "attention_documents": [{"lengths": (500, 1, 1000, 777), "heads": 4, "bm": 64, "bn": 64}],
    "gradients_listed": [{"length": 3000}],
    "attention_causal": [{"heads": 16, "seq_len": 1024}],
    "attention_gqa": [{"batch": 2, "heads": 16, "kv_heads": 4, "q_len": 1000, "k_len": 1024}],
    "attention_bias": [{"heads": 8, "seq_len": 1024}],
    "attention_bytes": [{"heads": 8, "q_len": 1024, "k_len": 1000}],
    "attention_bytes_causal": [{"heads": 8, "q_len": 1000, "k_len": 1000}],
}


class Failure(AssertionError):
    pass


def expect(condition, text):
    if not condition:
        raise Failure(text)


def fresh(kernel):
    """The kernel as if nobody had called it yet."""
    import triton

    return triton.jit(kernel.fn)


def launcher(kernel, case, arguments):
    return lambda: kernel[case.grid](
        **arguments, num_warps=case.warps, num_stages=case.stages
    )


def check_case(case):
    """Runs it twice; raises Failure."""
    import heddle.triton
    import numpy as np
    import torch
    from compile import kernel_of
    from torch_arguments import memories, passed
    from values import load

    kernel = fresh(kernel_of(case))
    places, arrays = memories(case, "cuda")
    launch = launcher(kernel, case, passed(case, {name: one.tensor for name, one in places.items()}))
    expected = case.expected(
        {name: load(array, places[name].element) for name, array in arrays.items()}
    )
    heddle.triton.forget_declined()
    for _ in range(2):
        for name, memory in places.items():
            memory.set(arrays[name])
        launch()
        torch.cuda.synchronize()
        expect(not heddle.triton.declined(), "left to Triton: %s" % heddle.triton.declined())
        (compiled,) = heddle.triton.compiled(kernel)
        expect(compiled.outcome == case.outcome, "is %s, not %s" % (compiled.outcome, case.outcome))
        for name, memory in places.items():
            expect(memory.is_guarded(), "wrote beyond %s" % name)
            if name not in expected:
                same = np.array_equal(
                    memory.values(arrays[name]), load(arrays[name], memory.element), equal_nan=True
                )
                expect(same, "changed %s" % name)
        for name, values in expected.items():
            error = np.abs(places[name].values(arrays[name]) - values).max() / np.abs(values).max()
            expect(error <= case.tolerance, "%s is off by %g, allowed %g" % (name, error, case.tolerance))


def simple():
    """(a kernel nobody called, x, out) to launch by kernel[(4,)](x, out, 4096, BLOCK=1024)."""
    import torch
    from triton_programs import double

    x = torch.randn(4096, device="cuda")
    return fresh(double), x, torch.empty_like(x)


def check_graph():
    import torch

    kernel, x, out = simple()
    kernel.warmup(x, out, 4096, BLOCK=1024, grid=(4,))._init_handles()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kernel[(4,)](x, out, 4096, BLOCK=1024)
    for _ in range(3):
        x.normal_()
        out.fill_(float("nan"))
        graph.replay()
        torch.cuda.synchronize()
        expect(torch.equal(out, 2 * x), "a replayed launch is wrong")


def check_graph_with_descriptors():
    """The maps that a captured launch took stay good."""
    import torch
    from compile import kernel_of
    from corpus_cases import builders
    from torch_arguments import passed, random_tensors

    case = builders()["matmul_descriptors"](m=512, n=512, k=512)
    kernel = fresh(kernel_of(case))
    tensors = random_tensors(case, "cuda", 1)
    launch = launcher(kernel, case, passed(case, tensors))
    launch()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        launch()
    for _ in range(3):
        tensors["a_desc"].normal_()
        tensors["c_desc"].zero_()
        graph.replay()
        reference = tensors["a_desc"].double() @ tensors["b_desc"].double().T
        torch.cuda.synchronize()
        error = ((tensors["c_desc"].double() - reference).abs().max() / reference.abs().max()).item()
        expect(error <= case.tolerance, "a replayed product is off by %g" % error)


def check_streams():
    """A launch is ordered behind what its stream did before, and not elsewhere."""
    import torch

    kernel, x, out = simple()
    kernel[(4,)](x, out, 4096, BLOCK=1024)
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(20_000_000)
        x.fill_(3.0)
        kernel[(4,)](x, out, 4096, BLOCK=1024)
    expect(not stream.query(), "the launch waited")
    stream.synchronize()
    expect(bool((out == 6.0).all()), "the launch did not wait for its stream")


def check_threads():
    import torch

    kernel, _, _ = simple()
    wrong = []

    def work(seed):
        try:
            with torch.cuda.stream(torch.cuda.Stream()):
                for _ in range(100):
                    x = torch.full((4096,), float(seed), device="cuda")
                    out = torch.empty_like(x)
                    kernel[(4,)](x, out, 4096, BLOCK=1024)
                    if not bool((out == 2 * seed).all()):
                        wrong.append(seed)
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(not wrong, "threads: %s" % wrong[:3])


def check_devices():
    import torch

    if torch.cuda.device_count() < 2:
        return "one device only"
    kernel, _, _ = simple()
    for index in range(torch.cuda.device_count()):
        with torch.cuda.device(index):
            x = torch.randn(4096, device="cuda")
            out = torch.empty_like(x)
            kernel[(4,)](x, out, 4096, BLOCK=1024)
            torch.cuda.synchronize()
            expect(torch.equal(out, 2 * x), "device %d is wrong" % index)
    return None


def check_fallback():
    """Both ways to Triton: at compile time and at a launch."""
    import heddle.triton
    import torch

    kernel, x, out = simple()
    kernel[(4,)](x, out, 4096, BLOCK=1024, enable_fp_fusion=False)
    torch.cuda.synchronize()
    expect(torch.equal(out, 2 * x), "Triton's kernel is wrong")
    expect("enable_fp_fusion" in heddle.triton.declined().get("double", ""), "no reason was kept")
    heddle.triton.forget_declined()
    kernel, x, out = simple()
    host = x.cpu()
    try:
        kernel[(4,)](host, out, 4096, BLOCK=1024)
    except ValueError as error:
        expect("cpu tensor" in str(error), "another complaint: %s" % error)
    else:
        raise Failure("a tensor of the host was taken")
    heddle.triton.forget_declined()


def check_autotune():
    import heddle.triton
    import torch
    import triton

    kernel, x, out = simple()
    configs = [triton.Config({"BLOCK": block}, num_warps=4) for block in (256, 512, 1024)]
    tuned = triton.autotune(configs, key=["n"])(kernel)
    tuned[lambda meta: (triton.cdiv(4096, meta["BLOCK"]),)](x, out, 4096)
    torch.cuda.synchronize()
    expect(torch.equal(out, 2 * x), "the tuned kernel is wrong")
    expect(len(heddle.triton.compiled(tuned)) == 3, "not every configuration is heddle's")


def launch_cost(kernel, x, out):
    """Microseconds of the caller's time, the best of some hundreds in a row."""
    import torch

    run = kernel[(4,)]
    best = float("inf")
    for _ in range(20):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(200):
            run(x, out, 4096, BLOCK=1024)
        best = min(best, (time.perf_counter() - start) / 200)
    torch.cuda.synchronize()
    return best * 1e6


def check_launch_cost():
    import heddle.triton

    kernel, x, out = simple()
    kernel[(4,)](x, out, 4096, BLOCK=1024)
    heddle.triton.disable()
    by_triton, _, _ = simple()
    by_triton[(4,)](x, out, 4096, BLOCK=1024)
    heddle.triton.enable()
    costs = [[launch_cost(one, x, out) for one in (kernel, by_triton)] for _ in range(3)]
    mine, peer = (min(cost) for cost in zip(*costs))
    bare = call_cost(heddle.triton.compiled(kernel)[0].kernel, x, out)
    text = "a launch costs %.2f us, Triton's %.2f us; the C function from Python %.2f us" % (
        mine, peer, bare,
    )  # fmt: skip
    expect(mine <= peer and bare < 5, text)
    return text


def call_cost(kernel, x, out):
    """Of heddle_kernel_launch_words, with what ctypes adds, in microseconds."""
    import struct

    import heddle.runtime
    import torch

    words = struct.pack("=QQi4xi4x", x.data_ptr(), out.data_ptr(), 4096, 4)
    call = heddle.runtime.library().heddle_kernel_launch_words
    stream = torch.cuda.current_stream().cuda_stream
    best = float("inf")
    for _ in range(20):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(200):
            status = call(kernel._handle, words, 4, stream)
        best = min(best, (time.perf_counter() - start) / 200)
        expect(status == 0, "status %d" % status)
    torch.cuda.synchronize()
    return best * 1e6


SECOND_PROCESS = """
import sys, time
sys.path.insert(0, sys.argv[1])
import torch
import heddle.triton, triton_programs
from heddle import compiler
x = torch.randn(4096, device="cuda")
out = torch.empty_like(x)
heddle.triton.enable()
spent = []
make = heddle.triton._compile
def timed(*arguments):
    start = time.perf_counter()
    made = make(*arguments)
    made.kernel
    spent.append(time.perf_counter() - start)
    return made
heddle.triton._compile = timed
compiler._compile = None
triton_programs.double[(4,)](x, out, 4096, BLOCK=1024)
torch.cuda.synchronize()
assert torch.equal(out, 2 * x)
print(spent[0] * 1e3)
"""


def check_second_process():
    import torch
    from triton_programs import double

    x = torch.randn(4096, device="cuda")
    double[(4,)](x, torch.empty_like(x), 4096, BLOCK=1024)
    done = subprocess.run(
        [sys.executable, "-c", SECOND_PROCESS, HERE], stdout=subprocess.PIPE, text=True
    )
    expect(done.returncode == 0, "the other process failed")
    text = "another process had the kernel after %.1f ms" % float(done.stdout)
    expect(float(done.stdout) < 50, text)
    return text


SCALE = """tile.kernel @scale(
    %x: !tile.view<?xf32>, %y: !tile.view<?xf32>, %s: f32) {
  %c128 = arith.constant 128 : index
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  %blocks = arith.ceildivui %n, %c128 : index
  %ss = tile.splat %s : f32 -> tensor<128xf32>
  tile.parallel (%i) to (%blocks) {
    %at = arith.muli %i, %c128 : index
    %v = tile.load %x[%at] : !tile.view<?xf32> -> tensor<128xf32>
    %w = arith.mulf %v, %ss : tensor<128xf32>
    tile.store %w, %y[%at] : tensor<128xf32>, !tile.view<?xf32>
  }
}
"""


class ByDlpack:
    """A tensor that shows itself by DLPack only."""

    def __init__(self, tensor):
        self.__dlpack__, self.__dlpack_device__ = tensor.__dlpack__, tensor.__dlpack_device__


class ByInterface:
    """A tensor that shows itself by __cuda_array_interface__, written on a stream."""

    def __init__(self, tensor, stream):
        self.__cuda_array_interface__ = dict(
            tensor.__cuda_array_interface__, version=3, stream=stream.cuda_stream
        )


def check_arrays():
    """Other frameworks' arrays, and what their streams did before."""
    import heddle
    import torch

    scale = heddle.compile(SCALE)
    x, out = torch.randn(5000, device="cuda"), torch.empty(5000, device="cuda")
    scale.run(ByDlpack(x), ByDlpack(out), 3.0)
    torch.cuda.synchronize()
    expect(torch.equal(out, 3 * x), "wrong by DLPack")
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(20_000_000)
        x.fill_(2.0)
    scale.run(ByInterface(x, stream), out, 3.0)
    torch.cuda.synchronize()
    expect(bool((out == 6.0).all()), "the launch did not wait for the array's stream")


def check_bad_arguments():
    """One sentence each, and the context lives."""
    import heddle
    import heddle.runtime
    import torch

    scale = heddle.compile(SCALE)
    x, out = torch.randn(5000, device="cuda"), torch.empty(5000, device="cuda")
    shifted = torch.empty(5001 * 4 + 2, dtype=torch.uint8, device="cuda")[2:-2].data_ptr()
    interface = dict(x.__cuda_array_interface__, data=(shifted, False))
    misaligned = type("Array", (), {"__cuda_array_interface__": interface})()
    for values, words in (
        ((x.half(), out, 1.0), "'x' is f16"),
        ((x[::2], out[:2500], 1.0), "has stride 2"),
        ((x.view(50, 100), out, 1.0), "rank"),
        ((misaligned, out, 1.0), "'x'"),
        ((x, out, "much"), "'s' is 'much'"),
    ):
        try:
            scale.run(*values)
        except (heddle.runtime.HeddleError, TypeError) as error:
            expect(words in str(error) and "\n" not in str(error), "said: %s" % error)
        else:
            raise Failure("took arguments that are to give %r" % words)
    scale.run(x, out, 2.0)
    torch.cuda.synchronize()
    expect(torch.equal(out, 2 * x), "wrong after refusals")


def check_custom_op():
    import heddle
    import heddle.torch
    import torch

    op = heddle.torch.custom_op(
        "heddle_gpu::scale", heddle.compile(SCALE), outputs={"y": lambda x, s: torch.empty_like(x)}
    )
    x = torch.randn(5000, device="cuda")
    torch.library.opcheck(op, (x, 3.0))
    compiled = torch.compile(lambda x: op(x, 3.0) + 1, fullgraph=True, backend="aot_eager")
    expect(torch.equal(compiled(x), 3 * x + 1), "wrong under torch.compile")


CHECKS = [
    check_arrays, check_bad_arguments, check_custom_op,
    check_graph, check_graph_with_descriptors, check_streams, check_threads, check_devices,
    check_fallback, check_autotune, check_launch_cost, check_second_process,
]  # fmt: skip


def run_one(name, work, tally):
    start = time.perf_counter()
    try:
        note = work()
    except Exception as error:
        tally["failed"].append(name)
        print("FAILED %s: %s" % (name, error))
        if not isinstance(error, Failure):
            traceback.print_exc(file=sys.stdout)
        import heddle.triton

        heddle.triton.enable()
    else:
        tally["passed"] += 1
        print("passed %s%s (%.1f s)" % (name, ": " + note if note else "", time.perf_counter() - start))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="all unless some are named")
    parser.add_argument("--hang-seconds", type=float, default=120)
    options = parser.parse_args()
    import torch

    if not torch.cuda.is_available():
        print("triton_correctness.py: there is no GPU here", file=sys.stderr)
        return 2
    import heddle.triton
    from corpus_cases import builders
    from gemm_checks import Watchdog

    heddle.triton.enable()
    tally = {"passed": 0, "failed": []}
    with Watchdog(options.hang_seconds) as watchdog:
        for name, build in builders().items():
            for sizes in [{}, *FURTHER_SIZES.get(name, [])] if not options.names or name in options.names else []:
                label = "%s %s" % (name, sizes or "small")
                watchdog.step(label)
                run_one(label, lambda: check_case(build(**sizes)), tally)
        for check in CHECKS:
            name = check.__name__.removeprefix("check_")
            if not options.names or name in options.names:
                watchdog.step(name)
                run_one(name, check, tally)
    print("%d passed, %d failed" % (tally["passed"], len(tally["failed"])))
    return 1 if tally["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
