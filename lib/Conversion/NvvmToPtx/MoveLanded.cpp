//===- MoveLanded.cpp - Products are copied behind their wait -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What phis and products tie is one group, whatever comes of it. A wait joins
// the groups of its operand and of its result only where nothing of one is
// needed beside something of the other, so that nothing has to be copied
// between them; those in the innermost loops come first. All others get moves.
//
//===----------------------------------------------------------------------===//

#include "MoveLanded.h"

#include "ProductCalls.h"
#include "RegisterWebs.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"

#include <numeric>

using namespace llvm;
using heddle::Part;
using heddle::Tie;

namespace {

/// Parts that get one register, unless two of them are needed at one time.
class Groups {
public:
  Groups(Function &function, ArrayRef<Part> parts)
      : interference(function, parts), group(parts.size()) {
    std::iota(group.begin(), group.end(), 0);
    for (auto [number, part] : enumerate(parts)) {
      numbers[part] = number;
      members.emplace_back(parts.size()).set(number);
      meets.push_back(interference.with(number));
    }
  }

  bool has(const Part &part) const { return numbers.contains(part); }

  void join(const Part &a, const Part &b) {
    size_t into = of(a), gone = of(b);
    if (into == gone)
      return;
    group[gone] = into;
    members[into] |= members[gone];
    meets[into] |= meets[gone];
  }

  /// Joins them if no part of one is needed beside a part of the other.
  bool joinIfApart(const Part &a, const Part &b) {
    size_t one = of(a), other = of(b);
    if (one != other && meets[one].anyCommon(members[other]))
      return false;
    join(a, b);
    return true;
  }

private:
  size_t of(const Part &part) {
    size_t number = numbers.lookup(part);
    while (group[number] != number)
      number = group[number] = group[group[number]];
    return number;
  }

  heddle::Interference interference;
  DenseMap<Part, size_t> numbers;
  std::vector<size_t> group;
  std::vector<BitVector> members, meets; ///< of those that groups are named by
};

bool isWait(const Tie &tie) {
  return tie.call && heddle::isProductWait(*tie.call);
}

/// The parts that ties connect with a wait's.
std::vector<Part> partsAround(ArrayRef<Tie> ties) {
  MapVector<Part, bool> reached;
  for (const Tie &tie : ties)
    for (const Part &part : {tie.from, tie.to})
      reached[part] |= isWait(tie);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Tie &tie : ties) {
      if (reached[tie.from] == reached[tie.to])
        continue;
      reached[tie.from] = reached[tie.to] = changed = true;
    }
  }
  std::vector<Part> parts;
  for (const auto &[part, isReached] : reached)
    if (isReached)
      parts.push_back(part);
  return parts;
}

using Moved = MapVector<CallBase *, std::vector<unsigned>>;

/// Results of waits whose groups cannot be joined with what they wait for.
Moved findMoved(Function &function, ArrayRef<Tie> ties) {
  Groups groups(function, partsAround(ties));
  std::vector<Tie> waits;
  for (const Tie &tie : ties)
    if (isWait(tie))
      waits.push_back(tie);
    else if (groups.has(tie.from))
      groups.join(tie.from, tie.to);
  DominatorTree tree(function);
  LoopInfo loops(tree);
  stable_sort(waits, [&](const Tie &a, const Tie &b) {
    return loops.getLoopDepth(a.call->getParent()) >
           loops.getLoopDepth(b.call->getParent());
  });
  Moved moved;
  for (const Tie &tie : waits)
    if (!groups.joinIfApart(tie.from, tie.to))
      moved[tie.call].push_back(tie.to.second);
  return moved;
}

/// Assembly that copies each of `values`, all of which are there before it
/// writes the first.
CallInst *emitMoves(IRBuilder<> &builder, ArrayRef<Value *> values) {
  std::string text, results, operands;
  std::vector<Type *> types;
  for (auto [number, value] : enumerate(values)) {
    Type *type = value->getType();
    types.push_back(type);
    text += (number ? "\n\tmov.b" : "mov.b") +
            std::to_string(type->getPrimitiveSizeInBits().getFixedValue()) +
            " $" + std::to_string(number) + ", $" +
            std::to_string(values.size() + number) + ";";
    std::string kind = type->isFloatTy() ? "f" : "r";
    results += (number ? ",=&" : "=&") + kind;
    operands += "," + kind;
  }
  Type *type = types.size() == 1 ? types.front()
                                 : StructType::get(builder.getContext(), types);
  auto *signature = FunctionType::get(type, types, /*isVarArg=*/false);
  return builder.CreateCall(InlineAsm::get(signature, text, results + operands,
                                           /*hasSideEffects=*/false),
                            values);
}

/// What everybody else reads in place of the results of `wait`.
void moveBehind(CallBase &wait, ArrayRef<unsigned> parts) {
  IRBuilder<> builder(wait.getParent(), std::next(wait.getIterator()));
  builder.SetCurrentDebugLocation(wait.getDebugLoc());
  bool isStruct = wait.getType()->isStructTy();
  std::vector<Value *> values;
  for (unsigned part : parts)
    values.push_back(isStruct ? builder.CreateExtractValue(&wait, part)
                              : static_cast<Value *>(&wait));
  CallInst *moves = emitMoves(builder, values);
  std::vector<Value *> copies;
  for (unsigned i = 0; i < parts.size(); ++i)
    copies.push_back(parts.size() == 1 ? static_cast<Value *>(moves)
                                       : builder.CreateExtractValue(moves, i));
  if (!isStruct)
    return wait.replaceUsesWithIf(
        copies.front(), [&](Use &use) { return use.getUser() != moves; });
  Value *whole = &wait;
  for (auto [part, copy] : zip_equal(parts, copies))
    whole = builder.CreateInsertValue(whole, copy, part);
  wait.replaceUsesWithIf(whole, [&](Use &use) {
    return !is_contained(values, use.getUser()) && use.getUser() != whole &&
           !isa<InsertValueInst>(use.getUser());
  });
}

} // namespace

PreservedAnalyses heddle::MoveLandedPass::run(Function &function,
                                              FunctionAnalysisManager &) {
  std::vector<Tie> ties = findTies(function);
  if (none_of(ties, isWait))
    return PreservedAnalyses::all();
  Moved moved = findMoved(function, ties);
  for (auto &[wait, parts] : moved)
    moveBehind(*wait, parts);
  PreservedAnalyses kept = PreservedAnalyses::all();
  if (!moved.empty()) {
    kept = PreservedAnalyses::none();
    kept.preserveSet<CFGAnalyses>();
  }
  return kept;
}
