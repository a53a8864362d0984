//===- CollectEvents.cpp - Events and control flow of LLVM IR and PTX -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function of LLVM IR, or the text of a PTX entry. Out: the graph of its
// events. Branches of the IR whose condition folds to a constant lose an edge
// here, because they lose it in the text too; InstCombine's knowledge is asked
// for that, but none of its changes is taken.
//
//===----------------------------------------------------------------------===//

#include "CheckEvents.h"
#include "EventNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <utility>

using llvm::StringRef;

namespace heddle {

//===----------------------------------------------------------------------===//
// From PTX
//===----------------------------------------------------------------------===//

namespace {
using NameStatement =
    llvm::function_ref<std::optional<std::string>(const Statement &)>;

class PtxReader {
public:
  explicit PtxReader(NameStatement name) : name(name) {}

  EventGraph graph = EventGraph(1);

  void read(const Statement &statement) {
    if (!statement.label.empty())
      enter(find(statement.label));
    StringRef opcode = statement.opcode;
    if (opcode == ".branchtargets" ||
        opcode.starts_with("$")) // a table of targets, in lines
      return readTargets(opcode.starts_with("$") ? opcode : statement.operands);
    if (opcode == "bra" || opcode.starts_with("bra."))
      return leave({find(statement.operands)}, statement.predicated);
    if (opcode.starts_with("brx."))
      return leave(std::exchange(targets, {}), statement.predicated);
    if (opcode == "ret")
      graph[current].events.push_back(kReturnEvent);
    if (opcode == "ret" || opcode == "exit" || opcode == "trap")
      return leave({}, statement.predicated);
    if (std::optional<std::string> event = name(statement))
      graph[current].events.push_back(*event);
  }

private:
  NameStatement name;
  llvm::StringMap<unsigned> blocks; ///< by label
  unsigned current = 0;
  bool reachesNext = true;
  std::vector<unsigned> targets; ///< of the brx that follows

  unsigned find(StringRef label) {
    auto [place, isNew] = blocks.try_emplace(label, graph.size());
    if (isNew)
      graph.emplace_back();
    return place->second;
  }
  void enter(unsigned block) {
    if (reachesNext)
      graph[current].successors.push_back(block);
    current = block;
    reachesNext = true;
  }
  void leave(std::vector<unsigned> successors, bool mayStay) {
    graph[current].successors.insert(graph[current].successors.end(),
                                     successors.begin(), successors.end());
    reachesNext = mayStay;
    graph.emplace_back();
    enter(graph.size() - 1);
  }
  void readTargets(StringRef list) {
    for (StringRef label : llvm::split(list, ","))
      if (!label.trim().empty())
        targets.push_back(find(label.trim()));
  }
};
} // namespace

std::optional<EventGraph> collectEvents(StringRef ptx, StringRef entry) {
  return collectEvents(ptx, entry, [](const Statement &statement) {
    return nameEvent(statement.opcode, statement.operands);
  });
}

std::optional<EventGraph> collectEvents(StringRef ptx, StringRef entry,
                                        NameStatement name) {
  size_t begin = ptx.find((".entry " + entry + "(").str());
  if (begin == StringRef::npos)
    return std::nullopt;
  StringRef body = ptx.substr(begin);
  body = body.substr(body.find("\n{"));
  body = body.take_front(body.find("\n}"));
  PtxReader reader(name);
  forEachStatement(body,
                   [&](const Statement &statement) { reader.read(statement); });
  return std::move(reader.graph);
}

//===----------------------------------------------------------------------===//
// From LLVM IR
//===----------------------------------------------------------------------===//

/// What InstCombine will make of a condition, or the value itself.
static llvm::Value *fold(llvm::Value *value, const llvm::SimplifyQuery &query,
                         unsigned depth) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || llvm::isa<llvm::PHINode>(instruction) || depth == 0)
    return value;
  llvm::SmallVector<llvm::Value *> operands;
  for (llvm::Value *operand : instruction->operands())
    operands.push_back(fold(operand, query, depth - 1));
  llvm::Value *simple =
      llvm::simplifyInstructionWithOperands(instruction, operands, query);
  return simple ? simple : value;
}

static llvm::SmallVector<const llvm::BasicBlock *>
findSuccessors(const llvm::BasicBlock &block) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (branch && branch->isConditional()) {
    llvm::SimplifyQuery query(block.getDataLayout(), branch);
    llvm::Value *condition = fold(branch->getCondition(), query, /*depth=*/6);
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(condition))
      return {branch->getSuccessor(constant->isZero() ? 1 : 0)};
  }
  return llvm::SmallVector<const llvm::BasicBlock *>(llvm::successors(&block));
}

EventGraph collectEvents(const llvm::Function &function) {
  EventGraph graph(1);
  std::vector<const llvm::BasicBlock *> order = {&function.getEntryBlock()};
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> numbers = {{order[0], 0}};
  for (unsigned i = 0; i < order.size(); ++i) {
    for (const llvm::Instruction &instruction : *order[i])
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        addEvents(*call, graph[i].events);
    if (llvm::isa<llvm::ReturnInst>(order[i]->getTerminator()))
      graph[i].events.push_back(kReturnEvent);
    for (const llvm::BasicBlock *successor : findSuccessors(*order[i])) {
      auto [place, isNew] = numbers.try_emplace(successor, order.size());
      if (isNew) {
        order.push_back(successor);
        graph.emplace_back();
      }
      graph[i].successors.push_back(place->second);
    }
  }
  return graph;
}

} // namespace heddle
