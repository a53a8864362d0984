//===- VerifyResources.cpp - Registers, shared memory, warps, names ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules about a kernel's declarations: threads, registers, warps, named
// barriers, the places of rings. On a GPU a violation is a failed launch, or a
// `setmaxnreg` that waits for ever; here it is an error with a line. The limits
// come from lib/Machine.
//
//===----------------------------------------------------------------------===//

#include "VerifyKernel.h"

#include "heddle/Dialect/Hopper/LaunchRegisters.h"
#include "heddle/Dialect/Hopper/TargetLimits.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/CheckedMath.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace heddle::hopper {

static const machine::Limits &limits() { return targetLimits(); }

static LogicalResult verifyLaunch(KernelOp kernel) {
  int64_t threads = kernel.getThreads(), shared = kernel.getSharedBytes();
  if (threads < 32 || threads % 32 || threads > limits().threadsPerBlock)
    return reportOp(kernel, diag::hopper_kernel)
           << "needs whole warps, at most " << limits().threadsPerBlock
           << " threads, has " << threads << " threads";
  if (shared < 0 || shared > limits().sharedBytesPerBlock)
    return reportOp(kernel, diag::hopper_kernel)
           << "needs " << shared << " B of shared memory, sm_90a has "
           << limits().sharedBytesPerBlock << " B";
  return success();
}

/// Blocks that share a multiprocessor must fit there together.
static LogicalResult verifyBlocks(KernelOp kernel,
                                  ArrayRef<ProcessOp> processes) {
  for (auto grid : kernel.getOps<GridOp>()) {
    int64_t blocks = grid.getBlocks(), threads = kernel.getThreads();
    if (blocks < 1 || blocks > limits().blocksPerMultiprocessor)
      return reportOp(grid, diag::hopper_kernel)
             << "puts " << blocks
             << " blocks on a multiprocessor; it takes 1 to "
             << limits().blocksPerMultiprocessor;
    if (blocks * threads > limits().threadsPerMultiprocessor)
      return reportOp(grid, diag::hopper_kernel)
             << "puts " << blocks << " x " << threads
             << " threads on a multiprocessor; it takes "
             << limits().threadsPerMultiprocessor;
    int64_t shared = blocks * (int64_t(kernel.getSharedBytes()) + 1024);
    if (shared > limits().sharedBytesPerMultiprocessor)
      return reportOp(grid, diag::hopper_kernel)
             << "needs " << shared << " B of shared memory for " << blocks
             << " blocks; a multiprocessor has "
             << limits().sharedBytesPerMultiprocessor << " B";
    for (ProcessOp process : processes)
      if (grid.getEach() && process.getRegisters())
        return reportOp(process, diag::hopper_process)
               << "'" << process.getSym()
               << "' has a register budget, but nothing says how many blocks "
                  "share the multiprocessor's registers";
  }
  return success();
}

static LogicalResult verifyWarps(KernelOp kernel,
                                 ArrayRef<ProcessOp> processes) {
  int64_t teams = kernel.getTeams();
  int64_t all = int64_t(kernel.getThreads()) / 32;
  if (teams < 1 || teams > all || all % teams)
    return reportOp(kernel, diag::hopper_kernel)
           << "divides " << kernel.getThreads() << " threads among " << teams
           << " teams; each needs as many whole warps";
  if (teams > 1) {
    bool isEach = llvm::any_of(kernel.getOps<GridOp>(), [](GridOp grid) {
      return bool(grid.getEach());
    });
    bool waits = kernel
                     .walk([](Operation *op) {
                       return isa<RingOp, SyncOp>(op) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
                     })
                     .wasInterrupted();
    if (!isEach || processes.size() != 1 || kernel.getSharedBytes() || waits)
      return reportOp(kernel, diag::hopper_kernel)
             << "has " << teams
             << " teams a block; that needs `each`, one process, and neither "
                "shared memory nor barriers, which would be every team's";
  }
  int64_t warps = all / teams;
  SmallVector<ProcessOp> owner(warps);
  llvm::StringSet<> names;
  for (ProcessOp process : processes) {
    int64_t first = process.getFirstWarp(), count = process.getWarps();
    if (!names.insert(process.getSym()).second)
      return reportOp(process, diag::hopper_process)
             << "repeats the name '" << process.getSym() << "'";
    if (first < 0 || count < 1 || satAdd(first, count) > warps)
      return reportOp(process, diag::hopper_process)
             << "'" << process.getSym() << "' has warps " << first << " to "
             << satSub(satAdd(first, count), 1) << " of a block of " << warps;
    for (int64_t warp = first; warp < first + count; ++warp) {
      if (owner[warp])
        return reportOp(process, diag::hopper_process)
               << "'" << process.getSym() << "' shares warp " << warp
               << " with '" << owner[warp].getSym() << "'";
      owner[warp] = process;
    }
  }
  return success();
}

