//===- TrapRecord.cpp - What a wait leaves behind when it traps -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Manifest/TrapRecord.h"

using namespace heddle::manifest;

static std::string barrierText(const Variant &variant,
                               const TrapRecord &record) {
  int64_t offset = record.barrier;
  for (const Ring &ring : variant.rings)
    for (bool isFull : {true, false}) {
      int64_t first = isFull ? ring.fullBarrier : ring.emptyBarrier;
      if (offset < first || (offset - first) / 8 >= ring.depth)
        continue;
      return std::string(isFull ? "full" : "empty") + " barrier of slot " +
             std::to_string((offset - first) / 8) + " of ring '" + ring.name +
             "', turn " + std::to_string(record.items / uint32_t(ring.depth));
    }
  return "mbarrier at byte " + std::to_string(offset) +
         " of dynamic shared memory";
}

std::string heddle::manifest::describe(const Variant &variant,
                                       const TrapRecord &record) {
  if (!record.isTaken)
    return "";
  std::string who = "a thread";
  for (const Process &process : variant.processes)
    if (int(record.warp) >= process.firstWarp &&
        int(record.warp) < process.firstWarp + process.warpCount)
      who = "process '" + process.name + "'";
  return who + " (warp " + std::to_string(record.warp) + ", CTA " +
         std::to_string(record.cta) + ") waited 2 s for the " +
         barrierText(variant, record);
}
