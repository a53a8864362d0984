//===- Replicas.cpp - Elements that several threads hold --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Replicas.h"

#include <map>

using namespace mlir;
using heddle::machine::Coord;

namespace heddle::tonvvm {

std::vector<int> firstReplicas(const machine::Layout &layout) {
  std::map<Coord, int> holder;
  std::vector<int> first;
  for (int index = 0; index < layout.registerCount(); ++index)
    if (holder.try_emplace(layout.registerCoordinate(index), index).second)
      first.push_back(index);
  return first;
}

bool hasWarpReplicas(const machine::Layout &layout, int64_t warps) {
  return idleWarpBits(layout, warps) != 0;
}

Value emitActs(Code &code, const machine::Layout &layout,
               const Threads &threads) {
  int64_t lanes = idleLaneBits(layout);
  int64_t warps =
      idleWarpBits(layout, hopper::ProcessOp(threads.process).getWarps());
  Value acts;
  for (auto [index, bits] :
       {std::pair(threads.lane, lanes), std::pair(threads.warp, warps)}) {
    if (!bits)
      continue;
    Value first = code.isEqual(code.bitAnd(index, bits), 0);
    acts = acts ? code.bitAnd(acts, first) : first;
  }
  return acts;
}

void spreadReplicas(Code &code, const machine::Layout &layout,
                    const Threads &threads, Registers &values) {
  if (int64_t idle = idleLaneBits(layout)) {
    Value source = code.bitAnd(threads.lane, ~idle & 31);
    for (Value &value : values)
      if (value)
        value = code.shuffleWide(value, source);
  }
  std::map<Coord, Value> known;
  for (int index = 0; index < layout.registerCount(); ++index) {
    Value &first = known[layout.registerCoordinate(index)];
    if (!first)
      first = values[index];
    values[index] = first;
  }
}

} // namespace heddle::tonvvm
