//===- NarrowNumbers.cpp - An index in 32 bits, where that is right ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: hopper.kernel ops, whose indices have 64 bits. Out: kernels in which the
// lower 32 bits of every index are enough. What is not so in every launch is
// asked of the launch, where the host can say; else it is computed as i64. It
// stands before the manifest, which passes on what launches are asked.
//
// Launches are asked, too, for places at which TMA stores and that nothing says
// are not before the view, where the hardware faults. Where the host cannot
// say, a remark does.
//
//===----------------------------------------------------------------------===//

#include "WidenNumbers.h"

#include "heddle/Analysis/HopperReplicas.h"
#include "heddle/Conversion/HopperToNvvm.h"
#include "heddle/Dialect/Hopper/Cluster.h"
#include "heddle/Dialect/Replicas.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace heddle {

#define GEN_PASS_DEF_NARROWNUMBERS
#include "heddle/Transforms/Passes.h.inc"

namespace tonvvm {

namespace {
/// What a launch is asked for, and the first need that it is for.
struct Question {
  LinearForm form; ///< never negative
  Location loc;    ///< of what needs it first
  StringRef message;
  hopper::RequireOp op;
};

/// What becomes of a kernel.
struct Changes {
  bool areAsked = false;   ///< launches, before the processes
  bool areWidened = false; ///< numbers, in them
  bool areGuarded = false; ///< stores by TMA, in them
};
} // namespace

/// A number of the host, made where launches are asked.
static Value copyOutside(OpBuilder &builder, hopper::KernelOp kernel,
                         Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getParentOp() == kernel)
    return value;
  IRMapping copies;
  for (Value operand : op->getOperands())
    copies.map(operand, copyOutside(builder, kernel, operand));
  return builder.clone(*op, copies)->getResult(0);
}

/// Writes the question into the kernel: form >= 0, as value >= bound with what
/// adds on one side and what is taken off on the other.
static void require(OpBuilder &builder, hopper::KernelOp kernel,
                    const Numbers &numbers, Question &question) {
  const LinearForm &form = question.form;
  Location loc = question.loc;
  builder.setInsertionPoint(*kernel.getOps<hopper::ProcessOp>().begin());
  Value sides[2]; // what adds, and what is taken off
  auto add = [&](bool isLess, Value term) {
    Value &side = sides[isLess];
    side = side ? Value(arith::AddIOp::create(builder, loc, side, term)) : term;
  };
  auto constant = [&](Wide number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, int64_t(number));
  };
  for (auto [atom, factor] : form.getTerms()) {
    Value term = copyOutside(builder, kernel, numbers.valueOf(atom));
    if (!term.getType().isIndex())
      term = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                        term);
    Wide times = factor < 0 ? -factor : factor;
    if (times != 1)
      term = arith::MulIOp::create(builder, loc, constant(times), term);
    add(factor < 0, term);
  }
  if (form.getConstant() != 0)
    add(form.getConstant() < 0,
        constant(form.getConstant() < 0 ? -form.getConstant()
                                        : form.getConstant()));
  for (Value &side : sides)
    if (!side)
      side = constant(0);
  auto place = loc->findInstanceOf<FileLineColLoc>();
  std::string message = question.message.str();
  if (place)
    message += " at line " + std::to_string(place.getLine()) + " of " +
               llvm::json::fixUTF8(place.getFilename().getValue());
  question.op = hopper::RequireOp::create(builder, loc, sides[0], sides[1],
                                          message, /*variant=*/true);
}

