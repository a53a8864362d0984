//===- Instances.cpp - The tree of instances ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which instance serves a launch: the one among the calls of the instance
// around it whose variant does the task. None or several are errors, as are
// calls that serve no launch and instances that nobody calls, since a line
// without an effect looks like one that works.
//
//===----------------------------------------------------------------------===//

#include "Instances.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Task.h"

#include "llvm/ADT/StringSet.h"

#include <functional>

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

VariantOp heddle::task::findVariant(ModuleOp module, StringRef task) {
  for (auto variant : module.getOps<VariantOp>())
    if (variant.getTask() == task)
      return variant;
  return {};
}

static LogicalResult checkAgainst(VariantOp variant, VariantOp first) {
  if (variant.getArgumentTypes() != first.getArgumentTypes()) {
    Report error = report(variant, diag::task_signature)
                   << "variant @" << variant.getSymName()
                   << " takes other arguments than @" << first.getSymName()
                   << ", a variant of the same task @" << variant.getTask();
    error.attachNote(first.getLoc()) << "@" << first.getSymName() << " is here";
    return error;
  }
  for (auto [index, privileges] : llvm::enumerate(variant.getPrivileges()))
    if (privileges != first.getPrivileges()[index]) {
      Report error = report(variant, diag::task_signature)
                     << "variant @" << variant.getSymName() << " "
                     << spellPrivileges(privileges) << " argument " << index
                     << ", which @" << first.getSymName()
                     << ", a variant of the same task @" << variant.getTask()
                     << ", " << spellPrivileges(first.getPrivileges()[index]);
      error.attachNote(first.getLoc())
          << "@" << first.getSymName() << " is here";
      return error;
    }
  return success();
}

static LogicalResult checkLaunch(LaunchOp launch, VariantOp variant) {
  size_t wanted = variant.getEntry().getNumArguments(),
         given = launch.getArguments().size();
  if (wanted != given)
    return report(launch, diag::task_signature)
           << "task @" << launch.getTask() << " takes " << wanted
           << " arguments, and this launch passes " << given;
  for (auto [index, value] : llvm::enumerate(launch.getArguments())) {
    Type type = variant.getEntry().getArgument(index).getType();
    if (value.getType() != type)
      return report(launch, diag::task_signature)
             << "argument '" << variant.getArgName(index) << "' of task @"
             << launch.getTask() << " is a " << type
             << ", and this launch passes a " << value.getType();
  }
  return success();
}

