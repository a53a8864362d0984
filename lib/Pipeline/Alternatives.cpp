//===- Alternatives.cpp - One kernel by several tiles ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Pipeline/Alternatives.h"

#include "Manifests.h"

#include "heddle/Dialect/Hopper/Hopper.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <array>
#include <map>

using namespace mlir;
using namespace heddle;
using namespace heddle::pipeline;
using manifest::Manifest;
using manifest::Precondition;
using manifest::Variant;

/// The function of `entry` under its new name in `own`.
static void moveEntry(ModuleOp own, ModuleOp other, StringRef entry,
                      StringRef name) {
  auto function = other.lookupSymbol<LLVM::LLVMFuncOp>(entry);
  function->remove();
  function.setSymName(name);
  own.push_back(function);
}

/// Memory and functions of others that entries refer to.
static void moveMissing(ModuleOp own, ModuleOp other) {
  for (Operation &op : llvm::make_early_inc_range(*other.getBody())) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    bool isShared = symbol && (!function || function.isExternal());
    if (!isShared || own.lookupSymbol(symbol.getName()))
      continue;
    op.remove();
    own.push_back(&op);
  }
}

/// What memory must be like for a variant. Bounds of numbers, which have a
/// message, are another matter.
static std::vector<Precondition> distinctions(const Variant &variant) {
  std::vector<Precondition> result = variant.requires_;
  llvm::erase_if(result, [](const Precondition &condition) {
    return condition.kind == Precondition::Kind::AtLeast &&
           !condition.message.empty();
  });
  return result;
}

/// Views that are tensors, those of whole rows, and addresses and numbers that
/// are multiples.
using Asked = std::array<std::vector<std::string>, 3>;

/// The distinctions of the variant that `kernel` will be, but those of
/// workspaces.
static Asked asksOfArguments(hopper::KernelOp kernel,
                             ArrayRef<manifest::MadeView> workspaces) {
  Asked asked;
  for (auto [views, indices] : {std::pair(&asked[0], kernel.getTmaArgs()),
                                std::pair(&asked[1], kernel.getRowArgs()),
                                std::pair(&asked[2], kernel.getMultipleArgs())})
    for (int64_t index : indices) {
      std::string name = kernel.getArgName(index);
      if (llvm::none_of(workspaces, [&](const auto &workspace) {
            return workspace.view.name == name;
          }))
        views->push_back(std::move(name));
    }
  return asked;
}

void heddle::pipeline::eraseUnjoined(ModuleOp onHopper,
                                     ArrayRef<manifest::MadeView> workspaces) {
  bool isFirstStep = !workspaces.empty();
  std::map<std::string, std::vector<Asked>> known; // by the source kernel
  SmallVector<hopper::KernelOp> unjoined;
  for (auto kernel : onHopper.getOps<hopper::KernelOp>()) {
    std::vector<Asked> &before = known[kernel.getSourceName().str()];
    Asked asked = asksOfArguments(kernel, workspaces);
    if (before.empty() || (asked != Asked() &&
                           !(isFirstStep && llvm::is_contained(before, asked))))
      before.push_back(std::move(asked));
    else
      unjoined.push_back(kernel);
  }
  for (hopper::KernelOp kernel : unjoined)
    kernel.erase();
}

/// What views are called after a join, by what they were called before.
using Names = std::map<std::string, std::string>;

static void renameViews(manifest::Expr &expr, const Names &names) {
  auto found = names.find(expr.argument);
  if (found != names.end())
    expr.argument = found->second;
  for (manifest::Expr &operand : expr.operands)
    renameViews(operand, names);
}

static void renameViews(Variant &variant, const Names &names) {
  auto rename = [&](std::string &name) {
    auto found = names.find(name);
    if (found != names.end())
      name = found->second;
  };
  for (Precondition &condition : variant.requires_) {
    rename(condition.view);
    renameViews(condition.expr, names);
  }
  for (manifest::Expr &extent : variant.grid)
    renameViews(extent, names);
  for (manifest::Param &param : variant.params) {
    rename(param.argument);
    rename(param.tensorMap.view);
  }
  if (variant.cycles)
    renameViews(*variant.cycles, names);
}

/// `mine` gets the made views of `its`, which are the same where they are equal
/// but for their names. What each is called in `mine`.
static Names joinMadeViews(Manifest &mine, const Manifest &its,
                           StringRef suffix) {
  Names names;
  for (manifest::MadeView made : its.madeViews) {
    std::string name = made.view.name;
    auto same = llvm::find_if(mine.madeViews, [&](const auto &known) {
      made.view.name = known.view.name;
      return known == made;
    });
    if (same == mine.madeViews.end()) {
      made.view.name = name + suffix.str();
      mine.madeViews.push_back(made);
    }
    names[name] = made.view.name;
  }
  return names;
}

/// `mine` with the variants of `its`.
static Manifest joined(Manifest mine, const Manifest &its, StringRef suffix) {
  Names names = joinMadeViews(mine, its, suffix);
  for (Variant variant : its.variants) {
    renameViews(variant, names);
    variant.entry += suffix;
    mine.variants.push_back(std::move(variant));
  }
  return mine;
}

