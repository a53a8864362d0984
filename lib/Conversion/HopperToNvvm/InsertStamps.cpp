//===- InsertStamps.cpp - Where an instrumented kernel notes the clock ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: hopper.kernel ops whose operations carry the schedule's names. Out, if
// the module is to be instrumented: the same, with an argument more, and a
// stamp wherever a process begins to do something else: to wait for a ring or
// for products, to issue what an asynchronous unit does, or to work. Each of
// these ends at the next stamp. There is none inside a stretch of work, because
// ptxas mixes the operations of a stretch.
//
//===----------------------------------------------------------------------===//

#include "Needed.h"

#include "heddle/Conversion/HopperToNvvm.h"
#include "heddle/Conversion/Stamps.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace heddle {

#define GEN_PASS_DEF_INSERTSTAMPS
#include "heddle/Transforms/Passes.h.inc"

namespace {

using Names = llvm::SetVector<StringRef>;

/// The name of the product whose flight `value` is; "" if it has none.
StringRef findProduct(Value value, llvm::SmallPtrSetImpl<void *> &seen) {
  if (!seen.insert(value.getAsOpaquePointer()).second)
    return "";
  SmallVector<Value> sources;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument.getArgNumber() == 0)
      return "";
    unsigned index = argument.getArgNumber() - 1;
    sources = {loop.getYieldedValues()[index], loop.getInitArgs()[index]};
  } else if (auto product = value.getDefiningOp<hopper::WgmmaOp>()) {
    return sched::opName(product);
  } else if (auto loop = value.getDefiningOp<scf::ForOp>()) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    sources = {loop.getYieldedValues()[index], loop.getInitArgs()[index]};
  } else if (auto branch = value.getDefiningOp<scf::IfOp>()) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    sources = {branch.thenYield().getOperand(index),
               branch.elseYield().getOperand(index)};
  }
  for (Value source : sources)
    if (StringRef name = findProduct(source, seen); !name.empty())
      return name;
  return "";
}

/// What a process does for a while.
struct Activity {
  StringRef kind; ///< "" is whatever went on before
  Names names;
};

class Stamper {
public:
  Stamper(Value trace, hopper::ProcessOp process, int64_t &count)
      : trace(trace), needed(tonvvm::findNeeded(process)), count(count) {
    Block &body = process.getBody().front();
    visit(body);
    OpBuilder builder = OpBuilder::atBlockEnd(&body);
    make(builder, process.getLoc(), {"end", {}});
  }

private:
  /// Nothing that takes time, as far as a trace is concerned.
  bool isFree(Operation *op) const {
    if (op->hasTrait<OpTrait::IsTerminator>() ||
        isa<hopper::SlotOp, hopper::BufferOp, hopper::SharedTransOp,
            hopper::ExpectOp, hopper::StampOp>(op))
      return true;
    if (auto wait = dyn_cast<hopper::WgmmaWaitOp>(op))
      return !needed.waits.contains(wait);
    // Scalars, a choice between some, and what only names registers.
    if (op->getNumRegions() > 0 && !isa<scf::IfOp>(op))
      return false;
    bool hasName = op->walk([](Operation *inner) {
                       return sched::opName(inner).empty()
                                  ? WalkResult::advance()
                                  : WalkResult::interrupt();
                     }).wasInterrupted();
    return isMemoryEffectFree(op) && !hasName;
  }

