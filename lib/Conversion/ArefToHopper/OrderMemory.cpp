//===- OrderMemory.cpp - Rewrite: global memory in program order ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderMemory.h"

#include "heddle/Dialect/Hopper/RegisterLayout.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

namespace {

struct Access : tile::MemoryAccess {
  Operation *carrier =
      nullptr; ///< the loop of whose iterations an earlier one made it
};

using Accesses = SmallVector<Access>;

class Orderer {
public:
  explicit Orderer(hopper::ProcessOp process, int64_t barrier)
      : process(process), barrier(barrier) {}

  /// Accesses since the last barrier behind `block`, given those before it.
  Accesses visit(Block &block, Accesses open);

private:
  Accesses visitLoop(Operation *loop, Accesses open);
  void putBarrier(Block::iterator before);

  hopper::ProcessOp process;
  int64_t barrier;
};

} // namespace

static std::optional<Access> accessOf(Operation *op) {
  return TypeSwitch<Operation *, std::optional<Access>>(op)
      .Case<hopper::GlobalLoadOp, hopper::CopyOp, hopper::TmaLoadOp>(
          [](auto op) {
            return Access{{op, tile::rootArgument(op.getView()), true, false}};
          })
      .Case<hopper::GlobalStoreOp, hopper::TmaStoreOp>([](auto op) {
        return Access{{op, tile::rootArgument(op.getView()), false, true}};
      })
      .Default([](Operation *op) -> std::optional<Access> {
        if (std::optional<tile::MemoryAccess> access = tile::memoryAccess(op))
          return Access{*access};
        return std::nullopt;
      });
}

static bool sameValue(Value a, Value b) {
  APInt left, right;
  return a == b || (matchPattern(a, m_ConstantInt(&left)) &&
                    matchPattern(b, m_ConstantInt(&right)) && left == right);
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

/// A load and a store of one tile in one layout: each thread meets itself.
static bool staysInThread(const Access &a, const Access &b, int64_t warps) {
  RankedTensorType left = tileOf(a.op), right = tileOf(b.op);
  if (a.carrier || b.carrier || !left || left != right)
    return false;
  std::optional<machine::Layout> layout = hopper::getLayout(left);
  if (!layout || idleLaneBits(*layout) || idleWarpBits(*layout, warps))
    return false; // of several holders another one may act
  return llvm::equal(offsetsOf(a.op), offsetsOf(b.op), sameValue);
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
  return tile::mayConflict(earlier, access) &&
         !staysInThread(earlier, access, warps) && !staysApart(earlier, access);
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

void Orderer::putBarrier(Block::iterator before) {
  OpBuilder builder(before->getBlock(), before);
  hopper::SyncOp::create(builder, before->getLoc(), barrier,
                         process.getWarps() * 32);
}

static Accesses unite(Accesses a, const Accesses &b) {
  llvm::append_range(a, b);
  return a;
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
      open.clear();
    } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
      open = visitLoop(&op, std::move(open));
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      Accesses after = visit(branch.getThenRegion().front(), open);
      if (!branch.getElseRegion().empty())
        open = visit(branch.getElseRegion().front(), open);
      open = unite(std::move(after), open);
    } else if (std::optional<Access> access = accessOf(&op)) {
      if ((releases(&op) && !open.empty()) ||
          llvm::any_of(open, [&](const Access &earlier) {
            return needsOrder(earlier, *access, process.getWarps());
          })) {
        putBarrier(op.getIterator());
        open.clear();
      }
      open.push_back(*access);
      if (acquires(&op)) {
        putBarrier(std::next(op.getIterator()));
        open.clear();
      }
    }
  }
  return open;
}

/// The process's own barrier, or the first that nobody uses.
static int64_t findBarrier(hopper::ProcessOp process) {
  int64_t barrier = 1;
  process.getBody().walk([&](hopper::SyncOp sync) { barrier = sync.getId(); });
  return barrier;
}

void heddle::areftohopper::orderMemory(hopper::KernelOp kernel) {
  auto processes = kernel.getOps<hopper::ProcessOp>();
  if (!llvm::hasSingleElement(processes))
    return;
  hopper::ProcessOp process = *processes.begin();
  if (process.getElected())
    return;
  Orderer orderer(process, findBarrier(process));
  orderer.visit(process.getBody().front(), {});
}
