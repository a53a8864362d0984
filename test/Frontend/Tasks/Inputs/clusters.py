#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clusters.py PROGRAM OUT: what blocks of a cluster add up is right, and nothing of the exchange may be missing.

A product whose K is split in as many parts as a cluster has blocks: every order of execution gives the same
bits, which atomics do not. From the PTX each of the two meetings is taken in turn: without the first some order
gives another sum, without the second some block reads what has ended. A kernel on the hopper rung from which any
step of the exchange was taken, or moved across a meeting, is refused by `heddle check`. Prints what does not
hold; exit status 1 then.
"""

import pathlib
import random
import re
import subprocess
import sys

import turns

ARRIVE, WAIT = "barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;"


def in_clusters(program, blocks):
    return program.replace('"split_k" = "atomics"', f'"split_k" = "cluster"\n  task.pin "cluster" = {blocks}')


def mutants(kernel):
    """(what, text) for each step of an exchange that is left out, or moved across a meeting."""
    lines = kernel.splitlines()
    meetings = [i for i, line in enumerate(lines) if "hopper.cluster_sync" in line]
    for first, second in zip(meetings[::2], meetings[1::2]):
        begin = first
        while "hopper.local_store" in lines[begin - 1] or re.search(r"hopper\.(sync|buffer|subtile)", lines[begin - 1]):
            begin -= 1
        writes = [i for i in range(begin, first) if "hopper.local_store" in lines[i]]
        syncs = [i for i in range(begin, first) if "hopper.sync" in lines[i]]
        loads = [i for i in range(first, second) if "hopper.local_load" in lines[i]]
        if not writes or not syncs or not loads:
            yield "an exchange without its parts", lines
            continue

        def without(*left, at=lines):
            return [line for i, line in enumerate(at) if i not in left]

        def moved(line, to):
            """Behind the line `to`, of which there are more then."""
            return lines[:line] + lines[line + 1 : to + 1] + [lines[line]] + lines[to + 1 :]

        yield from ((f"without a write, line {i}", without(i)) for i in writes)
        yield "without the barrier", without(syncs[-1])
        yield "without the first meeting", without(first)
        yield "without the second meeting", without(second)
        yield "without meetings", without(first, second)
        # With the lines above, which say where it reads.
        there, rest = lines[first + 1 : loads[0] + 1], lines[loads[0] + 1 :]
        yield "a read before the first meeting", [*lines[:first], *there, lines[first], *rest]
        yield "a write behind the first meeting", moved(writes[-1], first)
        yield "a barrier between the meetings", moved(syncs[-1], first)
        yield "a meeting too many", lines[:second] + [lines[second]] + lines[second:]
        under = ["%true = arith.constant true", "scf.if %true {", lines[first], "}"]
        yield "a meeting under a condition", lines[:first] + under + lines[first + 1 :]


def check_mutants(source, out):
    kernel, wrong, count = out / "clusters.hopper", [], 0
    subprocess.run(["heddle", "compile", source, "--emit=hopper", "-o", kernel], check=True, stderr=subprocess.DEVNULL)
    for what, mutant in mutants(kernel.read_text()):
        count += 1
        changed = out / f"mutant{count}.hopper"
        changed.write_text("\n".join(mutant) + "\n")
        done = subprocess.run(["heddle", "check", changed], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        if not re.search(r"\[(hopper-cluster|missing-sync|protocol-fault)\]", done.stdout):
            wrong.append(f"{what} ({changed}): {done.stdout}")
    return count, wrong


def emulate(out, ptx, seed, name):
    """The exit status, and the result's bytes."""
    result = out / f"{name}.npy"
    result.unlink(missing_ok=True)
    done = subprocess.run(["heddle", "emulate", ptx, f"--manifest={out / 'clusters.json'}", "--view",
                           f"a={turns.M}x{turns.K}", "--view", f"b={turns.K}x{turns.N}", "--view",
                           f"c={turns.M}x{turns.N}", f"--in=a={out / 'a.npy'}", f"--in=b={out / 'b.npy'}",
                           "--in=c=zeros", "--order=random", f"--seed={seed}", f"--out=c={result}"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, result.read_bytes() if result.exists() else b"", done.stdout


def check_ptx(out, ptx):
    """What does not hold of a kernel and of it without one of its meetings."""
    wrong, made = [], ptx.read_text()
    results = [emulate(out, ptx, seed, "c") for seed in range(6)]
    if any(status for status, *_ in results) or len({bits for _, bits, _ in results}) != 1:
        wrong.append(f"in a cluster: {len({bits for _, bits, _ in results})} different results; {results[0][2]}")
    right = results[0][1]
    places = [match.start() for match in re.finditer(re.escape(ARRIVE), made)]
    if not places or len(places) % 2:
        return [*wrong, f"{len(places)} meetings"]
    for parity, found in ((0, "another sum"), (1, "an end too early")):
        text = made
        for place in reversed(places[parity::2]):
            text = text[:place] + text[text.index(WAIT, place) + len(WAIT) :]
        mutant = out / "mutant.ptx"
        mutant.write_text(text)
        runs = [emulate(out, mutant, seed, "mutant") for seed in range(6)]
        if all(status == 0 and bits == right for status, bits, _ in runs):
            wrong.append(f"no order shows {found}")
    return wrong


def main():
    program, out = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(22)
    turns.write(out / "a.npy", rng, turns.M, turns.K)
    turns.write(out / "b.npy", rng, turns.K, turns.N)
    source, ptx = out / "clusters.mlir", out / "clusters.ptx"
    source.write_text(in_clusters(program, 4))
    subprocess.run(["heddle", "compile", source, "-o", ptx], check=True, stderr=subprocess.DEVNULL)
    wrong = check_ptx(out, ptx)
    count, found = check_mutants(source, out)
    wrong += found if count else ["there are no mutants"]
    print(f"{count} mutants")
    print("\n".join(wrong) or "right in clusters")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
