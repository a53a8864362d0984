//===- ExportProblem.cpp - A loop as a scheduling problem -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations are the loop's scheduled ops; dependences are its SSA edges, those
// through iter_args with distance 1. Cycle counts are rates of one SM: the
// tensor core 4096 flop, shared memory and TMA 64 B, 128 lanes of arithmetic a
// cycle. They order and space the timetable; the bounds on II are exact in
// them. The special-function unit (exponentials, divisions) serves 16 lanes a
// cycle.
//
//===----------------------------------------------------------------------===//

#include "ExportProblem.h"

#include "heddle/Dialect/Sched/Sched.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;

namespace {

constexpr int64_t kTensorFlopsPerCycle = 4096;
constexpr int64_t kCopyBytesPerCycle = 64;
constexpr int64_t kCopyLatency = 700;
constexpr int64_t kTensorLatency = 64;
constexpr int64_t kLanes = 128;
constexpr int64_t kSpecialLanes = 16;
constexpr int64_t kSharedBytes = 232448;
constexpr int64_t kBarrierBytes = 1024;
/// Two buffers of 64 rows of 128 bytes, through which a process stores its
/// tile.
constexpr int64_t kStagingBytes = 2 * 64 * 128;

enum UnitIndex { Tma, Tensor, Alu, Special };

int64_t tileBytes(RankedTensorType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

int64_t subOf(Operation *op) {
  auto attr = op->getAttrOfType<IntegerAttr>(sched::kSubIndex);
  return attr ? attr.getInt() : -1;
}

bool isSpecialFunction(Operation *op) {
  return isa<arith::DivFOp>(op) ||
         (isa<math::MathDialect>(op->getDialect()) &&
          !isa<math::FmaOp, math::AbsFOp, math::AbsIOp, math::CopySignOp>(op));
}

/// Ops that make no work: their result is read where it is needed.
bool isFree(Operation *op) {
  return isa<tile::ExpandDimsOp, tile::BroadcastOp, tile::IotaOp>(op);
}

/// Registers of a thread for a tile that a process holds whole. Each element of
/// a row or column of an accumulator is held by four threads.
int64_t registersOf(RankedTensorType type) {
  int64_t copies = type.getRank() == 1 ? 4 : 1;
  return llvm::divideCeil(copies * type.getNumElements() *
                              type.getElementTypeBitWidth(),
                          32 * kLanes);
}

int64_t registersOfResults(Operation *op) {
  int64_t registers = 0;
  for (Type type : op->getResultTypes())
    if (auto tile = dyn_cast<RankedTensorType>(type))
      registers += registersOf(tile);
  return registers;
}

schedule::Operation describe(Operation *op);

/// The longer branch.
int64_t costOfConditional(scf::IfOp op) {
  int64_t most = 1;
  for (Region *region : op.getRegions()) {
    int64_t cost = 0;
    for (Operation &inner : region->getOps())
      if (llvm::any_of(inner.getResultTypes(), llvm::IsaPred<RankedTensorType>))
        cost += describe(&inner).issue;
    most = std::max(most, cost);
  }
  return most;
}

schedule::Operation describe(Operation *op) {
  schedule::Operation result;
  result.name = sched::opName(op).str();
  result.sub = static_cast<int>(subOf(op));
  if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    result.unit = Alu;
    result.reservation = result.issue = costOfConditional(conditional);
    result.latency = result.issue + 8;
    return result;
  }
  RankedTensorType type;
  if (op->getNumResults() == 1)
    type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (isa<tile::LoadOp>(op)) {
    result.unit = Tma;
    result.reservation =
        std::max<int64_t>(1, tileBytes(type) / kCopyBytesPerCycle);
    result.latency = kCopyLatency + result.reservation;
    result.issue = 16;
    result.variableLatency = true;
  } else if (auto dot = dyn_cast<tile::DotOp>(op)) {
    int64_t depth = cast<RankedTensorType>(dot.getA().getType()).getShape()[1];
    result.unit = Tensor;
    result.reservation = std::max<int64_t>(1, type.getNumElements() * 2 *
                                                  depth / kTensorFlopsPerCycle);
    result.latency = result.reservation + kTensorLatency;
    result.issue = 16;
  } else if (isFree(op)) {
    result.unit = Alu;
  } else {
    int64_t elements = 1;
    for (Type operand : op->getOperandTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(operand))
        elements = std::max(elements, tensor.getNumElements());
    if (type)
      elements = std::max(elements, type.getNumElements());
    bool special = isSpecialFunction(op);
    result.unit = special ? Special : Alu;
    result.reservation =
        std::max<int64_t>(1, elements / (special ? kSpecialLanes : kLanes));
    result.issue = result.reservation;
    result.latency = result.issue + 8;
  }
  return result;
}

void addDependences(LoopProblem &result, scf::ForOp loop) {
  DenseMap<Operation *, int> index;
  for (auto [i, op] : llvm::enumerate(result.ops))
    index[op] = static_cast<int>(i);
  auto yielded = loop.getYieldedValues();
  auto addRead = [&](int to, OpOperand &operand) {
    Value value = tile::lookThroughRenaming(operand.get());
    int64_t distance = 0;
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == loop.getBody() &&
        argument.getArgNumber() > 0) {
      value = tile::lookThroughRenaming(yielded[argument.getArgNumber() - 1]);
      distance = 1;
    }
    Operation *def = value.getDefiningOp();
    if (!def || !index.contains(def))
      return;
    auto dot = dyn_cast<tile::DotOp>(operand.getOwner());
    bool accumulates =
        isa<tile::DotOp>(def) && dot && &operand == &dot.getAccMutable();
    result.problem.dependences.push_back(
        {index[def], to, distance, accumulates, false, 0});
  };
  for (auto [to, op] : llvm::enumerate(result.ops))
    op->walk([&, to = to](Operation *inner) { // what a region captures, too
      for (OpOperand &operand : inner->getOpOperands())
        addRead(static_cast<int>(to), operand);
    });
}

