# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From one warp group's arrival to another one's next instruction, by mbarrier and by
named barrier, and what a barrier costs a group that is all there."""

from kernels import Kernel

REGISTERS = ".reg .b32 %phase, %one, %two;\n.reg .pred %second, %lead, %done;"
SETUP = """
setp.ge.u32 %second, %thread, 128;
setp.eq.u32 %lead, %lane, 0;
add.u32 %two, %shared, 8;
setp.eq.u32 %first, %thread, 0;
@%first mbarrier.init.shared::cta.b64 [%shared], 4;
@%first mbarrier.init.shared::cta.b64 [%two], 4;
fence.mbarrier_init.release.cluster;
"""
# As heddle's rings do: each warp's first lane arrives, all threads wait.
MBARRIERS = """
and.b32 %phase, %i, 1;
@%second bra SECOND;
bar.warp.sync -1;
@%lead mbarrier.arrive.shared::cta.b64 _, [%shared];
FIRST:
mbarrier.try_wait.parity.shared::cta.b64 %done, [%two], %phase;
@!%done bra FIRST;
bra NEXT;
SECOND:
mbarrier.try_wait.parity.shared::cta.b64 %done, [%shared], %phase;
@!%done bra SECOND;
bar.warp.sync -1;
@%lead mbarrier.arrive.shared::cta.b64 _, [%two];
NEXT:
"""
NAMED = """
@%second bra SECOND;
bar.arrive 1, 256;
bar.sync 2, 256;
bra NEXT;
SECOND:
bar.sync 1, 256;
bar.arrive 2, 256;
NEXT:
"""


def measure():
    yield "mbarrier.hand_over", Kernel(MBARRIERS, REGISTERS, SETUP, threads=256, shared=1024), 2
    yield "named_barrier.hand_over", Kernel(NAMED, REGISTERS, SETUP, threads=256, shared=1024), 2
    yield "named_barrier.sync128", Kernel("bar.sync 1, 128;", REGISTERS, SETUP, shared=1024), 1
    yield "warp_sync", Kernel("bar.warp.sync -1;\n" * 8, REGISTERS, SETUP, shared=1024), 8
    free = "mbarrier.test_wait.parity.shared::cta.b64 %done, [%shared], 1;\n"
    yield "mbarrier.test_passed", Kernel(free, REGISTERS, SETUP, shared=1024), 1
    fence = "fence.proxy.async.shared::cta;\n" * 4
    yield "fence_proxy_async", Kernel(fence, REGISTERS, SETUP, shared=1024), 4
