//===- ChooseBlocks.cpp - Decide: thread blocks a multiprocessor ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChooseBlocks.h"

#include "heddle/Machine/Limits.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

/// Bytes that must be on their way from memory for a multiprocessor to get its
/// share of the bandwidth, which is bandwidth times latency (Little). Measured
/// with bench/rowwise.py on an H200: rows of 8 KiB at 3, 4, 5, 6, 7 and 9
/// blocks give 0.74, 0.83, 0.91, 0.89, 0.86 and 0.85 of a copy. More blocks
/// than that only spread the accesses over more pages of the DRAM.
static constexpr int64_t kBytesInFlight = 40 * 1024;

int64_t heddle::areftohopper::countStreamedBytes(aref::ProcessOp process) {
  llvm::SetVector<Operation *> varying;
  for (auto loop : process.getBody().getOps<scf::ForOp>())
    getForwardSlice(loop.getInductionVar(), &varying);
  llvm::MapVector<Block *, int64_t> bytes;
  for (Operation *op : varying)
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      auto type = cast<RankedTensorType>(load.getType());
      bytes[op->getBlock()] +=
          type.getNumElements() * elementBits(type.getElementType()) / 8;
    }
  int64_t most = 0;
  for (auto &[block, sum] : bytes)
    most = std::max(most, sum);
  return most;
}

int64_t heddle::areftohopper::chooseBlocks(int64_t threads, int64_t live,
                                           int64_t sharedBytes,
                                           int64_t streamedBytes) {
  constexpr int64_t kAddressesAndCounters = 24;
  // A block's own bookkeeping, which the hardware adds.
  constexpr int64_t kReservedSharedBytes = 1024;
  const machine::Limits &limits = machine::hopperLimits();
  int64_t registers = llvm::alignTo(live + kAddressesAndCounters, 8);
  int64_t blocks =
      std::min({limits.threadsPerMultiprocessor / threads,
                limits.registersPerMultiprocessor / (registers * threads),
                limits.sharedBytesPerMultiprocessor /
                    (sharedBytes + kReservedSharedBytes),
                limits.blocksPerMultiprocessor});
  if (streamedBytes)
    blocks = std::min<int64_t>(blocks,
                               llvm::divideCeil(kBytesInFlight, streamedBytes));
  return std::max<int64_t>(blocks, 1);
}
