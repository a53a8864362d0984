//===- Extract.cpp - Reads the protocol off the hopper rung -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Check/Extract.h"

#include "Extractor.h"

#include "heddle/Dialect/Hopper/Cluster.h"
#include "heddle/Dialect/Hopper/TargetLimits.h"
#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace heddle::check {

std::string placeOf(Location location) {
  std::string text;
  location->walk([&](Location inner) {
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    text = file.getFilename().str() + ":" + std::to_string(file.getLine()) +
           ":" + std::to_string(file.getColumn());
    return WalkResult::interrupt();
  });
  if (text.empty()) {
    llvm::raw_string_ostream os(text);
    location.print(os);
  }
  return text;
}

void Extractor::fail(Operation *op, const std::string &why) {
  if (gap.empty())
    gap = placeOf(op->getLoc()) + ": '" + op->getName().getStringRef().str() +
          "' " + why;
}

void Extractor::extract(hopper::ProcessOp op) {
  process.name = op.getSym().str();
  process.place = placeOf(op.getLoc());
  process.firstWarp = op.getFirstWarp();
  process.warps = op.getWarps();
  process.registers = op.getRegisters();
  process.elected = op.getElected();
  Statements body;
  visitBlock(op.getBody().front(), body);
  process.body = std::move(prologue);
  process.body.insert(process.body.end(), std::make_move_iterator(body.begin()),
                      std::make_move_iterator(body.end()));
}

void Extractor::visitBlock(Block &block, Statements &into) {
  for (Operation &op : block) {
    current = &into;
    visit(&op, into);
  }
}

/// Does an operation do what the exploration has to know of? A turn that blocks
/// wait for comes whatever this block does, and the verifier of the rung says
/// that it is passed; that blocks of a cluster meet, it says, too.
static bool acts(Operation *op) {
  return isa<hopper::HopperDialect>(op->getDialect()) &&
         !isa<hopper::YieldOp, hopper::RingOp, hopper::GridOp,
              hopper::RequireOp, hopper::MadeViewOp, hopper::CountersOp,
              hopper::AwaitTurnOp, hopper::PassTurnOp, hopper::ClusterOp,
              hopper::ClusterRankOp, hopper::ClusterSyncOp,
              hopper::ClusterTileOp, hopper::SlotOp, hopper::BufferOp,
              hopper::SharedTransOp, hopper::ConvertLayoutOp, hopper::SubtileOp,
              hopper::StampOp, hopper::GlobalLoadOp, hopper::GlobalStoreOp,
              hopper::ReduceOp, hopper::ScanOp>(op);
}

/// Operations of other dialects may wait, meet or never end.
static bool isOfKnownDialect(Operation *op) {
  return isa_and_present<hopper::HopperDialect, tile::TileDialect,
                         arith::ArithDialect, math::MathDialect>(
      op->getDialect());
}

/// Notes in how many loops tiles are made.
void Extractor::place(ValueRange values) {
  for (mlir::Value value : values)
    if (isa<RankedTensorType>(value.getType()))
      loopsAround[value] = loops;
}

void Extractor::visit(Operation *op, Statements &into) {
  place(op->getResults());
  holdFlights(op, into);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp op) { visitFor(op, into); })
      .Case([&](scf::IfOp op) { visitIf(op, into); })
      .Case([&](scf::WhileOp op) { visitWhile(op, into); })
      .Case<scf::YieldOp, scf::ConditionOp>([](Operation *) {})
      .Default([&](Operation *op) {
        if (visitEvent(op, into))
          return;
        op->walk([&](Operation *inner) {
          if (!isOfKnownDialect(inner) || isa<hopper::ProcessOp>(inner))
            fail(inner, "is no operation that the checker knows in a process");
          else if (inner != op && acts(inner))
            fail(op, "holds operations of the hopper rung");
        });
        for (mlir::Value operand : op->getOperands())
          if (isa<hopper::SmemType>(operand.getType()))
            return fail(op, "uses shared memory in a way that the checker "
                            "does not know");
        for (OpResult result : op->getResults())
          if (isNumber(result.getType()))
            number(result);
      });
}

