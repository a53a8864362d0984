#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""turns.py PROGRAM OUT: sums in turns have the same bits whatever order blocks come in.

A product whose K is split, once by atomics and once by a turnstile, once added by threads and once by
TMA, under six random orders in which several blocks run at a time. By the turnstile all results have
the same bits. By atomics they have not, and neither by a turnstile from which the wait was taken: so
the orders differ, and the wait is what keeps them. A kernel on the hopper rung from which any part of
a turn was taken, or whose sum is moved before it, is refused by `heddle check`. Prints what does not
hold; exit status 1 then.
"""

import pathlib
import random
import re
import struct
import subprocess
import sys

M, K, N = 64, 4 * 512 - 8, 64
WAIT = re.compile(r"(ld\.acquire\.gpu\.global\.b32.*?setp\.eq\.b32[^\n]*\n\s*)@%p\d+ bra ", re.S)


def write(path, rng, rows, columns):
    """Halves of very different size, so that the order of sums shows."""
    header = f"{{'descr': '<f2', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    header += " " * (-(11 + len(header)) % 64) + "\n"
    numbers = [rng.uniform(-1, 1) * 2.0 ** rng.randrange(-6, 6) for _ in range(rows * columns)]
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(numbers)}e", *numbers))


def results(out, ptx):
    found = set()
    for seed in range(6):
        subprocess.run(["heddle", "emulate", ptx, f"--manifest={out / 'turns.json'}", "--view", f"a={M}x{K}",
                        "--view", f"b={K}x{N}", "--view", f"c={M}x{N}", f"--in=a={out / 'a.npy'}",
                        f"--in=b={out / 'b.npy'}", "--in=c=zeros", "--order=random", f"--seed={seed}",
                        f"--out=c={out / 'c.npy'}"], check=True, stdout=subprocess.DEVNULL)
        found.add((out / "c.npy").read_bytes())
    return len(found)


def mutants(kernel):
    """Each part of the turns in turn left out, and each sum put before its turn."""
    lines = kernel.splitlines()
    ends = [(i, "await" if "hopper.await_turn" in line else "pass") for i, line in enumerate(lines)
            if "hopper.await_turn" in line or "hopper.pass_turn" in line]
    for (begin, what), (end, _) in zip(ends, ends[1:]):
        if what != "await":
            continue
        # What meets in the midst of several rounds of stores is a matter of buffers.
        parts = [i for i in range(begin, end + 1)
                 if re.search(r"hopper\.(await_turn|pass_turn|tma_store_wait 0 complete)", lines[i]) or
                 ("hopper.sync" in lines[i] and i in (begin + 1, end - 1))]
        for left in [[i] for i in parts] + [[begin, end]]:
            yield [line for i, line in enumerate(lines) if i not in left]
        first = next(i for i in range(begin, end) if re.search(r"tile\.view_reduce|hopper\.tma_store ", lines[i]))
        yield lines[:begin] + [lines[first]] + lines[begin:first] + lines[first + 1:]


def check_mutants(source, out):
    """How many mutants there are, and what does not hold of them."""
    kernel, wrong, count = out / "turns.hopper", [], 0
    subprocess.run(["heddle", "compile", source, "--emit=hopper", "-o", kernel], check=True, stderr=subprocess.DEVNULL)
    for mutant in mutants(kernel.read_text()):
        count += 1
        changed = out / f"mutant{count}.hopper"
        changed.write_text("\n".join(mutant) + "\n")
        done = subprocess.run(["heddle", "check", changed], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        if done.returncode == 0 or "[hopper-turn]" not in done.stdout:
            wrong.append(f"{changed} is not refused: {done.stdout}")
    return count, wrong


def main():
    program, out = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(22)
    write(out / "a.npy", rng, M, K)
    write(out / "b.npy", rng, K, N)
    # With four slots there is room for staging what TMA adds.
    by_tma = re.sub(r'(    task\.tune "W" = 64)', r'    task.pin "pipeline" = 4\n\1', program)
    wrong = []
    for name, text, adds in (("threads", program, "atom.relaxed"), ("TMA", by_tma, "cp.reduce.async.bulk.tensor")):
        for way in ("atomics", "turnstile"):
            source, ptx = out / "turns.mlir", out / "turns.ptx"
            source.write_text(text.replace('"split_k" = "atomics"', f'"split_k" = "{way}"'))
            subprocess.run(["heddle", "compile", source, "-o", ptx], check=True, stderr=subprocess.DEVNULL)
            made = ptx.read_text()
            if adds not in made:
                wrong.append(f"by {name}, {way}: no {adds}")
            count = results(out, ptx)
            if (count == 1) != (way == "turnstile"):
                wrong.append(f"by {name}, {way}: {count} different results")
            if way == "turnstile":
                count, found = check_mutants(source, out)
                wrong += found if count else ["there are no mutants"]
                print(f"by {name}: {count} mutants")
                mutant, waits = WAIT.subn(r"\1bra.uni ", made)
                (out / "mutant.ptx").write_text(mutant)
                if not waits or results(out, out / "mutant.ptx") == 1:
                    wrong.append(f"by {name}: without {waits} waits the results are the same")
    print("\n".join(wrong) or "same bits in turns")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