bool heddle::pipeline::appendVariants(ModuleOp own, ModuleOp other,
                                      StringRef suffix, std::string &error) {
  auto ownManifests = readManifests(own);
  auto otherManifests = readManifests(other);
  if (failed(ownManifests) || failed(otherManifests))
    return false;
  std::vector<Manifest> result;
  for (auto [mine, its] : llvm::zip(*ownManifests, *otherManifests)) {
    result.push_back(joined(mine, its, suffix));
    if (!manifest::verify(result.back(), error))
      return false;
  }
  moveMissing(own, other);
  for (const Manifest &its : *otherManifests)
    for (const Variant &variant : its.variants)
      moveEntry(own, other, variant.entry, variant.entry + suffix.str());
  writeManifests(own, result);
  return true;
}

/// `variant`, of `other`, joins `own` under a new name.
static Variant &addVariant(ModuleOp own, ModuleOp other, Manifest &mine,
                           Variant variant, StringRef suffix) {
  std::string entry = variant.entry;
  variant.entry += suffix;
  moveEntry(own, other, entry, variant.entry);
  mine.variants.push_back(std::move(variant));
  return mine.variants.back();
}

/// What a variant asks of its arguments beside workspaces, which a launch makes
/// as they must be.
static std::vector<Precondition> asksOfArguments(const Variant &variant,
                                                 const Steps &steps) {
  std::vector<Precondition> asked = distinctions(variant);
  llvm::erase_if(asked, [&](const Precondition &condition) {
    return llvm::any_of(steps.workspaces, [&](const auto &workspace) {
      return condition.view == workspace.view.name;
    });
  });
  return asked;
}

/// The variants of `first`; of those that ask the same of the arguments, the
/// first.
static void addFirst(ModuleOp own, ModuleOp first, Manifest &mine,
                     const Manifest &its, const Steps &steps,
                     const manifest::Expr &cycles, StringRef suffix,
                     StringRef then) {
  std::vector<std::vector<Precondition>> known;
  Names names = joinMadeViews(mine, its, suffix);
  for (Variant variant : its.variants) {
    renameViews(variant, names);
    std::vector<Precondition> asked = asksOfArguments(variant, steps);
    if (asked.empty() || llvm::is_contained(known, asked))
      continue;
    known.push_back(std::move(asked));
    Variant &added = addVariant(own, first, mine, variant, suffix);
    added.requires_.insert(added.requires_.end(), steps.requires_.begin(),
                           steps.requires_.end());
    added.cycles = cycles;
    added.then = then;
  }
}

FailureOr<Join> Join::into(ModuleOp own, const Cycles &cycles) {
  auto manifests = readManifests(own);
  if (failed(manifests))
    return failure();
  for (Manifest &mine : *manifests)
    if (auto found = cycles.find(mine.kernel); found != cycles.end())
      for (Variant &variant : mine.variants)
        if (!distinctions(variant).empty())
          variant.cycles = found->second;
  return Join(own, std::move(*manifests));
}

LogicalResult Join::add(ModuleOp other, const Cycles &cycles,
                        StringRef suffix) {
  auto otherManifests = readManifests(other);
  if (failed(otherManifests))
    return failure();
  moveMissing(own, other);
  for (Manifest &mine : manifests)
    for (const Manifest &its : *otherManifests) {
      auto found = cycles.find(mine.kernel);
      if (its.kernel != mine.kernel || found == cycles.end())
        continue;
      size_t viewsBefore = mine.madeViews.size();
      bool isAnyTaken = false;
      Names names = joinMadeViews(mine, its, suffix);
      for (Variant variant : its.variants) {
        renameViews(variant, names);
        auto asked = distinctions(variant);
        bool hasOwn = llvm::any_of(mine.variants, [&](const Variant &known) {
          return known.step.empty() && distinctions(known) == asked;
        });
        if (asked.empty() || !hasOwn)
          continue;
        addVariant(own, other, mine, variant, suffix).cycles = found->second;
        isAnyTaken = true;
      }
      if (!isAnyTaken)
        mine.madeViews.resize(viewsBefore);
    }
  return success();
}

/// The variants of the kernels in `second` as the step called `name`.
LogicalResult Join::appendStep(ModuleOp second, StringRef name,
                               StringRef suffix) {
  auto itsManifests = readManifests(second);
  if (failed(itsManifests))
    return failure();
  moveMissing(own, second);
  for (Manifest &mine : manifests)
    for (const Manifest &its : *itsManifests) {
      if (its.kernel != mine.kernel)
        continue;
      Names names = joinMadeViews(mine, its, suffix);
      for (Variant variant : its.variants) {
        renameViews(variant, names);
        addVariant(own, second, mine, variant, suffix).step = name;
      }
    }
  return success();
}

LogicalResult Join::addSteps(ModuleOp first, ModuleOp second,
                             const Steps &steps, const Cycles &cycles,
                             StringRef suffix) {
  for (Manifest &mine : manifests)
    mine.madeViews.insert(mine.madeViews.end(), steps.workspaces.begin(),
                          steps.workspaces.end());
  std::string then = ("whole" + suffix).str();
  if (failed(appendStep(second, then, (suffix + "_whole").str())))
    return failure();
  auto firstManifests = readManifests(first);
  if (failed(firstManifests))
    return failure();
  moveMissing(own, first);
  for (Manifest &mine : manifests)
    for (const Manifest &its : *firstManifests)
      if (auto found = cycles.find(mine.kernel);
          its.kernel == mine.kernel && found != cycles.end())
        addFirst(own, first, mine, its, steps, found->second,
                 (suffix + "_parts").str(), then);
  return success();
}

std::vector<Manifest> Join::finish() {
  writeManifests(own, manifests);
  return std::move(manifests);
}
