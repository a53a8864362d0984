# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""role_tables.py PROGRAM [heddle simulate's options]: each plan by roles is right in each order.

Compiles PROGRAM for the machine `dae`, and edits the plan: how control reaches each loop
(replicate, count, flag) and how deep the rings of its loads are (1, 2, 5). With CARRIES in
the environment ("table 2") a ring carries so many elements a turn, each iteration by itself; with
GROUPS ("loop 4 0", "loop 4 3") so many iterations of a loop go together, and if the last number is
not 0 they share turns, beside so many slots for the rest. Each plan is
simulated in the fair, a random and two adversarial orders, and in the timed one; each must
agree with the tile program. Prints how many plans and runs were right.
"""

import itertools
import os
import re
import subprocess
import sys
import tempfile


def heddle(*arguments):
    done = subprocess.run(["heddle", *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"heddle {' '.join(arguments)}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    program, options = sys.argv[1], sys.argv[2:]
    # The plan is made for the settings; the program that it is compared with takes them.
    settings, views = [], []
    for flag, value in zip(options[::2], options[1::2]):
        (settings if flag == "--set" else views).extend((flag, value))
    oracle = [word.replace("--set", "--oracle-set") for word in settings]
    plan = heddle("compile", program, *settings, "--machine=dae", "--emit=sched", "-o", "-")
    if "CARRIES" in os.environ or "GROUPS" in os.environ:
        plan = re.sub(r'( control "\w+") groups \d+', r"\1", re.sub(r" rest \d+", "", plan))
    if "GROUPS" in os.environ:
        loop, size, rest = os.environ["GROUPS"].split()
        table = re.search(rf'sched\.table "{loop}" ii 0 control "\w+".*?\n    \}}', plan, re.S)[0]
        plan = plan.replace(table, re.sub(r'( control "\w+")', rf"\1 groups {size}", table, count=1))
        for ring in set(re.findall(r' via "([^"]+)"', table)) if rest != "0" else ():
            plan, found = re.subn(rf'(sched\.ring "{ring}" depth \d+)', rf"\1 rest {rest}", plan)
            assert found == 1, plan
    if "CARRIES" in os.environ:
        ring, elements = os.environ["CARRIES"].split()
        plan, found = re.subn(rf'(sched\.ring "{ring}" depth \d+)', rf"\1 carries {elements}", plan)
        assert found == 1, plan
    loops = re.findall(r'sched\.table "([^"]+)" ii 0 control', plan)
    plans = runs = 0
    for kinds in itertools.product(("replicate", "count", "flag"), repeat=len(loops)):
        for depth in (1, 2, 5):
            text = re.sub(r'(sched\.ring "[^"]+" depth )\d+', rf"\g<1>{depth}", plan)
            for loop, kind in zip(loops, kinds):
                text = re.sub(rf'(sched\.table "{loop}" ii 0 control )"\w+"', rf'\g<1>"{kind}"', text)
            with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
                file.write(text)
                file.flush()
                plans += 1
                for order in ("fair", "random", "adversarial", "timed"):
                    schedules = ["--schedules=2"] if order == "adversarial" else []
                    output = heddle("simulate", file.name, "--oracle", program, *oracle, *views, "--ints",
                                    f"--order={order}", "--machine=dae", *schedules)
                    right = output.count(": equal to the oracle")
                    if not right or "WRONG" in output:
                        sys.exit(f"{kinds}, depth {depth}, {order}:\n{output}\n{text}")
                    runs += right
    print(f"{len(loops)} loops: {plans} plans, {runs} runs agree with the oracle")


main()
