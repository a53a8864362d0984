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
  bool carried = false; ///< made by an earlier iteration
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

/// A load and a store of one tile in one layout: each thread meets itself.
static bool staysInThread(const Access &a, const Access &b, int64_t warps) {
  auto tileOf = [](Operation *op) -> RankedTensorType {
    if (auto load = dyn_cast<hopper::GlobalLoadOp>(op))
      return cast<RankedTensorType>(load.getValue().getType());
    if (auto store = dyn_cast<hopper::GlobalStoreOp>(op))
      return cast<RankedTensorType>(store.getValue().getType());
    return {};
  };
  auto offsetsOf = [](Operation *op) -> OperandRange {
    if (auto load = dyn_cast<hopper::GlobalLoadOp>(op))
      return load.getOffsets();
    return cast<hopper::GlobalStoreOp>(op).getOffsets();
  };
  RankedTensorType left = tileOf(a.op), right = tileOf(b.op);
  if (a.carried || b.carried || !left || left != right)
    return false;
  std::optional<machine::Layout> layout = hopper::getLayout(left);
  if (!layout || idleLaneBits(*layout) || idleWarpBits(*layout, warps))
    return false; // of several holders another one may act
  return llvm::equal(offsetsOf(a.op), offsetsOf(b.op), sameValue);
}

static bool needsOrder(const Access &a, const Access &b, int64_t warps) {
  return tile::mayConflict(a, b) && !staysInThread(a, b, warps);
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
      access->carried = true;
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
