# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of threads: cycles an instruction of one warp group, when one or two warp
groups issue nothing else, and the latency of a chain."""

from kernels import Kernel

CHAINS, LENGTH = 8, 8
# A destination, which is the first source, and another chain's; with one source alone,
# ptxas would fold neighbours of the idempotent ones.
INSTRUCTIONS = {
    "ex2": "ex2.approx.ftz.f32 {d}, {d};",
    "lg2": "lg2.approx.ftz.f32 {d}, {d};",
    "rsqrt": "rsqrt.approx.ftz.f32 {d}, {d};",
    "fma": "fma.rn.f32 {d}, {d}, %c0, %c1;",
    "mul": "mul.rn.f32 {d}, {d}, %c0;",
    "max": "max.f32 {d}, {d}, {o};",
    "select": "selp.b32 {d}, {d}, {o}, %odd;",
    "shuffle": "shfl.sync.bfly.b32 {d}, {d}, 1, 31, -1;",
    "to_f16x2": "cvt.rn.f16x2.f32 {d}, {d}, %c0;",
}


def parts(text, chains):
    """(body, registers, setup, keep) of a kernel."""
    names = ["%%v%d" % i for i in range(chains)]
    others = names[1:] + ["%v15"]
    body = "\n".join(text.format(d=name, o=other) for _ in range(LENGTH) for name, other in zip(names, others))
    # Bits, which instructions of any type take.
    registers = ".reg .f32 %c0, %c1;\n.reg .b32 %v<16>;\n.reg .pred %odd;"
    setup = "mov.f32 %c0, 0f3F7FFFF0;\nmov.f32 %c1, 0f00000000;\nand.b32 %i, %thread, 1;\nsetp.eq.u32 %odd, %i, 1;\n"
    setup += "mov.u32 %v15, %thread;\n"
    setup += "\n".join("add.u32 %s, %%thread, %d;" % (name, i + 0x3F000000) for i, name in enumerate(names))
    keep = "\n".join("add.u32 %%v0, %%v0, %s;" % name for name in names[1:])
    keep += "\nsetp.eq.u32 %first, %v0, 12345;\n@%first st.global.u32 [%out], %v0;"
    return body, registers, setup, keep


def kernel(text, chains, groups):
    body, registers, setup, keep = parts(text, chains)
    return Kernel(body, registers, setup, "", keep, threads=128 * groups)


def measure():
    """Yields (name, kernel, divisor)."""
    for name, text in INSTRUCTIONS.items():
        for groups in (1, 2):
            yield "%s.groups%d" % (name, groups), kernel(text, CHAINS, groups), CHAINS * LENGTH * groups
        yield "%s.latency" % name, kernel(text, 1, 1), LENGTH
