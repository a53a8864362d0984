//===- SmallModel.h - Every order of steps of a small protocol ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The referee of the prover's tests. It has none of the prover's ideas, no
// partial order and no unknown trip counts, only every interleaving for given
// numbers. That takes exponential time, so its protocols are small.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_CHECK_SMALLMODEL_H
#define HEDDLE_UNITTESTS_CHECK_SMALLMODEL_H

#include "Unrolled.h"

#include <optional>

namespace heddle::check {

/// Executes all interleavings of warps, copies and products, with barriers as
/// the hardware has them: a parity, a count, bytes. Returns what goes wrong in
/// one of them, or nothing. The processes are small: each warp that a process
/// has is a thread here, and writes its share of a tile.
std::optional<std::string> findFault(const Protocol &protocol,
                                     const Symbols &symbols);

} // namespace heddle::check

#endif // HEDDLE_UNITTESTS_CHECK_SMALLMODEL_H
