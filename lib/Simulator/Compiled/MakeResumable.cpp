//===- MakeResumable.cpp - Functions that stop and go on ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the waits, asks which values live across each, and then gives each
// such value a word of the frame and, by SSAUpdater, the definition read back
// from there.
//
//===----------------------------------------------------------------------===//

#include "MakeResumable.h"

#include "Words.h"
#include "WriteProcess.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace heddle::simulator;

namespace {

/// Values in a fixed order, so that the same function has the same frame.
using Values = SetVector<Instruction *>;

class Resumable {
public:
  Resumable(Function &function, int64_t firstWord)
      : function(function), firstWord(firstWord), frame(function.getArg(0)),
        word(Type::getInt64Ty(function.getContext())) {}

  int64_t make() {
    removeUnreachableBlocks(function);
    promoteVariables();
    splitAtCalls();
    findLive();
    keepAcrossWaits();
    return firstWord + most;
  }

private:
  struct Wait {
    int64_t point;
    BasicBlock *before, *after;
    BasicBlock *back = nullptr; ///< reads what was kept
  };

  void promoteVariables() {
    SmallVector<AllocaInst *> variables;
    for (Instruction &one : function.getEntryBlock())
      if (auto *variable = dyn_cast<AllocaInst>(&one))
        variables.push_back(variable);
    DominatorTree tree(function);
    PromoteMemToReg(variables, tree);
  }

  static bool isCallOf(const Instruction &one, StringRef name) {
    auto *call = dyn_cast<CallInst>(&one);
    return call && call->getCalledFunction() &&
           call->getCalledFunction()->getName() == name;
  }

  Value *place(IRBuilder<> &at, int64_t index) {
    return at.CreateConstInBoundsGEP1_64(word, frame, uint64_t(index));
  }
  void setState(IRBuilder<> &at, int64_t state) {
    at.CreateStore(ConstantInt::getSigned(word, state),
                   place(at, frame::State));
  }

  void splitAtCalls() {
    SmallVector<CallInst *> calls;
    for (Instruction &one : instructions(function))
      if (isCallOf(one, kBegin) || isCallOf(one, kWait) || isCallOf(one, kFail))
        calls.push_back(cast<CallInst>(&one));
    for (CallInst *call : calls) {
      BasicBlock *before = call->getParent();
      BasicBlock *after = before->splitBasicBlock(call);
      Instruction *leave = before->getTerminator();
      IRBuilder<> at(leave);
      if (isCallOf(*call, kBegin)) {
        entry = before;
        body = after;
      } else {
        int64_t point =
            cast<ConstantInt>(call->getArgOperand(0))->getSExtValue();
        bool isWait = isCallOf(*call, kWait);
        setState(at, isWait ? point : frame::kFault - point);
        at.CreateRetVoid();
        leave->eraseFromParent();
        if (isWait)
          waits.push_back({point, before, after});
      }
      call->eraseFromParent();
    }
    for (Wait &wait : waits) {
      wait.back = BasicBlock::Create(function.getContext(), "back", &function,
                                     wait.after);
      BranchInst::Create(wait.after, wait.back);
    }
    // Calls of a process that has ended return at once.
    Instruction *leave = entry->getTerminator();
    IRBuilder<> at(leave);
    BasicBlock *over =
        BasicBlock::Create(function.getContext(), "over", &function);
    ReturnInst::Create(function.getContext(), over);
    Value *state = at.CreateLoad(word, place(at, frame::State));
    SwitchInst *choice =
        at.CreateSwitch(state, over, unsigned(waits.size()) + 1);
    choice->addCase(
        ConstantInt::get(Type::getInt64Ty(function.getContext()), 0), body);
    for (Wait &wait : waits)
      choice->addCase(
          cast<ConstantInt>(ConstantInt::getSigned(word, wait.point)),
          wait.back);
    leave->eraseFromParent();
    // What a failed check does not go on with has no way to it.
    removeUnreachableBlocks(function);
  }

  /// What every call computes anew lives everywhere.
  bool isKept(const Instruction *value) const {
    return value->getParent() != entry;
  }

  /// Values that are needed at the beginning of each block and were made in
  /// front of it.
  void findLive() {
    bool isChanged = true;
    SmallVector<BasicBlock *> order;
    for (BasicBlock &block : reverse(function))
      order.push_back(&block);
    while (isChanged) {
      isChanged = false;
      for (BasicBlock *block : order) {
        Values needed;
        for (BasicBlock *next : successors(block)) {
          for (Instruction *value : live[next])
            needed.insert(value);
          for (PHINode &phi : next->phis())
            if (auto *value =
                    dyn_cast<Instruction>(phi.getIncomingValueForBlock(block)))
              if (isKept(value))
                needed.insert(value);
        }
        for (Instruction &one : *block)
          if (!isa<PHINode>(one))
            for (Value *operand : one.operands())
              if (auto *value = dyn_cast<Instruction>(operand))
                if (isKept(value))
                  needed.insert(value);
        needed.remove_if(
            [&](Instruction *value) { return value->getParent() == block; });
        if (needed.size() != live[block].size()) {
          live[block] = std::move(needed);
          isChanged = true;
        }
      }
    }
  }

  void keepAcrossWaits() {
    // Each value with the blocks in which it has a definition.
    MapVector<Instruction *, SmallVector<std::pair<BasicBlock *, Value *>>>
        readBack;
    for (Wait &wait : waits) {
      IRBuilder<> keep(wait.before->getTerminator());
      IRBuilder<> back(wait.back->getTerminator());
      int64_t index = firstWord;
      // Not live[wait.after]: that has no value made in the block in front of
      // the wait but those used behind it, which is what is asked.
      for (Instruction *value : live[wait.after]) {
        keep.CreateStore(value, place(keep, index));
        readBack[value].push_back(
            {wait.back, back.CreateLoad(value->getType(), place(back, index))});
        ++index;
      }
      most = std::max(most, index - firstWord);
    }
    for (auto &[value, definitions] : readBack) {
      SmallVector<Use *> uses;
      for (Use &use : value->uses())
        if (isBehind(value, use))
          uses.push_back(&use);
      SSAUpdater updater;
      updater.Initialize(value->getType(), "kept");
      updater.AddAvailableValue(value->getParent(), value);
      for (auto &[block, definition] : definitions)
        updater.AddAvailableValue(block, definition);
      for (Use *use : uses)
        updater.RewriteUse(*use);
    }
  }

  /// Whether another definition could reach the use.
  static bool isBehind(const Instruction *value, const Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    if (auto *phi = dyn_cast<PHINode>(user))
      return phi->getIncomingBlock(use) != value->getParent();
    return user->getParent() != value->getParent();
  }

  Function &function;
  int64_t firstWord, most = 0;
  Value *frame;
  Type *word;
  BasicBlock *entry = nullptr, *body = nullptr;
  SmallVector<Wait> waits;
  DenseMap<BasicBlock *, Values> live;
};

} // namespace

int64_t heddle::simulator::makeResumable(Function &function,
                                         int64_t firstWord) {
  return Resumable(function, firstWord).make();
}
