#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does `heddle predict` rank plans as the GPU does?

    python3 bench/calibrate.py prepare --out build/calibrate
    python3 bench/calibrate.py measure --out build/calibrate --json bench/calibration/measured.json
    python3 bench/calibrate.py rank bench/calibration/measured.json

`prepare` compiles every kernel of CASES with every plan that differs from the ones
before it. `measure` needs a GPU and no compiler: it times all plans of a kernel at a
size in one run, in rounds both ways. `rank` needs no GPU: of two plans of a kernel at a
size whose times lie farther apart than 2 % and than their noise, the predicted times
must lie the same way. Exit code: 0 fine, 1 a result differs between plans or too few
pairs are ranked rightly, 2 a case could not be run, 3 bad input.
"""

import argparse
import concurrent.futures
import hashlib
import itertools
import json
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(ROOT, "python"))

import protocol  # noqa: E402

FAR = 0.02  # pairs that lie closer do not count
SHOWN = 20  # of the pairs that are ranked wrongly, the farthest
GOOD = 0.90  # of the pairs must be ranked rightly


def attention(program, depth, lengths, tiles, group=1, scalars=(), work=16 * 4096 * 4096 * 128):
    """Self-attention at lengths whose heads make about as much work each."""

    def size(length):
        heads = max(group, work // (length * length * depth) // group * group)
        shape, shared = (heads, length, depth), (heads // group, length, depth)
        return {"views": {"q": shape, "k": shared, "v": shared, "o": shape},
                "scalars": dict(scalars, scale=1 / math.sqrt(depth))}  # fmt: skip

    return {
        "program": program,
        "settings": ["D=%d" % depth],
        "tiles": ["BM=%d,BN=%d" % tile for tile in tiles],
        "sizes": {"%d" % length: size(length) for length in lengths},
    }


def product(program, sizes, tiles, operands=("b",), outputs=(), scaled=()):
    def size(m, n, k):
        views = {"a": (m, k), **{name: (k, n) for name in operands}, "c": (m, n)}
        views.update({name: (n,) for name in scaled})
        views.update({name: (m,) for name in outputs})
        return {"views": views, "scalars": {}}

    return {
        "program": program,
        "settings": [],
        "tiles": ["BM=%d,BN=%d,BK=%d" % tile for tile in tiles],
        "sizes": {"%dx%dx%d" % one: size(*one) for one in sizes},
    }


LENGTHS = (512, 2048, 8192)
DEEP = [(8192, 8192, 512), (8192, 8192, 4096)]
CASES = {
    "attention_d64": attention("attention", 64, LENGTHS, [(128, 128), (192, 128), (128, 64), (64, 128)]),
    "attention_d128": attention("attention", 128, LENGTHS, [(128, 128), (128, 64), (64, 128)]),
    "attention_d96": attention("attention", 96, (2048, 8192), [(128, 128), (128, 64)]),
    "attention_d256": attention("attention", 256, (2048, 8192), [(128, 64)]),
    "attention_causal_d64": attention(
        "attention_causal", 64, LENGTHS, [(128, 128), (192, 128), (128, 64), (64, 128)]),
    "attention_causal_d128": attention("attention_causal", 128, LENGTHS, [(128, 128), (128, 64), (64, 128)]),
    "attention_gqa_d128": attention("attention_gqa", 128, (2048, 8192), [(128, 128)], group=4),
    "attention_window_d128": attention(
        "attention_window", 128, (8192,), [(128, 128)], scalars=[("window", 1024)]),
    "gemm": product("gemm", [*DEEP, (1024, 1024, 1024), (512, 4096, 4096), (2048, 2048, 8192)],
                    [(128, 256, 64), (256, 128, 64), (256, 192, 32), (128, 128, 64), (128, 192, 64),
                     (64, 256, 64), (128, 128, 32)]),
    "dual_gemm": product("dual_gemm", DEEP, [(128, 128, 64), (128, 64, 64)], operands=("b1", "b2")),
    "gemm_reduction": product("gemm_reduction", DEEP, [(128, 256, 64), (128, 128, 64)], outputs=("y",)),
    "gemm_bias_gelu": product("gemm_bias_gelu", DEEP, [(128, 256, 64), (128, 128, 64)], scaled=("bias",)),
}  # fmt: skip

SCHEDULES = ("auto", "heuristic", "exact", "in-step")
# What a person may change in the plan that is found: (name, pattern, replacement).
EDITS = (
    ("operands at once", r"(sched\.table .*) ahead", r"\1"),
    ("operands ahead", r"(sched\.table \"loop\" ii \d+(?: orders \"\w+\")?)(?= (?:tail )?\{)", r"\1 ahead"),
    ("no order", r"(sched\.table .*?) orders \"tensor\"", r"\1"),
    ("order", r"(sched\.table \"loop\" ii \d+)(?= (?:ahead )?(?:tail )?\{)", r'\1 orders "tensor"'),
    ("branch in the loop", r"(sched\.table .*?) tail", r"\1"),
    ("stores at once", r" late\b", ""),
    ("two slots", r"(sched\.ring \"load_(?:[ab]|b[12])\") depth \d+", r"\1 depth 2"),
    ("three slots", r"(sched\.ring \"load_(?:[abkv]|b[12])\") depth \d+", r"\1 depth 3"),
)


def heddle(options, *arguments):
    return subprocess.run([options.heddle, *arguments], cwd=ROOT, capture_output=True, text=True)


def plan_of(text):
    """The sched.plan alone, without locations."""
    text = re.sub(r" loc\([^()]*(?:\([^()]*\)[^()]*)*\)", "", text)
    return re.search(r"^  sched\.plan .*?^  \}$", text, re.M | re.S)[0]


def variants(options, case, folder):
    """(name, plan, options of the compiler) of each plan to try; plans lie in `folder`."""
    for tile in case["tiles"]:
        settings = [part for one in [*case["settings"], *tile.split(",")] for part in ("--set", one)]
        found = {}
        for schedule in SCHEDULES:
            done = heddle(options, "compile", program_of(case), *settings, "--schedule", schedule, "--emit=sched", "-o", "-")
            if done.returncode == 0:
                found[schedule] = plan_of(done.stdout)
        for name, pattern, replacement in EDITS if "auto" in found else ():
            found[name] = re.sub(pattern, replacement, found["auto"])
        tried = set()
        for name, plan in found.items():
            if plan in tried:
                continue
            tried.add(plan)
            path = os.path.join(folder, "%s, %s.plan" % (tile, name))
            with open(path, "w") as file:
                file.write(plan)
            yield "%s, %s" % (tile, name), plan, [*settings, "--schedule", path]


def name_of(plan):
    return hashlib.sha256(plan.encode()).hexdigest()[:16]


def program_of(case):
    return os.path.join("examples", case["program"] + ".mlir")


def code_of(path):
    """PTX without the lines that say where it comes from."""
    with open(path) as file:
        return "\n".join(line for line in file if not line.lstrip().startswith(("//", ".loc", ".file")))


def prepare_case(options, name):
    case, folder = CASES[name], os.path.join(options.out, name)
    os.makedirs(folder, exist_ok=True)
    plans, refused, codes = {}, {}, {}
    for number, (plan, text, chosen) in enumerate(variants(options, case, folder)):
        path = os.path.join(folder, "%d.ptx" % number)
        done = heddle(options, "compile", program_of(case), *chosen, "-o", path)
        if done.returncode:
            refused[plan] = done.stderr.strip().splitlines()[0][-200:]
            continue
        same = codes.setdefault(code_of(path), plan)
        if same == plan:
            plans[plan] = {"plan": name_of(text), "ptx": os.path.basename(path)}
        else:
            os.remove(path)
    with open(os.path.join(folder, "plans.json"), "w") as file:
        json.dump({"plans": plans, "refused": refused}, file, indent=1)
    return name, len(plans), refused


def prepare(options):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, count, refused in pool.map(lambda name: prepare_case(options, name), options.cases):
            print("%s: %d plans, %d refused" % (name, count, len(refused)), flush=True)
    return 0


class Operands:
    """Sets of a kernel's arguments at a size, which rotate."""

    def __init__(self, kernel, size):
        import torch

        shapes = size["views"]
        generator = torch.Generator(device="cuda").manual_seed(0)

        def make(one):
            if one["kind"] == "scalar":
                return size["scalars"][one["name"]]
            shape = shapes[one["name"]]
            kind = {"f16": torch.float16, "f32": torch.float32}[one["dtype"]]
            if len(shape) > 1 and one["order"][0] == 0:  # the first axis is the fastest
                return torch.randn(shape[::-1], generator=generator, device="cuda").to(kind).t()
            return torch.randn(shape, generator=generator, device="cuda").to(kind)

        bytes_each = sum(2 * math.prod(shape) for shape in shapes.values())
        count = protocol.buffer_sets(bytes_each)
        self.sets = [[make(one) for one in kernel.arguments] for _ in range(min(count, 8))]
        self.outputs = [index for index, one in enumerate(kernel.arguments) if one["written"]]


