#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole networks on the CPU: heddle.sparse beside torch.sparse and dense PyTorch.

    python3 bench/sparse/models.py [--json FILE] [--only NAME] [--rounds N] [--workers N] [--small]

Networks (bench/sparse/networks.py): a graph network of two layers on graphs of the shapes of
Cora, CiteSeer, PubMed and arxiv, pruned autoencoders, a Longformer block. Systems: `torch`,
plain PyTorch over torch.sparse; `dense`, the same with every element stored; `enable`, the
code of `torch` unmodified under heddle.sparse.enable(); `fused`, with the statements given to
heddle.sparse.program (forward alone). The Longformer's scores are written in two ways, by
gathered rows and by sampled_addmm: `torch` and `enable` are the faster of both each.

Outputs and gradients are compared with float64 before anything is timed, by bench/sparse/rounds.py.
A line has each system's median time and `torch`'s time over it with a 95 % interval. Needs PyTorch:
test/torch/run.py installs one in the user's cache.
"""

import argparse
import json
import os
import pathlib
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "bench"), str(ROOT / "bench/sparse")]

try:
    import torch
except ImportError:
    sys.exit("bench/sparse/models.py needs PyTorch, which is not installed")

import heddle  # noqa: E402
import heddle.sparse  # noqa: E402
import networks  # noqa: E402
import protocol  # noqa: E402
import rounds as timing  # noqa: E402

warnings.filterwarnings("ignore", message="Sparse", category=UserWarning)  # beta, and what is not checked
MOST_ERROR = 2e-4  # of the largest element, in float32


def cases(small):
    """(group, case, a function that makes the network), one after the other."""
    def later(kind, *given):
        return lambda: kind(*given, torch.Generator().manual_seed(0))

    for name in list(networks.GRAPHS)[:3 if small else None]:
        yield "gcn", name, later(networks.GCN, name)
    for name in list(networks.AUTOENCODERS)[:1 if small else None]:
        for sparsity in networks.SPARSITIES:
            yield "autoencoder", f"{name} {sparsity}", later(networks.Autoencoder, name, sparsity)
    for length in networks.LENGTHS[:2 if small else None]:
        yield "longformer", str(length), later(networks.Longformer, length)


def systems_of(network, is_training):
    """Name -> the forward pass by that system."""
    found = {"torch": network.forward}
    if hasattr(network, "sampled"):
        found["torch sampled"] = network.sampled
    found["enable"] = network.forward
    if hasattr(network, "sampled"):
        found["enable sampled"] = network.sampled
    if network.is_dense_small:
        network.prepare_dense()
        found["dense"] = network.dense
    if not is_training:
        network.prepare_fused(heddle.sparse.program)
        found["fused"] = network.fused
    return found


def enter(name):
    """The state that a system computes in."""
    if name.startswith("enable"):
        heddle.sparse.enable()
    else:
        heddle.sparse.disable()


def step(network, function):
    """A forward and a backward pass."""
    for parameter in network.parameters():
        parameter.grad = None
    function(*network.inputs).square().mean().backward()


def whole(value):
    return value.detach() if value.layout == torch.strided else value.detach().to_dense()


def in_double(network, is_training):
    """The output of `forward` in float64, and the gradients of all parameters."""
    heddle.sparse.disable()
    wide = {name: value.detach().double().requires_grad_(is_training and isinstance(value, torch.nn.Parameter))
            for name, value in (*network.named_parameters(), *network.named_buffers()) if value.is_floating_point()}
    output = torch.func.functional_call(network, wide, tuple(value.double() for value in network.inputs))
    if is_training:
        output.square().mean().backward()
    return output.detach(), {name: whole(value.grad) for name, value in wide.items() if value.grad is not None}


def error(found, wanted, most=0.0):
    """The largest difference over the largest element, or over `most` if that is larger."""
    return float((whole(found).double() - wanted).abs().max()) / max(float(wanted.abs().max()), most, 1e-30)


def check(network, systems, is_training):
    """The error of each system against float64, and why a system is left out."""
    output, wanted = in_double(network, is_training)
    # Some gradients are zero but for rounding, as that of a bias in front of a softmax.
    most = 1e-3 * max((float(value.abs().max()) for value in wanted.values()), default=0.0)
    errors, left_out = {}, {}
    for name, function in systems.items():
        enter(name)
        try:
            with torch.no_grad():
                errors[name] = error(function(*network.inputs), output)
            if is_training and name != "dense":
                step(network, function)
                errors[name] = max([errors[name], *(error(parameter.grad, wanted[of], most)
                                                    for of, parameter in network.named_parameters())])
        except (RuntimeError, NotImplementedError) as reason:
            left_out[name] = str(reason).splitlines()[0]
            continue
        if not errors[name] < MOST_ERROR:
            sys.exit(f"{name}: the error against float64 is {errors[name]:.3g}")
    return errors, left_out


def run(network, is_training, count, clock):
    """A row of the table."""
    heddle.sparse.disable()
    systems = systems_of(network, is_training)
    errors, left_out = check(network, systems, is_training)
    systems = {name: function for name, function in systems.items() if name not in left_out}
    if is_training:
        calls = {name: lambda function=function: step(network, function) for name, function in systems.items()}
    else:
        calls = {name: lambda function=function: function(*network.inputs) for name, function in systems.items()}
    with torch.set_grad_enabled(is_training):
        entries = timing.measure(calls, "torch", count, enter, clock)
    enter("torch")
    ms = timing.medians(entries)
    for kind in ("torch", "enable"):
        other = kind + " sampled"
        if other in ms:
            better = min(kind, other, key=ms.get)
            for entry in entries:
                entry[kind + " best"] = entry[better]
    base = "torch best" if "torch best" in entries[0] else "torch"
    ours = "enable best" if "enable best" in entries[0] else "enable"
    over = {name: protocol.compare(entries, found, base)
            for name, found in (("enable", ours), ("dense", "dense"), ("fused", "fused")) if found in entries[0]}
    return {"ms": ms, "errors": errors, "left_out": left_out, "over_torch": over,
            "a_a": protocol.compare(entries, "torch again", "torch")}


def describe(row):
    text = "; ".join(f"{name} {row['ms'][name]:.3f} ms" for name in row["ms"] if not name.endswith("again"))
    ratios = "; ".join(f"torch / {name} {found['ratio']:.2f} [{found['low']:.2f}, {found['high']:.2f}]"
                       for name, found in row["over_torch"].items())
    gap = row["a_a"]
    left = "".join(f"; {name} left out: {reason}" for name, reason in row["left_out"].items())
    return f"{text}; {ratios}; A/A [{gap['low']:.2f}, {gap['high']:.2f}]{left}"


def summarise(rows):
    """The geometric mean of each system's ratios in each group and pass."""
    means = {}
    for row in rows:
        for name, found in row["over_torch"].items():
            means.setdefault(f"{row['group']}, {row['pass']}, {name}", []).append(found["ratio"])
    return {name: protocol.spread(ratios) for name, ratios in means.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--only", default="", help="cases whose 'group name' has this text")
    parser.add_argument("--passes", default="forward,both")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="the smaller cases alone")
    parser.add_argument("--library", default=str(ROOT / "build/lib/libheddle.so"))
    given = parser.parse_args()
    heddle.use_compiler(given.library)
    torch.set_num_threads(given.workers)
    clock, clock_is = timing.clock_for(given.workers)
    state = (f"PyTorch {torch.__version__}, {given.workers} threads, float32; {clock_is}; "
             f"{timing.load(given.workers)}")
    print(state, flush=True)
    rows = []
    for group, case, make in cases(given.small):
        if given.only not in f"{group} {case}":
            continue
        network = make()
        for part in given.passes.split(","):
            row = {"group": group, "case": case, "pass": part, "nonzeros": network.nonzeros,
                   **run(network, part == "both", given.rounds, clock)}
            rows.append(row)
            print(f"{group:12}{case:20}{part:8} {describe(row)}", flush=True)
    means = summarise(rows)
    for name, found in means.items():
        print(f"{name}: torch / it {found['geomean']:.2f} in the geometric mean of {found['cases']}, "
              f"{found['least']:.2f} to {found['most']:.2f}")
    if given.json:
        given.json.write_text(json.dumps({"state": state, "load": os.getloadavg(), "workers": given.workers,
                                          "declined": heddle.sparse.declined(), "rows": rows, "means": means},
                                         indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
