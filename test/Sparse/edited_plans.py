# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""edited_plans.py

Plans of the examples, each edited as a person would: entries of one nest are others. A run of
the edited program agrees with the oracle, in the tile interpreter and as machine code with one
and two workers, or it is refused with the sentence that the table names. Prints one line, or what went wrong.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples/sparse"
RIGHT = "right"
# A factor's sizes and what else its operands are, for each program.
OPERANDS = {
    "spmv": "--view A=37x29 --view x=29 --pattern A=skewed",
    "spmm": "--view A=23x31 --view B=31x70 --density A=0.2",
    "spgemm": "--view A=23x31 --view B=31x19 --density A=0.2 --density B=0.2",
    "sddmm": "--view A=23x31 --view B=23x37 --view D=31x37 --density A=0.2",
    "ttv": "--view A=9x11x13 --view v=13 --density A=0.2",
    "mttkrp": "--view A=9x11x13 --view B=11x21 --view D=13x21 --density A=0.1",
    "shortest_paths": "--view A=23x31 --view x=31 --density A=0.2",
    "gcn": "--view A=23x23 --view X=23x17 --view W=17x9 --density A=0.2",
    "attention": "--view M=17x17 --view Q=17x8 --view K=17x8 --view V=17x9 --density M=0.3",
    "autoencoder": "--view X=5x23 --view E=23x9 --view b=9 --view D=9x23 --view c=23 --density E=0.4 --density D=0.4",
}
# Program, statement and term, entries, and what becomes of it.
EDITS = (
    ("spmv", "y 0", "vector= width=1", RIGHT),
    ("spmv", "y 0", "vector= width=1 into=memory", RIGHT),
    ("spmv", "y 0", "width=2", RIGHT),
    ("spmv", "y 0", "width=64", RIGHT),
    ("spmv", "y 0", "parallel=", RIGHT),
    ("spmv", "y 0", "into=memory", "a vector axis that is summed over needs into \"registers\""),
    ("spmv", "y 0", "parallel=j", "the parallel axis is the outermost, i"),
    ("spmv", "y 0", "order=j,i loops=walk A,dense vector= width=1", "A is stored by i before j"),
    ("spmm", "C 0", "width=8", RIGHT),
    ("spmm", "C 0", "width=16", RIGHT),
    ("spmm", "C 0", "width=256", RIGHT),
    ("spmm", "C 0", "width=512", "the width is a power of two up to 256, not 512"),
    ("spmm", "C 0", "width=1", "a nest has a vector axis and a width above 1, or neither"),
    ("spmm", "C 0", "vector=", "a nest has a vector axis and a width above 1, or neither"),
    ("spmm", "C 0", "parallel=", RIGHT),
    ("spmm", "C 0", "chunk=1", RIGHT),
    ("spmm", "C 0", "chunk=1000000", RIGHT),
    ("spmm", "C 0", "chunk=-4", "a chunk is 1 to 1048576 instances, not -4"),
    ("spmm", "C 0", "into=memory", RIGHT),
    ("spmm", "C 0", "vector= width=1 into=memory", RIGHT),
    ("spmm", "C 0", "vector= width=1", "sums stay in registers only if the indices of the result come before"),
    ("spmm", "C 0", "into=bitmap", "a dense result needs no bitmap"),
    ("spmm", "C 0", "assemble=same A", "a dense result is not assembled"),
    ("spmm", "C 0", "order=i,k,j loops=dense,dense,walk A vector= width=1", RIGHT),
    ("spmm", "C 0", "order=i,k,j loops=dense,dense,walk A vector=j width=8", RIGHT),
    ("spmm", "C 0", "order=k,i,j loops=dense,dense,walk A vector= width=1 parallel=k", RIGHT),
    ("spmm", "C 0", "order=k,i,j loops=dense,dense,walk A vector= width=1", "the parallel axis is the outermost, k"),
    ("spmm", "C 0", "order=i,k,j", "the loop over k is \"dense\" with these formats, not \"walk A\""),
    ("spmm", "C 0", "order=i,j", "the nest orders 2 indices and has 3 loops"),
    ("spmm", "C 0", "order=i,j,j", "the order must have each index of the term once: i, j, k"),
    ("spgemm", "C 0", "chunk=7", RIGHT),
    ("spgemm", "C 0", "parallel=", RIGHT),
    ("spgemm", "C 0", "into=registers", "count-fill needs into \"bitmap\""),
    ("spgemm", "C 0", "assemble=none", "a sparse result is assembled"),
    ("spgemm", "C 0", "assemble=same A into=registers", "level 1 of the result is not that of A"),
    ("spgemm", "C 0", "assemble=count-scatter into=memory parallel=", "count-scatter takes the elements of one sparse"),
    ("spgemm", "C 0", "vector=k width=8", "its loop must be dense, not \"walk B\""),
    ("spgemm", "C 0", "order=i,k,j loops=dense,walk B,walk A", "B is stored by j before k"),
    ("sddmm", "C 0", "vector= width=1", RIGHT),
    ("sddmm", "C 0", "width=64", RIGHT),
    ("sddmm", "C 0", "vector= width=1 into=bitmap assemble=count-fill", RIGHT),
    ("sddmm", "C 0", "order=i,k,j loops=dense,dense,walk A vector= width=1 into=bitmap assemble=count-fill", RIGHT),
    ("sddmm", "C 0", "order=i,k,j loops=dense,dense,walk A vector= width=1", "needs its indices before all others"),
    ("sddmm", "C 0", "assemble=same B", "the result has not the format of B"),
    ("sddmm", "C 0", "assemble=same E", "no operand of the term is called E"),
    ("ttv", "C 0", "vector= width=1", RIGHT),
    ("ttv", "C 0", "width=32", RIGHT),
    ("ttv", "C 0", "vector= width=1 into=bitmap assemble=count-fill", RIGHT),
    ("ttv", "C 0", "order=i,k,j loops=dense,walk A,walk A vector= width=1", "A is stored by j before k"),
    ("mttkrp", "C 0", "width=8", RIGHT),
    ("mttkrp", "C 0", "parallel= into=memory", RIGHT),
    ("mttkrp", "C 0", "order=i,j,r,k loops=walk A,walk A,dense,walk A vector= width=1 into=memory", RIGHT),
    ("mttkrp", "C 0", "order=r,i,j,k loops=dense,walk A,walk A,walk A vector= width=1 parallel=r", RIGHT),
    ("mttkrp", "C 0", "order=r,i,j,k loops=dense,walk A,walk A,walk A vector=k width=8 parallel=r", RIGHT),
    ("mttkrp", "C 0", "order=r,i,j,k loops=dense,walk A,walk A,walk A vector=r parallel=r", "is the last of the order"),
    ("shortest_paths", "d 0", "parallel=i", "coordinate storage repeats i"),
    ("shortest_paths", "d 0", "into=registers", "coordinate storage repeats the coordinates of the result"),
    ("shortest_paths", "d 0", "loops=walk A,dense", "the loop over j is \"walk A\" with these formats, not \"dense\""),
    ("gcn", "T 0", "order=f,j,k loops=dense,dense,dense into=memory parallel=", RIGHT),
    ("gcn", "T 0", "order=f,j,k loops=dense,dense,dense into=memory parallel=f", "f is summed over"),
    ("gcn", "T 0", "order=k,j,f loops=dense,dense,dense vector=f width=8 parallel=k", RIGHT),
    ("gcn", "H 0", "width=4 chunk=3", RIGHT),
    ("attention", "S 0", "vector= width=1", RIGHT),
    ("attention", "E 1", "assemble=same m", "the result has not the format of m"),
    ("attention", "O 0", "vector= width=1 into=memory", RIGHT),
    ("autoencoder", "H 1", "vector= width=1 parallel=", RIGHT),
    ("autoencoder", "Y 0", "order=h,n,p loops=dense,dense,walk D parallel=", RIGHT),
    ("autoencoder", "Y 1", "order=p,n loops=dense,dense vector= width=1 parallel=p", RIGHT),
)


