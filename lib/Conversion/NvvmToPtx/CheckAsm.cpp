//===- CheckAsm.cpp - Inline assembly that LLVM takes ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckAsm.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/IR/InlineAsm.h"

using namespace mlir;

namespace heddle {

namespace {
/// What the constraints list.
struct Listed {
  int64_t results = 0, operands = 0;
};
} // namespace

static std::optional<Listed> read(StringRef constraints) {
  Listed listed;
  auto all = llvm::InlineAsm::ParseConstraints(constraints);
  if (all.empty() && !constraints.empty())
    return std::nullopt;
  for (const llvm::InlineAsm::ConstraintInfo &one : all) {
    bool isResult = one.Type == llvm::InlineAsm::isOutput && !one.isIndirect;
    listed.results += isResult;
    listed.operands += one.Type == llvm::InlineAsm::isInput ||
                       (one.Type == llvm::InlineAsm::isOutput && !isResult);
  }
  return listed;
}

/// What stands behind the first $ in the text that names none of `count`
/// operands; nothing if each names one.
static std::optional<StringRef> findStranger(StringRef text, int64_t count) {
  for (size_t at; (at = text.find('$')) != StringRef::npos;) {
    text = text.drop_front(at + 1);
    if (text.consume_front("$")) // a dollar
      continue;
    StringRef rest = text;
    bool isBraced = rest.consume_front("{");
    StringRef number = rest.take_while(llvm::isDigit);
    int64_t value = 0;
    rest = rest.drop_front(number.size());
    if (number.getAsInteger(10, value) || value >= count ||
        (isBraced && !rest.starts_with("}") && !rest.starts_with(":")))
      return text.take_while([](char c) { return !llvm::isSpace(c); });
  }
  return std::nullopt;
}

static int64_t countResults(LLVM::InlineAsmOp op) {
  if (op->getNumResults() == 0)
    return 0;
  auto all = dyn_cast<LLVM::LLVMStructType>(op->getResult(0).getType());
  return all ? int64_t(all.getBody().size()) : 1;
}

LogicalResult checkAsm(ModuleOp module) {
  WalkResult result = module.walk([&](LLVM::InlineAsmOp op) {
    int64_t results = countResults(op), operands = op.getOperands().size();
    std::optional<Listed> listed = read(op.getConstraints());
    if (!listed || listed->results != results || listed->operands != operands) {
      reportOp(op, diag::not_well_formed)
          << "has " << results << " results and " << operands
          << " operands, and its constraints \"" << op.getConstraints()
          << "\" list others";
      return WalkResult::interrupt();
    }
    std::optional<StringRef> stranger =
        findStranger(op.getAsmString(), results + operands);
    if (!stranger)
      return WalkResult::advance();
    reportOp(op, diag::not_well_formed)
        << "names $" << *stranger << " in its text, and has "
        << results + operands << " results and operands";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

} // namespace heddle
