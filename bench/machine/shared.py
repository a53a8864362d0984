# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared memory without bank conflicts: cycles an instruction of one warp group, and the
latency of a load."""

from kernels import Kernel

REGISTERS = ".reg .b32 %r<64>, %at;\n"
SETUP = "\n".join("mov.b32 %%r%d, 0;" % i for i in range(64))
SETUP += "\nmad.lo.u32 %at, %thread, 16, %shared;\n"
KEEP = "\n".join("add.u32 %%r0, %%r0, %%r%d;" % i for i in range(1, 64))
KEEP += "\nsetp.eq.u32 %first, %r0, 12345;\n@%first st.global.u32 [%out], %r0;"
COUNT = 8


def four(i):
    return "{" + ", ".join("%%r%d" % (4 * i + j) for j in range(4)) + "}"


def measure():
    texts = {
        "load16": ["ld.volatile.shared.v4.u32 %s, [%%at];" % four(i) for i in range(COUNT)],
        "store16": ["st.volatile.shared.v4.u32 [%%at], %s;" % four(i) for i in range(COUNT)],
        "ldmatrix_x4": [
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 %s, [%%at + %d];" % (four(i), 4096 * i) for i in range(COUNT)
        ],
        "stmatrix_x4": [
            "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%%at], %s;" % four(i) for i in range(COUNT)
        ],
    }
    for name, lines in texts.items():
        if name == "ldmatrix_x4":
            # It is never volatile: a store between makes it read again, sums use all
            # of it; both hide behind it.
            sums = ["add.u32 %%r%d, %%r%d, %%r%d;" % (32 + i, 32 + i, i) for i in range(4 * COUNT)]
            lines += [*sums, "st.volatile.shared.u32 [%at], %i;"]
        for groups in (1, 2):
            kernel = Kernel("\n".join(lines), REGISTERS, SETUP, "", KEEP, threads=128 * groups, shared=4096 * COUNT)
            yield "%s.groups%d" % (name, groups), kernel, COUNT * groups
    # Memory is zeroed, so each address is the sum of the last and 0.
    clear = SETUP + "mad.lo.u32 %at, %lane, 4, %shared;\nst.shared.u32 [%at], 0;\n"
    chain = "ld.volatile.shared.u32 %r0, [%at];\nadd.u32 %at, %at, %r0;\n" * 4
    yield "load4.latency_and_add", Kernel(chain, REGISTERS, clear, "", KEEP, threads=32, shared=8192), 4
