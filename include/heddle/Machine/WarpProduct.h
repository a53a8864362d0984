//===- WarpProduct.h - Products that warps and threads compute -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of tiles too small or too narrow for the instruction of a warp
// group, by mma.sync, which each warp executes on its own fragments. Here
// stands how the warps of a process divide a result among them, and which
// elements of operands and sums their lanes hold; the same for products of
// numbers that no such instruction takes, which threads add up one by one.
// Plain C++: the lowering chooses layouts by it, the expansion to threads reads
// registers by it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_WARPPRODUCT_H
#define HEDDLE_MACHINE_WARPPRODUCT_H

#include "heddle/Machine/Layout.h"

namespace heddle::machine {

/// One instruction: 16 rows, 8 columns, and 32 bytes of the contraction.
inline constexpr int64_t kWarpRows = 16, kWarpColumns = 8;
constexpr int64_t warpDepth(int64_t bits) { return 256 / bits; }

/// Warps along each axis of a result, powers of two; warps beyond their product
/// repeat the work of others.
struct WarpGrid {
  int64_t rows = 1, columns = 1;
  bool operator==(const WarpGrid &) const = default;
};

/// Along the rows first, whose sums then stay in one warp.
WarpGrid divideAmongWarps(int64_t rows, int64_t columns, int64_t warps);

/// PTX ISA, "Matrix fragments for mma.m16n8k16" and its kin: lane 4 g + t holds
/// rows g and g + 8 and columns 2 t and 2 t + 1 of each 16x8 block of the sums.
Layout makeWarpAccumulator(int64_t rows, int64_t columns, WarpGrid grid);

/// Operands of `bits` a number, 8, 16 or 32: `depth` is a multiple of
/// warpDepth(bits). Warps along the other axis hold the same.
Layout makeWarpOperandA(int64_t rows, int64_t depth, int64_t bits,
                        WarpGrid grid);
Layout makeWarpOperandB(int64_t depth, int64_t columns, int64_t bits,
                        WarpGrid grid);

/// Operand a of wgmma in registers, of 8 or 16 bits: fragments of its four
/// warps, one below the other.
Layout makeWgmmaOperandA(int64_t rows, int64_t depth, int64_t bits);

/// Sums that threads compute one by one, where no instruction multiplies
/// matrices: a grid of threads over the result, in whatever the extents leave.
Layout makeThreadSums(int64_t rows, int64_t columns, int64_t warps);

/// What each thread needs of the operands for its sums, all along the
/// contraction.
Layout makeThreadOperandA(const Layout &sums, int64_t depth);
Layout makeThreadOperandB(const Layout &sums, int64_t depth);

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_WARPPRODUCT_H