  /// Does it hold more than one stretch of work?
  static bool isControl(Operation *op) {
    return op
        ->walk([&](Operation *inner) {
          bool stops = isa<hopper::WaitOp, hopper::WgmmaWaitOp, hopper::WgmmaOp,
                           hopper::TmaLoadOp, scf::ForOp, scf::WhileOp>(inner);
          return stops ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  static Activity describe(Operation *op) {
    Activity activity;
    if (auto wait = dyn_cast<hopper::WaitOp>(op)) {
      activity.kind = wait.getSide() == "full" ? "get" : "acquire";
      activity.names.insert(wait.getRing());
      return activity;
    }
    if (auto wait = dyn_cast<hopper::WgmmaWaitOp>(op)) {
      llvm::SmallPtrSet<void *, 8> seen;
      activity.kind = "await";
      activity.names.insert(findProduct(wait.getFlight(), seen));
      return activity;
    }
    activity.kind =
        isa<hopper::WgmmaOp, hopper::TmaLoadOp>(op) ? "issue" : "work";
    op->walk([&](Operation *inner) {
      if (StringRef name = sched::opName(inner); !name.empty())
        activity.names.insert(name);
    });
    return activity;
  }

  void visit(Block &block) {
    // The last operation that took time, behind which the next stretch begins.
    Operation *last = nullptr;
    leave();
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isFree(&op))
        continue;
      if (op.getNumRegions() > 0 && isControl(&op)) {
        for (Region &region : op.getRegions())
          for (Block &inner : region)
            visit(inner);
        leave();
        last = &op;
        continue;
      }
      Activity next = describe(&op);
      if (next.kind == "work" && current.kind == "work") {
        current.names.insert_range(next.names);
      } else {
        OpBuilder builder(&op);
        if (next.kind == "work" && last)
          builder.setInsertionPointAfter(last);
        leave();
        stamp = make(builder, op.getLoc(), next);
        current = std::move(next);
      }
      last = &op;
    }
    leave();
  }

  hopper::StampOp make(OpBuilder &builder, Location loc,
                       const Activity &activity) {
    return hopper::StampOp::create(
        builder, loc, trace, count++, activity.kind,
        builder.getStrArrayAttr(activity.names.getArrayRef()));
  }

  /// The stretch that the last stamp began is known now.
  void leave() {
    if (stamp)
      stamp.setNamesAttr(OpBuilder(stamp.getContext())
                             .getStrArrayAttr(current.names.getArrayRef()));
    stamp = {};
    current = {};
  }

  Value trace;
  tonvvm::Needed needed;
  int64_t &count;
  hopper::StampOp stamp;
  Activity current;
};

struct InsertStamps : impl::InsertStampsBase<InsertStamps> {
  using InsertStampsBase::InsertStampsBase;

  void runOnOperation() override {
    auto which = getOperation()->getAttrOfType<StringAttr>(kTraceAttribute);
    if (!which)
      return markAllAnalysesPreserved();
    for (auto kernel : getOperation().getOps<hopper::KernelOp>())
      if (failed(instrument(kernel, which.getValue() == kTraceElected)))
        return signalPassFailure();
    getOperation()->removeAttr(kTraceAttribute);
  }

  LogicalResult instrument(hopper::KernelOp kernel, bool onlyElected) {
    Block &entry = kernel.getEntry();
    SmallVector<Type> types(entry.getArgumentTypes());
    SmallVector<std::string> names;
    for (unsigned i = 0; i < types.size(); ++i) {
      names.push_back(kernel.getArgName(i));
      if (names.back() == kTraceArgument)
        return report(kernel, diag::not_instrumented)
               << "argument '" << kTraceArgument << "' of kernel '"
               << kernel.getSourceName()
               << "' has the name of the one that holds the stamps of "
                  "an instrumented kernel; give it another";
    }
    OpBuilder builder(kernel);
    int64_t processes = llvm::range_size(kernel.getOps<hopper::ProcessOp>());
    auto view = tile::ViewType::getRowMajor({1 + kStampsPerProcess * processes},
                                            builder.getI32Type());
    Value trace = entry.addArgument(view, kernel.getLoc());
    types.push_back(view);
    names.push_back(kTraceArgument.str());
    kernel.setFunctionType(builder.getFunctionType(types, {}));
    kernel.setArgNamesAttr(builder.getStrArrayAttr(
        SmallVector<StringRef>(names.begin(), names.end())));
    int64_t count = 0;
    for (auto process : kernel.getOps<hopper::ProcessOp>())
      if (!onlyElected || process.getElected())
        Stamper(trace, process, count);
    if (count >= kStampNumbers)
      return report(kernel, diag::not_instrumented)
             << "kernel '" << kernel.getSourceName() << "' has " << count
             << " places where its processes begin to do something else; an "
                "instrumented kernel has at most "
             << kStampNumbers - 1;
    return success();
  }
};

} // namespace

} // namespace heddle
