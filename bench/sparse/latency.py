#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long calls of heddle.sparse take before and around their loops.

    python3 bench/sparse/latency.py [--json FILE] [--processes N] [--rounds N]

First calls are those of fresh processes, one after the other: of an empty cache, which compile,
and of a filled one, which load. Loading libheddle.so is counted apart. All times are the processor's. Warm calls are of a product
of a CSR matrix of 64 rows and a dense one of 16 columns, in interleaved rounds (bench/sparse/rounds.py)
beside torch.sparse.mm, and beside the same compiled program called from a loop of C, where there is a
C compiler. Needs PyTorch: test/torch/run.py installs one in the user's cache.
"""

import argparse
import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "bench"), str(ROOT / "bench/sparse")]

try:
    import torch
except ImportError:
    sys.exit("bench/sparse/latency.py needs PyTorch, which is not installed")

import heddle  # noqa: E402
import heddle.sparse  # noqa: E402
import protocol  # noqa: E402
import rounds as timing  # noqa: E402

warnings.filterwarnings("ignore", message="Sparse", category=UserWarning)

FIRST = """
import sys, time
sys.path.insert(0, {python!r})
import torch
import heddle, heddle.sparse
torch.set_num_threads(1)
heddle.use_compiler({library!r})
a = (torch.rand(300, 400, generator=torch.Generator().manual_seed(0)) < 0.05).float().to_sparse_csr()
b = torch.ones(400, 64)
begin = time.process_time()
from heddle import _compiler_capi
_compiler_capi.library()
loaded = time.process_time()
heddle.sparse.matmul(a, b)
called = time.process_time()
heddle.sparse.matmul(a, b)
print((loaded - begin) * 1e3, (called - loaded) * 1e3, (time.process_time() - called) * 1e3)
"""
LOOP = """
#include <stdint.h>
#include <time.h>
typedef int (*run)(void *, const int64_t *, uint64_t, void *, uint64_t);
double loop(run function, void *program, const int64_t *slots, uint64_t count, void *memory, uint64_t bytes, int calls) {
  struct timespec begin, end;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  for (int i = 0; i < calls; ++i)
    function(program, slots, count, memory, bytes);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  return ((end.tv_sec - begin.tv_sec) * 1e3 + (end.tv_nsec - begin.tv_nsec) * 1e-6) / calls;
}
"""


def first_calls(library, processes):
    """Milliseconds of each process: loading the library, the first call, the second one."""
    program = FIRST.format(python=str(ROOT / "python"), library=library)

    def one(cache):
        done = subprocess.run([sys.executable, "-B", "-W", "ignore", "-c", program], check=True, text=True,
                              stdout=subprocess.PIPE, env=dict(os.environ, HEDDLE_CACHE_DIR=cache))
        return [float(word) for word in done.stdout.split()]

    compiled, loaded = [], []
    for _ in range(processes):
        with tempfile.TemporaryDirectory() as cache:
            compiled.append(one(cache))
            loaded.append(one(cache))
    return {name: {part: protocol.median([times[place] for times in found])
                   for place, part in enumerate(("library", "first", "second"))}
            for name, found in (("empty cache", compiled), ("filled cache", loaded))}


def from_c(folder, call, slots, memory):
    """A function that gives the milliseconds of a call from C, or None."""
    if not shutil.which("cc"):
        return None
    source, library = pathlib.Path(folder, "loop.c"), pathlib.Path(folder, "loop.so")
    source.write_text(LOOP, encoding="utf-8")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    loop = ctypes.CDLL(str(library)).loop
    loop.restype = ctypes.c_double
    address = ctypes.cast(call.into, ctypes.c_void_p)
    packed = (ctypes.c_int64 * len(slots))(*slots)

    def run(calls=2000):
        return loop(address, ctypes.c_void_p(call.handle), packed, ctypes.c_uint64(len(slots)),
                    ctypes.c_void_p(memory.data_ptr()), ctypes.c_uint64(call.bytes), calls)

    return run


def warm_calls(count):
    """Microseconds, each round's."""
    from heddle import _sparse_torch

    generator = torch.Generator().manual_seed(0)
    a = (torch.rand(64, 64, generator=generator) < 0.1).float().to_sparse_csr()
    b = torch.randn(64, 16, generator=generator)
    systems = {"torch": lambda: torch.sparse.mm(a, b), "heddle": lambda: heddle.sparse.matmul(a, b),
               "enable": lambda: torch.sparse.mm(a, b)}
    assert torch.allclose(systems["torch"](), systems["heddle"](), atol=1e-5)
    call, slots, alive = _sparse_torch._find("ij,jk->ik", (a, b), None, 0)
    memory = torch.empty(64, 16)

    def enter(name):
        heddle.sparse.enable() if name == "enable" else heddle.sparse.disable()

    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        in_c = from_c(folder, call, slots, memory)
        entries = []
        for _ in range(count):
            [entry] = timing.measure(systems, "torch", 1, enter, time.process_time)
            if in_c:
                entry["from C"] = {"ms_per_launch": in_c()}
            entries.append(entry)
    heddle.sparse.disable()
    del alive
    found = {"us": {name: 1e3 * value for name, value in timing.medians(entries).items()},
             "torch over heddle": protocol.compare(entries, "heddle", "torch"),
             "torch over enable": protocol.compare(entries, "enable", "torch"),
             "a_a": protocol.compare(entries, "torch again", "torch")}
    if in_c:
        found["us above C"] = protocol.median([1e3 * (entry["heddle"]["ms_per_launch"] - entry["from C"]["ms_per_launch"])
                                               for entry in entries])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--library", default=str(ROOT / "build/lib/libheddle.so"))
    given = parser.parse_args()
    heddle.use_compiler(given.library)
    torch.set_num_threads(1)
    print(f"PyTorch {torch.__version__}; {timing.load(1)}")
    first = first_calls(given.library, given.processes)
    for name, found in first.items():
        print(f"{name:13} first call {found['first']:7.1f} ms, second {found['second']:6.3f}; the library beside it "
              f"{found['library']:6.1f}")
    warm = warm_calls(given.rounds)
    print("64 rows, warm: " + ", ".join(f"{name} {value:.2f} us" for name, value in warm["us"].items()))
    for name in ("torch over heddle", "torch over enable", "a_a"):
        print(f"{name}: {warm[name]['ratio']:.2f} [{warm[name]['low']:.2f}, {warm[name]['high']:.2f}]")
    if "us above C" in warm:
        print(f"heddle.sparse.matmul above the program from C: {warm['us above C']:.2f} us")
    if given.json:
        given.json.write_text(json.dumps({"date": time.strftime("%Y-%m-%d"), "load": os.getloadavg(), "first": first,
                                          "warm": warm}, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
