//===- LinearIndex.h - Sums over the bits of a lane or warp index -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a weight for each bit of a lane's or warp's number. Out: scalar code for
// the sum over the bits that are set. Layouts are linear, so a thread's
// coordinates, its offsets in shared memory and its numbers of an iota are all
// such sums; one place keeps their code short.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_LINEARINDEX_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_LINEARINDEX_H

#include "Emitter.h"

namespace heddle::tonvvm {

/// The sum of weights[i] over the bits i set in `index`: runs of doubling
/// weights take one shift, mask and multiplication.
mlir::Value emitWeightedBits(Code &code, mlir::Value index,
                             llvm::ArrayRef<int64_t> weights);

/// The thread's part of a quantity that is a sum over lane and warp bits; the
/// weight of a bit is `weigh` of its coordinate vector.
mlir::Value
emitThreadSum(Code &code, const machine::Layout &layout, const Threads &threads,
              llvm::function_ref<int64_t(const machine::Coord &)> weigh);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_LINEARINDEX_H
