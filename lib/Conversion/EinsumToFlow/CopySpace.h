//===- CopySpace.h - Parallel copies of a part of a graph -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a graph of streams and one of its spaces. Out: the graph with several
// copies of all primitives that stand below this space, between forks that deal
// out its tokens and collectors that bring together what leaves.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_EINSUMTOFLOW_COPYSPACE_H
#define HEDDLE_LIB_CONVERSION_EINSUMTOFLOW_COPYSPACE_H

#include "heddle/Dialect/Flow/Flow.h"

#include <optional>

namespace heddle {

struct SpaceCopies {
  mlir::StringAttr space;
  int64_t copies, chunk;
};

/// A graph that would have more primitives than kMostPrimitives.
struct TooManyPrimitives {
  mlir::StringAttr space; ///< whose copies are too many
  int64_t below;          ///< primitives that each copy of it would have
};
/// What the largest graphs that have been simulated had a third of.
inline constexpr int64_t kMostPrimitives = 16384;

/// Spaces are taken from the innermost to the outermost, so that copies of the
/// outer ones have copies of the inner ones in them. Those that are not in the
/// graph are left out. A graph that becomes too large is left between two
/// spaces.
std::optional<TooManyPrimitives> copySpaces(flow::GraphOp graph,
                                            std::vector<SpaceCopies> spaces);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_EINSUMTOFLOW_COPYSPACE_H