void Extractor::visitFor(scf::ForOp op, Statements &into) {
  if (!isNumber(op.getStep().getType()))
    return fail(op, "counts with numbers of more than 64 bits");
  Statement loop;
  loop.kind = Statement::Loop;
  loop.place = placeOf(op.getLoc());
  loop.lower = number(op.getLowerBound());
  loop.upper = number(op.getUpperBound());
  loop.step = number(op.getStep());
  loop.isUnsigned = op.getUnsignedCmp();
  loop.inits = numbers(op.getInitArgs());
  loop.index = known[op.getInductionVar()] = data(op.getStep().getType());
  process.values[loop.index].kind = Definition::Index;
  for (mlir::Value argument : op.getRegionIterArgs())
    loop.carried.push_back(carry(argument));
  // What a loop hands on as it came is the same number all the way.
  auto stays = [&](int64_t i) {
    mlir::Value argument = op.getRegionIterArg(i);
    return isNumber(argument.getType()) && op.getYieldedValues()[i] == argument;
  };
  for (int64_t i = 0, count = op.getNumResults(); i < count; ++i)
    if (stays(i))
      known[op.getRegionIterArg(i)] = loop.inits[i];
  ++loops;
  place(op.getRegionIterArgs());
  visitBlock(*op.getBody(), loop.body);
  current = &loop.body;
  loop.yields = numbers(op.getYieldedValues());
  --loops;
  for (mlir::Value result : op.getResults())
    loop.results.push_back(carry(result));
  std::vector<Value> inits = loop.inits;
  into.push_back(std::move(loop));
  nameResults(op, into);
  for (int64_t i = 0, count = op.getNumResults(); i < count; ++i)
    if (stays(i))
      known[op.getResult(i)] = inits[i];
}

void Extractor::visitIf(scf::IfOp op, Statements &into) {
  Statement branch;
  branch.kind = Statement::Branch;
  branch.place = placeOf(op.getLoc());
  branch.value = number(op.getCondition());
  auto visitSide = [&](mlir::Region &region, Statements &body,
                       std::vector<Value> &yields) {
    if (region.empty())
      return;
    visitBlock(region.front(), body);
    current = &body;
    yields = numbers(region.front().getTerminator()->getOperands());
  };
  visitSide(op.getThenRegion(), branch.body, branch.yields);
  visitSide(op.getElseRegion(), branch.otherwise, branch.otherwiseYields);
  for (mlir::Value result : op.getResults())
    branch.results.push_back(carry(result));
  into.push_back(std::move(branch));
}

/// The block is read once more, as other statements.
void Extractor::forget(Block &block) {
  block.walk([&](Operation *op) {
    for (mlir::Value result : op->getResults())
      known.erase(result);
  });
}

