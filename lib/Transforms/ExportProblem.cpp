//===- ExportProblem.cpp - A loop as a scheduling problem -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations are the loop's scheduled ops; dependences are its SSA edges, those
// through iter_args with distance 1. What an operation costs is in
// OperationCosts.cpp, what a product's result in tensor memory costs in
// TensorMemory.cpp.
//
//===----------------------------------------------------------------------===//

#include "ExportProblem.h"
#include "OperationCosts.h"
#include "StreamedLoads.h"
#include "TensorMemory.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Machine/Times.h"

using namespace mlir;
using namespace heddle;

namespace {

int64_t registersOfResults(Operation *op, const machine::Costs &costs) {
  int64_t registers = 0;
  for (Type type : op->getResultTypes())
    if (auto tile = dyn_cast<RankedTensorType>(type))
      registers += registersOf(tile, costs);
  return registers;
}

void addDependences(LoopProblem &result, scf::ForOp loop) {
  DenseMap<Operation *, int> index;
  for (auto [i, op] : llvm::enumerate(result.ops))
    index[op] = static_cast<int>(i);
  auto yielded = loop.getYieldedValues();
  auto isOnTensor = [&](Operation *op) {
    auto found = index.find(op);
    return found != index.end() && isa_and_present<tile::DotOp>(op) &&
           result.problem.operations[found->second].unit == kTensor;
  };
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
        isOnTensor(def) && isOnTensor(dot) && &operand == &dot.getAccMutable();
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
Accumulator accumulatorChain(scf::ForOp loop, tile::DotOp dot) {
  Accumulator chain;
  Value value = tile::lookThroughRenaming(dot.getAcc());
  while (true) {
    if (Value before = carriedFrom(loop, value))
      return tile::lookThroughRenaming(before) == dot.getResult()
                 ? (chain.push_back(dot), chain)
                 : Accumulator();
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
/// conditional that only computes tiles is element-wise if all in it is. Rows
/// that it yields beside its tile are few registers more.
bool isInPlace(Operation *op, const machine::Costs &costs) {
  auto conditional = dyn_cast<scf::IfOp>(op);
  bool goesByElement = op->hasTrait<OpTrait::Elementwise>() ||
                       isa<tile::CastOp>(op) || conditional;
  if (!goesByElement)
    return false;
  int64_t made = 0;
  for (Type type : op->getResultTypes())
    if (auto tile = dyn_cast<RankedTensorType>(type);
        tile && (tile.getRank() > 1 || op->getNumResults() == 1))
      made += registersOf(tile, costs);
  if (made == 0)
    return false;
  bool takesOver = false;
  op->walk([&](Operation *inner) { // what a region captures, too
    bool mixes = isa<tile::ReduceOp, tile::DotOp>(inner);
    for (Value operand : inner->getOperands()) {
      auto tile = dyn_cast<RankedTensorType>(operand.getType());
      bool isOutside = !op->isAncestor(operand.getParentBlock()->getParentOp());
      takesOver |=
          tile && isOutside && !mixes && registersOf(tile, costs) >= made;
    }
  });
  return takesOver;
}

/// The product of the iteration that goes on with this one's sum, if nothing
/// else reads it; null otherwise.
tile::DotOp nextInPlace(scf::ForOp loop, tile::DotOp dot) {
  if (!dot.getResult().hasOneUse())
    return {};
  OpOperand &use = *dot.getResult().use_begin();
  auto next = dyn_cast<tile::DotOp>(use.getOwner());
  bool goesOn = next && &use == &next.getAccMutable() &&
                next->getBlock() == loop.getBody();
  return goesOn ? next : tile::DotOp();
}

/// Products of an iteration that go on with one another's sum, which is carried
/// over the iterations, have it in the same registers: it is counted once, for
/// the last of them. That one; null where a sum is not carried so.
tile::DotOp endOfCarriedSum(scf::ForOp loop, tile::DotOp dot) {
  tile::DotOp first = dot, last = dot;
  auto before = [&] {
    Value acc = tile::lookThroughRenaming(first.getAcc());
    return acc.getDefiningOp<tile::DotOp>();
  };
  while (tile::DotOp earlier = before()) {
    if (nextInPlace(loop, earlier) != first)
      return {};
    first = earlier;
  }
  while (tile::DotOp next = nextInPlace(loop, last))
    last = next;
  Value carried = carriedFrom(loop, tile::lookThroughRenaming(first.getAcc()));
  bool isCarried =
      carried && tile::lookThroughRenaming(carried) == last.getResult();
  return isCarried ? last : tile::DotOp();
}

SmallVector<Accumulator> findAccumulators(const LoopProblem &exported,
                                          scf::ForOp loop) {
  SmallVector<Accumulator> found;
  for (Operation *op : exported.ops)
    if (auto dot = dyn_cast<tile::DotOp>(op))
      if (Accumulator chain = accumulatorChain(loop, dot); !chain.empty())
        found.push_back(chain);
  return found;
}

bool isReadByItselfOnly(const schedule::Problem &problem, int op) {
  return llvm::all_of(problem.dependences, [&](const auto &edge) {
    return edge.from != op || edge.orders || edge.to == op;
  });
}

/// What each result takes, and how long.
void addFootprints(LoopProblem &result, scf::ForOp loop,
                   ArrayRef<Accumulator> accumulators,
                   const machine::Costs &costs) {
  schedule::Problem &problem = result.problem;
  llvm::SmallDenseSet<Operation *> accumulating;
  for (const Accumulator &chain : accumulators)
    accumulating.insert_range(chain);
  for (auto [i, op] : llvm::enumerate(result.ops)) {
    schedule::Operation &described = problem.operations[i];
    bool isAccumulator = accumulating.contains(op);
    if (isa<tile::LoadOp, tile::StageOp>(op) || isFree(op) ||
        (isAccumulator && !isa<tile::DotOp>(op)))
      continue;
    tile::DotOp end;
    if (auto dot = dyn_cast<tile::DotOp>(op);
        dot && !costs.tensorMemory.columns)
      end = endOfCarriedSum(loop, dot);
    if (end && end != op)
      continue;
    described.registers = registersOfResults(op, costs);
    described.inPlace = isInPlace(op, costs);
    described.persists = isAccumulator || end;
  }
  // Carried by registers: a copy more if the next iteration's result is there
  // before the last reader of this one's. A sum that only its own next addition
  // reads grows where it lies.
  for (const schedule::Dependence &edge : problem.dependences) {
    schedule::Operation &from = problem.operations[edge.from];
    if (edge.distance == 0 || from.persists ||
        problem.units[from.unit].asynchronous)
      continue;
    from.persists = true;
    if (!from.inPlace || !isReadByItselfOnly(problem, edge.from))
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
/// started next. Windows that are read from a tile have registers of their own,
/// so that theirs stand beside other products than that which reads them.
void keepOperandsOutOfFlight(LoopProblem &result) {
  schedule::Problem &problem = result.problem;
  int count = static_cast<int>(result.ops.size());
  auto order = [&](int from, int to, int64_t distance, int64_t delay) {
    problem.dependences.push_back({from, to, distance, false, true, delay});
  };
  for (int maker = 0; maker < count; ++maker) {
    const schedule::Operation &made = problem.operations[maker];
    bool isOperand =
        llvm::any_of(result.ops[maker]->getUsers(), [&](Operation *user) {
          const auto *found = llvm::find(result.ops, user);
          return isa<tile::DotOp>(user) &&
                 (found == result.ops.end() ||
                  problem.operations[found - result.ops.begin()].unit ==
                      kTensor);
        });
    if (!isOperand || problem.units[made.unit].asynchronous ||
        isa<tile::StageOp>(result.ops[maker]))
      continue;
    for (int dot = 0; dot < count; ++dot) {
      const schedule::Operation &product = problem.operations[dot];
      if (product.unit != kTensor || product.sub != made.sub ||
          (isa<tile::UnfoldOp>(result.ops[maker]) &&
           !llvm::is_contained(result.ops[dot]->getOperands(),
                               result.ops[maker]->getResult(0))))
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

Operation *heddle::numberOfOneProcess(scf::ForOp loop) {
  for (Operation &op : *loop.getBody()) {
    bool makesNumber = llvm::any_of(op.getResults(), [](Value result) {
      return !isa<TensorType>(result.getType()) && !result.use_empty();
    });
    if (makesNumber && sched::isScheduled(&op))
      return &op;
  }
  return nullptr;
}

bool heddle::isControlOfNumbers(Operation *op) {
  if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
    return false;
  auto isNumber = [](Type type) { return !isa<TensorType>(type); };
  return !op->walk([&](Operation *inner) {
              bool isOfNumbers =
                  llvm::all_of(inner->getOperandTypes(), isNumber) &&
                  llvm::all_of(inner->getResultTypes(), isNumber);
              bool isControl = isa<scf::SCFDialect>(inner->getDialect());
              bool isRepeated = !isControl && !sched::isScheduled(inner);
              bool computes = (isOfNumbers || isRepeated) &&
                              (isControl || isMemoryEffectFree(inner) ||
                               sched::isRepeatedInput(inner));
              return computes ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}

bool heddle::isPipelined(scf::ForOp loop) {
  if (auto kernel = loop->getParentOfType<tile::KernelOp>();
      kernel && kernel->hasAttr(sched::kOneProcess))
    return false;
  bool hasDot = false, hasLoop = false;
  loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isControlOfNumbers(op))
      return WalkResult::skip();
    hasDot |= isa<tile::DotOp>(op) && op->getParentOp() == loop;
    hasLoop |= isa<scf::ForOp, scf::WhileOp>(op) ||
               (isa<scf::IfOp>(op) && !sched::isUndivided(op));
    return WalkResult::advance();
  });
  return hasDot && !hasLoop && !numberOfOneProcess(loop);
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

SmallVector<tile::StageOp> heddle::stagedOutside(tile::KernelOp kernel) {
  SmallVector<tile::StageOp> stages;
  kernel.walk([&](tile::StageOp stage) {
    auto around = dyn_cast<scf::ForOp>(stage->getParentOp());
    if (!around || !isPipelined(around))
      stages.push_back(stage);
  });
  return stages;
}

/// What a process of this machine has, and what changing processes costs.
/// Sub-tiles of one original do the same.
static void linkReplicas(LoopProblem &result) {
  llvm::StringMap<int> first;
  for (auto [index, op] : llvm::enumerate(result.ops))
    if (StringRef original = sched::originalName(op);
        !original.empty() && subOf(op) == 0)
      first[original] = int(index);
  for (auto [op, operation] : llvm::zip(result.ops, result.problem.operations))
    if (auto leader = first.find(sched::originalName(op));
        leader != first.end() && operation.sub > 0)
      operation.leader = leader->second;
}

static schedule::Machine describeMachine(const machine::Costs &costs) {
  schedule::Machine machine;
  machine.sharedBytes = costs.limits.sharedBytesPerBlock;
  machine.registersPerLane =
      costs.limits.registersPerMultiprocessor / costs.limits.threadsPerGroup;
  machine.maxRegisters = costs.registers.most;
  machine.overheadRegisters = costs.registers.overhead;
  machine.loaderRegisters = costs.registers.loader;
  machine.handOverCycles = machine::Times(costs).handOver();
  machine.columns = costs.tensorMemory.columns;
  if (machine.columns > 0)
    machine.columnBytes = 4 * costs.tensor.rows;
  machine.ringDepth = costs.shared.ringDepth;
  return machine;
}

LoopProblem heddle::exportProblem(tile::KernelOp kernel, scf::ForOp loop,
                                  const machine::Costs &costs,
                                  int64_t storing) {
  LoopProblem result;
  schedule::Problem &problem = result.problem;
  problem.loop = sched::loopName(loop).str();
  problem.units = unitsOfMultiprocessor();
  problem.machine = describeMachine(costs);
  problem.loadsApart = true;
  int64_t stored = 0; // sub-tiles
  // Accesses whose order shows are one process's, and so are all sub-tiles that
  // they are of.
  bool isTogether = false;
  kernel.walk([&](Operation *op) {
    if (isa<tile::StoreOp>(op))
      stored = std::max({stored, subOf(op) + 1, int64_t(1)});
    isTogether |= op->hasAttr(tile::kInOrderAttr);
  });
  storing = storing ? std::min(storing, stored) : stored;
  for (Operation &op : *loop.getBody()) {
    if (!sched::isScheduled(&op))
      continue;
    result.ops.push_back(&op);
    problem.operations.push_back(describe(&op, costs));
    if (isTogether)
      problem.operations.back().sub =
          std::min(problem.operations.back().sub, 0);
    problem.subTiles =
        std::max(problem.subTiles, problem.operations.back().sub + 1);
    if (isa<tile::LoadOp, tile::StageOp>(op)) {
      int64_t bytes =
          tileBytes(cast<RankedTensorType>(op.getResult(0).getType()));
      auto aligned = int64_t(costs.shared.tileAlignment);
      problem.transfers.push_back({static_cast<int>(result.ops.size()) - 1,
                                   bytes, bytes >= aligned ? aligned : 1});
    }
  }
  linkReplicas(result);
  addDependences(result, loop);
  SmallVector<Accumulator> accumulators = findAccumulators(result, loop);
  addFootprints(result, loop, accumulators, costs);
  addReadsThroughNames(result);
  if (costs.tensorMemory.columns > 0)
    moveToTensorMemory(result, accumulators, costs);
  else
    keepOperandsOutOfFlight(result);
  int64_t have = problem.machine.sharedBytes -
                 int64_t(costs.shared.barrierBytes) -
                 storing * int64_t(costs.shared.stagingBytes);
  int64_t outerBytes = 0, loopBytes = 0;
  for (tile::LoadOp load : operandsFromOutside(kernel))
    outerBytes += tileBytes(cast<RankedTensorType>(load.getResult().getType()));
  for (tile::StageOp stage : stagedOutside(kernel))
    outerBytes +=
        tileBytes(cast<RankedTensorType>(stage.getResult().getType()));
  for (const schedule::Transfer &transfer : problem.transfers)
    loopBytes += transfer.bytes;
  result.outerDepth = chooseOuterDepth(outerBytes, loopBytes, have);
  have -= outerBytes * result.outerDepth;
  SmallVector<tile::LoadOp> streams = streamedLoads(kernel);
  result.streamDepth = depthOfStreams(streams, loopBytes, have,
                                      int64_t(costs.shared.ringDepth) / 2);
  for (tile::LoadOp load : streams)
    have -= result.streamDepth *
            tileBytes(cast<RankedTensorType>(load.getResult().getType()));
  problem.machine.sharedBytes = have;
  return result;
}
