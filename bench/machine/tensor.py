# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wgmma m64nNk16 on f16 with f32 sums: four steps of K are one product of K = 64.

latency: from the first issue to the end of the wait, nothing else in flight.
groups1, groups2: cycles a product, when one or two warp groups keep one in flight
behind another. SS reads A from shared memory, RS from registers.
"""

from kernels import Kernel

COLUMNS = (64, 96, 128, 176, 192, 256)
STEPS = 4
A_BYTES = 64 * 64 * 2


DRAIN = "wgmma.wait_group.sync.aligned 0;"


def parts(columns, in_registers, pending):
    """(body, registers, setup, keep, bytes of shared memory) of a kernel."""
    sums = columns // 2
    listed = "{" + ", ".join("%%s%d" % i for i in range(sums)) + "}"
    body = "wgmma.fence.sync.aligned;\n"
    for step in range(STEPS):
        a = "{%%a%d, %%a%d, %%a%d, %%a%d}" % tuple(range(4 * step, 4 * step + 4))
        a = a if in_registers else "%%da%d" % step
        tail = "1, 1, 1, 0;" if in_registers else "1, 1, 1, 0, 0;"
        body += "wgmma.mma_async.sync.aligned.m64n%dk16.f32.f16.f16 %s, %s, %%db%d, %s\n" % (
            columns, listed, a, step, tail,
        )  # fmt: skip
    # scale-d is a predicate.
    body = body.replace(" 1, 1, 1, 0", " %keep, 1, 1, 0")
    body += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned %d;" % pending
    registers = ".reg .f32 %%s<%d>;\n.reg .b32 %%a<16>, %%place;\n.reg .b64 %%da<4>, %%db<4>, %%fields;\n.reg .pred %%keep;" % sums
    setup = "setp.ne.u32 %keep, 1, 0;\n"
    setup += "\n".join("mov.f32 %%s%d, 0f00000000;" % i for i in range(sums))
    setup += "\n" + "\n".join("mov.b32 %%a%d, 0;" % i for i in range(16))
    # 128-byte swizzle, 1024 bytes between groups of eight rows.
    fields = 1 << 62 | (1024 >> 4) << 32 | 1 << 16
    setup += "\nmov.b64 %%fields, %d;\n" % fields
    # A of each warp group, then one B that all read.
    setup += "shr.u32 %%place, %%thread, 7;\nmad.lo.u32 %%place, %%place, %d, %%shared;\n" % A_BYTES
    for name, base in (("da", "%place"), ("db", "%i")):
        if name == "db":
            setup += "add.u32 %%i, %%shared, %d;\n" % (2 * A_BYTES)
        for step in range(STEPS):
            setup += "add.u32 %%n, %s, %d;\nshr.u32 %%n, %%n, 4;\ncvt.u64.u32 %%%s%d, %%n;\nor.b64 %%%s%d, %%%s%d, %%fields;\n" % (
                base, 32 * step, name, step, name, step, name, step,
            )  # fmt: skip
    setup += "ld.param.u32 %n, [count];"
    keep = "\n".join("add.f32 %%s0, %%s0, %%s%d;" % i for i in range(1, sums))
    keep += "\nsetp.eq.f32 %first, %s0, 0f47C35000;\n@%first st.global.f32 [%out], %s0;"
    return body, registers, setup, keep, 2 * A_BYTES + columns * 64 * 2


def kernel(columns, in_registers, pending, groups):
    body, registers, setup, keep, shared = parts(columns, in_registers, pending)
    return Kernel(body, registers, setup, DRAIN, keep, threads=128 * groups, shared=shared)


def measure():
    for columns in COLUMNS:
        for form, in_registers in (("ss", False), ("rs", True)):
            name = "n%d.%s" % (columns, form)
            yield name + ".latency", kernel(columns, in_registers, 0, 1), 1
            yield name + ".groups1", kernel(columns, in_registers, 1, 1), 1
            yield name + ".groups2", kernel(columns, in_registers, 1, 2), 2
