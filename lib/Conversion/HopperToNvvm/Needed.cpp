//===- Needed.cpp - Which meetings and waits a process needs ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One lane arrives for its warp. The others must have come as far, and what
// they did to memory must be ordered before. A product and a wait for products
// hold the lanes of a warp until all have come (.sync.aligned), but order no
// memory; a named barrier does both. So an arrival behind a product needs no
// meeting of its own, if no lane accessed memory since the last one. What
// products read is known to each lane that waited for them.
//
//===----------------------------------------------------------------------===//

#include "Needed.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace heddle::tonvvm {

namespace {

/// What may be so, on some path.
struct Warp {
  bool isApart = true;  ///< lanes passed waits since they were together
  bool isAhead = false; ///< lanes did what others are not ordered behind
  int64_t flights = 0;  ///< groups of products in flight, at most

  void join(const Warp &other) {
    isApart |= other.isApart;
    isAhead |= other.isAhead;
    flights = std::max(flights, other.flights);
  }
  bool operator==(const Warp &) const = default;
};

/// More groups than any wait leaves.
constexpr int64_t kMany = 64;

class Finder {
public:
  Needed needed;

  void visit(Block &block, Warp &warp) {
    for (Operation &op : block)
      visit(&op, warp);
  }

private:
  template <typename Body> void repeat(Warp &warp, Body body) {
    for (bool changed = true; changed;) {
      Warp next = warp;
      body(next);
      next.join(warp);
      changed = !(next == warp);
      warp = next;
    }
  }

  void visit(Operation *op, Warp &warp) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](scf::ForOp loop) {
          repeat(warp, [&](Warp &inner) { visit(*loop.getBody(), inner); });
        })
        .Case([&](scf::IfOp branch) {
          Warp other = warp;
          visit(*branch.thenBlock(), warp);
          if (Block *block = branch.elseBlock())
            visit(*block, other);
          warp.join(other);
        })
        .Case([&](scf::WhileOp loop) {
          Warp leaving;
          repeat(warp, [&](Warp &inner) {
            visit(*loop.getBeforeBody(), inner);
            leaving = inner;
            visit(*loop.getAfterBody(), inner);
          });
          warp = leaving;
        })
        .Case([&](hopper::WaitOp) { warp.isApart = true; })
        .Case([&](hopper::WgmmaOp) {
          warp.isApart = false;
          warp.flights = std::min(warp.flights + 1, kMany);
        })
        .Case([&](hopper::WgmmaWaitOp wait) {
          if (int64_t(wait.getPending()) >= warp.flights)
            return;
          needed.waits.insert(wait);
          warp.isApart = false;
          warp.flights = wait.getPending();
        })
        .Case<hopper::SyncOp>(
            [&](auto) { warp.isApart = warp.isAhead = false; })
        .Case([&](hopper::ArriveOp arrive) {
          // Each lane arrives for itself, and meets no other.
          if (!arrive.getCopies().empty())
            return;
          if (!warp.isApart && !warp.isAhead)
            return;
          needed.meetings.insert(arrive);
          warp.isApart = warp.isAhead = false;
        })
        // By a lane that arrives, or for nobody in the kernel.
        .Case<hopper::ExpectOp, hopper::TmaLoadOp, hopper::TmaStoreOp,
              hopper::TmaStoreWaitOp, hopper::StampOp>([](auto) {})
        .Default([&](Operation *op) {
          if (!isMemoryEffectFree(op) && !op->hasTrait<OpTrait::IsTerminator>())
            warp.isAhead = true;
        });
  }
};

} // namespace

Needed findNeeded(hopper::ProcessOp process) {
  Finder finder;
  Warp warp;
  finder.visit(process.getBody().front(), warp);
  return std::move(finder.needed);
}

} // namespace heddle::tonvvm
