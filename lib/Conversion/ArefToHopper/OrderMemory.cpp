//===- OrderMemory.cpp - Rewrite: global memory in program order ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderMemory.h"

#include "heddle/Analysis/TilePlaces.h"
#include "heddle/Dialect/Hopper/GlobalMemory.h"
#include "heddle/Dialect/Hopper/RegisterLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

namespace {

struct Access : tile::MemoryAccess {
  Operation *carrier =
      nullptr;         ///< the loop of whose iterations an earlier one made it
  bool isOver = false; ///< of a store by TMA: its issuer waited for it
  bool isMet = false;  ///< of one that is not over: threads have met since
};

using Accesses = SmallVector<Access>;

class Orderer {
public:
  Orderer(hopper::ProcessOp process, int64_t barrier)
      : process(process), barrier(barrier) {}

  /// Accesses since the last barrier behind `block`, given those before it.
  Accesses visit(Block &block, Accesses open);

private:
  Accesses visitLoop(Operation *loop, Accesses open);
  void putBarrier(Block &block, Block::iterator before, Location loc);

  hopper::ProcessOp process;
  int64_t barrier;
};

} // namespace

/// A reduction by TMA has a view to which the kernel only adds.
static std::optional<Access> accessOf(Operation *op) {
  if (auto store = dyn_cast<hopper::TmaStoreOp>(op); store && store.getAdd())
    return std::nullopt;
  if (std::optional<tile::MemoryAccess> access = hopper::memoryAccess(op))
    return Access{*access};
  return std::nullopt;
}

/// The tile of a load or store by threads; null of another access.
static RankedTensorType tileOf(Operation *op) {
  if (auto load = dyn_cast<hopper::GlobalLoadOp>(op))
    return cast<RankedTensorType>(load.getValue().getType());
  if (auto store = dyn_cast<hopper::GlobalStoreOp>(op))
    return cast<RankedTensorType>(store.getValue().getType());
  return {};
}

static OperandRange offsetsOf(Operation *op) {
  if (auto load = dyn_cast<hopper::GlobalLoadOp>(op))
    return load.getOffsets();
  return cast<hopper::GlobalStoreOp>(op).getOffsets();
}

static Value viewOf(Operation *op) {
  if (auto load = dyn_cast<hopper::GlobalLoadOp>(op))
    return load.getView();
  return cast<hopper::GlobalStoreOp>(op).getView();
}

/// A load and a store of one tile of a view in one layout: each thread meets
/// itself.
static bool staysInThread(const Access &a, const Access &b, int64_t warps) {
  RankedTensorType left = tileOf(a.op), right = tileOf(b.op);
  if (a.carrier || b.carrier || !left || left != right ||
      viewOf(a.op) != viewOf(b.op))
    return false;
  std::optional<machine::Layout> layout = hopper::getLayout(left);
  if (!layout || idleLaneBits(*layout) || idleWarpBits(*layout, warps))
    return false; // of several holders another one may act
  return llvm::equal(offsetsOf(a.op), offsetsOf(b.op), isSameNumber);
}

/// Whether `offset` is the number of the loop's iteration, or the larger of it
/// and 0: numbers are not negative.
static bool isIterationOf(scf::ForOp loop, Value offset) {
  if (auto larger = offset.getDefiningOp<arith::MaxSIOp>();
      larger && matchPattern(larger.getRhs(), m_Zero()))
    offset = larger.getLhs();
  return offset == loop.getInductionVar();
}

/// Iterations walk along an axis of a view by no less than their tiles take of
/// it, so that none meets another's elements.
static bool staysApart(const Access &earlier, const Access &access) {
  auto loop = dyn_cast_or_null<scf::ForOp>(earlier.carrier);
  RankedTensorType left = tileOf(earlier.op), right = tileOf(access.op);
  if (!loop || !left || !right || viewOf(earlier.op) != viewOf(access.op) ||
      !loop.isDefinedOutsideOfLoop(viewOf(access.op)))
    return false;
  APInt lower, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
      lower.isNegative() || !step.isStrictlyPositive())
    return false;
  OperandRange before = offsetsOf(earlier.op), now = offsetsOf(access.op);
  auto extentOf = [&](RankedTensorType tile, int64_t axis) {
    int64_t own = axis - (int64_t(now.size()) - tile.getRank());
    return own < 0 ? 1 : tile.getDimSize(own);
  };
  for (int64_t axis = 0; axis < int64_t(now.size()); ++axis)
    if (isIterationOf(loop, before[axis]) && isIterationOf(loop, now[axis]) &&
        step.sge(std::max(extentOf(left, axis), extentOf(right, axis))))
      return true;
  return false;
}

static bool needsOrder(const Access &earlier, const Access &access,
                       int64_t warps) {
  bool areByThreads = tileOf(earlier.op) && tileOf(access.op);
  return tile::mayConflict(earlier, access) &&
         !staysInThread(earlier, access, warps) &&
         !(areByThreads && lieApart(earlier.op, access.op)) &&
         !staysApart(earlier, access);
}