/// setmaxnreg moves registers within what the launch gave the block; a budget
/// that asks for more waits for ever.
static LogicalResult verifyRegisters(KernelOp kernel,
                                     ArrayRef<ProcessOp> processes) {
  int64_t threads = kernel.getThreads(), launched = launchedRegisters(kernel);
  int64_t asked = launched * threads;
  bool adjusts = false;
  for (ProcessOp process : processes) {
    int64_t budget = process.getRegisters();
    if (budget == 0)
      continue;
    adjusts = true;
    if (budget < 24 || budget > 256 || budget % 8)
      return reportOp(process, diag::hopper_process)
             << "'" << process.getSym() << "' has a budget of " << budget
             << " registers; it must be a multiple of 8 from 24 to 256";
    if (process.getFirstWarp() % 4 || process.getWarps() % 4)
      return reportOp(process, diag::hopper_process)
             << "'" << process.getSym()
             << "' has a register budget, which needs "
                "aligned groups of four warps";
    asked += (budget - launched) * 32 * int64_t(process.getWarps());
  }
  if (adjusts && asked > launched * threads)
    return reportOp(kernel, diag::hopper_process)
           << "budgets ask for " << asked
           << " registers, but the launch allocates " << launched << " x "
           << threads << " threads = " << launched * threads;
  return success();
}

