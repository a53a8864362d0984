//===- Plan.cpp - Rules of the plan by itself -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an entry of a plan must be without its program: words from fixed lists
// and lists of equal length. Whether it fits the program is a question of the
// way down (lib/Sparse/Legal.cpp), which knows what loops it can write.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Einsum/Einsum.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sparse.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::einsum;

/// Of one index, and of what goes to one copy at a time.
static constexpr int64_t kMostAhead = 1024;
static constexpr int64_t kMostCopies = 1024, kMostChunk = int64_t(1) << 20;

LogicalResult NestOp::verify() {
  if (getOrder().size() != getLoops().size())
    return report(*this, diag::einsum_plan)
           << "the nest orders " << getOrder().size() << " indices and has "
           << getLoops().size() << " loops";
  // Their getters take them for unsigned.
  int64_t chunk = getChunkAttr().getInt(), width = getWidthAttr().getInt();
  if (chunk < 1 || chunk > (int64_t(1) << 20))
    return report(*this, diag::einsum_plan)
           << "a chunk is 1 to 1048576 instances, not " << chunk;
  if (width < 1 || width > 256 || (width & (width - 1)) != 0)
    return report(*this, diag::einsum_plan)
           << "the width is a power of two up to 256, not " << width;
  IntegerAttr ahead = getAheadAttr();
  if (ahead && (ahead.getInt() < 1 || ahead.getInt() > kMostAhead))
    return report(*this, diag::einsum_plan)
           << "rows are asked for 1 to " << kMostAhead
           << " iterations ahead, not " << ahead.getInt();
  if (getVector().empty() != (width == 1))
    return report(*this, diag::einsum_plan)
           << "a nest has a vector axis and a width above 1, or neither";
  return success();
}

LogicalResult StreamsOp::verify() {
  std::optional<ArrayRef<int64_t>> copies = getBy(), chunks = getChunks();
  if (!getParallel() && !copies && !chunks)
    return success();
  if (!getParallel() || !copies)
    return report(*this, diag::einsum_plan)
           << "has `by` or `chunks`, and no index that is parallel";
  size_t indices = getParallel()->size(), counts = copies->size();
  if (counts != indices)
    return report(*this, diag::einsum_plan)
           << "names " << indices << " indices that are parallel, and "
           << counts << " numbers of copies";
  if (chunks && chunks->size() != indices)
    return report(*this, diag::einsum_plan)
           << "names " << indices << " indices that are parallel, and "
           << chunks->size() << " chunks";
  for (int64_t count : *copies)
    if (count < 1 || count > kMostCopies)
      return report(*this, diag::einsum_plan)
             << "an index has 1 to " << kMostCopies << " parallel copies, not "
             << count;
  for (int64_t chunk : chunks.value_or(ArrayRef<int64_t>()))
    if (chunk < 1 || chunk > kMostChunk)
      return report(*this, diag::einsum_plan)
             << "1 to " << kMostChunk
             << " coordinates after one another go to one copy, not " << chunk;
  return success();
}
