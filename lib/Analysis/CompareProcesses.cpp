//===- CompareProcesses.cpp - In which numbers processes differ -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two processes are gone through side by side, step by step. A step has an
// effect or holds a region; what has none is compared where it is read, since
// processes may compute it in different orders. Whole numbers, and tiles of
// them, are compared but for what is added to them last.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/CompareProcesses.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace heddle {

namespace {

/// (base ^ flip) + offset; no base for a constant.
struct Sum {
  Value base;
  uint64_t offset = 0, flip = 0;
};

/// A whole number, or the one that all elements of a tile are.
std::optional<uint64_t> constantOf(Value value) {
  if (auto splat = value.getDefiningOp<tile::SplatOp>())
    return constantOf(splat.getValue());
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return std::nullopt;
  if (auto tile = dyn_cast<DenseIntElementsAttr>(constant);
      tile && tile.isSplat())
    return uint64_t(tile.getSplatValue<APInt>().getSExtValue());
  if (auto number = dyn_cast<IntegerAttr>(constant))
    return uint64_t(number.getInt());
  return std::nullopt;
}

/// What an addition of a constant adds, and to which operand.
std::optional<Sum> addedTo(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  if (auto constant = constantOf(op->getOperand(1)))
    return Sum{op->getOperand(0),
               isa<arith::AddIOp>(op) ? *constant : -*constant, 0};
  if (auto constant = constantOf(op->getOperand(0));
      constant && isa<arith::AddIOp>(op))
    return Sum{op->getOperand(1), *constant, 0};
  return std::nullopt;
}

Sum decompose(Value value) {
  Sum sum{value, 0, 0};
  while (auto added = addedTo(sum.base))
    sum = {added->base, sum.offset + added->offset, 0};
  if (auto constant = constantOf(sum.base))
    return {Value(), sum.offset + *constant, 0};
  if (auto flipped = sum.base.getDefiningOp<arith::XOrIOp>())
    if (auto constant = constantOf(flipped.getRhs()))
      return {flipped.getLhs(), sum.offset, *constant};
  return sum;
}

bool isStep(Operation &op) {
  return op.getNumRegions() != 0 || op.getNumResults() == 0 ||
         op.hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(&op);
}

/// Compares a process to the first one.
class Comparison {
public:
  Comparison(Operation *first, ProcessRules &rules)
      : first(first), rules(rules) {}

  llvm::MapVector<OpOperand *, NumberChange> operands;
  llvm::MapVector<Operation *, int64_t> places;
  Operation *difference = nullptr;

  bool compare(Block &one, Block &other) {
    if (one.getArgumentTypes() != other.getArgumentTypes())
      return false;
    for (auto [a, b] : llvm::zip(one.getArguments(), other.getArguments()))
      twins[a] = b;
    auto steps = llvm::make_filter_range(one, isStep);
    auto otherSteps = llvm::make_filter_range(other, isStep);
    auto a = steps.begin(), b = otherSteps.begin();
    for (; a != steps.end() && b != otherSteps.end(); ++a, ++b)
      if (!compareStep(*a, *b)) {
        if (!difference)
          difference = &*a;
        return false;
      }
    if (a != steps.end() && !difference)
      difference = &*a;
    return a == steps.end() && b == otherSteps.end();
  }

private:
  bool compareStep(Operation &a, Operation &b) {
    if (!compareOne(a, b))
      return false;
    for (auto [x, y] : llvm::zip(a.getRegions(), b.getRegions())) {
      if (x.empty() != y.empty())
        return false;
      if (x.empty())
        continue;
      if (!x.hasOneBlock() || !y.hasOneBlock() ||
          !compare(x.front(), y.front()))
        return false;
    }
    for (auto [x, y] : llvm::zip(a.getResults(), b.getResults()))
      if (!rules.isElement(x))
        twins[x] = y;
    return true;
  }

  /// Which element the other process reads is known where it is read first.
  bool areElements(OpResult a, OpResult b) {
    if (twins.contains(a) || a.getType() != b.getType() ||
        twins.lookup(a.getOwner()->getResult(0)) != b.getOwner()->getResult(0))
      return false;
    twins[a] = b;
    return true;
  }

  /// Apart from regions.
  bool compareOne(Operation &a, Operation &b) {
    auto read = rules.readBy(a), otherRead = rules.readBy(b);
    if (!rules.areAlike(&a, &b) || read.size() != otherRead.size() ||
        a.getNumRegions() != b.getNumRegions() ||
        a.getResultTypes() != b.getResultTypes())
      return false;
    for (auto [x, y] : llvm::zip(read, otherRead))
      if (!compareOperand(*x, y->get()))
        return false;
    std::optional<int64_t> place = rules.placeOf(&a);
    return !place || isOnly(places, &a, *rules.placeOf(&b) - *place);
  }

