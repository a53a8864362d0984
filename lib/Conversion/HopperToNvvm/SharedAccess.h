//===- SharedAccess.h - Addresses of a register tile in shared memory -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The offset of an element is fixed(coord) + chunk(coord), the first additive
// and the second linear under exclusive or over coordinates with disjoint bits.
// So a thread computes fixed and chunk of its own coordinate once; a register
// adds constants, and at most eight exclusive ors serve all registers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SHAREDACCESS_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SHAREDACCESS_H

#include "Emitter.h"

namespace heddle::tonvvm {

class SharedAccess {
public:
  /// `layout` gives the coordinates that lanes and warps add; `base` is the
  /// tile.
  SharedAccess(Code &code, const machine::Layout &layout,
               const machine::SharedLayout &shared, const Threads &threads,
               mlir::Value base);

  /// The address of the element that is `coord` further than the thread's own.
  mlir::Value pointer(const machine::Coord &coord);

private:
  Code &code;
  machine::SharedLayout shared;
  mlir::Value fixed; ///< base + the additive part of the thread
  mlir::Value chunk; ///< the other part, in bytes
  llvm::SmallDenseMap<int64_t, mlir::Value>
      pointers; ///< by the register's chunk
};

/// The same offsets hold only if no two vectors of a layout share a bit and the
/// registers' coordinates are disjoint from the threads'.
bool hasDisjointBits(const machine::Layout &layout);

/// How many registers in a row lie side by side in shared memory: a power of
/// two, at most 16 bytes, aligned for every thread.
int64_t vectorWidth(const machine::Layout &layout,
                    const machine::SharedLayout &shared);

/// The 8x8 blocks of a register tile as ldmatrix and stmatrix move them.
struct MatrixPlan {
  bool transposed = false;
  machine::Layout
      rows; ///< lane l gives the address of row l % 8 of matrix l / 8
  struct Group {
    machine::Coord coord = {};               ///< of the first matrix
    llvm::SmallVector<int, 4> firstRegister; ///< of each matrix: a pair
  };
  std::vector<Group> groups;
};
std::optional<MatrixPlan> planMatrices(const machine::Layout &layout,
                                       const machine::SharedLayout &shared);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SHAREDACCESS_H