class Graph:
    """A system of the protocol: launches of all sets, recorded once."""

    def __init__(self, kernel, operands):
        import torch

        self.start = torch.cuda.Event(enable_timing=True)
        self.end = torch.cuda.Event(enable_timing=True)
        stream = torch.cuda.Stream()
        self.launches = [kernel.bind(*one, stream=stream) for one in operands.sets]
        for launch in self.launches:
            launch()
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, stream=stream):
            for launch in self.launches:
                launch()

    def run(self, count):
        """Milliseconds of `count` launches; replays are whole, so the time is scaled."""
        replays = max(1, round(count / len(self.launches)))
        self.start.record()
        for _ in range(replays):
            self.graph.replay()
        self.end.record()
        self.end.synchronize()
        return self.start.elapsed_time(self.end) * count / (replays * len(self.launches))


def results_of(kernel, operands):
    import torch

    for index in operands.outputs:
        operands.sets[0][index].fill_(float("nan"))
    kernel.bind(*operands.sets[0])()
    torch.cuda.synchronize()
    return [operands.sets[0][index].clone() for index in operands.outputs]


def differ(results, expected):
    """The largest difference over the largest value; not a number where one is none."""
    return max(float((a.double() - b.double()).abs().max() / b.double().abs().max()) for a, b in zip(results, expected))