/// Adds what makes the host's number the kernel's: no narrow sum wraps, and
/// nothing below zero is divided with a sign.
static void askForTheSame(Numbers &numbers, Value host,
                          std::vector<LinearForm> &asked) {
  Operation *op = host.getDefiningOp();
  if (!op)
    return;
  for (Value operand : op->getOperands())
    if (isa<IntegerType, IndexType>(operand.getType()))
      askForTheSame(numbers, operand, asked);
  int64_t width = numberWidth(host.getType());
  if (isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp>(op))
    for (Value operand : op->getOperands()) {
      LinearForm form = numbers.form(operand);
      if (!form.isConstant() && !numbers.isNeverNegative(form))
        asked.push_back(form);
    }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) || width >= 64)
    return;
  LinearForm form = numbers.form(host);
  NumberRange all = NumberRange::ofWidth(width);
  // A sum is one because it does not wrap.
  if (form.getTerms().size() != 1 || form.getConstant() != 0 ||
      numbers.valueOf(form.getTerms().front().first) != host ||
      numbers.range(host) != all)
    return;
  asked.push_back(form - all.lowest);
  asked.push_back(LinearForm(all.highest) - form);
}

static constexpr StringLiteral kFits = "indices of 32 bits hold the numbers",
                               kInView =
                                   "TMA stores at places that are not negative";

/// Is the need met in every launch, or can launches be asked for it?
static bool meetAtLaunch(Numbers &numbers, const WidthNeed &need,
                         std::vector<Question> &questions) {
  std::vector<LinearForm> asked;
  for (const LinearForm &goal : goalsOf(need, numbers)) {
    if (numbers.isNeverNegativeAt(goal, need.op))
      continue;
    std::vector<LinearForm> required = numbers.whatMakesNonNegative(goal);
    if (required.empty())
      return false;
    asked.insert(asked.end(), required.begin(), required.end());
  }
  // The host computes exactly and rounds down; where a kernel's narrower number
  // wraps, or is divided below zero, the two are different numbers.
  for (size_t i = 0, count = asked.size(); i < count; ++i) {
    LinearForm form = asked[i]; // a copy: `asked` grows
    for (auto [atom, factor] : form.getTerms())
      askForTheSame(numbers, numbers.valueOf(atom), asked);
  }
  for (const LinearForm &form : asked) {
    // A product of the host may not fit 64 bits; times a factor, it would be
    // another number then.
    bool isPlace = need.kind == WidthNeed::NotBefore;
    questions.push_back({form.inLowestTerms(),
                         need.op->getLoc(),
                         isPlace ? kInView : kFits,
                         {}});
    numbers.assume(questions.back().form);
  }
  return true;
}

/// Drops questions that others answer.
static void dropAnswered(std::vector<Question> &questions) {
  for (size_t i = 0; i < questions.size(); ++i)
    for (size_t j = 0; j < questions.size(); ++j) {
      LinearForm slack = questions[i].form - questions[j].form;
      if (!slack.isConstant() || i == j || !questions[j].op)
        continue;
      // The same question is asked where it first came up.
      if (slack.getConstant() < 0 || (slack.getConstant() == 0 && i < j))
        continue;
      questions[i].op.erase();
      questions[i].op = {};
      break;
    }
}

/// Of `needs`, those that are neither met nor asked of launches.
static std::vector<WidthNeed> askLaunches(OpBuilder &builder,
                                          hopper::KernelOp kernel,
                                          const std::vector<WidthNeed> &needs,
                                          Changes &changes) {
  std::vector<WidthNeed> open;
  // What a launch is asked makes ranges narrower, so one question at a time.
  std::vector<Question> questions;
  for (size_t next = 0; next < needs.size();) {
    Numbers numbers(kernel);
    size_t asked = questions.size();
    while (next < needs.size() && questions.size() == asked) {
      const WidthNeed &need = needs[next++];
      if (!meetAtLaunch(numbers, need, questions))
        open.push_back(need);
    }
    for (size_t i = asked; i < questions.size(); ++i)
      require(builder, kernel, numbers, questions[i]);
  }
  changes.areAsked |= !questions.empty();
  dropAnswered(questions);
  return open;
}