def edit(plan, nest, entries):
    """The text with other entries in the line of one nest."""
    statement, term = nest.split()
    start = plan.index(f'einsum.nest "{statement}" term {term} ')
    end = plan.index("\n", start)
    line = before = plan[start:end]
    for name, value in re.findall(r"(\w+)=((?:walk \w|same \w|[^ ])*)", entries):
        if name in ("order", "loops"):
            made = f"{name} [" + ", ".join(f'"{word}"' for word in value.split(",")) + "]"
            line = re.sub(rf"\b{name} \[.*?\]", made, line, count=1)
        else:
            made = f"{name} {value}" if name in ("width", "chunk") else f'{name} "{value}"'
            line = re.sub(rf'\b{name} (".*?"|\S+)', made, line, count=1)
    if line == before:
        sys.exit(f"{nest}: {entries} changes nothing of {line}")
    return plan[:start] + line + plan[end:]


def run(*command):
    return subprocess.run(["heddle", *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def main():
    plans, right, refused = {}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "edited.mlir"
        for program, nest, entries, expected in EDITS:
            if program not in plans:
                run("compile", EXAMPLES / f"{program}.mlir", "--emit=einsum", "-o", path)
                plans[program] = path.read_text(encoding="utf-8")
            path.write_text(edit(plans[program], nest, entries), encoding="utf-8")
            done = run("run", path, *OPERANDS[program].split(), "--interpret")
            found = done.stdout + done.stderr
            if expected == RIGHT:
                as_expected = done.returncode == 0 and "; right" in found and "the same bits with 2 workers" in found
                right += 1
            else:
                as_expected = done.returncode == 3 and expected in found and "[einsum-plan]" in found
                refused += 1
            if not as_expected:
                sys.exit(f"{program}, {nest}: {entries}: not \"{expected}\", exit code {done.returncode}\n{found}")
    print(f"{right + refused} plans edited by hand: {right} are right, {refused} are refused with a reason")


if __name__ == "__main__":
    main()