LogicalResult heddle::task::checkSignatures(ModuleOp module) {
  for (auto variant : module.getOps<VariantOp>()) {
    VariantOp first = findVariant(module, variant.getTask());
    if (failed(checkAgainst(variant, first)))
      return failure();
    LogicalResult result =
        checkEach<LaunchOp>(variant, [&](LaunchOp launch) -> LogicalResult {
          VariantOp called = findVariant(module, launch.getTask());
          if (called)
            return checkLaunch(launch, called);
          return report(launch, diag::task_signature)
                 << "there is no variant of a task @" << launch.getTask();
        });
    if (failed(result))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

LogicalResult Mapping::read(ModuleOp module) {
  for (auto mapping : module.getOps<MappingOp>()) {
    if (op) {
      Report error = report(mapping, diag::task_mapping)
                     << "there are two mappings, @" << op.getSymName()
                     << " and @" << mapping.getSymName()
                     << "; a file compiles by one";
      error.attachNote(op.getLoc()) << "the first is here";
      return error;
    }
    op = mapping;
  }
  if (!op)
    return report((*module.getOps<VariantOp>().begin()).getOperation(),
                  diag::task_mapping)
           << "the tasks have no mapping; a task.mapping says where they run";
  for (auto line : op.getOps<TuneOp>())
    return report(line, diag::task_mapping)
           << "tunable \"" << line.getTunable()
           << "\" is bound in the instance whose variant wants it";
  for (auto instance : op.getOps<InstanceOp>())
    if (failed(readInstance(module, instance)))
      return failure();
  root = byName.lookup(op.getEntry());
  if (!root)
    return report(op, diag::task_mapping)
           << "mapping @" << op.getSymName() << " enters at @" << op.getEntry()
           << ", and there is no such instance";
  if (root->level != Level::Host)
    return report(root->op, diag::task_mapping)
           << "the entry @" << op.getEntry() << " is on level "
           << spelling(root->level) << "; what a program calls runs on host";
  for (auto &instance : instances)
    if (failed(bindLaunches(*instance)))
      return failure();
  return checkTree();
}

LogicalResult Mapping::readInstance(ModuleOp module, InstanceOp op) {
  if (Instance *known = byName.lookup(op.getSym())) {
    Report error = report(op, diag::task_mapping)
                   << "there are two instances @" << op.getSym();
    error.attachNote(known->op.getLoc()) << "the first is here";
    return error;
  }
  auto instance = std::make_unique<Instance>();
  instance->op = op;
  instance->level = *findLevel(op.getLevel());
  instance->variant = module.lookupSymbol<VariantOp>(op.getVariant());
  if (!instance->variant)
    return report(op, diag::task_mapping)
           << "instance @" << op.getSym() << " runs @" << op.getVariant()
           << ", and there is no such variant";
  if (instance->level == Level::Host && instance->variant.getLeaf())
    return report(op, diag::task_mapping)
           << "instance @" << op.getSym() << " runs the leaf @"
           << op.getVariant() << " on host; a leaf computes on block or below";
  if (failed(readMemories(*instance)) || failed(readLines(*instance)))
    return failure();
  byName[op.getSym()] = instance.get();
  instances.push_back(std::move(instance));
  return success();
}

/// GLOBAL is seen by all, SHARED from a block down, registers by those that
/// hold them.
static bool isSeen(Memory memory, Level level) {
  switch (memory) {
  case Memory::Global:
    return true;
  case Memory::Shared:
  case Memory::None:
    return level >= Level::Block;
  case Memory::Register:
    return level >= Level::Warpgroup;
  }
  llvm_unreachable("a memory without levels");
}

LogicalResult Mapping::readMemories(Instance &instance) {
  VariantOp variant = instance.variant;
  auto words =
      llvm::to_vector(instance.op.getMemories().getAsValueRange<StringAttr>());
  instance.memories.assign(variant.getEntry().getNumArguments(), std::nullopt);
  if (words.empty())
    return success();
  size_t tensors = llvm::count_if(variant.getArgumentTypes(), [](Type type) {
    return isa<ArrayType>(type);
  });
  if (words.size() != tensors)
    return report(instance.op, diag::task_mapping)
           << "instance @" << instance.op.getSym() << " names " << words.size()
           << " memories, and variant @" << variant.getSymName() << " has "
           << tensors << " tensors";
  size_t next = 0;
  for (BlockArgument argument : variant.getEntry().getArguments()) {
    if (!isa<ArrayType>(argument.getType()))
      continue;
    Memory memory = *findMemory(words[next++]);
    if (!isSeen(memory, instance.level))
      return report(instance.op, diag::task_mapping)
             << "instance @" << instance.op.getSym() << " has '"
             << variant.getArgName(argument.getArgNumber()) << "' in memory "
             << spelling(memory) << ", which level " << spelling(instance.level)
             << " cannot see";
    instance.memories[argument.getArgNumber()] = memory;
  }
  return success();
}

LogicalResult Mapping::readLines(Instance &instance) {
  llvm::StringSet<> wanted;
  instance.variant.walk(
      [&](TunableOp tunable) { wanted.insert(tunable.getTunable()); });
  for (auto line : instance.op.getOps<TuneOp>()) {
    if (!wanted.contains(line.getTunable()))
      return report(line, diag::task_mapping)
             << "variant @" << instance.variant.getSymName()
             << " has no tunable \"" << line.getTunable() << "\"";
    auto [known, isNew] =
        instance.tunables.try_emplace(line.getTunable(), line);
    if (isNew)
      continue;
    Report error = report(line, diag::task_mapping)
                   << "tunable \"" << line.getTunable()
                   << "\" is bound twice in instance @" << instance.op.getSym();
    error.attachNote(known->second.getLoc()) << "the first time is here";
    return error;
  }
  llvm::append_range(instance.pins, instance.op.getOps<PinOp>());
  return checkEach<TunableOp>(
      instance.variant, [&](TunableOp tunable) -> LogicalResult {
        if (instance.tunables.contains(tunable.getTunable()))
          return success();
        Report error = report(instance.op, diag::task_mapping)
                       << "instance @" << instance.op.getSym()
                       << " does not bind tunable \"" << tunable.getTunable()
                       << "\"";
        error.attachNote(tunable.getLoc()) << "it is wanted here";
        return error;
      });
}

unsigned Mapping::countTunables(StringRef name) const {
  return llvm::count_if(instances, [&](const auto &instance) {
    return instance->tunables.contains(name);
  });
}

LogicalResult Mapping::bindLaunches(Instance &instance) {
  llvm::SmallVector<Instance *> called;
  for (auto call : instance.op.getCalls().getAsRange<FlatSymbolRefAttr>()) {
    Instance *found = byName.lookup(call.getValue());
    if (!found)
      return report(instance.op, diag::task_mapping)
             << "instance @" << instance.op.getSym() << " calls @"
             << call.getValue() << ", and there is no such instance";
    if (found->level < instance.level)
      return report(instance.op, diag::task_mapping)
             << "instance @" << instance.op.getSym() << " on level "
             << spelling(instance.level) << " calls @" << call.getValue()
             << " on level " << spelling(found->level)
             << "; a child runs on the level of its parent or a lower one";
    called.push_back(found);
  }
  llvm::SmallPtrSet<Instance *, 8> used;
  LogicalResult result = checkEach<LaunchOp>(
      instance.variant, [&](LaunchOp launch) -> LogicalResult {
        Instance *server = nullptr;
        for (Instance *candidate : called) {
          if (candidate->variant.getTask() != launch.getTask())
            continue;
          if (server && server != candidate)
            return report(instance.op, diag::task_mapping)
                   << "instance @" << instance.op.getSym() << " calls @"
                   << server->op.getSym() << " and @" << candidate->op.getSym()
                   << ", and both do task @" << launch.getTask();
          server = candidate;
        }
        if (!server) {
          Report error = report(instance.op, diag::task_mapping)
                         << "instance @" << instance.op.getSym()
                         << " calls nothing that does task @"
                         << launch.getTask();
          error.attachNote(launch.getLoc()) << "it is launched here";
          return error;
        }
        used.insert(server);
        instance.calls[launch] = server;
        return success();
      });
  if (failed(result))
    return failure();
  for (Instance *candidate : called)
    if (!used.contains(candidate))
      return report(instance.op, diag::task_mapping)
             << "instance @" << instance.op.getSym() << " calls @"
             << candidate->op.getSym() << ", and variant @"
             << instance.variant.getSymName() << " does not launch task @"
             << candidate->variant.getTask();
  return success();
}

LogicalResult Mapping::checkTree() {
  llvm::SmallPtrSet<Instance *, 8> reached, open;
  std::function<LogicalResult(Instance &)> visit =
      [&](Instance &instance) -> LogicalResult {
    constexpr size_t kMostDepth = 64;
    if (open.size() > kMostDepth)
      return report(instance.op, diag::task_mapping)
             << "the tree of instances is deeper than " << kMostDepth;
    if (!open.insert(&instance).second)
      return report(instance.op, diag::task_mapping)
             << "instance @" << instance.op.getSym()
             << " calls itself, directly or through others; tasks do not "
                "recur";
    if (reached.insert(&instance).second) {
      LogicalResult result =
          checkEach<LaunchOp>(instance.variant, [&](LaunchOp launch) {
            return visit(*instance.calls.lookup(launch));
          });
      if (failed(result))
        return failure();
    }
    open.erase(&instance);
    return success();
  };
  if (failed(visit(*root)))
    return failure();
  for (auto &instance : instances)
    if (!reached.contains(instance.get()))
      return report(instance->op, diag::task_mapping)
             << "nobody calls instance @" << instance->op.getSym();
  return success();
}