/// while (before; c) after: before, then (after; before) as often as data say.
/// What the condition hands on is carried, if it is a number, and so is the
/// condition.
void Extractor::visitWhile(scf::WhileOp op, Statements &into) {
  auto take = [&](ValueRange arguments, ValueRange values) {
    for (auto [argument, value] : llvm::zip(arguments, values))
      if (isNumber(value.getType()))
        known[argument] = number(value);
  };
  auto handedOn = [&] {
    std::vector<Value> values;
    for (mlir::Value value : op.getConditionOp().getArgs())
      values.push_back(isNumber(value.getType()) ? number(value) : kNoValue);
    values.push_back(number(op.getConditionOp().getCondition()));
    return values;
  };
  auto carryNumber = [&](mlir::Value value) {
    return isNumber(value.getType()) ? carry(value) : kNoValue;
  };
  place(op.getBeforeArguments());
  take(op.getBeforeArguments(), op.getInits());
  visitBlock(*op.getBeforeBody(), into);
  current = &into;
  Statement loop;
  loop.kind = Statement::Loop;
  loop.place = placeOf(op.getLoc());
  loop.inits = handedOn();
  forget(*op.getBeforeBody());
  ++loops;
  place(op.getAfterArguments());
  place(op.getBeforeArguments());
  for (mlir::Value argument : op.getAfterArguments())
    loop.carried.push_back(carryNumber(argument));
  Definition test;
  test.kind = Definition::Carried;
  test.bits = 1;
  loop.test = define(test);
  loop.carried.push_back(loop.test);
  visitBlock(*op.getAfterBody(), loop.body);
  current = &loop.body;
  take(op.getBeforeArguments(), op.getYieldOp().getResults());
  visitBlock(*op.getBeforeBody(), loop.body);
  current = &loop.body;
  loop.yields = handedOn();
  loop.value = loop.yields.back();
  --loops;
  for (mlir::Value result : op.getResults())
    loop.results.push_back(carryNumber(result));
  loop.results.push_back(kNoValue);
  into.push_back(std::move(loop));
  nameResults(op, into);
}

static Ring readRing(hopper::RingOp op) {
  Ring ring;
  ring.name = op.getSym().str();
  ring.place = placeOf(op.getLoc());
  ring.depth = op.getDepth();
  ring.offset = op.getOffset();
  ring.slotBytes = op.getSlotBytes();
  ring.full = op.getFull();
  ring.empty = op.getEmpty();
  ring.fullArrivals = op.getFullArrivals();
  ring.emptyArrivals = op.getEmptyArrivals();
  return ring;
}

/// What stands outside of processes is executed by nobody, or by all of them
/// before they begin: numbers and declarations only.
static std::string findStray(hopper::KernelOp kernel) {
  std::string gap;
  for (Operation &op : kernel.getEntry()) {
    if (isa<hopper::ProcessOp>(op))
      continue;
    op.walk([&](Operation *inner) {
      if (gap.empty() && (acts(inner) || inner->getNumRegions() > 0))
        gap = placeOf(inner->getLoc()) + ": '" +
              inner->getName().getStringRef().str() +
              "' stands outside of the kernel's processes";
    });
  }
  return gap;
}

/// That a turn comes is a matter of other blocks, which one protocol does not
/// show.
static void assumeTurns(hopper::KernelOp kernel, Protocol &protocol) {
  kernel.walk([&](hopper::AwaitTurnOp await) {
    std::string assumed = "the turn that " + placeOf(await.getLoc()) +
                          " awaits comes (blocks of lower numbers pass those "
                          "before it)";
    if (!llvm::is_contained(protocol.assumptions, assumed))
      protocol.assumptions.push_back(assumed);
  });
}

Extraction extract(hopper::KernelOp kernel) {
  Extraction result;
  Protocol &protocol = result.protocol;
  protocol.limits = hopper::targetLimits();
  protocol.kernel = kernel.getSymName().str();
  protocol.place = placeOf(kernel.getLoc());
  protocol.threads = kernel.getThreads();
  protocol.sharedBytes = kernel.getSharedBytes();
  for (auto grid : kernel.getOps<hopper::GridOp>())
    protocol.blocks = grid.getBlocks();
  for (auto ring : kernel.getOps<hopper::RingOp>())
    protocol.rings.push_back(readRing(ring));
  result.gap = findStray(kernel);
  assumeTurns(kernel, protocol);
  assumeGlobalOrder(kernel, protocol);
  for (auto op : kernel.getOps<hopper::ProcessOp>()) {
    Process &process = protocol.processes.emplace_back();
    Extractor extractor(protocol, process);
    extractor.extract(op);
    if (result.gap.empty())
      result.gap = extractor.gap;
  }
  return result;
}

} // namespace heddle::check