/// What `value` of one iteration was in the iteration before, if it is carried.
Value carriedFrom(scf::ForOp loop, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != loop.getBody() ||
      argument.getArgNumber() == 0)
    return {};
  return loop.getYieldedValues()[argument.getArgNumber() - 1];
}

/// The element-wise operations between an accumulator and the product that adds
/// to it: they change it where it lies. Empty if `dot` does not accumulate over
/// the iterations.
SmallVector<Operation *> accumulatorChain(scf::ForOp loop, tile::DotOp dot) {
  SmallVector<Operation *> chain;
  Value value = tile::lookThroughRenaming(dot.getAcc());
  while (true) {
    if (Value before = carriedFrom(loop, value))
      return tile::lookThroughRenaming(before) == dot.getResult()
                 ? (chain.push_back(dot), chain)
                 : SmallVector<Operation *>();
    Operation *op = value.getDefiningOp();
    if (!op || !op->hasTrait<OpTrait::Elementwise>() ||
        op->getBlock() != loop.getBody())
      return {};
    chain.push_back(op);
    // The first operand that is the accumulator's own type leads on.
    Value next;
    for (Value operand : op->getOperands())
      if (!next && operand.getType() == value.getType() &&
          !isa_and_nonnull<tile::BroadcastOp, tile::SplatOp>(
              operand.getDefiningOp()))
        next = tile::lookThroughRenaming(operand);
    if (!next)
      return {};
    value = next;
  }
}

/// Does the result take over an operand's registers, element by element? A
/// conditional that only computes tiles is element-wise if all in it is.
bool isInPlace(Operation *op) {
  auto conditional = dyn_cast<scf::IfOp>(op);
  bool goesByElement = op->hasTrait<OpTrait::Elementwise>() ||
                       isa<tile::CastOp>(op) || conditional;
  if (op->getNumResults() != 1 || !goesByElement)
    return false;
  int64_t made = registersOfResults(op);
  bool takesOver = false;
  op->walk([&](Operation *inner) { // what a region captures, too
    bool mixes = isa<tile::ReduceOp, tile::DotOp>(inner);
    for (Value operand : inner->getOperands()) {
      auto tile = dyn_cast<RankedTensorType>(operand.getType());
      bool isOutside = !op->isAncestor(operand.getParentBlock()->getParentOp());
      takesOver |= tile && isOutside && !mixes && registersOf(tile) >= made;
    }
  });
  return takesOver;
}

/// What each result takes, and how long.
void addFootprints(LoopProblem &result, scf::ForOp loop) {
  schedule::Problem &problem = result.problem;
  llvm::SmallDenseSet<Operation *> accumulating;
  for (Operation *op : result.ops)
    if (auto dot = dyn_cast<tile::DotOp>(op))
      accumulating.insert_range(accumulatorChain(loop, dot));
  for (auto [i, op] : llvm::enumerate(result.ops)) {
    schedule::Operation &described = problem.operations[i];
    bool isAccumulator = accumulating.contains(op);
    if (isa<tile::LoadOp>(op) || isFree(op) ||
        (isAccumulator && !isa<tile::DotOp>(op)))
      continue;
    described.registers = registersOfResults(op);
    described.inPlace = isInPlace(op);
    described.persists = isAccumulator;
  }
  // Carried by registers: a copy more if the next iteration's result is there
  // before the last reader of this one's.
  for (const schedule::Dependence &edge : problem.dependences) {
    schedule::Operation &from = problem.operations[edge.from];
    if (edge.distance == 0 || from.persists ||
        problem.units[from.unit].asynchronous)
      continue;
    from.persists = true;
    from.registers *= 2;
  }
}