static LogicalResult widen(OpBuilder &builder, hopper::KernelOp kernel,
                           const std::vector<WidthNeed> &open,
                           DenseSet<Location> &reported) {
  // What launches were asked may have met needs that come before.
  Numbers numbers(kernel);
  Widener widener(builder, numbers);
  for (const WidthNeed &need : open) {
    if (isMet(need, numbers))
      continue;
    if (reported.insert(need.op->getLoc()).second)
      report(need.op, diag::wide_index)
          << "a number that '" << need.op->getName()
          << "' reads is computed in 64 bits, because nothing says that it "
             "fits 32";
    if (failed(widener.meet(need)))
      return failure();
  }
  widener.finish();
  return success();
}

static bool areMet(hopper::KernelOp kernel) {
  Numbers numbers(kernel);
  return llvm::all_of(collectWidthNeeds(kernel), [&](const WidthNeed &need) {
    return isMet(need, numbers);
  });
}

/// A number that became wider, or a question that another one answers, may have
/// been what a later proof went through.
static constexpr int kRounds = 4;

static LogicalResult narrow(hopper::KernelOp kernel, Changes &changes) {
  OpBuilder builder(kernel);
  DenseSet<Location> reported;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<WidthNeed> open =
        askLaunches(builder, kernel, collectWidthNeeds(kernel), changes);
    if (open.empty() && areMet(kernel))
      return success();
    changes.areWidened = true;
    if (failed(widen(builder, kernel, open, reported)))
      return failure();
  }
  return success(); // the expansion to threads looks again
}

/// Do tiles surely lie apart?
static bool areApart(Value one, Value other) {
  auto first = one.getDefiningOp<hopper::BufferOp>();
  auto second = other.getDefiningOp<hopper::BufferOp>();
  if (!first || !second)
    return false;
  auto endsBefore = [](hopper::BufferOp low, hopper::BufferOp high) {
    return int64_t(low.getOffset()) + low.getTile().getType().getSizeBytes() <=
           int64_t(high.getOffset());
  };
  return endsBefore(first, second) || endsBefore(second, first);
}

/// May the tile hold something else behind `op`, by what this process does or
/// by what others do that it meets there?
static bool mayChange(Operation *op, Value tile, int64_t threads) {
  return op
      ->walk([&](Operation *inner) {
        if (auto store = dyn_cast<hopper::LocalStoreOp>(inner))
          return WalkResult(failure(!areApart(store.getTile(), tile)));
        if (auto sync = dyn_cast<hopper::SyncOp>(inner))
          return WalkResult(failure(int64_t(sync.getThreads()) != threads));
        return WalkResult(
            failure(isa<hopper::CopyOp, hopper::TmaLoadOp, hopper::LocalCountOp,
                        hopper::WaitOp, hopper::ClusterSyncOp>(inner)));
      })
      .wasInterrupted();
}

/// What threads put where TMA stores from, if it stands before the store and is
/// what the store finds.
static Value stagedValue(hopper::TmaStoreOp store) {
  int64_t threads =
      32 * int64_t(store->getParentOfType<hopper::ProcessOp>().getWarps());
  for (Operation *op = store->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto staged = dyn_cast<hopper::LocalStoreOp>(op);
        staged && staged.getTile() == store.getTile())
      return staged.getValue();
    if (mayChange(op, store.getTile(), threads))
      break;
  }
  return Value();
}

/// Is a product issued before the store and waited for behind it? A branch
/// between the two would move its registers.
static bool isUnderProducts(hopper::TmaStoreOp store) {
  for (Operation *here = store; !isa<hopper::ProcessOp>(here);
       here = here->getParentOp()) {
    auto isUsedBehind = [&](Value value) {
      return isa<hopper::FlightType>(value.getType()) &&
             llvm::any_of(value.getUsers(), [&](Operation *user) {
               Operation *there =
                   here->getBlock()->findAncestorOpInBlock(*user);
               return there && here->isBeforeInBlock(there);
             });
    };
    if (llvm::any_of(here->getBlock()->getArguments(), isUsedBehind))
      return true;
    for (Operation *op = here->getPrevNode(); op; op = op->getPrevNode())
      if (llvm::any_of(op->getResults(), isUsedBehind))
        return true;
  }
  return false;
}

