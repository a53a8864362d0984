# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""control_mutants.py PROGRAM CONTROL [heddle simulate's options]: broken control is noticed.

Compiles PROGRAM for `dae` with CONTROL for every loop, and breaks the processes at each place
where an operator applies: a flag inverted, a count off by one either way, the end of a loop not
told, a turn lost, a slot not given back, two payloads exchanged. The simulator must object to
each mutant, or its result differ from the tile program's, in the fair, a random and an
adversarial order. Prints how many there were; a survivor is an error.
"""

import os
import re
import subprocess
import sys
import tempfile


def heddle(*arguments):
    return subprocess.run(["heddle", *arguments], capture_output=True, text=True)


def lines_with(text, pattern):
    return [i for i, line in enumerate(text) if re.search(pattern, line)]


def without(text, first, last):
    return text[:first] + text[last + 1:]


def changed(text, place, old, new):
    line = text[place]
    assert old in line, line
    return text[:place] + [line.replace(old, new)] + text[place + 1:]


def mutants(text):
    """(name, program) for each operator and place."""
    for place in lines_with(text, r"= arith\.constant true\b"):
        yield "flag inverted", changed(text, place, "constant true", "constant false")
    for place in lines_with(text, r"= arith\.constant false\b"):
        yield "end not told", changed(text, place, "constant false", "constant true")
    for place in lines_with(text, r"arith\.ceildivsi"):
        yield "count one too high", changed(text, place, "arith.ceildivsi", "arith.addi")
        yield "count one too low", changed(text, place, "arith.ceildivsi", "arith.subi")
    for place in lines_with(text, r"aref\.release"):
        yield "slot not given back", without(text, place, place)
    for place in lines_with(text, r"aref\.publish"):
        yield "turn lost", without(text, place, place)
    for place in lines_with(text, r"aref\.publish %\w+\[%\w+\], %[\w#]+, %[\w#]+ "):
        line = re.sub(r"(\], )(%[\w#]+), (%[\w#]+) ", r"\1\3, \2 ", text[place])
        if re.search(r">\]>, tensor<1xi32>, tensor<1xi32>", line):
            yield "payloads exchanged", text[:place] + [line] + text[place + 1:]


def is_noticed(program, oracle, views, order):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(program)
        file.flush()
        done = heddle("simulate", file.name, "--oracle", *oracle, *views, "--ints", f"--order={order}",
                      "--max-steps=200000")
    if done.returncode not in (0, 1):
        sys.exit(f"a mutant is no program:\n{done.stderr}\n{program}")
    return done.returncode == 1


def main():
    program, control, options = sys.argv[1], sys.argv[2], sys.argv[3:]
    settings, views = [], []
    for flag, value in zip(options[::2], options[1::2]):
        (settings if flag == "--set" else views).extend((flag, value))
    plan = heddle("compile", program, *settings, "--machine=dae", "--emit=sched", "-o", "-").stdout
    plan = re.sub(r'( ii 0 control )"\w+"', rf'\1"{control}"', plan)
    # Where groups keep an iteration's turns, it is no fault to divide iterations otherwise, nor to exchange what is
    # added up; so they are broken where GROUPED asks for it.
    if "GROUPED" not in os.environ:
        plan = re.sub(r'( control "\w+") groups \d+', r"\1", re.sub(r" rest \d+", "", plan))
    assert ("GROUPED" in os.environ) == (" rest " in plan), plan
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(plan)
        file.flush()
        text = heddle("compile", file.name, "--machine=dae", "--emit=aref", "-o", "-").stdout
    text = re.sub(r" loc\(.*?\)(?=$|[ ,)])|^#loc.*$", "", text, flags=re.M).splitlines()
    oracle = [program, *[word.replace("--set", "--oracle-set") for word in settings]]
    if is_noticed("\n".join(text), oracle, views, "fair"):
        sys.exit("the program is at fault unbroken")
    counts = {}
    for name, broken in mutants(text):
        counts[name] = counts.get(name, 0) + 1
        for order in ("fair", "random", "adversarial"):
            if not is_noticed("\n".join(broken), oracle, views, order):
                sys.exit(f"{name}: nothing noticed in {order} order\n" + "\n".join(broken))
    print(f"{control}: {sum(counts.values())} mutants, all noticed: "
          + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))


main()
