# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TMA loads and stores of boxes of ROWS x 64 f16 with the 128-byte swizzle.

latency: issue, arrival, wait, with nothing else in flight. interval: cycles a box when
all multiprocessors keep eight boxes in flight, each in its own part of a matrix.
"""

import ctypes

from kernels import Kernel

BOXES = (8, 64, 128, 256)
ROW_BYTES = 128
SLOTS = 8
L2_ROWS_A_BLOCK = 1024
HBM_ROWS_A_BLOCK = 1 << 17
HBM_ROWS_ALONE = 1 << 23
MATRIX_BYTES = HBM_ROWS_A_BLOCK * ROW_BYTES * 132

REGISTERS = ".reg .b32 %row, %first_row, %slot, %bar, %at, %phase, %turn;\n.reg .pred %done, %one;\n.reg .b64 %map, %tick;"
SETUP = """
setp.eq.u32 %one, %thread, 0;
mov.b64 %map, map;
cvta.param.u64 %map, %map;
@!%one bra READY;
mov.u32 %slot, 0;
INIT:
mad.lo.u32 %bar, %slot, 8, %shared;
mbarrier.init.shared::cta.b64 [%bar], 1;
add.u32 %slot, %slot, 1;
setp.lt.u32 %done, %slot, 8;
@%done bra INIT;
fence.mbarrier_init.release.cluster;
READY:
"""
LOAD = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%at], [%map, {0, %row}], [%bar];"
STORE = "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%map, {0, %row}], [%at];"
WAIT = """
WAIT%(label)s:
mbarrier.try_wait.parity.shared::cta.b64 %%done, [%%bar], %%phase;
@!%%done bra WAIT%(label)s;
"""


def first_row(memory, span):
    """A place that no launch lately has read, or the block's own piece."""
    if memory == "hbm":
        text = "mov.u64 %%tick, %%clock64;\ncvt.u32.u64 %%row, %%tick;\nmul.lo.u32 %%row, %%row, 40503;\nand.b32 %%row, %%row, %d;\n"
        text += "mov.u32 %%first_row, %%ctaid.x;\nmad.lo.u32 %%first_row, %%first_row, %d, %%row;\n"
        return text % (span // 2 - 1 & ~255, span)
    return "mov.u32 %%first_row, %%ctaid.x;\nmul.lo.u32 %%first_row, %%first_row, %d;\n" % L2_ROWS_A_BLOCK


def row_of(rows, memory, span):
    """This iteration's row; the figures are powers of two."""
    among = span // 2 if memory == "hbm" else L2_ROWS_A_BLOCK
    return "and.b32 %%row, %%i, %d;\nmad.lo.u32 %%row, %%row, %d, %%first_row;\n" % (among // rows - 1, rows)


def latency(arguments, rows, memory):
    body = "@!%one bra NEXT;\n" + row_of(rows, memory, HBM_ROWS_ALONE)
    body += "mov.u32 %%bar, %%shared;\nadd.u32 %%at, %%shared, 1024;\nand.b32 %%phase, %%i, 1;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%%bar], %d;\n" % (rows * ROW_BYTES)
    body += LOAD + WAIT % {"label": "ED"} + "NEXT:\n"
    return Kernel(body, REGISTERS, SETUP + first_row(memory, HBM_ROWS_ALONE), threads=32, shared=1024 + rows * ROW_BYTES,
                  params=[".align 64 .b8 map[128]"], arguments=arguments)  # fmt: skip


def interval(arguments, rows, memory, blocks):
    """Iteration i waits for box i - 8 and asks for box i."""
    slots = SLOTS if rows < 256 else SLOTS // 2
    shift = slots.bit_length() - 1
    body = "@!%one bra NEXT;\n" + row_of(rows, memory, HBM_ROWS_A_BLOCK)
    body += "and.b32 %%slot, %%i, %d;\nshr.u32 %%turn, %%i, %d;\nmad.lo.u32 %%bar, %%slot, 8, %%shared;\nmad.lo.u32 %%at, %%slot, %d, %%shared;\nadd.u32 %%at, %%at, 1024;\n" % (slots - 1, shift, rows * ROW_BYTES)
    body += "add.u32 %phase, %turn, 1;\nand.b32 %phase, %phase, 1;\nsetp.eq.u32 %done, %turn, 0;\n@%done bra ASK;\n"
    body += WAIT % {"label": "ED"}
    body += "ASK:\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%%bar], %d;\n" % (rows * ROW_BYTES) + LOAD + "\nNEXT:\n"
    # What is still on its way must land before the block ends.
    drain = "@!%one bra LANDED;\nmov.u32 %slot, 0;\nDRAIN:\nmad.lo.u32 %bar, %slot, 8, %shared;\n"
    drain += "sub.u32 %%row, %%n, 1;\nsub.u32 %%row, %%row, %%slot;\nshr.u32 %%phase, %%row, %d;\nand.b32 %%at, %%row, %d;\nmad.lo.u32 %%bar, %%at, 8, %%shared;\nand.b32 %%phase, %%phase, 1;\n" % (shift, slots - 1)
    drain += WAIT % {"label": "LAST"}
    drain += "add.u32 %%slot, %%slot, 1;\nsetp.lt.u32 %%done, %%slot, %d;\n@%%done bra DRAIN;\nLANDED:\n" % slots
    return Kernel(body, REGISTERS, SETUP + first_row(memory, HBM_ROWS_A_BLOCK), drain, threads=32, blocks=blocks,
                  shared=1024 + slots * rows * ROW_BYTES, params=[".align 64 .b8 map[128]"], arguments=arguments)  # fmt: skip


def store(arguments, rows, how):
    body = "@!%one bra NEXT;\n" + row_of(rows, "l2", 0) + "add.u32 %at, %shared, 1024;\n" + STORE
    body += "\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group%s 0;\nNEXT:\n" % how
    drain = "cp.async.bulk.wait_group 0;"
    return Kernel(body, REGISTERS, SETUP + first_row("l2", 0), drain, threads=32, shared=1024 + rows * ROW_BYTES,
                  params=[".align 64 .b8 map[128]"], arguments=arguments)  # fmt: skip


def measure(driver, multiprocessors):
    matrix = driver.allocate(MATRIX_BYTES)
    for rows in BOXES:
        made = driver.tensor_map(matrix, MATRIX_BYTES // ROW_BYTES, 64, rows, 64)
        arguments = [made]
        name = "tma.%dx64" % rows
        for memory in ("l2", "hbm"):
            yield "%s.%s.latency" % (name, memory), latency(arguments, rows, memory), 1
            yield "%s.%s.interval" % (name, memory), interval(arguments, rows, memory, multiprocessors), 1
        yield name + ".store.read", store(arguments, rows, ".read"), 1
        yield name + ".store.complete", store(arguments, rows, ""), 1
