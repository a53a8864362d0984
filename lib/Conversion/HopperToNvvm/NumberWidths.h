//===- NumberWidths.h - Where 32 bits of an index are enough ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index is a number of 64 bits; threads hold its lower 32 in a register.
// Additions, products and selections need no more: their lower bits depend on
// lower bits alone. Comparisons, divisions, the ends of loops and coordinates
// read the number itself. A *need* is such a place, with what must be true of
// the number there. The pass that widens numbers and the expansion to threads,
// which checks that nothing is left to widen, both ask here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_NUMBERWIDTHS_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_NUMBERWIDTHS_H

#include "heddle/Analysis/Numbers.h"

namespace heddle::tonvvm {

struct WidthNeed {
  enum Kind {
    Fits,       ///< from -2^31 to 2^31 - 1
    Positive,   ///< from 0 to 2^31 - 1
    Quotient,   ///< fits, and is not divided as -2^31 by -1
    Coordinate, ///< not so far outside that 32 bits lie inside of a view
    Merged,     ///< a coordinate that is divided: the whole tile's fits
    Window,     ///< all places of all windows fit; no operand's own
    LoopEnd,    ///< the point behind the last one fits the loop's type
    NotBefore,  ///< a store by TMA begins in the view or behind it
  };
  mlir::Operation *op = nullptr;
  unsigned operand = 0; ///< unless LoopEnd or Window
  Kind kind = Fits;

  mlir::Value value() const { return op->getOperand(operand); }
};

/// In program order.
std::vector<WidthNeed> collectWidthNeeds(hopper::KernelOp kernel);

/// The places at which TMA stores, in program order. No width meets these: a
/// store that begins before the view is an illegal instruction.
std::vector<WidthNeed> collectStoredPlaces(hopper::KernelOp kernel);

/// Of a store by TMA that stores nothing where one of its places is negative:
/// threads do.
inline constexpr llvm::StringLiteral kInViewOnlyAttr = "hopper.in_view_only";

/// What must not be negative for the need to be met.
std::vector<LinearForm> goalsOf(const WidthNeed &need, Numbers &numbers);

bool isMet(const WidthNeed &need, Numbers &numbers);

/// The 64 bits of which a view's stride was made, which the emitter takes in
/// place of the index; null if there are none.
mlir::Value beforeCast(mlir::Value stride);

/// An error unless every need of the kernel is met.
llvm::LogicalResult verifyNumberWidths(hopper::KernelOp kernel);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_NUMBERWIDTHS_H