/// Readers of an operation that makes no work read what it names.
void addReadsThroughNames(LoopProblem &result) {
  schedule::Problem &problem = result.problem;
  for (size_t i = 0; i < problem.dependences.size(); ++i) {
    schedule::Dependence read = problem.dependences[i];
    if (read.orders || !isFree(result.ops[read.to]))
      continue;
    for (size_t j = 0; j < problem.dependences.size(); ++j) {
      const schedule::Dependence &further = problem.dependences[j];
      if (further.from != read.to || further.orders)
        continue;
      problem.dependences.push_back({read.from, further.to,
                                     read.distance + further.distance, false,
                                     false, 0});
    }
  }
}

/// ptxas serialises products if registers that one reads, accumulators among
/// them, are made while others are in flight (C7513, C7514). So their maker
/// stands between them: behind what was started before, in front of what is
/// started next.
void keepOperandsOutOfFlight(LoopProblem &result) {
  schedule::Problem &problem = result.problem;
  int count = static_cast<int>(result.ops.size());
  auto order = [&](int from, int to, int64_t distance, int64_t delay) {
    problem.dependences.push_back({from, to, distance, false, true, delay});
  };
  for (int maker = 0; maker < count; ++maker) {
    const schedule::Operation &made = problem.operations[maker];
    bool isOperand =
        llvm::any_of(result.ops[maker]->getUsers(), llvm::IsaPred<tile::DotOp>);
    if (!isOperand || problem.units[made.unit].asynchronous)
      continue;
    for (int dot = 0; dot < count; ++dot) {
      const schedule::Operation &product = problem.operations[dot];
      if (product.unit != Tensor || product.sub != made.sub)
        continue;
      int64_t before = dot < maker ? 0 : 1; // program order
      order(dot, maker, before, product.latency);
      order(maker, dot, 1 - before, made.issue);
    }
  }
}

/// A loop's rings are worth two slots each before anything else gets a second.
int64_t chooseOuterDepth(int64_t outerBytes, int64_t loopBytes, int64_t have) {
  return 2 * outerBytes + 2 * loopBytes <= have ? 2 : 1;
}

} // namespace

bool heddle::isPipelined(scf::ForOp loop) {
  bool hasDot = false, hasLoop = false;
  loop.getBody()->walk([&](Operation *op) {
    hasDot |= isa<tile::DotOp>(op) && op->getParentOp() == loop;
    hasLoop |= isa<scf::ForOp, scf::WhileOp>(op) ||
               (isa<scf::IfOp>(op) && !sched::isUndivided(op));
  });
  return hasDot && !hasLoop;
}

SmallVector<tile::LoadOp> heddle::operandsFromOutside(tile::KernelOp kernel) {
  SmallVector<tile::LoadOp> loads;
  kernel.walk([&](tile::LoadOp load) {
    auto uses = tile::usesThroughRenaming(load.getResult());
    auto around = load->getParentOfType<scf::ForOp>();
    bool feedsDots = llvm::all_of(uses, [&](OpOperand *use) {
      auto dot = dyn_cast<tile::DotOp>(use->getOwner());
      auto loop = dyn_cast<scf::ForOp>(use->getOwner()->getParentOp());
      return dot && loop && loop != around && isPipelined(loop) &&
             use != &dot.getAccMutable();
    });
    if (feedsDots && !uses.empty())
      loads.push_back(load);
  });
  return loads;
}

LoopProblem heddle::exportProblem(tile::KernelOp kernel, scf::ForOp loop) {
  LoopProblem result;
  schedule::Problem &problem = result.problem;
  problem.loop = sched::loopName(loop).str();
  problem.units = {
      {"tma", true}, {"tensor", true}, {"alu", false}, {"special", false}};
  int64_t storing = 0;
  kernel.walk([&](tile::StoreOp store) {
    storing = std::max(storing, subOf(store) + 1);
    storing = std::max<int64_t>(storing, 1);
  });
  for (Operation &op : *loop.getBody()) {
    if (!sched::isScheduled(&op))
      continue;
    result.ops.push_back(&op);
    problem.operations.push_back(describe(&op));
    problem.subTiles =
        std::max(problem.subTiles, problem.operations.back().sub + 1);
    if (auto load = dyn_cast<tile::LoadOp>(op))
      problem.transfers.push_back(
          {static_cast<int>(result.ops.size()) - 1,
           tileBytes(cast<RankedTensorType>(load.getResult().getType()))});
  }
  addDependences(result, loop);
  addFootprints(result, loop);
  addReadsThroughNames(result);
  keepOperandsOutOfFlight(result);
  int64_t have = kSharedBytes - kBarrierBytes - storing * kStagingBytes;
  int64_t outerBytes = 0, loopBytes = 0;
  for (tile::LoadOp load : operandsFromOutside(kernel))
    outerBytes += tileBytes(cast<RankedTensorType>(load.getResult().getType()));
  for (const schedule::Transfer &transfer : problem.transfers)
    loopBytes += transfer.bytes;
  result.outerDepth = chooseOuterDepth(outerBytes, loopBytes, have);
  problem.machine.sharedBytes = have - outerBytes * result.outerDepth;
  return result;
}
