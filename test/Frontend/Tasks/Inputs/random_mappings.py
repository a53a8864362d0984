#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""random_mappings.py EXAMPLES OUT [--count N] [--seed S] [--program NAME]: no mapping changes a result.

For each program, N random mappings: random tiles, then the plan that is found for them, of which
random lines are dropped and others changed. What the compiler refuses by the names of lines is drawn
again; what it takes has to agree with the oracle on the emulator, on ragged sizes (equal bits on
integers where the program only adds and multiplies), and to be proved by `heddle check`, which finds
its lines again. Prints what does not; exit status 1 if anything does not.

    random_mappings.py examples /tmp/out --count 200        what issue 22 asks for: about an hour
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys

TUNE = re.compile(r'(task\.tune "(\w+)" = )\d+')
LINE = re.compile(r'  task\.pin "(\w+)"(?: of "([^"]+)")? = (.*)')


def matrix(rng, *names):
    return {name: rng.choice((1, 63, 64, 65, 128, 130, 200, 257)) for name in names}


def gemm(rng):
    n = matrix(rng, "m", "n", "k")
    return [f"a={n['m']}x{n['k']}", f"b={n['k']}x{n['n']}", f"c={n['m']}x{n['n']}"]


def batched(rng):
    return ["=".join((view.split("=")[0], "2x" + view.split("=")[1])) for view in gemm(rng)]


def dual(rng):
    # The views of b1 and b2 have rows of 16 bytes.
    m, n, k = rng.choice((1, 64, 129)), rng.choice((64, 72, 200)), rng.choice((64, 136, 256))
    return [f"a={m}x{k}", f"b1={k}x{n}", f"b2={k}x{n}", f"c={m}x{n}"]


def attention(rng):
    q, k = rng.choice((1, 65, 128, 130)), rng.choice((1, 127, 128, 200, 384))
    return [f"q=2x{q}x128", f"k=2x{k}x128", f"v=2x{k}x128", f"o=2x{q}x128"]


def reduction(rng):
    views = gemm(rng)
    return [*views, "y=" + views[2][2:].split("x")[0]]


def grouped(rng):
    a, b, c = gemm(rng)
    return [a, "b=2x" + b[2:], "groups=5xi32", c]


def softmax(rng):
    n = matrix(rng, "m", "k")
    columns = rng.choice((1, 40, 100, 128))
    return [f"a={n['m']}x{n['k']}", f"b={n['k']}x{columns}", f"c={n['m']}x{columns}"]


# How blocks add to one piece.
SUMS = [
    '"split_k" = "atomics"',
    '"split_k" = "turnstile"',
    '"split_k" = "cluster"\n  task.pin "cluster" = 2',
    '"split_k" = "cluster"\n  task.pin "cluster" = 4',
]