def measure_size(options, name, kernels, size):
    operands = Operands(next(iter(kernels.values())), size)
    expected, wrong, systems = None, [], {}
    for plan, kernel in kernels.items():
        try:
            results = results_of(kernel, operands)
        except Exception as reason:
            wrong.append("%s: %s" % (plan, str(reason)[:200]))
            continue
        expected = expected or results
        difference = differ(results, expected)
        if not difference <= 0.01:
            wrong.append("%s: results differ by %.3g" % (plan, difference))
        else:
            systems[plan] = Graph(kernel, operands)
    rounds = protocol.measure(systems, rounds=options.rounds, round_ms=options.round_ms, warm_up_s=options.warm_up)
    times = {}
    for plan in systems:
        each = [1e3 * entry[plan]["ms_per_launch"] for entry in rounds]
        low, high = protocol.bootstrap(each)
        times[plan] = [round(value, 3) for value in (protocol.median(each), low, high)]
    return times, wrong


def load_code(path):
    """Leaves the driver's translation in its cache."""
    import heddle.runtime
    import torch

    torch.cuda.init()
    torch.zeros(1, device="cuda")
    heddle.runtime.Kernel(path).load()


def measure(options):
    import datetime
    import glob

    import heddle.runtime

    paths = [path for name in options.cases for path in glob.glob(os.path.join(options.out, name, "*.ptx"))]
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        list(pool.map(load_code, paths))
    import torch

    report = {"device": torch.cuda.get_device_name(0), "date": str(datetime.date.today()),
              "unit": "microseconds of a launch: median, 95 % interval", "cases": {}}  # fmt: skip
    code = 0
    for name in options.cases:
        folder = os.path.join(options.out, name)
        with open(os.path.join(folder, "plans.json")) as file:
            plans = json.load(file)["plans"]
        kernels = {plan: heddle.runtime.Kernel(os.path.join(folder, one["ptx"])) for plan, one in plans.items()}
        found = report["cases"][name] = {"plans": {}, "sizes": {}}
        for plan, one in plans.items():
            found["plans"][plan] = one["plan"]
        for size, what in CASES[name]["sizes"].items():
            times, wrong = measure_size(options, name, kernels, what)
            found["sizes"][size] = times
            for line in wrong:
                print("WRONG %s %s %s" % (name, size, line), flush=True)
                code = 1
            best = min(times.values())[0]
            print(name, size, "; ".join("%s %.3f" % (plan, one[0] / best) for plan, one in times.items()), flush=True)
            with open(options.json, "w") as file:
                json.dump(report, file, indent=1)
    return code