  bool compareOperand(OpOperand &operand, Value other) {
    if (operand.get().getType() != other.getType())
      return false;
    Sum a = decompose(operand.get()), b = decompose(other);
    if (!areTwins(a.base, b.base))
      return false;
    NumberChange change{int64_t(b.offset - a.offset), int64_t(a.flip ^ b.flip)};
    if (change.flip && (a.offset || b.offset))
      return false;
    // Each replica chooses among numbers of 32 bits.
    if (!llvm::isInt<32>(change.more) || !llvm::isInt<32>(change.flip))
      return false;
    return isOnly(operands, &operand, change);
  }

  /// What is computed once may be read in several places, and the other process
  /// may compute it in each.
  template <typename Map, typename Key, typename Change>
  static bool isOnly(Map &map, Key key, const Change &change) {
    auto [place, isNew] = map.try_emplace(key, change);
    return isNew || place->second == change;
  }

  bool areTwins(Value a, Value b) {
    if (!a || !b)
      return !a && !b;
    auto twin = twins.find(a);
    if (twin != twins.end() && twin->second == b)
      return true;
    auto x = dyn_cast<OpResult>(a), y = dyn_cast<OpResult>(b);
    if (x && y && rules.isElement(x) && rules.isElement(y))
      return areElements(x, y);
    // What stands outside of the processes is read by other ones as well.
    if (!x || !y || x.getResultNumber() != y.getResultNumber() ||
        isStep(*x.getOwner()) || isStep(*y.getOwner()) ||
        !first->isProperAncestor(x.getOwner()))
      return rules.areSameOutside(a, b);
    if (!compareOne(*x.getOwner(), *y.getOwner()))
      return false;
    twins[a] = b;
    return true;
  }

  Operation *first;
  ProcessRules &rules;
  DenseMap<Value, Value> twins; ///< of the first in the other
};

/// Of an operand: is it added to in one process and flipped in another?
bool isMixed(ArrayRef<NumberChange> changes) {
  return llvm::any_of(changes, [](NumberChange c) { return c.more != 0; }) &&
         llvm::any_of(changes, [](NumberChange c) { return c.flip != 0; });
}

} // namespace

std::optional<ReplicaNumbers> compareProcesses(ArrayRef<Operation *> processes,
                                               ProcessRules &rules,
                                               Operation *&difference) {
  ReplicaNumbers numbers;
  Operation *first = processes.front();
  for (size_t i = 1; i < processes.size(); ++i) {
    Comparison comparison(first, rules);
    rules.begin();
    if (!comparison.compare(first->getRegion(0).front(),
                            processes[i]->getRegion(0).front())) {
      difference = comparison.difference;
      return std::nullopt;
    }
    for (auto [operand, change] : comparison.operands)
      if (change) {
        auto &all = numbers.operands[operand];
        all.resize(processes.size());
        all[i] = change;
      }
    for (auto [op, bytes] : comparison.places)
      if (bytes) {
        auto &all = numbers.places[op];
        all.resize(processes.size());
        all[i] = bytes;
      }
  }
  for (auto &[operand, changes] : numbers.operands)
    if (isMixed(changes)) {
      difference = operand->getOwner();
      return std::nullopt;
    }
  return numbers;
}

static StringRef nameOf(Operation *process) {
  return process->getAttrOfType<StringAttr>("sym").getValue();
}

static Report noReplica(Operation *process, StringRef leader) {
  Report error = report(process, diag::replica_differs);
  error << "process '" << nameOf(process) << "' is no replica of '" << leader
        << "': ";
  return error;
}

LogicalResult verifyReplicas(StringRef leader, ArrayRef<Operation *> group) {
  Operation *first = group.front();
  if (nameOf(first) != leader)
    return noReplica(first, leader)
           << "no process of that name stands in front of it";
  auto numberOf = [](Operation *op, StringRef name) {
    auto number = op->getAttrOfType<IntegerAttr>(name);
    return number ? number.getInt() : 0;
  };
  for (Operation *process : group.drop_front())
    if (numberOf(process, "warps") != numberOf(first, "warps") ||
        numberOf(process, "registers") != numberOf(first, "registers"))
      return noReplica(process, leader)
             << "it has " << numberOf(process, "warps") << " warps and "
             << numberOf(process, "registers")
             << " registers a thread, and that has " << numberOf(first, "warps")
             << " and " << numberOf(first, "registers")
             << "; give both the same, or take its replica_of away";
  return success();
}

LogicalResult reportNoReplica(Operation *process, Operation *leader,
                              Operation *difference) {
  Report error = noReplica(process, nameOf(leader));
  if (difference)
    error << "a step of that is '" << difference->getName()
          << "', and it has none like it there";
  else
    error << "it does more than that, or the same in another order";
  return error;
}

} // namespace heddle
