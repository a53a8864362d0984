//===- SharedTile.h - Decide: how a tile lies in shared memory -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an element of a ring, with the operations that fill and read it. Out: its
// axis order and swizzle in shared memory. TMA writes in the order of the view,
// and wgmma reads only some orders. Both rules are weighed here once, because a
// tile in a wrong order gives wrong numbers and no error.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_SHAREDTILE_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_SHAREDTILE_H

#include "KernelFacts.h"
#include "heddle/Dialect/Hopper/Hopper.h"

namespace heddle::areftohopper {

/// Order from the views that fill the element (or its use, when registers do),
/// the widest swizzle that divides its rows. Diagnoses operands that wgmma
/// cannot address.
mlir::FailureOr<hopper::SmemType> chooseSharedTile(const RingFacts &ring,
                                                   unsigned element,
                                                   const KernelFacts &facts);

/// A loaded tile in a slot from which threads make another one, element by
/// element.
struct SlotSource {
  llvm::SmallVector<int64_t> order; ///< axes of the tile made, fastest first
  int64_t elementBits = 0;
  /// Where the slot's axes were merged, the neighbours that it has in a row
  /// along the fastest; else 0, for all.
  int64_t run = 0;
  int64_t repeats = 1; ///< elements of the tile for one of the slot
};

/// The first that `value` is made of; of tiles of 2 axes only.
std::optional<SlotSource> findSlotSource(mlir::Value value,
                                         const KernelFacts &facts);

/// The widest swizzle of 128, 64 and 32 bytes that divides `rowBytes`; 0 if
/// none.
int64_t widestSwizzle(int64_t rowBytes);

/// Why TMA cannot move the tile at `offsets`; "" if it can. Alignment of
/// pointers and strides is not asked here: it selects the variant at launch.
std::string whyNotTma(tile::ViewType view, mlir::ValueRange offsets,
                      hopper::SmemType tile);

/// Where a shared tile of this type may start.
int64_t alignmentOf(hopper::SmemType tile);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_SHAREDTILE_H
