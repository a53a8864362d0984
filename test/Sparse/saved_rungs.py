#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""saved_rungs.py: every rung above the machine's of the einsums x formats of bench/sparse/plans.py
is printed, saved and compiled on to the same bytes as the program itself.

Ends with status 1 at the first that is not, and names it.
"""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/sparse"))
import plans  # noqa: E402


def compile_to(rung, file):
    done = subprocess.run(["heddle", "compile", file, f"--emit={rung}", "-o", "-"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{file}, --emit={rung}: {done.stderr}")
    return done.stdout


def main():
    with tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(plans.CASES):
            program = pathlib.Path(folder, f"{number}.mlir")
            program.write_text(plans.write_case(case)[0], encoding="utf-8")
            code = compile_to("llvm", program)
            for rung in ("einsum", "tile"):
                text = compile_to(rung, program)
                saved = pathlib.Path(folder, f"{number}.{rung}.mlir")
                saved.write_text(text, encoding="utf-8")
                if compile_to(rung, saved) != text:
                    sys.exit(f"{case[0]}: the {rung} rung is printed otherwise when it was read again")
                if compile_to("llvm", saved) != code:
                    sys.exit(f"{case[0]}: the saved {rung} rung makes other code")
    print(f"{len(plans.CASES)} einsums: every saved rung makes the same code")


if __name__ == "__main__":
    main()
