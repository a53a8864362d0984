//===- BulkDetail.h - Facts of a bulk copy instruction -----------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decoded form of a bulk copy: BulkOps.cpp decodes and issues it, Bulk.cpp
// carries it out later. Operands are known by their position among the sources,
// because rank and options decide how many there are.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_BULKDETAIL_H
#define HEDDLE_LIB_EMULATOR_BULKDETAIL_H

#include "AsyncQueues.h"

namespace heddle::emulator {

/// The `...At` fields are positions in the instruction's sources.
struct BulkDetail : Detail {
  BulkCopy::Kind kind = BulkCopy::Kind::Load;
  int rank = 0; ///< 0: no tensor map
  int sharedAt = 0;
  int globalAt = 0;
  int mapAt = 0; ///< the coordinates follow
  bool isIm2col = false;
  int offsetsAt = 0; ///< im2col: one for each pixel axis
  int bytesAt = 0;
  int barrierAt = 0;
  int64_t barrierOffset = 0;
  bool isMulticast = false;
  int targetsAt = 0;      ///< multicast: ranks of CTAs, a bit each
  uint32_t operation = 0; ///< reductions
  Type type = Type::None; ///< reductions without a map
};

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_BULKDETAIL_H
