//===- UnknownOps.cpp - Refuses Triton's other operations by name ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the text before MLIR's parser does, which would say of an operation
// without a definition only that it is unknown.
//
//===----------------------------------------------------------------------===//

#include "heddle/Frontend/Ttir/Barrier.h"
#include "heddle/Frontend/Ttir/Import.h"
#include "heddle/Frontend/Ttir/Ttir.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Ttir.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace heddle;
using llvm::StringRef;

/// The operation that a line of text begins with, after its results.
static StringRef operationOf(StringRef line) {
  line = line.ltrim();
  if (line.starts_with("%")) {
    size_t equals = line.find(" = ");
    if (equals == StringRef::npos)
      return {};
    line = line.drop_front(equals + 3);
  }
  line.consume_front("\"");
  return line.take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}

/// Why one that is known is refused; empty for the others.
static StringRef reasonFor(StringRef operation) {
  return llvm::StringSwitch<StringRef>(operation)
      .Cases({"tt.make_tensor_ptr", "tt.advance"},
             "Triton 3.7 has no block pointers any more; use a descriptor")
      .Default("");
}

LogicalResult heddle::ttir::checkOperations(const Source &source,
                                            MLIRContext &context) {
  if (!StringRef(source.text).contains("tt.func"))
    return success();
  context.loadDialect<TtDialect, TtgDialect>();
  SmallVector<StringRef> lines;
  StringRef(source.text).split(lines, '\n');
  for (auto [number, line] : llvm::enumerate(lines)) {
    StringRef operation = operationOf(line);
    StringRef dialect = operation.split('.').first;
    bool isTriton = llvm::is_contained(
        {"tt", "ttg", "ttng", "nvws", "gluon", "proton"}, dialect);
    if (!isTriton || dialect == operation ||
        RegisteredOperationName::lookup(operation, &context))
      continue;
    StringRef reason = reasonFor(operation);
    return report(FileLineColLoc::get(&context, source.path, number + 1,
                                      line.find(operation) + 1),
                  diag::ttir_operation)
           << "'" << operation << "' is not imported"
           << (reason.empty() ? "" : ": ") << reason;
  }
  return success();
}
