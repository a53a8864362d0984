# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of a sparse matrix that are too long for one warp, cut into parts for a product on a GPU.

A warp walks a row alone, some of its elements a turn, and turns wait for memory one after the
other. So a launch lasts as long as its longest row, if that has more turns than each warp that
runs at once has to take anyhow. Then long rows are cut into equal parts, which are rows of
their own in a first launch; a second adds the parts of a row in their order, so that a result
has the same bits each time. A short row is its only part and is written where it belongs.
"""

import collections

TURN = 8  # elements whose rows a warp has under way, as tile-group-iterations has it
FEWEST_TURNS = 4  # of a part: below, starting a warp takes longer than its turns

Decision = collections.namedtuple("Decision", "limit because")


def decide(longest, turns, warps):
    """Whether and where rows are cut: a limit of elements, 0 for none, and why.

    longest: elements of the longest row. turns: of all rows together, times tiles of a row.
    warps: how many run at once.
    """
    own = -(-longest // TURN)
    share = max(-(-turns // max(warps, 1)), FEWEST_TURNS)
    facts = f"the longest row, of {longest} elements, is {own} turns of a warp, and each of {warps} warps has {share}"
    if own <= 2 * share:
        return Decision(0, f"{facts}: no row is cut")
    return Decision(share * TURN, f"{facts}: longer rows are cut into parts of at most {share * TURN}")


_TYPES = """\
!e = f32
!s = f32
!i = i32
tile.param @D : {32, 64, 128} = 64
!numbers = !tile.view<?x!i>
!number = tensor<1x!i>
!elements = !tile.view<?x!e>
!rows = !tile.view<?x?x!e>
!sums = !tile.view<?x?x!s>
!row = tensor<?x!e, #tile.shape<"D">>
!sum = tensor<?x!s, #tile.shape<"D">>
"""

_START = """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : !s
  %width = tile.param_value @D : index
  %parts = tile.dim %targets, 0 : !numbers
  %columns = tile.dim %out, 1 : !rows
  %tiles = arith.ceildivui %columns, %width : index
  tile.parallel (%p, %n) to (%parts, %tiles) {
    %next = arith.addi %p, %c1 : index
    %from_tile = tile.load %positions[%p] : !numbers -> !number
    %to_tile = tile.load %positions[%next] : !numbers -> !number
    %target_tile = tile.load %targets[%p] : !numbers -> !number
    %from_i = tile.unsplat %from_tile : !number -> !i
    %to_i = tile.unsplat %to_tile : !number -> !i
    %target_i = tile.unsplat %target_tile : !number -> !i
    %from = arith.index_cast %from_i : !i to index
    %to = arith.index_cast %to_i : !i to index
    %target = arith.index_cast %target_i : !i to index
    %column = arith.muli %n, %width : index
    %none = tile.splat %zero : !s -> !sum
"""

# A part is written to the result, or to the parts that are added later: one of the two places
# lies outside of its view, where nothing is written.
PARTS = _TYPES + """
tile.kernel @parts(%positions: !numbers, %targets: !numbers, %coordinates: !numbers,
                   %values: !elements, %table: !rows, %out: !rows, %rest: !sums) {
""" + _START + """\
    %rows = tile.dim %out, 0 : !rows
    %later = arith.subi %target, %rows : index
    %sum = scf.for %k = %from to %to step %c1 iter_args(%s = %none) -> (!sum) {
      %r_tile = tile.load %coordinates[%k] : !numbers -> !number
      %r_i = tile.unsplat %r_tile : !number -> !i
      %r = arith.index_cast %r_i : !i to index
      %v_own = tile.load %values[%k] : !elements -> tensor<1x!e>
      %v = tile.cast %v_own : tensor<1x!e> -> tensor<1x!s>
      %weight = tile.broadcast %v : tensor<1x!s> -> !sum
      %row_own = tile.load %table[%r, %column] : !rows -> !row
      %row = tile.cast %row_own : !row -> !sum
      %more = math.fma %weight, %row, %s : !sum
      scf.yield %more : !sum
    }
    %rounded = tile.cast %sum : !sum -> !row
    tile.store %rounded, %out[%target, %column] : !row, !rows
    tile.store %sum, %rest[%later, %column] : !sum, !sums
  }
}
"""

JOIN = _TYPES + """
tile.kernel @join(%positions: !numbers, %targets: !numbers, %rest: !sums, %out: !rows) {
""" + _START + """\
    %sum = scf.for %k = %from to %to step %c1 iter_args(%s = %none) -> (!sum) {
      %row = tile.load %rest[%k, %column] : !sums -> !sum
      %more = arith.addf %s, %row : !sum
      scf.yield %more : !sum
    }
    %rounded = tile.cast %sum : !sum -> !row
    tile.store %rounded, %out[%target, %column] : !row, !rows
  }
}
"""


WIDTHS = (32, 64, 128)  # of a tile of a row


def tiles_of(columns):
    return -(-columns // WIDTHS[-1])


def settings_of(element, index, columns):
    """Of the two programs, for elements, index arrays and rows of so many columns."""
    width = next((width for width in WIDTHS if width >= columns), WIDTHS[-1])
    return {"e": element, "s": "f64" if element == "f64" else "f32", "i": index, "D": width}
