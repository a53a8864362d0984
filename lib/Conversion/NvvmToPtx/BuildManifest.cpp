//===- BuildManifest.cpp - From hopper.kernel to KERNEL.json ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/BuildManifest.h"

#include "heddle/Conversion/HostExpr.h"
#include "heddle/Conversion/KernelSignature.h"
#include "heddle/Dialect/Hopper/Cluster.h"
#include "heddle/Dialect/Hopper/GlobalAccess.h"
#include "heddle/Dialect/Hopper/GlobalMemory.h"
#include "heddle/Dialect/Hopper/TargetLimits.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mlir;
using namespace heddle;
using namespace heddle::manifest;

/// What a tensor map and the C interface have.
static constexpr int64_t kMostAxes = 5;

namespace heddle {

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// `written` has what the kernel may store to.
static FailureOr<Argument> describeArgument(hopper::KernelOp kernel,
                                            BlockArgument value,
                                            const DenseSet<Value> &written) {
  Argument argument;
  argument.name = kernel.getArgName(value.getArgNumber());
  Type element = value.getType();
  if (auto view = dyn_cast<tile::ViewType>(value.getType())) {
    argument.kind = Argument::Kind::View;
    argument.rank = int(view.getRank());
    if (view.getRank() > kMostAxes)
      return report(kernel, diag::argument_type)
             << "argument '" << argument.name << "' has " << view.getRank()
             << " axes; callers pass views of 1 to " << kMostAxes;
    argument.order.assign(view.getOrder().begin(), view.getOrder().end());
    argument.written = written.contains(value);
    element = view.getElementType();
  } else if (auto pointer = dyn_cast<tile::PtrType>(value.getType())) {
    argument.kind = Argument::Kind::Pointer;
    argument.written = written.contains(value);
    element = pointer.getElementType();
  } else {
    argument.kind = Argument::Kind::Scalar;
  }
  std::optional<ElementType> type = getElementType(element);
  if (!type)
    return report(kernel, diag::argument_type)
           << "argument '" << argument.name << "' has elements of type "
           << element << ", which no caller can pass";
  argument.element = *type;
  return argument;
}

static FailureOr<MadeView> describeMadeView(hopper::KernelOp kernel,
                                            hopper::MadeViewOp op,
                                            const DenseSet<Value> &written) {
  FailureOr<Argument> view =
      describeArgument(kernel, cast<BlockArgument>(op.getView()), written);
  FailureOr<Expr> offset = buildHostExpr(kernel, op.getOffset());
  if (failed(view) || failed(offset))
    return failure();
  MadeView made;
  made.view = *view;
  made.view.farAxis = int(op.getFarAxis().value_or(-1));
  made.pointer =
      kernel.getArgName(cast<BlockArgument>(op.getPtr()).getArgNumber());
  made.offset = *offset;
  for (auto [values, exprs] : {std::pair(op.getExtents(), &made.extents),
                               std::pair(op.getStrides(), &made.strides)})
    for (Value value : values) {
      FailureOr<Expr> expr = buildHostExpr(kernel, value);
      if (failed(expr))
        return failure();
      exprs->push_back(*expr);
    }
  return made;
}

/// Zeros that a launch brings.
static FailureOr<MadeView> describeCounters(hopper::KernelOp kernel,
                                            hopper::CountersOp op,
                                            const DenseSet<Value> &written) {
  FailureOr<Argument> view =
      describeArgument(kernel, cast<BlockArgument>(op.getView()), written);
  FailureOr<Expr> count = buildHostExpr(kernel, op.getCount());
  if (failed(view) || failed(count))
    return failure();
  MadeView made;
  made.view = *view;
  made.view.written = true;
  made.cleared = true;
  made.extents.push_back(*count);
  return made;
}

//===----------------------------------------------------------------------===//
// Processes, rings, barriers
//===----------------------------------------------------------------------===//

/// Who fills and who empties each ring, by what they wait for.
static void addRings(hopper::KernelOp kernel, Variant &variant) {
  llvm::MapVector<StringRef, llvm::SetVector<StringRef>> producers, consumers;
  for (auto process : kernel.getOps<hopper::ProcessOp>())
    process.getBody().walk([&](Operation *op) {
      if (auto expect = dyn_cast<hopper::ExpectOp>(op))
        producers[expect.getRing()].insert(process.getSym());
      if (auto arrive = dyn_cast<hopper::ArriveOp>(op))
        (arrive.getSide() == "full" ? producers : consumers)[arrive.getRing()]
            .insert(process.getSym());
      if (auto wait = dyn_cast<hopper::WaitOp>(op))
        (wait.getSide() == "full" ? consumers : producers)[wait.getRing()]
            .insert(process.getSym());
    });
  for (auto op : kernel.getOps<hopper::RingOp>()) {
    Ring ring;
    ring.name = op.getSym().str();
    ring.depth = int(op.getDepth());
    ring.slotBytes = op.getSlotBytes();
    ring.offset = op.getOffset();
    ring.fullBarrier = op.getFull();
    ring.emptyBarrier = op.getEmpty();
    ring.fullArrivals = int(op.getFullArrivals());
    ring.emptyArrivals = int(op.getEmptyArrivals());
    for (StringRef name : producers[op.getSym()])
      ring.producers.push_back(name.str());
    for (StringRef name : consumers[op.getSym()])
      ring.consumers.push_back(name.str());
    variant.rings.push_back(ring);
  }
}

static void addProcesses(hopper::KernelOp kernel, Variant &variant) {
  for (auto op : kernel.getOps<hopper::ProcessOp>()) {
    Process process;
    process.name = op.getSym().str();
    process.firstWarp = int(op.getFirstWarp());
    process.warpCount = int(op.getWarps());
    process.registers = int(op.getRegisters());
    variant.processes.push_back(process);
  }
}

static void addNamedBarriers(hopper::KernelOp kernel, Variant &variant) {
  std::map<int64_t, NamedBarrier> barriers; // by id
  if (kernel.beginsWithBarrier())
    barriers[0] = {0, int(kernel.getThreads()),
                   "after the mbarriers are initialised"};
  for (auto process : kernel.getOps<hopper::ProcessOp>())
    process.getBody().walk([&](hopper::SyncOp sync) {
      NamedBarrier &barrier = barriers[sync.getId()];
      barrier.id = int(sync.getId());
      barrier.threads = int(sync.getThreads());
      std::string name = process.getSym().str();
      if (barrier.purpose.empty())
        barrier.purpose = "threads of " + name;
      else if (!llvm::is_contained(
                   llvm::split(StringRef(barrier.purpose).drop_front(11), ", "),
                   StringRef(name)))
        barrier.purpose += ", " + name;
    });
  for (auto &[id, barrier] : barriers)
    variant.namedBarriers.push_back(barrier);
}

static void addStamps(hopper::KernelOp kernel, Variant &variant) {
  for (auto process : kernel.getOps<hopper::ProcessOp>())
    process.getBody().walk([&](hopper::StampOp op) {
      Stamp stamp{process.getSym().str(), op.getActivity().str(), {}};
      for (auto name : op.getNames().getAsRange<StringAttr>())
        stamp.names.push_back(name.str());
      size_t number = op.getNumber();
      variant.stamps.resize(std::max(variant.stamps.size(), number + 1));
      variant.stamps[number] = std::move(stamp);
    });
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

static Expr makeConstant(int64_t value) {
  Expr expr;
  expr.constant = value;
  return expr;
}

/// min(instances, multiprocessors * blocks), where workers are persistent.
static FailureOr<Expr> buildGrid(hopper::KernelOp kernel) {
  auto grids = kernel.getOps<hopper::GridOp>();
  if (!llvm::hasSingleElement(grids))
    return reportOp(kernel, diag::grid_rule) << "needs one hopper.grid";
  hopper::GridOp op = *grids.begin();
  FailureOr<Expr> instances = buildHostExpr(kernel, op.getInstances());
  if (failed(instances))
    return failure();
  if (op.hasBlockEach() && op.getTeams() > 1) {
    Expr grid;
    grid.op = Expr::Op::CeilDiv;
    grid.operands = {*instances, makeConstant(op.getTeams())};
    return grid;
  }
  if (op.hasBlockEach())
    return *instances;
  Expr workers;
  workers.op = Expr::Op::SmCount;
  if (int64_t blocks = op.getBlocks(); blocks > 1) {
    Expr shared;
    shared.op = Expr::Op::Mul;
    shared.operands = {workers, makeConstant(blocks)};
    workers = shared;
  }
  Expr grid;
  grid.op = Expr::Op::Min;
  grid.operands = {*instances, workers};
  return grid;
}

static LogicalResult addAssertions(hopper::KernelOp kernel, Manifest &result) {
  for (auto op : kernel.getOps<hopper::RequireOp>()) {
    if (op.getVariant())
      continue;
    FailureOr<Expr> value = buildHostExpr(kernel, op.getValue());
    FailureOr<Expr> bound = buildHostExpr(kernel, op.getBound());
    if (failed(value) || failed(bound))
      return failure();
    result.assertions.push_back({*value, *bound, op.getMessage().str()});
  }
  return success();
}

/// What this variant asks of numbers: value - bound >= 0.
static LogicalResult addRequirements(hopper::KernelOp kernel,
                                     Variant &variant) {
  for (auto op : kernel.getOps<hopper::RequireOp>()) {
    if (!op.getVariant())
      continue;
    FailureOr<Expr> value = buildHostExpr(kernel, op.getValue());
    FailureOr<Expr> bound = buildHostExpr(kernel, op.getBound());
    if (failed(value) || failed(bound))
      return failure();
    Precondition condition;
    condition.kind = Precondition::Kind::AtLeast;
    condition.expr.op = Expr::Op::Sub;
    condition.expr.operands = {*value, *bound};
    condition.message = op.getMessage().str();
    variant.requires_.push_back(condition);
  }
  return success();
}

static FailureOr<Variant> describeVariant(hopper::KernelOp kernel) {
  FailureOr<Expr> grid = buildGrid(kernel);
  if (failed(grid))
    return failure();
  Variant variant;
  variant.entry = kernel.getSymName().str();
  auto require = [&](ArrayRef<int64_t> arguments, Precondition condition) {
    for (int64_t index : arguments) {
      condition.view = kernel.getArgName(index);
      variant.requires_.push_back(condition);
    }
  };
  Precondition rows, multiples;
  rows.kind = Precondition::Kind::Rows;
  rows.bytes = hopper::kAccessBytes;
  multiples.kind = Precondition::Kind::Aligned;
  multiples.bytes = tile::kArgumentMultiple;
  require(kernel.getTmaArgs(), {});
  require(kernel.getRowArgs(), rows);
  require(kernel.getMultipleArgs(), multiples);
  if (failed(addRequirements(kernel, variant)))
    return failure();
  variant.threads = int(kernel.getThreads());
  variant.sharedBytes = kernel.getSharedBytes();
  variant.grid = {*grid, makeConstant(1), makeConstant(1)};
  variant.cluster = {int(hopper::clusterBlocks(kernel)), 1, 1};
  variant.params = getKernelSignature(kernel).params;
  addProcesses(kernel, variant);
  addRings(kernel, variant);
  addNamedBarriers(kernel, variant);
  addStamps(kernel, variant);
  return variant;
}

FailureOr<Manifest> buildManifest(ArrayRef<hopper::KernelOp> variants,
                                  StringRef sourceFile) {
  hopper::KernelOp first = variants.front();
  Manifest result;
  result.kernel = first.getSourceName().str();
  result.target = hopper::kTarget;
  result.source = sourceFile.str();
  const DenseSet<Value> written = hopper::writtenArguments(first);
  for (BlockArgument value : first.getEntry().getArguments()) {
    if (hopper::CountersOp own = first.getCounters(value.getArgNumber())) {
      FailureOr<MadeView> view = describeCounters(first, own, written);
      if (failed(view))
        return failure();
      result.madeViews.push_back(*view);
      continue;
    }
    if (hopper::MadeViewOp made = first.getMaker(value.getArgNumber())) {
      FailureOr<MadeView> view = describeMadeView(first, made, written);
      if (failed(view))
        return failure();
      result.madeViews.push_back(*view);
      continue;
    }
    FailureOr<Argument> argument = describeArgument(first, value, written);
    if (failed(argument))
      return failure();
    result.arguments.push_back(*argument);
  }
  if (failed(addAssertions(first, result)))
    return failure();
  for (hopper::KernelOp kernel : variants) {
    FailureOr<Variant> variant = describeVariant(kernel);
    if (failed(variant))
      return failure();
    result.variants.push_back(*variant);
  }
  std::string error;
  if (!manifest::verify(result, error))
    return report(first, diag::internal)
           << "bug in heddle, rung hopper: the manifest built is wrong: "
           << error;
  return result;
}

} // namespace heddle
