//===- LinearIndex.cpp - Sums over the bits of a lane or warp index ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinearIndex.h"

using namespace mlir;

namespace heddle::tonvvm {

Value emitWeightedBits(Code &code, Value index, ArrayRef<int64_t> weights) {
  Value sum;
  for (size_t first = 0; first < weights.size();) {
    size_t end = first + 1;
    while (end < weights.size() && weights[first] &&
           weights[end] == 2 * weights[end - 1])
      ++end;
    if (weights[first]) {
      Value field = code.bitAnd(code.shiftRight(index, first),
                                (int64_t(1) << (end - first)) - 1);
      Value term = code.mul(field, weights[first]);
      sum = sum ? code.add(sum, term) : term;
    }
    first = end;
  }
  return sum ? sum : code.i32(0);
}

Value emitThreadSum(Code &code, const machine::Layout &layout,
                    const Threads &threads,
                    llvm::function_ref<int64_t(const machine::Coord &)> weigh) {
  SmallVector<int64_t> laneWeights, warpWeights;
  for (const machine::Coord &vector : layout.lane)
    laneWeights.push_back(weigh(vector));
  for (const machine::Coord &vector : layout.warp)
    warpWeights.push_back(weigh(vector));
  Value lanes = emitWeightedBits(code, threads.lane, laneWeights);
  return code.add(lanes, emitWeightedBits(code, threads.warp, warpWeights));
}

} // namespace heddle::tonvvm