static std::optional<tile::MemoryOrder> orderOf(Operation *op) {
  if (auto update = dyn_cast<tile::AtomicRmwOp>(op))
    return update.getOrder();
  if (auto swap = dyn_cast<tile::AtomicCasOp>(op))
    return swap.getOrder();
  return std::nullopt;
}

/// One thread updates each element, for all threads of the process: what those
/// did before must be before a release, and what they do next after an acquire.
static bool releases(Operation *op) {
  auto order = orderOf(op);
  return order == tile::MemoryOrder::Release ||
         order == tile::MemoryOrder::AcqRel;
}

static bool acquires(Operation *op) {
  auto order = orderOf(op);
  return order == tile::MemoryOrder::Acquire ||
         order == tile::MemoryOrder::AcqRel;
}

void Orderer::putBarrier(Block &block, Block::iterator before, Location loc) {
  OpBuilder builder(&block, before);
  hopper::SyncOp::create(builder, loc, barrier, process.getWarps() * 32);
}

static Accesses unite(Accesses a, const Accesses &b) {
  llvm::append_range(a, b);
  return a;
}

/// Stores by TMA are over when their issuer has waited for them, which it tells
/// the others at a barrier.
static bool isUnderWay(const Access &access) {
  return isa<hopper::TmaStoreOp>(access.op);
}

/// What a barrier leaves open.
static void meet(Accesses &open) {
  llvm::erase_if(open, [](const Access &access) {
    return !isUnderWay(access) || access.isOver;
  });
  for (Access &access : open)
    access.isMet = true;
}

/// What an iteration leaves open meets the next one's accesses; instances are
/// not ordered.
Accesses Orderer::visitLoop(Operation *loop, Accesses open) {
  if (!tile::isOrderedLoop(loop))
    return unite(open, visit(loop->getRegion(0).front(), open));
  Accesses inside;
  loop->walk([&](Operation *op) {
    if (std::optional<Access> access = accessOf(op)) {
      access->carrier = loop;
      inside.push_back(*access);
    }
  });
  if (inside.empty())
    return open;
  open = unite(std::move(open), inside);
  Accesses last = open;
  for (Region &region : loop->getRegions())
    last = visit(region.front(), last);
  return unite(std::move(open), last);
}

Accesses Orderer::visit(Block &block, Accesses open) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<hopper::SyncOp>(op)) {
      meet(open);
    } else if (auto wait = dyn_cast<hopper::TmaStoreWaitOp>(op)) {
      for (Access &access : open)
        access.isOver |= wait.getComplete() && wait.getPending() == 0;
    } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
      open = visitLoop(&op, std::move(open));
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      Accesses after = visit(branch.getThenRegion().front(), open);
      if (!branch.getElseRegion().empty())
        open = visit(branch.getElseRegion().front(), open);
      open = unite(std::move(after), open);
    } else if (std::optional<Access> access = accessOf(&op)) {
      bool meets = releases(&op) && llvm::any_of(open, [](const Access &each) {
                     return !each.isMet;
                   });
      bool waits = false;
      for (const Access &earlier : open) {
        // Stores by TMA wait for one another where they are made.
        if (!needsOrder(earlier, *access, process.getWarps()) ||
            (isUnderWay(*access) && earlier.isMet))
          continue;
        meets = true;
        waits |= isUnderWay(earlier) && !earlier.isOver && !isUnderWay(*access);
      }
      if (waits) {
        OpBuilder builder(&op);
        hopper::TmaStoreWaitOp::create(builder, op.getLoc(), /*pending=*/0,
                                       /*complete=*/true);
        for (Access &earlier : open)
          earlier.isOver = true;
      }
      if (meets) {
        putBarrier(block, op.getIterator(), op.getLoc());
        meet(open);
      }
      open.push_back(*access);
      if (acquires(&op)) {
        Operation *next = op.getNextNode(); // none behind a process's last
        putBarrier(block, std::next(op.getIterator()),
                   next ? next->getLoc() : op.getLoc());
        open.clear();
      }
    }
  }
  return open;
}

/// The process's own barrier, or one that nobody uses: `next`, which counts on.
static int64_t findBarrier(hopper::ProcessOp process, int64_t &next) {
  std::optional<int64_t> own;
  process.getBody().walk([&](hopper::SyncOp sync) { own = sync.getId(); });
  return own ? *own : next++;
}

void heddle::areftohopper::orderMemory(hopper::KernelOp kernel) {
  int64_t next = 1;
  kernel.walk([&](hopper::SyncOp sync) {
    next = std::max<int64_t>(next, int64_t(sync.getId()) + 1);
  });
  for (auto process : kernel.getOps<hopper::ProcessOp>()) {
    if (process.getElected())
      continue;
    int64_t barrier = findBarrier(process, next);
    Orderer(process, barrier).visit(process.getBody().front(), {});
  }
}
