#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""random_products.py [--first=SEED] [--count=N]

Random products of three matrices over two statements, in random semirings, formats and sizes, with numbers, functions
and other terms beside, by `heddle simulate --regions=auto --reassociate`, which holds the results against the program as
it is written. Prints how many were made in another order, or the program and the message of the first failure."""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

FORMATS = (None, "d0 : dense, d1 : compressed", "d0 : compressed, d1 : compressed", "d0 : dense, d1 : compressed")


def matrix(rng):
    levels = rng.choice(FORMATS)
    encoding = f", #sparse_tensor.encoding<{{ map = (d0, d1) -> ({levels}) }}>" if levels else ""
    return f"tensor<?x?xf64{encoding}>", not levels


def program(rng):
    """The text, and the options of its run."""
    sizes = {index: rng.choice((1, 2, 3, 5, 8, 20, 40)) for index in "ijfg"}
    semiring = rng.choice(("plus-times", "plus-times", "min-plus", "max-plus", "max-times"))
    places, options, kinds = {"A": "ij", "X": "jf", "V": "fg"}, [], {}
    for name, of in places.items():
        kinds[name], is_dense = matrix(rng)
        options.append(f"--view={name}={sizes[of[0]]}x{sizes[of[1]]}")
        if not is_dense:
            options += [f"--pattern={name}={rng.choice(('uniform', 'uniform', 'skewed', 'empty', 'full'))}",
                        f"--density={name}={rng.choice((0.05, 0.3, 0.7))}"]
    kinds["T"], kinds["H"] = matrix(rng)[0], matrix(rng)[0]

    def factor(name, indices):
        # Functions that leave the zero of the sums as it is.
        text = f"%{name}({', '.join(indices)})"
        if semiring == "plus-times" and name != "T" and rng.random() < 0.2:
            text = f"{rng.choice(('square', 'neg', 'relu'))}({text})"
        return text

    def term(*factors):
        number = rng.choice(("", "", "0.5 * ", "2.0 * ")) if semiring == "plus-times" else ""
        return number + " * ".join(rng.sample(factors, len(factors)))

    # The inner statement may come first or last, and has its own names for indices.
    inner, outer, made = (("A", "ij"), ("X", "jf")), ("V", "fg"), "if"
    if rng.random() < 0.5:
        inner, outer, made = (("X", "jf"), ("V", "fg")), ("A", "ij"), "jg"
    own = dict(zip("ijfg", rng.sample("ijfg", 4)))
    texts = [term(*(factor(name, [own[i] for i in of]) for name, of in inner)),
             term(factor("T", made), factor(*outer))]
    types = [[kinds[name] for name in re.findall(r"%(\w+)\(", text)] for text in texts]
    arguments = {name: kinds[name] for name in places}
    if rng.random() < 0.5:
        arguments["D"], is_dense = matrix(rng)
        options += [f"--view=D={sizes['i']}x{sizes['g']}"] + ([] if is_dense else ["--density=D=0.3"])
        texts[1] += " + %D(i, g)"
        types[1].append(arguments["D"])
    over = "" if semiring == "plus-times" else f' over "{semiring}"'
    return (f"einsum.program @p({', '.join(f'%{name}: {kind}' for name, kind in arguments.items())}) {{\n"
            f"  %T = einsum.statement ({', '.join(own[i] for i in made)}) += {texts[0]}{over}\n"
            f"    : {', '.join(types[0])} -> {kinds['T']}\n"
            f"  %H = einsum.statement (i, g) += {texts[1]}{over}\n    : {', '.join(types[1])} -> {kinds['H']}\n"
            f"  einsum.return %H : {kinds['H']}\n}}\n"), options


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    given = parser.parse_args()
    changed = kept = declined = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "products.mlir"
        for seed in range(given.first, given.first + given.count):
            text, options = program(random.Random(seed))
            path.write_text(text, encoding="utf-8")
            command = ["heddle", "simulate", str(path), *options, f"--seed={seed}", "--order=timed", "--regions=auto",
                       "--reassociate"]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if done.returncode and "[flow-unsupported]" in done.stderr:
                declined += 1
            elif done.returncode or "as processes: the same" not in done.stdout:
                print(f"seed {seed}\n{text}{' '.join(command)}\n{done.stdout}{done.stderr}")
                return 1
            elif " in place of " in done.stdout:
                changed += 1
            else:
                kept += 1
    print(f"{changed} products made in another order, {kept} as they stood, {declined} declined by name")
    return 0


if __name__ == "__main__":
    sys.exit(main())
