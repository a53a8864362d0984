#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""random_streams.py [--first=SEED] [--count=N] [--most-declined=PART] [--keep=FOLDER] [--copies] [--statements=N]
                  [--every-way] [OPTION...]

Random einsum programs of one statement or several over random formats, patterns
and regions, half of them with functions, numbers, masks and terms that lack
indices, run as streams by every order that their storage allows: each
result is compared with the oracle of einsums. OPTIONs are handed on to `heddle
simulate`. With --copies, what lies below some of the indices is there several
times, and those of statements in regions of their own are nested with different
numbers. With --statements, programs have 1 to N of them. With --every-way, each program runs in every order of
execution and by both simulators, and with the fewest slots of each ring, one less of which has to be a deadlock.
A program that heddle declines by name is counted; more than PART of
them is a failure, since then little was tested. So is a deadlock where few
`--slots` are asked for: a fact of the program on such a machine. Prints one line,
or the program and the message of the first failure.
"""

import argparse
import itertools
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile

import random_functions

# Of a processor, for one run; sanitizers take ten times as long.
MOST_SECONDS = 1200 if "ASAN_OPTIONS" in os.environ else 120
# Of the clock: who waits for ever takes no processor, and others may use the machine.
PATIENCE = 20
PATTERNS = ("uniform", "uniform", "uniform", "skewed", "empty", "full", "one")
EXTENTS = (0, 1, 2, 3, 5, 8, 9, 13)


def encoding(rng, levels, axes):
    dims = ", ".join(f"d{axis}" for axis in range(len(axes)))
    places = ", ".join(f"d{axis} : {level}" for axis, level in zip(axes, levels))
    return f"#sparse_tensor.encoding<{{ map = ({dims}) -> ({places}) }}>"


def layout(rng, chosen, order):
    """A format whose levels keep to `order`, but for one tensor in twenty."""
    if rng.random() < 0.2:
        return None
    axes = sorted(range(len(chosen)), key=lambda axis: order.index(chosen[axis]))
    if rng.random() < 0.05:
        rng.shuffle(axes)
    return encoding(rng, [rng.choice(("dense", "compressed", "compressed")) for _ in axes], axes)


class Case:
    """A program, the sizes of its operands, and the options of its run."""

    def __init__(self, seed, most_statements=None):
        rng = random.Random(seed)
        indices = "ijkl"[:rng.choice((1, 2, 2, 3, 3, 4))]
        sizes = {index: rng.choice(EXTENTS) for index in indices}
        if rng.random() < 0.4:
            sizes = dict.fromkeys(indices, rng.choice(EXTENTS))
        if rng.random() < 0.8:
            sizes = {index: max(size, 2) for index, size in sizes.items()}
        element = rng.choice(("f32", "f64"))
        semiring = rng.choice(("", "", "", ' over "min-plus"', ' over "max-plus"'))
        self.arguments, self.known, lines = [], [], []
        self.options = [f"--seed={seed % 100000}"]
        is_fused = rng.random() < 0.4  # all statements in one region
        count = rng.choice((2, 2, 3)) if is_fused else rng.choice((1, 1, 1, 2, 3))
        if most_statements:
            count = random.Random(f"statements {seed}").randint(1, most_statements)
        share = rng.choice((0, 0.4))
        plan = []
        for number in range(count):
            if number == 0 or not is_fused or rng.random() < 0.3:
                order = list(indices)
                rng.shuffle(order)
            output = rng.sample(indices, rng.randint(1, min(3, len(indices))))
            terms = []
            for _ in range(rng.choice((1, 1, 1, 2, 3)) if not is_fused else rng.choice((1, 1, 1, 2))):
                factors, missing = [], list(output)
                for _ in range(rng.choice((1, 2, 2, 3))):
                    usable = [name for name, chosen, made in self.known
                              if made and name not in [f[0] for f in factors]]
                    if usable and rng.random() < (0.8 if is_fused else 0.6):
                        name = usable[-1]
                        chosen = dict((k[0], k[1]) for k in self.known)[name]
                        # A product reads it by other indices of the same sizes.
                        others = [[i for i in indices if sizes[i] == sizes[c]] for c in chosen]
                        moved = [rng.choice(other) for other in others]
                        if len(set(moved)) == len(moved):
                            chosen = moved
                    else:
                        chosen = rng.sample(indices, rng.randint(1, min(3, len(indices))))
                        name = self.operand(rng, chosen, order, element, sizes)
                    factors.append((name, chosen))
                    missing = [index for index in missing if index not in chosen]
                if missing and not (share and rng.random() < 0.5):
                    factors.append((self.operand(rng, missing, order, element, sizes), missing))
                terms.append(factors)
            masked = ""
            if share and rng.random() < 0.35:
                chosen = list(output)
                usable = [name for name, made_of, _ in self.known
                          if sorted(made_of) == sorted(output) and "encoding" in self.types[name]
                          and "compressed" in self.types[name]]
                if usable and rng.random() < 0.7:
                    mask = rng.choice(usable)
                    chosen = next(made_of for name, made_of, _ in self.known if name == mask)
                else:
                    if rng.random() < 0.3:
                        chosen = rng.sample(output, rng.randint(1, len(output)))
                    mask = self.operand(rng, chosen, order, element, sizes, is_sparse=True)
                masked = f" where %{mask}({', '.join(chosen)})"
            have = {index for factors in terms for _, chosen in factors for index in chosen}
            for index in output:
                if index not in have and not masked:
                    terms[0].append((self.operand(rng, [index], order, element, sizes), [index]))
            if masked:
                output = [index for index in output if index in have or index in chosen]
            kind = layout(rng, output, order)
            if is_fused and rng.random() < 0.9:
                axes = sorted(range(len(output)), key=lambda axis: order.index(output[axis]))
                kind = encoding(rng, [rng.choice(("dense", "compressed")) for _ in axes[1:]] + ["compressed"], axes)
            types = dict((name, (chosen, text)) for name, chosen, text in
                         [(k[0], k[1], self.types[k[0]]) for k in self.known])
            name = random_functions.semiring_of(semiring)
            text = random_functions.terms_text(
                rng, name, [[(f"%{tensor}({', '.join(chosen)})", "compressed" not in self.types[tensor])
                             for tensor, chosen in factors] for factors in terms], bool(masked), share)
            is_free = bool(masked) or not kind or "compressed" not in kind
            text += masked + semiring + random_functions.then_text(rng, name, is_free, share)
            made = f"tensor<{'?x' * len(output)}{element}{', ' + kind if kind else ''}>"
            given = ", ".join([types[name][1] for factors in terms for name, _ in factors]
                              + ([types[mask][1]] if masked else []))
            lines.append(f"  %R{number} = einsum.statement ({', '.join(output)}) += {text}\n"
                         f"    : {given} -> {made}\n")
            self.known.append((f"R{number}", output, True))
            self.types[f"R{number}"] = made
            inside = [index for index in order
                      if index in output or any(index in chosen for factors in terms for _, chosen in factors)]
            stored = [(f"R{number}", output)] + [factor for factors in terms for factor in factors]
            if masked:
                stored.append((mask, chosen))
            copies = {name for name, of in stored if not self.fits(name, of, inside)}
            plan.append(f'  einsum.streams "R{number}" order '
                        f'[{", ".join(chr(34) + index + chr(34) for index in inside)}] '
                        + (f'copies [{", ".join(chr(34) + name + chr(34) for name in sorted(copies))}] '
                           if copies else "") + 'region 0\n')
        arguments = ", ".join(f"%{name}: {self.types[name]}" for name in self.arguments)
        last = f"R{count - 1}"
        self.text = (f"einsum.program @p({arguments}) {{\n{''.join(lines)}"
                     f"  einsum.return %{last} : {self.types[last]}\n}}\n")
        if is_fused:
            self.text += f"einsum.plan @p {{\n{''.join(plan)}}}\n"
        else:
            self.options.append("--plan=all")
        if rng.random() < 0.5:
            self.options.append("--ints")

    types = None

    def add_copies(self, seed):
        """Parallel copies below some indices, in the plan or as an option."""
        rng = random.Random(f"copies {seed}")
        used = [index for index in "ijkl" if re.search(rf"[(, ]{index}[,)]", self.text)]
        chosen = rng.sample(used, min(len(used), rng.choice((1, 1, 2))))

        def deal():
            # Machine code of hundreds of processes takes seconds for each order.
            return rng.choice((2, 3, 4, 7) if len(chosen) == 1 else (2, 2, 3)), rng.choice((1, 1, 1, 2, 3))
        if "einsum.plan" not in self.text:
            self.options.append("--parallel=" + ",".join(
                f"{index}:{copies}:{chunk}" for index in chosen for copies, chunk in [deal()]))
            return
        # Statements that hand streams on share them under other names, too.
        copies, chunk = deal()

        def entry(match):
            here = [index for index in re.findall(r'"(\w)"', match[1]) if index in chosen]
            names = ", ".join(f'"{index}"' for index in here)
            parallel = (f" parallel [{names}] by [{', '.join([str(copies)] * len(here))}]"
                        f" chunks [{', '.join([str(chunk)] * len(here))}]")
            return match[0][:-len(" region 0")] + (parallel if here else "") + " region 0"
        self.text = re.sub(r'order \[(.*?)\].*? region 0', entry, self.text)

    def fits(self, name, chosen, order):
        """Whether the tensor's levels are stored in this order of its indices."""
        levels = re.search(r"-> \((.*?)\)", self.types[name])
        axes = [int(axis) for axis in re.findall(r"d(\d+) :", levels[1])] if levels else range(len(chosen))
        places = [order.index(chosen[axis]) for axis in axes]
        return places == sorted(places)

    def operand(self, rng, chosen, order, element, sizes, is_sparse=False):
        if self.types is None:
            self.types = {}
        name = f"T{len(self.arguments)}"
        kind = layout(rng, chosen, order)
        while is_sparse and (not kind or "compressed" not in kind):
            kind = layout(rng, chosen, order)
        self.arguments.append(name)
        self.known.append((name, chosen, False))
        self.types[name] = f"tensor<{'?x' * len(chosen)}{element}{', ' + kind if kind else ''}>"
        self.options.append(f"--view={name}=" + "x".join(str(sizes[i]) for i in chosen))
        if kind:
            self.options.append(f"--pattern={name}={rng.choice(PATTERNS)}")
            self.options.append(f"--density={name}={rng.choice((0.1, 0.3, 0.7))}")
        return name


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 10))


