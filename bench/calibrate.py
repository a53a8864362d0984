#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does `heddle predict` rank plans as the GPU does?

    python3 bench/calibrate.py prepare --out build/calibrate
    python3 bench/calibrate.py measure --out build/calibrate --json bench/calibration/measured.json
    python3 bench/calibrate.py rank bench/calibration/measured.json
    python3 bench/calibrate.py fit bench/calibration/measured.json

`prepare` compiles every kernel of CASES with every plan that differs from the ones
before it. `measure` needs a GPU and no compiler: it times all plans of a kernel at a
size in one run, in rounds both ways. `rank` needs no GPU: of two plans of a kernel at a
size whose times lie farther apart than 2 % and than their noise, the predicted times
must lie the same way. `fit` looks for costs with which more pairs of the sizes in FITTED
do, one cost after the other, and prints them: a person decides which go to the machine's
section `fitted`. Exit code: 0 fine, 1 a result differs between plans or too few
pairs are ranked rightly, 2 a case could not be run, 3 bad input.
"""

import argparse
import concurrent.futures
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

import harness  # noqa: E402
import protocol  # noqa: E402

FAR = 0.02  # pairs that lie closer do not count
# Of `fit`: the sizes it looks at, so that others can tell whether it holds, and the costs.
FITTED = ("2048", "8192x8192x512", "2048x2048x8192", "1024x1024x1024")
FIT = (
    ("hand_over", "step"), ("hand_over", "apart"), ("beside_products", "arithmetic"),
    ("beside_products", "special"), ("beside_products", "compare"), ("beside_products", "narrow"),
    ("tensor", "latency"), ("tensor", "issue_step"), ("tensor", "issue_register_step"),
    ("instructions", "branch"), ("instructions", "special"), ("instructions", "special_latency"),
    ("instructions", "shuffle_latency"), ("instructions", "compare"), ("instructions", "latency"),
    ("copy", "latency_spread"),
)  # fmt: skip
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
            plans[plan] = {"plan": text, "ptx": os.path.basename(path)}
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


class Graph(harness.Timed):
    """Launches of all sets, recorded once."""

    def __init__(self, kernel, operands):
        import torch

        stream = torch.cuda.Stream()
        launches = [kernel.bind(*one, stream=stream) for one in operands.sets]
        for launch in launches:
            launch()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            for launch in launches:
                launch()
        super().__init__([graph.replay])
        self.sets = len(launches)

    def run(self, count):
        """Milliseconds of `count` launches; replays are whole, so the time is scaled."""
        replays = max(1, round(count / self.sets))
        return super().run(replays) * count / (replays * self.sets)


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


def predict(options, name, size, chosen, costs=None):
    """The cycles of a launch; None if the prediction is declined."""
    case = CASES[name]
    what = case["sizes"][size]
    views = [part for view, shape in what["views"].items()
             for part in ("--view", "%s=%s" % (view, "x".join(map(str, shape))))]  # fmt: skip
    scalars = [part for one in what["scalars"].items() for part in ("--scalar", "%s=%.7g" % one)]
    more = ["--costs", costs] if costs else []
    done = heddle(options, "predict", program_of(case), *chosen, *views, *scalars, *more)
    found = re.search(r": (\d+) cycles", done.stdout)
    return int(found[1]) if found else None


class Measured:
    """The measured plans whose texts were kept, with the options of the compiler that take them."""

    def __init__(self, options, folder):
        with open(options.file) as file:
            self.cases = {name: case for name, case in json.load(file)["cases"].items() if name in options.cases}
        self.options, self.chosen, self.lost = options, {}, 0
        for name, case in self.cases.items():
            for plan, text in case["plans"].items():
                if text is None:
                    self.lost += 1
                    continue
                path = os.path.join(folder, "%d.plan" % len(self.chosen))
                with open(path, "w") as file:
                    file.write(text)
                settings = [*CASES[name]["settings"], *tile_of(plan).split(",")]
                self.chosen[name, plan] = [part for one in settings for part in ("--set", one)] + ["--schedule", path]

    def predict(self, sizes=None, costs=None):
        asked = [(name, size, plan) for name, case in self.cases.items() for size, times in case["sizes"].items()
                 if sizes is None or size in sizes for plan in times if (name, plan) in self.chosen]  # fmt: skip
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            found = pool.map(lambda one: predict(self.options, one[0], one[1], self.chosen[one[0], one[2]], costs), asked)
            return dict(zip(asked, found))

    def pairs(self, predicted):
        """(case, size, plan, other plan, measured ratio, predicted ratio) of each pair that counts."""
        for name, case in self.cases.items():
            for size, times in case["sizes"].items():
                for a, b in itertools.combinations(times, 2):
                    one, other = predicted.get((name, size, a)), predicted.get((name, size, b))
                    apart = times[b][0] / times[a][0]
                    noisy = times[a][1] <= times[b][2] and times[b][1] <= times[a][2]
                    if one and other and not noisy and abs(apart - 1) > FAR:
                        yield name, size, a, b, apart, other / one


def is_right(pair):
    return (pair[5] - 1) * (pair[4] - 1) > 0


def rank(options):
    with tempfile.TemporaryDirectory() as folder:
        measured = Measured(options, folder)
        predicted = measured.predict()
    if options.table:
        for (name, size, plan), cycles in predicted.items():
            print("%s %s %s: %.1f us, %s cycles" % (name, size, plan, measured.cases[name]["sizes"][size][plan][0], cycles))
    pairs = list(measured.pairs(predicted))
    wrong = sorted((pair for pair in pairs if not is_right(pair)), key=lambda pair: -abs(math.log(pair[4])))
    for name, size, a, b, apart, said in wrong[: None if options.table else SHOWN]:
        print("wrong: %s %s: %s / %s: measured %.3f, predicted %.3f" % (name, size, b, a, apart, said))
    for title, chosen in (
        ("with the same tile", [pair for pair in pairs if tile_of(pair[2]) == tile_of(pair[3])]),
        ("in all", pairs),
    ):
        right = sum(map(is_right, chosen))
        print("%d of %d pairs %s ranked rightly (%.1f %%)" % (right, len(chosen), title, 100 * right / max(len(chosen), 1)))
    print("%d plans are lost: their texts were not kept" % measured.lost)
    return 0 if pairs and len(wrong) <= (1 - options.least) * len(pairs) else 1


def tile_of(plan):
    return plan.split(", ")[0]


def fit(options):
    with open(os.path.join(ROOT, "machines", "h200.json")) as file:
        machine = json.load(file)
    machine.pop("fitted", None)
    for section in machine["costs"].values():
        for entry in section.values():
            entry.pop("range", None)  # a fitted cost may lie outside
    with tempfile.TemporaryDirectory() as folder:
        measured = Measured(options, folder)
        path = os.path.join(folder, "costs.json")

        def score():
            with open(path, "w") as file:
                json.dump(machine, file)
            pairs = list(measured.pairs(measured.predict(FITTED, path)))
            same = [pair for pair in pairs if tile_of(pair[2]) == tile_of(pair[3])]
            return sum(map(is_right, pairs)) / len(pairs) + sum(map(is_right, same)) / len(same) if same else 0

        best = score()
        print("right in all + right with the same tile: %.4f" % best, flush=True)
        for step in options.steps:
            for section, field in FIT:
                entry = machine["costs"][section][field]
                for factor in (step, 1 / step):
                    before = entry["value"]
                    entry["value"] = round(before * factor, 2 if section == "beside_products" else None)
                    found = score() if entry["value"] != before else best
                    if found <= best:
                        entry["value"] = before
                        continue
                    best = found
                    print("%s.%s %s: %.4f" % (section, field, entry["value"], best), flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for command in ("prepare", "measure", "rank", "fit"):
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
        if command in ("rank", "fit"):
            one.add_argument("file")
        if command == "fit":
            one.add_argument("--steps", type=float, nargs="+", default=[1.35, 1.15], help="factors to try")
        if command == "rank":
            one.add_argument("--table", action="store_true", help="print measured and predicted times")
            one.add_argument("--least", type=float, default=GOOD, help="the share of pairs to be ranked rightly")
    options = parser.parse_args()
    options.cases = options.cases or list(CASES)
    return {"prepare": prepare, "measure": measure, "rank": rank, "fit": fit}[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
