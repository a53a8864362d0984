//===- ProductCalls.cpp - Products as calls of LLVM IR --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductCalls.h"

#include "heddle/Conversion/ProductCalls.h"
#include "heddle/Dialect/Hopper/Hopper.h"

#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "llvm/IR/InstrTypes.h"

using namespace mlir;

namespace heddle {

namespace {

class MarkProducts : public LLVMTranslationDialectInterface {
public:
  using LLVMTranslationDialectInterface::LLVMTranslationDialectInterface;

  LogicalResult amendOperation(Operation *,
                               ArrayRef<llvm::Instruction *> instructions,
                               NamedAttribute attribute,
                               LLVM::ModuleTranslation &) const override {
    StringRef mark = attribute.getName();
    if (mark != kProductCall && mark != kProductWait)
      return success();
    for (llvm::Instruction *instruction : instructions)
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(instruction))
        call->addFnAttr(llvm::Attribute::get(instruction->getContext(), mark));
    return success();
  }
};

} // namespace

void registerProductTranslation(DialectRegistry &registry) {
  registry.insert<hopper::HopperDialect>();
  registry.addExtension(+[](MLIRContext *, hopper::HopperDialect *dialect) {
    dialect->addInterfaces<MarkProducts>();
  });
}

static bool isMarked(const llvm::Instruction &instruction,
                     llvm::StringRef mark) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && call->hasFnAttr(mark);
}

bool isProductCall(const llvm::Instruction &instruction) {
  return isMarked(instruction, kProductCall);
}

bool isProductWait(const llvm::Instruction &instruction) {
  return isMarked(instruction, kProductWait);
}

} // namespace heddle
