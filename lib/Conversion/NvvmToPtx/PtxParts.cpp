//===- PtxParts.cpp - An entry at a time ----------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxParts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace heddle {

/// Is `op` declared alike in every text: shared memory, or an intrinsic?
static bool isDeclaredAlike(Operation &op) {
  if (auto global = dyn_cast<LLVM::GlobalOp>(op))
    return global.getLinkage() == LLVM::Linkage::External &&
           !global.getValueOrNull() && global.getInitializerRegion().empty();
  auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
  return function && function.isExternal() &&
         function.getName().starts_with("llvm.");
}

static bool isKernel(Operation &op) {
  return isa<LLVM::LLVMFuncOp>(op) &&
         op.hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
}

std::vector<OwningOpRef<ModuleOp>> separateKernels(ModuleOp module) {
  std::vector<Operation *> kernels, shared;
  for (Operation &op : *module.getBody()) {
    if (isKernel(op))
      kernels.push_back(&op);
    else if (isDeclaredAlike(op))
      shared.push_back(&op);
    else
      return {};
  }
  std::vector<OwningOpRef<ModuleOp>> parts;
  if (kernels.size() < 2)
    return parts;
  for (Operation *kernel : kernels) {
    auto part = cast<ModuleOp>(module->cloneWithoutRegions());
    part.getBodyRegion().emplaceBlock();
    for (Operation *op : shared)
      part.push_back(op->clone());
    kernel->moveBefore(part.getBody(), part.getBody()->end());
    parts.push_back(part);
  }
  return parts;
}

void uniteKernels(ModuleOp module, std::vector<OwningOpRef<ModuleOp>> parts) {
  for (OwningOpRef<ModuleOp> &part : parts)
    part->getBody()->back().moveBefore(module.getBody(),
                                       module.getBody()->end());
}

/// All but those of constants, which no instruction has.
static std::vector<Location> linesOf(LLVM::LLVMFuncOp kernel) {
  std::vector<Location> lines;
  kernel->walk([&](Block *block) {
    for (BlockArgument argument : block->getArguments())
      lines.push_back(argument.getLoc());
  });
  kernel->walk([&](Operation *op) {
    if (!isa<LLVM::ConstantOp>(op))
      lines.push_back(op->getLoc());
  });
  return lines;
}

/// Do `a` and `b` differ in their names alone?
static bool isSameCode(LLVM::LLVMFuncOp a, LLVM::LLVMFuncOp b) {
  auto attributesOf = [](LLVM::LLVMFuncOp kernel) {
    NamedAttrList attributes(kernel->getAttrDictionary());
    attributes.erase(kernel.getSymNameAttrName());
    return attributes.getDictionary(kernel.getContext());
  };
  return attributesOf(a) == attributesOf(b) &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(),
             OperationEquivalence::IgnoreLocations) &&
         linesOf(a) == linesOf(b);
}

std::vector<size_t> findSameKernels(ModuleOp module) {
  std::vector<LLVM::LLVMFuncOp> kernels;
  for (Operation &op : *module.getBody())
    if (isKernel(op))
      kernels.push_back(cast<LLVM::LLVMFuncOp>(op));
  std::vector<size_t> first;
  for (size_t i = 0; i < kernels.size(); ++i) {
    size_t same = 0; // a comparison ends where the kernels first differ
    while (same < i &&
           (first[same] != same || !isSameCode(kernels[same], kernels[i])))
      ++same;
    first.push_back(same);
  }
  return first;
}

/// Of PTX, as far as a name may go on.
static bool isOfName(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

/// Is `word` the kernel, or one of its parameters?
static bool isOfEntry(llvm::StringRef word, llvm::StringRef entry) {
  return word.consume_front(entry) &&
         (word.empty() || (word.consume_front("_param_") && !word.empty() &&
                           llvm::all_of(word, llvm::isDigit)));
}

std::string renameEntry(llvm::StringRef text, llvm::StringRef entry,
                        llvm::StringRef name) {
  std::string renamed;
  renamed.reserve(text.size());
  while (!text.empty()) {
    llvm::StringRef word = text.take_while(isOfName);
    // Elsewhere the name of a kernel may be an instruction's or a register's.
    llvm::StringRef before = renamed;
    bool isIts = isOfEntry(word, entry) &&
                 (word != entry || before.ends_with(".entry ") ||
                  before.ends_with(".globl\t"));
    renamed += isIts ? name : llvm::StringRef();
    renamed += isIts ? word.drop_front(entry.size()) : word;
    text = text.drop_front(word.size());
    llvm::StringRef between =
        text.take_while([](char c) { return !isOfName(c); });
    renamed += between;
    text = text.drop_front(between.size());
  }
  return renamed;
}

namespace {
/// A text of LLVM's, with what stands before and behind its kernel.
struct Text {
  llvm::StringRef head, kernel, tail;
};
} // namespace

static constexpr llvm::StringLiteral kEntry = "\n.visible .entry ";
static constexpr llvm::StringLiteral kEnd = "\n}\n";
static constexpr llvm::StringLiteral kComment = "\t// .globl\t";

/// Nothing where there is not exactly one kernel.
static std::optional<Text> partText(llvm::StringRef text) {
  size_t begin = text.find(kEntry), end = text.rfind(kEnd);
  if (begin == text.npos || end == text.npos || end < begin ||
      text.find(kEntry, begin + 1) != text.npos)
    return std::nullopt;
  size_t behind = end + kEnd.size();
  return Text{text.take_front(begin), text.slice(begin, behind),
              text.drop_front(behind)};
}

/// `head` without the comment that names the kernel.
static std::string withoutComment(llvm::StringRef head) {
  auto [before, comment] = head.split(kComment);
  return (before + comment.split('\n').second).str();
}

std::optional<std::string> joinPtx(const std::vector<std::string> &texts) {
  std::vector<Text> parts;
  for (const std::string &text : texts) {
    auto part = partText(text);
    if (!part || (!parts.empty() && (part->tail != parts[0].tail ||
                                     withoutComment(part->head) !=
                                         withoutComment(parts[0].head))))
      return std::nullopt;
    parts.push_back(*part);
  }
  std::string joined = withoutComment(parts[0].head);
  for (const Text &part : parts)
    joined += part.kernel;
  joined += parts[0].tail;
  return joined;
}

} // namespace heddle
