#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples on the emulator and keeps inputs and results, for
emulator_agreement.py to repeat on a GPU.

    python3 test/gpu/emulate_cases.py --heddle build/bin/heddle --out build/emulated

Needs no GPU. Each case is a folder: kernel.ptx, kernel.json, NAME.npy and NAME.out.npy
for every argument with memory, case.json. Exit code: 0 all were emulated, 1 some were not.
"""

import argparse
import array
import json
import os
import random
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Every operation is exact, or is the same sequence of IEEE operations.
EXACT = "exact"
# Approximate functions, whose last bits no manual fixes, or sums in another order.
CLOSE = "close"

GEMM_SHAPES = ((256, 512, 256), (129, 257, 71), (136, 264, 0), (17, 40, 1000))


def products():
    for inputs in ("ints", "normal"):
        kind = EXACT if inputs == "ints" else CLOSE
        for m, n, k in GEMM_SHAPES:
            views = {"a": (m, k), "b": (k, n), "c": (m, n)}
            yield "gemm", [], views, {}, inputs, kind
            yield "gemm", ["BM=192", "BN=192"], views, {}, inputs, kind
            yield "gemm", ["out=f32", "BN=128", "max_imprecise_acc=64 : i64"], views, {}, inputs, kind
            yield "gemm_reduction", [], {**views, "y": (m,)}, {}, inputs, kind
        yield "dual_gemm", [], {"a": (136, 200), "b1": (200, 72), "b2": (200, 72), "c": (136, 72)}, {}, inputs, CLOSE
        yield "gemm_bias_gelu", [], {"a": (136, 200), "b": (200, 264), "bias": (264,), "c": (136, 264)}, {}, inputs, CLOSE
        yield "gemm_softmax", [], {"a": (136, 200), "b": (200, 100), "c": (136, 100)}, {}, inputs, CLOSE


def attentions():
    for depth, queries, keys in ((128, 300, 200), (64, 130, 700), (128, 1, 1), (64, 70, 0)):
        views = {name: (2, length, depth) for name, length in zip("qkvo", (queries, keys, keys, queries))}
        for program in ("attention", "attention_causal"):
            yield program, [f"D={depth}"], views, {"scale": 0.125}, "normal", CLOSE
    for depth, tiles in ((96, []), (256, ["BN=64"])):
        views = {name: (1, length, depth) for name, length in zip("qkvo", (140, 200, 200, 140))}
        for program in ("attention", "attention_causal"):
            yield program, [f"D={depth}", *tiles], views, {"scale": 0.125}, "normal", CLOSE
    views = {name: (heads, length, 128) for name, heads, length in zip("qkvo", (4, 2, 2, 4), (140, 200, 200, 140))}
    yield "attention_gqa", [], views, {"scale": 0.125}, "normal", CLOSE
    for window in (1, 150):
        views = {name: (2, 400, 128) for name in "qkvo"}
        yield "attention_window", [], views, {"scale": 0.125, "window": window}, "normal", CLOSE
    views = {name: (2, 190, 64) for name in ("q", "d_o", "dq")}
    views.update({name: (2, 100, 64) for name in ("k", "v", "dk", "dv")})
    views.update({"lse": (2, 190), "delta": (2, 190)})
    for settings in ([], ["BN=128"]):
        yield "attention_backward", settings, views, {"scale": 0.0625}, "normal", CLOSE


def rows():
    for m, n in ((300, 1000), (7, 1024), (5, 33)):
        yield "softmax", [], {"x": (m, n), "y": (m, n)}, {}, "normal", CLOSE
        norm = {"x": (m, n), "weight": (n,), "bias": (n,), "y": (m, n), "mean": (m,), "rstd": (m,)}
        yield "layer_norm", [], norm, {"eps": 0.001}, "normal", CLOSE
        for inputs in ("ints", "normal"):
            # One order of additions, in the emulator and on the GPU.
            yield "column_sum", [], {"x": (m, n), "y": (n,)}, {}, inputs, EXACT
            yield "cumsum", [], {"x": (m, n), "y": (m, n)}, {}, inputs, EXACT
            yield "transpose", [], {"x": (m, n), "y": (n, m)}, {}, inputs, EXACT
            yield "reduce_max_index", [], {"x": (m, n), "largest": (m,), "place": (m,)}, {}, inputs, EXACT


def others():
    yield "silu_mul", [], {"a": (10000,), "b": (10000,), "y": (10000,)}, {}, "normal", CLOSE
    yield "wright_omega", [], {"x": (10000,), "y": (10000,)}, {"tolerance": 1e-5}, "normal", CLOSE
    numbers = random.Random(1)
    places = list(range(300))
    numbers.shuffle(places)
    given = {"from": [numbers.randrange(100) for _ in range(300)], "to": places}
    yield (
        "gather_rows", [], {"x": (100, 64), "from": given["from"], "to": given["to"], "y": (300, 64)},
        {"x_rows": 100, "y_rows": 300, "columns": 64}, "normal", EXACT,
    )  # fmt: skip
    values = [numbers.randrange(-1, 300) for _ in range(10000)]
    yield "histogram_atomic", [], {"x": values, "counts": (256,)}, {"bins": 256}, "zeros", EXACT


def write_i32(path, values):
    """A NumPy file of one axis."""
    header = "{'descr': '<i4', 'fortran_order': False, 'shape': (%d,), }" % len(values)
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        file.write(array.array("i", values).tobytes())


def emulate(options, folder, case):
    program, settings, views, scalars, inputs, kind = case
    os.makedirs(folder, exist_ok=True)
    kernel = os.path.join(folder, "kernel.ptx")
    command = [options.heddle, "compile", os.path.join(ROOT, "examples", program + ".mlir"), "-o", kernel]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    with open(os.path.join(folder, "kernel.json")) as file:
        manifest = json.load(file)
    written = {argument["name"] for argument in manifest["arguments"] if argument.get("written")}
    run = [options.heddle, "emulate", kernel, "--manifest", os.path.join(folder, "kernel.json")]
    run += [f"--scalar={name}={value}" for name, value in scalars.items()]
    updated = {"dq", "counts"} & set(views)
    for name, shape in views.items():
        path = os.path.join(folder, name)
        if isinstance(shape, list):
            write_i32(path + ".given.npy", shape)
            run += [f"--view={name}={len(shape)}xi32", f"--in={name}={path}.given.npy"]
        else:
            run.append(f"--view={name}=" + "x".join(map(str, shape)))
            if name in updated:
                run.append(f"--in={name}=zeros")
            elif name not in written:
                run.append(f"--in={name}={inputs}")
        run.append(f"--out={name}={path}.npy")
    done = subprocess.run(run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(f"{program} {settings} {views}:\n{done.stdout}")
        return False
    description = {
        "name": " ".join([program, *settings, inputs, *("x".join(map(str, s)) for s in views.values() if isinstance(s, tuple))]),
        "kind": kind, "scalars": scalars, "views": list(views), "zeroed": sorted(updated),
    }  # fmt: skip
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump(description, file, indent=1)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default=os.path.join(ROOT, "build", "bin", "heddle"))
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "emulated"))
    options = parser.parse_args()
    cases = [*products(), *attentions(), *rows(), *others()]
    failed = sum(
        not emulate(options, os.path.join(options.out, "%03d" % index), case)
        for index, case in enumerate(cases)
    )
    print(f"{len(cases) - failed} cases in {options.out}, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
