#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""random_einsums.py [--first=SEED] [--count=N] [--most-declined=PART] [--keep=FOLDER]

Random einsums over random formats and patterns, half of them with functions,
numbers in front of terms and masks, run by every legal plan: each result is compared with the oracle of einsums and, bit by bit, with that of one
worker. A program that heddle declines by name is counted; more than PART of
them is a failure, since then little was tested. Prints one line, or the program
and the message of the first failure.
"""

import argparse
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile

import random_functions

PATTERNS = ("uniform", "uniform", "skewed", "empty", "full", "one")
EXTENTS = (0, 1, 2, 3, 5, 8, 9, 17, 31, 70)


def encoding(rng, rank):
    """The text of a random format; None for a dense tensor."""
    kind = rng.choice(("dense", "levels", "levels", "levels", "list"))
    if kind == "dense":
        return None
    axes = list(range(rank))
    if rng.random() < 0.4:
        rng.shuffle(axes)
    if kind == "list":
        levels = ["compressed(nonunique)"] + ["singleton(nonunique)"] * (rank - 2) + ["singleton"]
        if rank == 1:
            levels = ["compressed"]
    else:
        levels = [rng.choice(("dense", "compressed")) for _ in axes]
        if "compressed" not in levels:
            levels[-1] = "compressed"
    dims = ", ".join(f"d{axis}" for axis in range(rank))
    places = ", ".join(f"d{axis} : {level}" for axis, level in zip(axes, levels))
    width = rng.choice((0, 32, 64))
    widths = f", posWidth = {width}, crdWidth = {width}" if width else ""
    return f"#sparse_tensor.encoding<{{ map = ({dims}) -> ({places}){widths} }}>"


def tensor_type(rank, element, layout):
    return f"tensor<{'?x' * rank}{element}{', ' + layout if layout else ''}>"


class Case:
    """A program, the sizes of its operands, and the options of its run."""

    def __init__(self, seed):
        rng = random.Random(seed)
        indices = "ijkl"[:rng.choice((1, 2, 2, 3, 3, 4))]
        sizes = {index: rng.choice(EXTENTS) for index in indices}
        if rng.random() < 0.8:
            sizes = {index: max(size, 2) for index, size in sizes.items()}
        element = rng.choice(("f32", "f64"))
        operands, terms = [], []
        for _ in range(rng.choice((1, 1, 1, 2))):
            factors = []
            for _ in range(rng.choice((1, 2, 2, 3))):
                rank = rng.randint(1, min(3, len(indices)))
                chosen = rng.sample(indices, rank)
                layout = encoding(rng, rank)
                factors.append((len(operands), chosen))
                operands.append((f"T{len(operands)}", chosen, layout))
            terms.append(factors)
        used = [index for index in indices
                if any(index in chosen for _, chosen, _ in operands)]
        output = rng.sample(used, rng.randint(1, min(3, len(used))))
        result = None
        sort = rng.random()
        if sort < 0.25:  # counted rows
            places = [f"d{axis} : dense" for axis in range(len(output) - 1)]
            dims = ", ".join(f"d{axis}" for axis in range(len(output)))
            places.append(f"d{len(output) - 1} : compressed")
            result = f"#sparse_tensor.encoding<{{ map = ({dims}) -> ({', '.join(places)}) }}>"
        elif sort < 0.4:  # the positions of an operand
            _, output, result = rng.choice(operands)
        semiring = rng.choice(("", "", "", ' over "min-plus"', ' over "max-plus"'))
        share = rng.choice((0, 0.4))
        masked = ""
        if share and rng.random() < 0.15:
            semiring = ' over "max-times"'
        if share and rng.random() < 0.4:
            chosen = list(output) if rng.random() < 0.8 else rng.sample(output, rng.randint(1, len(output)))
            layout = encoding(rng, len(chosen))
            while layout is None:
                layout = encoding(rng, len(chosen))
            masked = f" where %M({', '.join(chosen)})"
            operands.append(("M", chosen, layout))
            if rng.random() < 0.7:
                output, result = chosen, layout
        name = random_functions.semiring_of(semiring)
        text = random_functions.terms_text(
            rng, name, [[(f"%{operands[number][0]}({', '.join(chosen)})", operands[number][2] is None)
                         for number, chosen in factors] for factors in terms], bool(masked), share)
        text += masked + semiring + random_functions.then_text(rng, name, result is None or masked, share)
        types = [tensor_type(len(chosen), element, layout) for _, chosen, layout in operands]
        made = tensor_type(len(output), element, result)
        arguments = ", ".join(f"%{name}: {kind}"
                              for (name, _, _), kind in zip(operands, types))
        self.text = (f"einsum.program @p({arguments}) {{\n"
                     f"  %R = einsum.statement ({', '.join(output)}) += {text}\n"
                     f"    : {', '.join(types)} -> {made}\n"
                     f"  einsum.return %R : {made}\n}}\n")
        self.options = ["--plan=all", f"--seed={seed % 100000}"]
        for name, chosen, layout in operands:
            self.options.append(f"--view={name}=" + "x".join(str(sizes[i]) for i in chosen))
            if layout:
                self.options.append(f"--pattern={name}={rng.choice(PATTERNS)}")
                self.options.append(f"--density={name}={rng.choice((0.02, 0.1, 0.3, 0.7))}")
        if rng.random() < 0.5 and len(terms[0]) < 4:
            self.options.append("--ints")
        if all(size <= 20 for size in sizes.values()):
            self.options.append("--interpret")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--most-declined", type=float, default=0.6)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--heddle", default="heddle")
    given = parser.parse_args()
    folder = given.keep or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    declined = plans = 0
    for seed in itertools.islice(itertools.count(given.first), given.count):
        case = Case(seed)
        path = folder / f"einsum-{seed}.mlir"
        path.write_text(case.text, encoding="utf-8")
        command = [given.heddle, "run", str(path), *case.options]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, errors="replace", timeout=120)
        except subprocess.TimeoutExpired:
            print(f"seed {seed}: never ended\n{case.text}{' '.join(command)}")
            return 1
        if done.returncode == 2 and "[einsum-no-plan]" in done.stderr:
            declined += 1
        elif done.returncode != 0:
            print(f"seed {seed}: exit code {done.returncode}\n{case.text}"
                  f"{' '.join(command)}\n{done.stdout}{done.stderr}")
            return 1
        else:
            plans += int(done.stdout.split("program p: ")[1].split()[0])
        if not given.keep:
            path.unlink()
    print(f"{given.count - declined} einsums by {plans} plans: all right; {declined} declined by name")
    return int(declined > given.most_declined * given.count)


if __name__ == "__main__":
    sys.exit(main())