/// ptxas gives a product no register that the launch does not, whatever
/// setmaxnreg adds later.
static LogicalResult verifyProducts(KernelOp kernel) {
  int64_t launched = launchedRegisters(kernel);
  int64_t beside = limits().productRegisters;
  WalkResult result = kernel.walk([&](WgmmaOp product) {
    auto sums = product.getFlight().getType().getValue();
    int64_t columns = sums.getDimSize(1);
    int64_t held = sums.getNumElements() * sums.getElementTypeBitWidth() / 32 /
                   limits().threadsPerGroup;
    if (held + beside <= launched)
      return WalkResult::advance();
    reportOp(product, diag::product_registers)
        << "adds to " << columns << " columns, which takes " << held
        << " registers of each thread and " << beside
        << " beside them, but of a launch of " << kernel.getThreads()
        << " threads each has " << launched << "; take at most "
        << (launched - beside) * 32 / sums.getElementTypeBitWidth() *
               limits().threadsPerGroup / sums.getDimSize(0) / 8 * 8
        << " columns, or tiles of fewer rows, which fewer groups multiply";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct Range {
  int64_t begin, end;
  RingOp ring;
  const char *what;
};
} // namespace

static LogicalResult verifyRings(KernelOp kernel) {
  llvm::StringSet<> names;
  SmallVector<Range> ranges;
  for (auto ring : kernel.getOps<RingOp>()) {
    int64_t depth = ring.getDepth();
    if (!names.insert(ring.getSym()).second)
      return reportOp(ring, diag::hopper_ring)
             << "repeats the name '" << ring.getSym() << "'";
    if (depth < 1 || int64_t(ring.getSlotBytes()) < 0)
      return reportOp(ring, diag::hopper_ring)
             << "'" << ring.getSym() << "' needs at least one slot";
    // From here on the sums fit: nothing is larger than shared memory.
    int64_t most = limits().sharedBytesPerBlock;
    for (int64_t bytes :
         {depth, int64_t(ring.getSlotBytes()), int64_t(ring.getOffset()),
          int64_t(ring.getFull()), int64_t(ring.getEmpty())})
      if (bytes < -most || bytes > most)
        return reportOp(ring, diag::hopper_ring)
               << "'" << ring.getSym() << "' has a depth, size or place of "
               << bytes << "; a block has " << most << " B of shared memory";
    for (int64_t arrivals : {ring.getFullArrivals(), ring.getEmptyArrivals()})
      if (arrivals < 1 || arrivals >= 1 << 20)
        return reportOp(ring, diag::hopper_ring)
               << "'" << ring.getSym() << "' has a barrier for " << arrivals
               << " arrivals";
    if (ring.getFull() % 8 || ring.getEmpty() % 8)
      return reportOp(ring, diag::hopper_ring)
             << "'" << ring.getSym()
             << "' has barriers that are not 8-byte aligned";
    auto place = [&](int64_t begin, int64_t slotBytes, const char *what) {
      ranges.push_back(
          {begin, satAdd(begin, satMul(depth, slotBytes)), ring, what});
    };
    place(ring.getOffset(), ring.getSlotBytes(), "slots");
    place(ring.getFull(), 8, "full barriers");
    place(ring.getEmpty(), 8, "empty barriers");
  }
  llvm::stable_sort(
      ranges, [](const Range &a, const Range &b) { return a.begin < b.begin; });
  for (auto [i, range] : llvm::enumerate(ranges)) {
    if (range.begin < 0 || range.end > int64_t(kernel.getSharedBytes()))
      return reportOp(range.ring, diag::hopper_ring)
             << "'" << range.ring.getSym() << "' has its " << range.what
             << " at " << range.begin << " to " << range.end
             << ", outside the kernel's " << kernel.getSharedBytes()
             << " B of shared memory";
    if (i && ranges[i - 1].end > range.begin && range.begin < range.end)
      return reportOp(range.ring, diag::hopper_ring)
             << "'" << range.ring.getSym() << "' has its " << range.what
             << " in the " << ranges[i - 1].what << " of '"
             << ranges[i - 1].ring.getSym() << "'";
  }
  return success();
}

/// Every thread that a barrier counts must be able to arrive, and no other.
static LogicalResult verifyNamedBarriers(ArrayRef<ProcessOp> processes) {
  struct Barrier {
    int64_t threads = 0, members = 0;
    Operation *first = nullptr;
  };
  SmallVector<Barrier> barriers(limits().namedBarriers);
  for (ProcessOp process : processes) {
    llvm::SmallDenseSet<int64_t> used;
    WalkResult result = process.getBody().walk([&](SyncOp sync) -> WalkResult {
      int64_t id = sync.getId(), threads = sync.getThreads();
      if (id < 1 || id >= limits().namedBarriers)
        return LogicalResult(reportOp(sync, diag::hopper_barrier)
                             << "uses barrier " << id
                             << "; processes have 1 to "
                             << limits().namedBarriers - 1);
      Barrier &barrier = barriers[id];
      if (barrier.first && barrier.threads != threads)
        return LogicalResult(reportOp(sync, diag::hopper_barrier)
                             << "counts " << threads << " threads at barrier "
                             << id << ", another counts " << barrier.threads);
      if (!barrier.first)
        barrier.first = sync;
      barrier.threads = threads;
      if (used.insert(id).second)
        barrier.members += int64_t(process.getWarps()) * 32;
      return success();
    });
    if (result.wasInterrupted())
      return failure();
  }
  for (auto [id, barrier] : llvm::enumerate(barriers))
    if (barrier.first && barrier.members != barrier.threads)
      return reportOp(barrier.first, diag::hopper_barrier)
             << "counts " << barrier.threads << " threads at barrier " << id
             << ", but the processes that use it have " << barrier.members;
  return success();
}

LogicalResult verifyResources(KernelOp kernel) {
  SmallVector<ProcessOp> processes(kernel.getOps<ProcessOp>());
  return failure(
      failed(verifyLaunch(kernel)) || failed(verifyBlocks(kernel, processes)) ||
      failed(verifyWarps(kernel, processes)) ||
      failed(verifyRegisters(kernel, processes)) ||
      failed(verifyProducts(kernel)) || failed(verifyRings(kernel)) ||
      failed(verifyNamedBarriers(processes)));
}

} // namespace heddle::hopper