# Name, program, sizes, further options of a run, tiles. Where a part of K has one step, the loop over
# instances is the pipeline.
PROGRAMS = {
    "gemm": ("task/gemm", gemm, ["--ints"],
             [{"U": u, "V": v, "W": w, "GROUPS": u // 64}
              for u in (64, 128, 192) for v in (64, 128, 256) for w in (32, 64, 128)]),
    "split_k_gemm": ("task/split_k_gemm", gemm, ["--ints"],
                     [{"U": u, "V": v, "PART": p, "W": w} for u in (64, 128) for v in (64, 128)
                      for p, w in ((64, 64), (128, 128), (64, 32), (128, 64), (512, 32), (512, 64))]),
    "batched_gemm": ("task/batched_gemm", batched, ["--ints"],
                     [{"U": u, "V": v, "W": w} for u in (64, 128) for v in (64, 128) for w in (32, 64)]),
    "dual_gemm": ("task/dual_gemm", dual, [],
                  [{"U": u, "V": v, "W": w} for u in (64, 128) for v in (64, 128) for w in (32, 64)]),
    "gemm_reduction": ("task/gemm_reduction", reduction, ["--ints"],
                       [{"U": u, "V": v, "W": w} for u in (64, 128) for v in (64, 128, 256) for w in (32, 64)]),
    "grouped_gemm": ("task/grouped_gemm", grouped, ["--ints", "--values", "groups=1"],
                     [{"U": u, "V": v, "W": w} for u in (64, 128) for v in (64, 128, 256) for w in (32, 64)]),
    "gemm_softmax": ("task/gemm_softmax", softmax, [], [{"U": u, "W": w} for u in (64, 128) for w in (32, 64)]),
    "attention_causal": ("task/attention_causal", attention, ["--scalar", "scale=0.0883883"],
                         [{"U": u, "W": w} for u, w in ((64, 64), (64, 128), (128, 64), (128, 128), (192, 64))]),
    "attention": ("task/attention", attention, ["--scalar", "scale=0.0883883"],
                  [{"U": u, "W": w} for u, w in ((64, 64), (64, 128), (128, 64), (128, 128), (192, 64))]),
}


def change(rng, kind, value):
    """Another value for a line, or None for a line that stays."""
    if value in ("true", "false"):
        return "false" if value == "true" else "true"
    if kind in ("depth", "blocks"):
        return str(max(1, int(value) + rng.choice((-1, 1))))
    if kind == "interval":
        return str(int(int(value) * rng.uniform(1, 1.5)))
    if kind == "registers":
        return str(max(24, int(value) - 8 * rng.randrange(3)))
    if kind == "block_order":
        return str(rng.choice((1, 2, 3, 8, 16)))
    if kind in ("start", "latency"):
        return str(int(value) + rng.randrange(200))
    if kind == "turns":
        return rng.choice(('"free"', '"tensor"'))
    return None


def draw(rng, plan):
    """A random part of a plan, some of it changed."""
    kept, changed = rng.uniform(0, 1), rng.uniform(0, 0.15)
    times = rng.random() < 0.3  # a changed interval seldom suits all the old times
    sums = rng.random() < kept  # its lines ask for each other
    lines = []
    for line in plan.splitlines():
        match = LINE.fullmatch(line)
        if not match or match[1] == "machine":
            lines.append(line)
            continue
        kind, name, value = match.groups()
        is_of_sum = kind in ("split_k", "cluster")
        if not (sums if is_of_sum else rng.random() < kept) or (kind in ("start", "latency") and not times):
            continue
        if rng.random() < changed and not is_of_sum:
            value = change(rng, kind, value) or value
        of = f' of "{name}"' if name else ""
        lines.append(f'  task.pin "{kind}"{of} = {value}')
    return "\n".join(lines) + "\n"


class Tester:
    def __init__(self, examples, out):
        self.examples, self.out = pathlib.Path(examples), pathlib.Path(out)

    def heddle(self, *arguments):
        done = subprocess.run(["heddle", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        return done.returncode, done.stdout

    def attempt(self, name, rng):
        """None if the draw was refused by the names of lines, else what is wrong, or an empty text."""
        path, sizes, options, tiles = PROGRAMS[name]
        program = self.examples / f"{path}.mlir"
        values = rng.choice(tiles)
        source = re.sub(r" of \{[^}]*\}", "", program.read_text())
        source = TUNE.sub(lambda m: m[1] + str(values.get(m[2], m[0].split()[-1])), source)
        source = re.sub(r'    task\.pin "(pipeline|specialised)".*\n', "", source)
        source = source.replace('"split_k" = "atomics"', rng.choice(SUMS))
        tuned, mapping = self.out / f"{name}.mlir", self.out / f"{name}.mapping.mlir"
        tuned.write_text(source)
        status, plan = self.heddle("compile", tuned, "--emit=mapping", "-o", mapping)
        if status == 2:
            return None  # tiles that the machine does not hold
        if status:
            return f"has no plan: {plan}"
        mapping.write_text(draw(rng, mapping.read_text()))
        status, said = self.heddle("check", tuned, f"--mapping={mapping}")
        # A part of one step, whose pipeline goes on behind the sum, is no program for clusters.
        if status == 2 and re.search(r"\[(pin-unmet|pin-conflict|cluster-sum)\]", said):
            return None
        if status:
            return f"is not proved: {said}"
        views = [text for view in sizes(rng) for text in ("--view", view)]
        status, said = self.heddle("run", tuned, f"--mapping={mapping}", "--device=emulator", *views, *options,
                                   f"--order={rng.choice(('adversarial', 'random'))}", "--seed", rng.randrange(1000))
        return f"with {' '.join(views)}: {said}" if status else ""

    def test(self, name, count, seed):
        rng = random.Random(f"{name} {seed}")
        legal, draws, wrong = 0, 0, 0
        while legal < count and draws < 20 * count:
            draws += 1
            what = self.attempt(name, rng)
            if what is None:
                continue
            legal += 1
            if what:
                wrong += 1
                kept = self.out / f"{name}.wrong{wrong}.mlir"
                kept.write_text((self.out / f"{name}.mapping.mlir").read_text())
                print(f"{name}, seed {seed}, draw {draws} ({kept}) {what}")
        print(f"{name}: {legal} legal mappings of {draws} drawn, {wrong} wrong", flush=True)
        return wrong or legal < count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("examples")
    parser.add_argument("out")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", choices=PROGRAMS, action="append")
    options = parser.parse_args()
    tester = Tester(options.examples, options.out)
    return int(any([tester.test(name, options.count, options.seed) for name in options.program or PROGRAMS]))


if __name__ == "__main__":
    sys.exit(main())
