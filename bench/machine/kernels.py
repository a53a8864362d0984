# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX of a kernel that times a loop, and the cycles of one iteration.

A kernel runs `body` n times between two readings of its multiprocessor's clock. Two
values of n and the slope between them take everything out that is not the loop.
"""

import ctypes
import statistics

FEW, MANY = 64, 320
LAUNCHES = 7

TEMPLATE = """.version 8.6
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 memory[];
.visible .entry timed(.param .u64 out, .param .u32 count{params})
.maxntid {threads}, 1, 1
{{
  .reg .b32 %thread, %warp, %lane, %n, %i, %shared;
  .reg .b64 %out, %before, %after, %base;
  .reg .pred %more, %first, %elected;
{registers}
  mov.u32 %thread, %tid.x;
  shr.u32 %warp, %thread, 5;
  and.b32 %lane, %thread, 31;
  ld.param.u32 %n, [count];
  ld.param.u64 %out, [out];
  mov.u64 %base, memory;
  cvt.u32.u64 %shared, %base;
{setup}
  bar.sync 0;
  mov.u32 %i, 0;
  mov.u64 %before, %clock64;
LOOP:
{body}
  add.u32 %i, %i, 1;
  setp.lt.u32 %more, %i, %n;
  @%more bra LOOP;
{drain}
  mov.u64 %after, %clock64;
  sub.u64 %after, %after, %before;
  setp.eq.u32 %first, %thread, 0;
  mov.u32 %i, %ctaid.x;
  mad.wide.u32 %out, %i, 8, %out;
  @%first st.global.u64 [%out], %after;
{keep}
  ret;
}}
"""


class Kernel:
    """`keep` must use what the loop computes, so that it is not dropped."""

    def __init__(self, body, registers="", setup="", drain="", keep="", threads=128, blocks=1,
                 shared=0, params="", arguments=()):  # fmt: skip
        self.ptx = TEMPLATE.format(
            body=body, registers=registers, setup=setup, drain=drain, keep=keep, threads=threads,
            params="".join(", .param " + p for p in params),
        )  # fmt: skip
        self.threads, self.blocks, self.shared = threads, blocks, shared
        self.arguments = list(arguments)


def cycles(driver, kernel):
    """The median cycles of an iteration, over blocks and launches."""
    function = driver.load(kernel.ptx, "timed", kernel.shared)
    out = driver.allocate(8 * kernel.blocks)

    def once(count):
        driver.launch(
            function, kernel.blocks, kernel.threads, kernel.shared,
            [out, ctypes.c_uint32(count), *kernel.arguments],
        )  # fmt: skip
        return statistics.median(driver.read(out, kernel.blocks))

    once(MANY)
    slopes = [(once(MANY) - once(FEW)) / (MANY - FEW) for _ in range(LAUNCHES)]
    driver.call("cuMemFree_v2", out)
    return statistics.median(slopes)