def predict(options, name, size, chosen):
    case = CASES[name]
    what = case["sizes"][size]
    views = [part for view, shape in what["views"].items() for part in ("--view", "%s=%s" % (view, "x".join(map(str, shape))))]
    scalars = [part for one in what["scalars"].items() for part in ("--scalar", "%s=%.7g" % one)]
    done = heddle(options, "predict", program_of(case), *chosen, *views, *scalars)
    found = re.search(r": (\d+) cycles", done.stdout)
    return int(found[1]) if found else None


def rank(options):
    with open(options.file) as file:
        report = json.load(file)
    chosen, changed = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for name in options.cases:
            known = report["cases"].get(name, {}).get("plans", {})
            os.makedirs(os.path.join(folder, name))
            for plan, text, given in variants(options, CASES[name], os.path.join(folder, name)):
                if known.get(plan) == name_of(text):
                    chosen[name, plan] = given
            changed += sum((name, plan) not in chosen for plan in known)
        return rank_chosen(options, report, chosen, changed)


def rank_chosen(options, report, chosen, changed):
    """`chosen`: the compiler's options of each measured plan that it still makes."""
    asked = [(name, size, plan) for name, case in report["cases"].items()
             for size, times in case["sizes"].items() for plan in times if (name, plan) in chosen]  # fmt: skip

    def ask(one):
        name, size, plan = one
        return predict(options, name, size, chosen[name, plan])

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        predicted = dict(zip(asked, pool.map(ask, asked)))
    pairs, wrong = 0, []
    for name, case in report["cases"].items():
        for size, times in case["sizes"].items():
            for a, b in itertools.combinations(times, 2):
                one, other = predicted.get((name, size, a)), predicted.get((name, size, b))
                apart = times[b][0] / times[a][0]
                noisy = times[a][1] <= times[b][2] and times[b][1] <= times[a][2]
                if one is None or other is None or noisy or abs(apart - 1) <= FAR:
                    continue
                pairs += 1
                if (other - one) * (apart - 1) <= 0:
                    wrong.append((abs(math.log(apart)), "%s %s: %s / %s: measured %.3f, predicted %.3f"
                                  % (name, size, b, a, apart, other / one)))  # fmt: skip
    if options.table:
        for (name, size, plan), cycles in predicted.items():
            print("%s %s %s: %.1f us, %s cycles" % (name, size, plan, report["cases"][name]["sizes"][size][plan][0], cycles))
    for _, line in sorted(wrong, reverse=True)[: None if options.table else SHOWN]:
        print("wrong:", line)
    print("%d of %d pairs ranked rightly (%.1f %%); %d plans are others today"
          % (pairs - len(wrong), pairs, 100 - 100 * len(wrong) / max(pairs, 1), changed))  # fmt: skip
    return 0 if pairs and len(wrong) <= (1 - options.least) * pairs else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for command in ("prepare", "measure", "rank"):
        one = commands.add_parser(command)
        one.add_argument("--case", action="append", dest="cases", choices=CASES)
        one.add_argument("--heddle", default=os.path.join(ROOT, "build", "bin", "heddle"))
        one.add_argument("--jobs", type=int, default=os.cpu_count())
        one.add_argument("--out", default=os.path.join(ROOT, "build", "calibrate"))
        if command == "measure":
            one.add_argument("--json", required=True)
            one.add_argument("--rounds", type=int, default=protocol.MIN_ROUNDS)
            one.add_argument("--round-ms", type=float, default=10.0)
            one.add_argument("--warm-up", type=float, default=0.7)
        if command == "rank":
            one.add_argument("file")
            one.add_argument("--table", action="store_true", help="print measured and predicted times")
            one.add_argument("--least", type=float, default=GOOD, help="the share of pairs to be ranked rightly")
    options = parser.parse_args()
    options.cases = options.cases or list(CASES)
    return {"prepare": prepare, "measure": measure, "rank": rank}[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
