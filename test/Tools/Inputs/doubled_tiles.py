# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of the tile rung in which something is its own operand twice, line after line:
doubled_tiles.py WHAT. As an expression it is 2^60 operations, in the text 60.

gather  places of a gather that is the same in all rows
nest    the number of the next turn, in the first iteration of a turn, and what reads it
steer   rows of which the end of a loop is made
"""

import sys

LINES = 60


def doubled(name, operation, kind, first):
    """The lines, and the last value."""
    values = [first, *(f"%{name}{line}" for line in range(LINES))]
    lines = [f"      {made} = {operation} {read}, {read} : {kind}" for read, made in zip(values, values[1:])]
    return "\n".join(lines), values[-1]


PLACES, PLACE = doubled("p", "arith.addi", "tensor<64x32xi32>", "%tall")
GATHER = f"""
tile.kernel @gather(%s: !tile.ptr<f16>, %o: !tile.view<?x?xf16>, %n: index) {{
  %c0 = arith.constant 0 : index
  tile.parallel (%i) to (%n) {{
    %rows = tile.iota : tensor<64xi32>
    %column = tile.expand_dims %rows, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %by = arith.constant dense<128> : tensor<64x1xi32>
    %group = arith.divsi %column, %by : tensor<64x1xi32>
    %tall = tile.broadcast %group : tensor<64x1xi32> -> tensor<64x32xi32>
{PLACES}
    %base = tile.splat %s : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p = tile.ptr_add %base, {PLACE} : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %v = tile.gather %p : tensor<64x32x!tile.ptr<f16>> -> tensor<64x32xf16>
    tile.store %v, %o[%c0, %c0] : tensor<64x32xf16>, !tile.view<?x?xf16>
  }}
}}"""

NEXT, NEXT_ROW = doubled("next", "arith.muli", "i32", "%next")
READ, READ_ROW = doubled("row", "arith.xori", "i32", "%row")
NEST = f"""
tile.kernel @nest(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %each: i32, %tiles: i32, %count: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %before = arith.constant -1 : i32
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
  %n64 = arith.constant 64 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {{
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %first = arith.index_cast %i : index to i32
    %n = arith.muli %each, %tiles : i32
    %all = arith.index_cast %n : i32 to index
    %r:4 = scf.for %k = %c0 to %all step %c1 iter_args(%c = %before, %t = %first, %row = %n0, %s = %zero) -> (i32, i32, i32, tensor<64x64xf32>) {{
      %end = arith.subi %each, %n1 : i32
      %isEnd = arith.cmpi eq, %c, %end : i32
      %more = arith.addi %c, %n1 : i32
      %at = arith.select %isEnd, %n0, %more : i32
      %isFirst = arith.cmpi eq, %at, %n0 : i32
      %next = arith.addi %t, %n1 : i32
{NEXT}
{READ}
      %turn = arith.select %isFirst, %next, %t : i32
      %ofTurn = arith.select %isFirst, {NEXT_ROW}, {READ_ROW} : i32
      %from = arith.select %isFirst, {NEXT_ROW}, %row : i32
      %m = arith.index_cast %from : i32 to index
      %other = arith.index_cast %ofTurn : i32 to index
      %inner = arith.muli %at, %n64 : i32
      %l = arith.index_cast %inner : i32 to index
      %a = tile.load %x[%other, %l] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %b = tile.load %w[%l, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %isLast = arith.cmpi eq, %at, %end : i32
      %new = arith.select %isLast, %zero, %d : tensor<64x64xf32>
      scf.if %isLast {{
        tile.store %d, %y[%m, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
      }}
      scf.yield %at, %turn, %from, %new : i32, i32, i32, tensor<64x64xf32>
    }}
  }}
}}"""

LENGTHS, LENGTH = doubled("l", "arith.addi", "tensor<64xi32>", "%length")
STEER = f"""
tile.kernel @steer(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %lengths: !tile.view<?xi32>, %y: !tile.view<?x?xf32>, %count: index) {{
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {{
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %length = tile.load %lengths[%c0] : !tile.view<?xi32> -> tensor<64xi32>
{LENGTHS}
    %most = tile.reduce {LENGTH} axis 0 : tensor<64xi32> -> i32 combine (%p: i32, %q: i32) {{
      %r = arith.maxsi %p, %q : i32
      tile.yield %r : i32
    }}
    %to = arith.index_cast %most : i32 to index
    %sum = scf.for %c = %c0 to %to step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {{
      %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }}
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }}
}}"""

print({"gather": GATHER, "nest": NEST, "steer": STEER}[sys.argv[1]])
