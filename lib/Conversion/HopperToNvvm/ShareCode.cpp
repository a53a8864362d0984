//===- ShareCode.cpp - One code for processes that do the same ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two codes are compared instruction by instruction. Integers and addresses may
// differ by a constant, which becomes a multiple of, or a choice by, the number
// of the group; everything else must be equal.
//
//===----------------------------------------------------------------------===//

#include "ShareCode.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>

using namespace mlir;

namespace heddle::tonvvm {

namespace {

/// (base ^ flip) + offset, modulo 2^64; no base for a constant. Who fills a
/// slot of a credit waits for the other phase than who gets it.
struct Sum {
  Value base;
  uint64_t offset = 0, flip = 0;
};

/// What makes the value of one process from that of another: value ^ flip, or
/// value + more.
struct Change {
  uint64_t more = 0, flip = 0;
  bool operator==(const Change &) const = default;
  explicit operator bool() const { return more || flip; }
};

std::optional<uint64_t> constantOf(Value value) {
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return uint64_t(constant.getInt());
  return std::nullopt;
}

/// What a step of address or index arithmetic adds to which operand.
std::optional<Sum> addedTo(Operation *op) {
  if (auto gep = dyn_cast_or_null<LLVM::GEPOp>(op)) {
    if (!gep.getElemType().isInteger(8) || !gep.getDynamicIndices().empty() ||
        gep.getRawConstantIndices().size() != 1)
      return std::nullopt;
    return Sum{gep.getBase(), uint64_t(gep.getRawConstantIndices()[0]), 0};
  }
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  auto constant = constantOf(op->getOperand(1));
  if (!constant)
    return std::nullopt;
  return Sum{op->getOperand(0), isa<arith::AddIOp>(op) ? *constant : -*constant,
             0};
}

Sum decompose(Value value) {
  Sum sum{value, 0, 0};
  while (auto added = addedTo(sum.base.getDefiningOp()))
    sum = {added->base, sum.offset + added->offset, 0};
  if (auto constant = constantOf(sum.base))
    if (sum.base.getType().isIntOrIndex())
      return {Value(), sum.offset + *constant, 0};
  if (auto flipped = sum.base.getDefiningOp<arith::XOrIOp>())
    if (auto constant = constantOf(flipped.getRhs()))
      return {flipped.getLhs(), sum.offset, *constant};
  return sum;
}

/// Depends on nothing but its operands: compared where its results are used,
/// since processes may have such instructions in different orders.
bool isFree(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return call.getIntrin().starts_with("llvm.nvvm.ex2.approx");
  // All lanes of a warp do the same, wherever they do it.
  if (isa<NVVM::ShflOp>(op))
    return true;
  return op->getNumRegions() == 0 && op->getNumResults() > 0 &&
         isMemoryEffectFree(op) && !op->hasTrait<OpTrait::IsTerminator>();
}

bool haveEqualAttributes(Operation *a, Operation *b) {
  auto others = [](Operation *op) {
    SmallVector<NamedAttribute> result;
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (!attribute.getName().getValue().starts_with("sched."))
        result.push_back(attribute);
    return result;
  };
  return a->getName() == b->getName() &&
         a->getName().compareOpProperties(a->getPropertiesStorage(),
                                          b->getPropertiesStorage()) &&
         others(a) == others(b);
}

/// Compares the code of a process to that of the first.
class Comparison {
public:
  /// Operands of the first whose value is another in the other.
  llvm::MapVector<OpOperand *, Change> differences;
  /// The first step of the first that the other does not take.
  Operation *difference = nullptr;

  bool compare(Block &first, Block &other) {
    if (first.getArgumentTypes() != other.getArgumentTypes())
      return false;
    for (auto [a, b] : llvm::zip(first.getArguments(), other.getArguments()))
      twins[a] = b;
    auto isStep = [](Operation &op) { return !isFree(&op); };
    auto steps = llvm::make_filter_range(first, isStep);
    auto otherSteps = llvm::make_filter_range(other, isStep);
    auto a = steps.begin(), b = otherSteps.begin();
    for (; a != steps.end() && b != otherSteps.end(); ++a, ++b)
      if (!compareStep(*a, *b)) {
        if (!difference)
          difference = &*a;
        return false;
      }
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
      twins[x] = y;
    return true;
  }

  /// Apart from regions.
  bool compareOne(Operation &a, Operation &b) {
    if (!haveEqualAttributes(&a, &b) ||
        a.getNumOperands() != b.getNumOperands() ||
        a.getNumRegions() != b.getNumRegions() ||
        a.getResultTypes() != b.getResultTypes())
      return false;
    for (auto [x, y] : llvm::zip(a.getOpOperands(), b.getOpOperands()))
      if (!compareOperand(x, y.get()))
        return false;
    return true;
  }

  bool compareOperand(OpOperand &operand, Value other) {
    Value value = operand.get();
    if (value.getType() != other.getType())
      return false;
    Sum a = decompose(value), b = decompose(other);
    if (!areTwins(a.base, b.base))
      return false;
    Change change{b.offset - a.offset, a.flip ^ b.flip};
    if (change.flip && (a.offset || b.offset))
      return false;
    auto [place, isNew] = differences.try_emplace(&operand, change);
    return isNew || place->second == change;
  }

  bool areTwins(Value a, Value b) {
    if (!a || !b)
      return !a && !b;
    auto twin = twins.find(a);
    if (twin != twins.end() && twin->second == b)
      return true;
    auto x = dyn_cast<OpResult>(a), y = dyn_cast<OpResult>(b);
    if (!x || !y || x.getResultNumber() != y.getResultNumber() ||
        !isFree(x.getOwner()) || !isFree(y.getOwner()))
      return a == b;
    if (!compareOne(*x.getOwner(), *y.getOwner()))
      return false;
    twins[a] = b;
    return true;
  }

