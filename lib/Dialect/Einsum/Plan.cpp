//===- Plan.cpp - Rules of the plan by itself -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a nest of a plan must be without its program: words from fixed lists
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
  if (getVector().empty() != (width == 1))
    return report(*this, diag::einsum_plan)
           << "a nest has a vector axis and a width above 1, or neither";
  return success();
}
