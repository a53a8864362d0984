//===- HostDivisor.h - Divisions by numbers of the host ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles are numbered, and their numbers divided by counts of tiles, which every
// launch knows: the host passes reciprocals (Manifest/Reciprocal.h) to a thread
// that only starts copies, since the first products wait for these. Threads
// that multiply divide by themselves: beside products that run it costs
// nothing, and groups that begin a tile as soon as they can fall in step, which
// costs up to 11 % (docs/lab/2026-11-28-reciprocals-of-the-host.md). The
// signature of a kernel and its expansion to threads both ask here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_HOSTDIVISOR_H
#define HEDDLE_CONVERSION_HOSTDIVISOR_H

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Manifest/Manifest.h"

#include <optional>

namespace heddle {

/// By which a division divides.
struct HostDivisor {
  manifest::Expr expr;
  /// Where the divisor is this constant, it is not `expr`; 0: it always is.
  int64_t otherwise = 0;
  bool isWorkers = false; ///< as many as the launch has
};

/// Of a quotient or remainder of indices that one thread of a process computes;
/// they lie from 0 to 2^31 - 1 on both sides (NumberWidths.h). Nothing for
/// other ops, where a constant divides, and where the host does not know what
/// does.
std::optional<HostDivisor> findHostDivisor(hopper::KernelOp kernel,
                                           mlir::Operation *op);

} // namespace heddle

#endif // HEDDLE_CONVERSION_HOSTDIVISOR_H
