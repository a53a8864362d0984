//===- RegisterWebs.cpp - Which values may share a register ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts are there from the instruction on that makes their struct, wherever
// they are taken out of it. What comes into a phi is copied at the end of its
// block, while all else that leaves that block is still needed.
//
//===----------------------------------------------------------------------===//

#include "RegisterWebs.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {

Part partOf(Value *value) {
  auto *part = dyn_cast<ExtractValueInst>(value);
  if (part && part->getNumIndices() == 1)
    return {part->getAggregateOperand(), part->getIndices().front()};
  return {value, 0};
}

static unsigned partsIn(Type *type) {
  auto *whole = dyn_cast<StructType>(type);
  return whole ? whole->getNumElements() : 1;
}

static void findTies(PHINode &phi, std::vector<Tie> &ties) {
  for (Value *value : phi.incoming_values()) {
    if (!isa<Instruction>(value))
      continue;
    if (!phi.getType()->isStructTy())
      ties.push_back({partOf(value), {&phi, 0}, nullptr});
    else
      for (unsigned i = 0; i < partsIn(phi.getType()); ++i)
        ties.push_back({{value, i}, {&phi, i}, nullptr});
  }
}

static void findTies(CallBase &call, std::vector<Tie> &ties) {
  auto *text = dyn_cast<InlineAsm>(call.getCalledOperand());
  if (!text)
    return;
  unsigned argument = 0;
  for (const InlineAsm::ConstraintInfo &constraint : text->ParseConstraints()) {
    if (constraint.Type != InlineAsm::isInput)
      continue;
    Value *operand = call.getArgOperand(argument++);
    unsigned result = 0;
    if (constraint.Codes.size() == 1 && isa<Instruction>(operand) &&
        to_integer(constraint.Codes.front(), result, 10))
      ties.push_back({partOf(operand), {&call, result}, &call});
  }
}

std::vector<Tie> findTies(Function &function) {
  std::vector<Tie> ties;
  for (Instruction &instruction : instructions(function)) {
    if (auto *phi = dyn_cast<PHINode>(&instruction))
      findTies(*phi, ties);
    else if (auto *call = dyn_cast<CallBase>(&instruction))
      findTies(*call, ties);
  }
  return ties;
}

Interference::Interference(Function &function, ArrayRef<Part> parts)
    : function(function), parts(parts.begin(), parts.end()),
      meets(parts.size(), Set(parts.size())) {
  for (auto [number, part] : enumerate(parts)) {
    numbers[part] = number;
    made[part.first].push_back(number);
  }
  findLive();
  for (BasicBlock &block : function)
    enter(block, liveAtEnd(block), /*notes=*/true);
  for (size_t part = 0; part < meets.size(); ++part)
    for (unsigned other : meets[part].set_bits())
      meets[other].set(part);
}

ArrayRef<size_t> Interference::madeBy(Value *value) const {
  auto found = made.find(value);
  return found == made.end() ? ArrayRef<size_t>() : ArrayRef(found->second);
}

/// A struct is needed whole where it is not taken apart.
void Interference::need(Value *value, Set &live) const {
  if (value->getType()->isStructTy()) {
    for (size_t number : madeBy(value))
      live.set(number);
  } else if (auto number = numbers.find(partOf(value));
             number != numbers.end()) {
    live.set(number->second);
  }
}

void Interference::findLive() {
  for (BasicBlock &block : function)
    liveAtStart[&block] = Set(meets.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *block : post_order(&function)) {
      Set live = enter(*block, liveAtEnd(*block), /*notes=*/false);
      changed |= live != liveAtStart[block];
      liveAtStart[block] = std::move(live);
    }
  }
}

BitVector Interference::liveAtEnd(BasicBlock &block) {
  Set live(meets.size());
  for (BasicBlock *next : successors(&block)) {
    Set needed = liveAtStart[next];
    for (PHINode &phi : next->phis())
      for (size_t number : madeBy(&phi))
        needed.reset(number);
    live |= needed;
    for (PHINode &phi : next->phis())
      need(phi.getIncomingValueForBlock(&block), live);
  }
  return live;
}

void Interference::meet(size_t part, const Set &live) {
  meets[part] |= live;
  meets[part].reset(part);
}

/// From the end of `block`, where `live` are needed, to behind its phis.
BitVector Interference::enter(BasicBlock &block, Set live, bool notes) {
  for (BasicBlock *next : successors(&block))
    for (PHINode &phi : next->phis())
      for (size_t number : madeBy(&phi)) {
        if (!notes)
          break;
        Value *value = phi.getIncomingValueForBlock(&block);
        Part from = phi.getType()->isStructTy()
                        ? Part(value, parts[number].second)
                        : partOf(value);
        Set others = live;
        if (auto own = numbers.find(from); own != numbers.end())
          others.reset(own->second);
        meet(number, others);
      }
  for (Instruction &instruction : reverse(block)) {
    if (isa<PHINode>(instruction))
      break;
    if (isa<ExtractValueInst>(instruction))
      continue;
    ArrayRef<size_t> results = madeBy(&instruction);
    for (size_t number : results)
      live.set(number); // results of one call are there at one time
    for (size_t number : results)
      if (notes)
        meet(number, live);
    for (size_t number : results)
      live.reset(number);
    for (Value *operand : instruction.operands())
      need(operand, live);
  }
  if (notes)
    for (PHINode &phi : block.phis())
      for (size_t number : madeBy(&phi))
        meet(number, live);
  return live;
}

} // namespace heddle
