//===- ReadText.h - Text of a fuzzer as a program ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: what a fuzzer drew. Out: a program, or nothing, by the reader that users
// have. Messages are written out, since writing them may fail, and go nowhere.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_FUZZ_READTEXT_H
#define HEDDLE_FUZZ_READTEXT_H

#include "heddle/Pipeline/Compile.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Support/Files.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

namespace heddle::fuzz {

/// Takes what is said in `context` while it lives.
class QuietHandler : mlir::ScopedDiagnosticHandler {
public:
  explicit QuietHandler(mlir::MLIRContext &context)
      : ScopedDiagnosticHandler(&context, [](mlir::Diagnostic &message) {
          (void)message.str();
          return mlir::success();
        }) {}
};

inline mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text,
                                               mlir::MLIRContext &context) {
  Source source;
  source.path = "fuzz.mlir";
  source.text = text;
  return pipeline::parse(source, context);
}

/// Null unless it is on the einsum rung.
inline mlir::OwningOpRef<mlir::ModuleOp>
parseEinsum(const std::string &text, mlir::MLIRContext &context) {
  auto module = parse(text, context);
  if (!module)
    return nullptr;
  auto rung = pipeline::detectRung(*module);
  return succeeded(rung) && *rung == pipeline::Rung::Einsum ? std::move(module)
                                                            : nullptr;
}

} // namespace heddle::fuzz

#endif // HEDDLE_FUZZ_READTEXT_H