  DenseMap<Value, Value> twins; ///< of the first in the other
};

/// Numbers that depend on which of the processes a warp is in.
class Choices {
public:
  Choices(Code &code, Value number) : code(code), number(number) {
    place = code.builder.saveInsertionPoint();
  }

  /// `value` as process i wants it, where `user` uses it.
  Value apply(Operation *user, Value value, ArrayRef<Change> changes) {
    std::vector<int64_t> more, flips;
    for (const Change &change : changes) {
      more.push_back(change.more);
      flips.push_back(change.flip);
    }
    bool isFlip = llvm::any_of(flips, [](int64_t flip) { return flip != 0; });
    Value chosen = choose(isFlip ? flips : more);
    OpBuilder::InsertionGuard guard(code.builder);
    code.builder.setInsertionPoint(user);
    Type type = value.getType();
    if (isa<LLVM::LLVMPointerType>(type))
      return code.advance(value, chosen);
    if (type.isIndex())
      chosen = arith::IndexCastOp::create(code.builder, code.loc, type, chosen);
    else if (type.getIntOrFloatBitWidth() > 32)
      chosen = arith::ExtSIOp::create(code.builder, code.loc, type, chosen);
    else if (type.getIntOrFloatBitWidth() < 32)
      chosen = arith::TruncIOp::create(code.builder, code.loc, type, chosen);
    if (isFlip)
      return arith::XOrIOp::create(code.builder, code.loc, value, chosen);
    return arith::AddIOp::create(code.builder, code.loc, value, chosen);
  }

private:
  Value choose(const std::vector<int64_t> &more) {
    Value &chosen = known[more];
    if (chosen)
      return chosen;
    OpBuilder::InsertionGuard guard(code.builder);
    code.builder.restoreInsertionPoint(place);
    bool linear = true;
    for (size_t i = 0; i < more.size(); ++i)
      linear &= more[i] == int64_t(i) * more[1];
    if (linear)
      return chosen = arith::MulIOp::create(code.builder, code.loc, number,
                                            constant(more[1]));
    chosen = constant(more[0]);
    for (size_t i = 1; i < more.size(); ++i)
      chosen = arith::SelectOp::create(code.builder, code.loc,
                                       code.isEqual(number, i),
                                       constant(more[i]), chosen);
    return chosen;
  }

  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(code.builder, code.loc, value, 32);
  }

  Code &code;
  Value number; ///< of the process among those that share, i32
  OpBuilder::InsertPoint place;
  std::map<std::vector<int64_t>, Value> known;
};

} // namespace

/// Can these be told apart by their warps alone?
static bool areAlike(ArrayRef<DispatchedProcess> processes) {
  hopper::ProcessOp first = processes.front().process;
  for (auto [i, entry] : llvm::enumerate(processes)) {
    hopper::ProcessOp process = entry.process;
    if (process.getWarps() != first.getWarps() ||
        process.getFirstWarp() != first.getFirstWarp() + i * first.getWarps())
      return false;
  }
  return true;
}

/// One code for all of them; else where they differ, or null.
struct Attempt {
  bool isDone = false;
  Operation *difference = nullptr;
};

static Attempt share(Code &code, ArrayRef<DispatchedProcess> processes,
                     Value warp) {
  DispatchedProcess first = processes.front();
  llvm::MapVector<OpOperand *, std::vector<Change>> differences;
  for (size_t i = 1; i < processes.size(); ++i) {
    Comparison comparison;
    if (!comparison.compare(*first.block, *processes[i].block))
      return {false, comparison.difference};
    for (auto [operand, change] : comparison.differences) {
      if (!change)
        continue;
      std::vector<Change> &all = differences[operand];
      all.resize(processes.size());
      all[i] = change;
    }
  }
  // One process adds and another flips.
  for (auto &[operand, changes] : differences)
    if (llvm::any_of(changes, [](Change change) { return change.more; }) &&
        llvm::any_of(changes, [](Change change) { return change.flip; }))
      return {false, operand->getOwner()};
  scf::IfOp branch = first.branch;
  code.builder.setInsertionPoint(branch);
  Value number = code.divide(code.sub(warp, first.process.getFirstWarp()),
                             first.process.getWarps());
  Choices choices(code, number);
  for (auto &[operand, changes] : differences)
    operand->set(choices.apply(operand->getOwner(), operand->get(), changes));
  first.block->getTerminator()->erase();
  branch->getBlock()->getOperations().splice(branch->getIterator(),
                                             first.block->getOperations());
  branch->erase();
  return {true, nullptr};
}

void shareCode(Code &code, ArrayRef<DispatchedProcess> processes, Value warp,
               bool isReported) {
  OpBuilder::InsertionGuard guard(code.builder);
  for (; processes.size() > 1; processes = processes.drop_front()) {
    if (!areAlike(processes))
      continue;
    Attempt attempt = share(code, processes, warp);
    if (attempt.isDone)
      return;
    if (processes.size() > 2 || !isReported)
      continue;
    hopper::ProcessOp one = processes[0].process, two = processes[1].process;
    Report remark = report(one, diag::code_not_shared);
    remark << "processes '" << one.getSym() << "' and '" << two.getSym()
           << "' have code of their own";
    if (attempt.difference)
      remark << ": a step of the first is '" << attempt.difference->getName()
             << "', and the other has none like it there";
  }
}

} // namespace heddle::tonvvm
