//===- ResultNumbers.cpp - Guards the parser against huge numbers -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResultNumbers.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace heddle;
using llvm::StringRef;

static constexpr uint64_t kMostResults = 1 << 16;

/// Whether text that ends at a `#` ends in a value's name.
static bool endsInValue(StringRef text) {
  auto isInName = [](char c) {
    return llvm::isAlnum(c) || StringRef("_$.-").contains(c);
  };
  StringRef rest = text;
  while (!rest.empty() && isInName(rest.back()))
    rest = rest.drop_back();
  return rest.size() < text.size() && rest.ends_with("%");
}

LogicalResult heddle::pipeline::checkResultNumbers(const Source &source,
                                                   MLIRContext &context) {
  StringRef text = source.text;
  for (size_t at = text.find('#'); at != StringRef::npos;
       at = text.find('#', at + 1)) {
    StringRef digits = text.substr(at + 1).take_while(llvm::isDigit);
    uint64_t number = 0;
    if (digits.empty() ||
        (!digits.getAsInteger(10, number) && number < kMostResults) ||
        !endsInValue(text.take_front(at)))
      continue;
    StringRef before = text.take_front(at);
    unsigned line = before.count('\n') + 1;
    unsigned column = at - (before.rfind('\n') + 1) + 1;
    return report(FileLineColLoc::get(&context, source.path, line, column),
                  diag::not_well_formed)
           << "result number " << digits << " is out of range; heddle's "
           << "operations have fewer than " << kMostResults << " results";
  }
  return success();
}
