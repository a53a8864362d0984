# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a busy tensor core takes from the threads beside it, and they from it.

NAME.beside: cycles an instruction of one warp group while another keeps products in
flight. issue8, issue16: cycles until a process may go on after so many wgmmas of
64 x 128 x 16 that it issues to an idle tensor core.
"""

import arithmetic
import tensor
from kernels import Kernel

COLUMNS = 128
STEPS = 16  # wgmmas an iteration of the other group: longer than anything beside them


def products(count):
    """Four steps of K over and over."""
    text = tensor.kernel(COLUMNS, False, 0, 1).body
    steps = [line for line in text.split("\n") if "mma_async" in line]
    return "\n".join(steps[i % len(steps)] for i in range(count))


def beside(text):
    base = tensor.kernel(COLUMNS, False, 1, 2)
    alone = arithmetic.kernel(text, arithmetic.CHAINS, 1)
    body = "@%%tensor bra TENSOR;\n%s\nbra NEXT;\nTENSOR:\nwgmma.fence.sync.aligned;\n%s\n" % (
        alone.body, products(STEPS),
    )  # fmt: skip
    body += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;\nNEXT:"
    setup = base.setup + "\n" + alone.setup + "\nsetp.ge.u32 %tensor, %thread, 128;"
    return Kernel(body, base.registers + "\n" + alone.registers + "\n.reg .pred %tensor;", setup,
                  base.drain, base.keep + "\n" + alone.keep, threads=256, shared=base.shared)  # fmt: skip


def issue(count):
    """The time that is spent after the issue is taken out again."""
    base = tensor.kernel(COLUMNS, False, 0, 1)
    body = "mov.u32 %%from, %%clock;\nwgmma.fence.sync.aligned;\n%s\nwgmma.commit_group.sync.aligned;\n" % products(count)
    body += "mov.u32 %until, %clock;\nsub.u32 %until, %until, %from;\nadd.u32 %all, %all, %until;\n"
    body += "wgmma.wait_group.sync.aligned 0;"
    # The loop's time is replaced by the sum of its parts.
    drain = base.drain + "\ncvt.u64.u32 %sum, %all;\nadd.u64 %sum, %sum, %before;"
    keep = base.keep
    kernel = Kernel(body, base.registers + "\n.reg .b32 %from, %until, %all;\n.reg .b64 %sum;",
                    base.setup + "\nmov.u32 %all, 0;", drain, keep, shared=base.shared)  # fmt: skip
    kernel.ptx = kernel.ptx.replace("mov.u64 %after, %clock64;", "mov.u64 %after, %sum;")
    return kernel


def measure():
    """Yields (name, kernel, divisor)."""
    for name, text in arithmetic.INSTRUCTIONS.items():
        yield "%s.beside" % name, beside(text), arithmetic.CHAINS * arithmetic.LENGTH
    for count in (8, 16):
        yield "wgmma.issue%d" % count, issue(count), 1