# Options of the runs of one program.
EVERY_WAY = (["--order=fair"], ["--order=random", "--schedules=2"], ["--order=timed", "--engine=both"],
             ["--order=adversarial", "--slots=tight"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--most-declined", type=float, default=0.5)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--copies", action="store_true")
    parser.add_argument("--statements", type=int)
    parser.add_argument("--every-way", action="store_true")
    parser.add_argument("--heddle", default="heddle")
    given, rest = parser.parse_known_args()
    folder = given.keep or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    declined = right = fused = stuck = statements = tight = 0
    is_bounded = any(option.startswith("--slots") for option in rest)
    for seed in itertools.islice(itertools.count(given.first), given.count):
        case = Case(seed, given.statements)
        if given.copies:
            case.add_copies(seed)
        path = folder / f"streams-{seed}.mlir"
        path.write_text(case.text, encoding="utf-8")
        for way in EVERY_WAY if given.every_way else ([],):
            command = [given.heddle, "simulate", str(path), *case.options, *way, *rest]
            try:
                done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                      errors="replace", timeout=PATIENCE * MOST_SECONDS, preexec_fn=limit)
                if done.returncode == -signal.SIGXCPU:
                    raise subprocess.TimeoutExpired(command, MOST_SECONDS)
            except subprocess.TimeoutExpired:
                print(f"seed {seed}: never ended\n{case.text}{' '.join(command)}")
                return 1
            if done.returncode != 0:
                break
        if done.returncode != 0 and ("[flow-unsupported]" in done.stderr or
                                     "streams cannot carry out" in done.stderr):
            declined += 1
        elif is_bounded and done.returncode == 1 and "[deadlock]" in done.stderr:
            stuck += 1
        elif done.returncode != 0:
            print(f"seed {seed}: exit code {done.returncode}\n{case.text}"
                  f"{' '.join(command)}\n{done.stdout}{done.stderr}")
            return 1
        else:
            fused += "einsum.plan" in case.text
            right += 1
            statements += case.text.count("einsum.statement")
            tight += sum(map(int, re.findall(r"each of (\d+) rings makes a deadlock", done.stdout)))
        if not given.keep:
            path.unlink()
    print(f"{right} programs of streams, {fused} of them fused: all right; "
          f"{stuck} without enough slots; {declined} declined by name")
    if given.every_way:
        print(f"{statements} statements in every way; {tight} rings with the fewest slots of which one less is a deadlock")
    return int(declined + stuck > given.most_declined * given.count)


if __name__ == "__main__":
    sys.exit(main())
