//===- TensorMemory.cpp - Products that leave their results there ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An accumulator's columns are counted once: every operation that changes it
// holds an equal part of them, all the time, so that each of them may be in a
// process of its own. What such an operation reads for each row goes through
// shared memory.
//
//===----------------------------------------------------------------------===//

#include "TensorMemory.h"
#include "OperationCosts.h"

#include "heddle/Machine/Times.h"

using namespace mlir;
using namespace heddle;

namespace {

class Mover {
public:
  Mover(LoopProblem &exported, const machine::Costs &costs)
      : exported(exported), costs(costs), times(costs) {
    for (auto [i, op] : llvm::enumerate(exported.ops))
      index[op] = static_cast<int>(i);
  }

  void run(ArrayRef<Accumulator> accumulators) {
    for (Operation *op : exported.ops)
      if (isa<tile::DotOp>(op))
        giveColumns(op, columnsOf(op));
      else if (isStored(op))
        store(op);
    for (const Accumulator &chain : accumulators) {
      shareColumns(chain);
      shareRows(chain);
    }
    for (Operation *op : exported.ops)
      if (isa<tile::DotOp>(op))
        loadForReaders(op);
  }

private:
  schedule::Operation &described(Operation *op) {
    return exported.problem.operations[index.lookup(op)];
  }

  int64_t columnsOf(Operation *op) const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    return costs.tensorColumns(type.getShape()[0], type.getShape()[1],
                               type.getElementTypeBitWidth());
  }

  void giveColumns(Operation *op, int64_t columns) {
    described(op).columns = columns;
    described(op).registers = 0;
  }

  /// Does a product read the result of `op` from tensor memory, and nobody else
  /// read it? B is always in shared memory.
  static bool isStored(Operation *op) {
    if (isa<tile::LoadOp>(op) || op->getNumResults() != 1)
      return false;
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    return type && type.getRank() == 2 && !op->use_empty() &&
           llvm::all_of(op->getUses(), [](OpOperand &use) {
             auto dot = dyn_cast<tile::DotOp>(use.getOwner());
             return dot && use.get() != dot.getB();
           });
  }

  void store(Operation *op) {
    int64_t columns = columnsOf(op);
    giveColumns(op, columns);
    delay(op, times.storeColumns(columns));
  }

  /// The process is busy so much longer.
  void delay(Operation *op, double cycles) {
    described(op).issue += machine::wholeCycles(cycles);
    described(op).latency += machine::wholeCycles(cycles);
  }

  void shareColumns(const Accumulator &chain) {
    int64_t columns = columnsOf(chain.back());
    int64_t members = chain.size();
    for (auto [i, op] : llvm::enumerate(chain)) {
      giveColumns(op, (columns + int64_t(i)) / members);
      described(op).persists = true;
      if (op == chain.back())
        continue;
      loaded.insert({op, chain.back()});
      // What the next one in the chain reads, too, is stored by now.
      bool isStoredAlready = isStored(op);
      delay(op, times.loadColumns(columns) +
                    (isStoredAlready ? 0 : times.storeColumns(columns)));
    }
  }

  /// A row of a tile that `op` reads, if an operation of the loop makes it.
  Operation *makerOfRow(Value value) const {
    Operation *op = tile::lookThroughRenaming(value).getDefiningOp();
    while (op && isFree(op) && op->getNumOperands() == 1)
      op = tile::lookThroughRenaming(op->getOperand(0)).getDefiningOp();
    if (!op || !index.contains(op) || op->getNumResults() != 1)
      return nullptr;
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    return type && type.getRank() == 1 && !isa<tile::LoadOp>(op) ? op : nullptr;
  }

  /// What changes an accumulator row by row may be in another process than who
  /// makes its factors.
  void shareRows(const Accumulator &chain) {
    for (Operation *op : chain)
      for (Value operand : op->getOperands()) {
        Operation *maker = isa<tile::DotOp>(op) ? nullptr : makerOfRow(operand);
        if (!maker)
          continue;
        auto type = cast<RankedTensorType>(maker->getResult(0).getType());
        double access = times.passRow(type.getNumElements());
        int made = index.lookup(maker);
        if (!schedule::goesThroughSlots(exported.problem, made)) {
          exported.problem.transfers.push_back({made, tileBytes(type)});
          delay(maker, access);
        }
        delay(op, access);
      }
  }

  void loadForReaders(Operation *dot) {
    std::vector<schedule::Dependence> &edges = exported.problem.dependences;
    const schedule::Dependence *first = nullptr;
    SmallVector<schedule::Dependence> reads;
    for (const schedule::Dependence &edge : edges) {
      Operation *reader = exported.ops[edge.to];
      if (edge.from != index.lookup(dot) || edge.orders || isFree(reader) ||
          isa<tile::DotOp>(reader) || loaded.contains({reader, dot}))
        continue;
      reads.push_back(edge);
    }
    for (const schedule::Dependence &read : reads)
      if (!first || std::pair(read.distance, read.to) <
                        std::pair(first->distance, first->to))
        first = &read;
    if (!first)
      return;
    Operation *loader = exported.ops[first->to];
    delay(loader, times.loadColumns(columnsOf(dot)));
    bool isKept = false;
    for (const schedule::Dependence &read : reads)
      if (read.to != first->to) {
        edges.push_back({first->to, read.to, read.distance - first->distance,
                         false, false, 0});
        isKept = true;
      }
    if (isKept)
      described(loader).registers += registersOf(
          cast<RankedTensorType>(dot->getResult(0).getType()), costs);
  }

  LoopProblem &exported;
  const machine::Costs &costs;
  machine::Times times;
  DenseMap<Operation *, int> index;
  /// Readers that have paid for their load.
  llvm::SmallDenseSet<std::pair<Operation *, Operation *>> loaded;
};

} // namespace

void heddle::moveToTensorMemory(LoopProblem &exported,
                                ArrayRef<Accumulator> accumulators,
                                const machine::Costs &costs) {
  Mover(exported, costs).run(accumulators);
}