/// Threads store a tile that begins before its view, and TMA any other one.
/// False where TMA adds, or where nobody holds the tile in registers.
static bool guardStore(OpBuilder &builder, hopper::TmaStoreOp store) {
  Value value = stagedValue(store);
  if (store.getAdd() || !value)
    return false;
  builder.setInsertionPoint(store);
  Location loc = store.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), isBefore;
  for (Value offset : store.getOffsets()) {
    Value here = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       offset, zero);
    isBefore = isBefore
                   ? Value(arith::OrIOp::create(builder, loc, isBefore, here))
                   : here;
  }
  // A branch costs less than predicates, where it may stand.
  bool branches = !isUnderProducts(store);
  if (branches) {
    auto branch =
        scf::IfOp::create(builder, loc, isBefore, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  hopper::GlobalStoreOp::create(builder, loc, value, store.getView(),
                                store.getOffsets(), /*vector=*/1,
                                /*looks=*/false, branches ? Value() : isBefore);
  store->setAttr(kInViewOnlyAttr, builder.getUnitAttr());
  return true;
}

static LogicalResult askForPlaces(hopper::KernelOp kernel, Changes &changes) {
  OpBuilder builder(kernel);
  DenseSet<Location> reported;
  SetVector<hopper::TmaStoreOp> open;
  for (const WidthNeed &need :
       askLaunches(builder, kernel, collectStoredPlaces(kernel), changes))
    open.insert(cast<hopper::TmaStoreOp>(need.op));
  bool isAny = false;
  for (hopper::TmaStoreOp store : open) {
    bool isGuarded = guardStore(builder, store);
    isAny |= isGuarded;
    if (!reported.insert(store.getLoc()).second)
      continue;
    Report remark = report(store, diag::store_before);
    remark << "TMA stores this tile, and nothing says that it begins in the "
              "view: ";
    if (isGuarded)
      remark << "each store asks, and threads store one that begins before it";
    else
      remark << "a launch in which it begins before it faults";
    remark << "; bound the place from below by zero, as by arith.maxsi";
  }
  changes.areGuarded |= isAny;
  // The comparisons read numbers, too.
  return isAny ? narrow(kernel, changes) : success();
}

static bool areReplicas(ArrayRef<hopper::ProcessOp> processes) {
  Operation *difference = nullptr;
  return hopper::compareProcesses(processes, difference).has_value();
}

/// Narrows the numbers of a kernel. Of replicas, one may need 64 bits, or a
/// guarded store, where another does not; then they compute different things,
/// and each has its own code. A claim that was false before stays, and is
/// reported.
static FailureOr<Changes> narrowAll(hopper::KernelOp kernel) {
  auto groups = groupReplicas<hopper::ProcessOp>(kernel.getBody());
  groups.remove_if([](const auto &group) {
    return group.second.size() == 1 || !areReplicas(group.second);
  });
  Changes changes;
  if (failed(narrow(kernel, changes)))
    return failure();
  if (failed(askForPlaces(kernel, changes)))
    return failure();
  if (changes.areWidened || changes.areGuarded)
    for (auto &[name, processes] : groups)
      hopper::partReplicas(processes, [](hopper::ProcessOp, Operation *) {});
  return changes;
}

} // namespace tonvvm

namespace {
struct NarrowNumbers : impl::NarrowNumbersBase<NarrowNumbers> {
  using NarrowNumbersBase::NarrowNumbersBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    NarrowNumbersBase::getDependentDialects(registry);
    registry.insert<scf::SCFDialect>(); // stores are guarded
  }

  void runOnOperation() override {
    bool isAny = false;
    for (auto kernel : getOperation().getOps<hopper::KernelOp>()) {
      auto changes = tonvvm::narrowAll(kernel);
      if (failed(changes))
        return signalPassFailure();
      isAny |= changes->areAsked || changes->areWidened || changes->areGuarded;
    }
    if (!isAny)
      markAllAnalysesPreserved();
  }
};
} // namespace

} // namespace heddle
