//===- MemoryTime.cpp - What memory adds to a kernel of streams -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryTime.h"

#include "heddle/Dialect/Flow/Flow.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

/// Reads of which each needs what the one before found.
static int64_t readsOf(mlir::Operation *op) {
  if (auto scan = dyn_cast<flow::ScanOp>(op)) {
    auto type = cast<mlir::RankedTensorType>(scan.getTensor().getType());
    // Where a fiber lies, then its coordinates.
    return flow::isDenseLevel(type, int64_t(scan.getLevel())) ? 0 : 2;
  }
  return isa<flow::ValuesOp>(op);
}

KernelMemory
heddle::tool::findMemory(ArrayRef<mlir::Operation *> kernel,
                         const DenseMap<mlir::Operation *, int64_t> &lines) {
  KernelMemory memory;
  DenseMap<mlir::Operation *, int64_t> reads;
  for (mlir::Operation *op : kernel) {
    int64_t before = 0;
    for (mlir::Value operand : op->getOperands())
      if (isa<flow::StreamType>(operand.getType()))
        before = std::max(before, reads.lookup(operand.getDefiningOp()));
    int64_t all = reads[op] = before + readsOf(op);
    memory.chain = std::max(memory.chain, all);
    memory.lines += lines.lookup(op);
  }
  return memory;
}

int64_t heddle::tool::cyclesOfLines(const machine::Units &units,
                                    const KernelMemory &memory) {
  return int64_t(divideCeil(uint64_t(memory.lines * units.interval),
                            uint64_t(units.channels)));
}

int64_t heddle::tool::addMemory(const machine::Units &units,
                                const KernelMemory &memory, int64_t cycles) {
  return std::max(cycles, cyclesOfLines(units, memory)) +
         memory.chain * units.latency;
}
