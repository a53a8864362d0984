//===- Import.h - From the text of a Triton kernel to tile ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TTIR is what Triton's front end makes of a kernel: no layouts, no shared
// memory, no asynchrony. docs/rationale/ttir.md says what becomes of it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_FRONTEND_TTIR_IMPORT_H
#define HEDDLE_FRONTEND_TTIR_IMPORT_H

#include "heddle/Support/Source.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace heddle::ttir {

/// The dialects of TTIR text that are no rung of heddle.
void registerDialects(mlir::DialectRegistry &registry);

/// Reports the first operation of `source` that is Triton's but not among those
/// that are read, in the user's words; MLIR's parser would only say that it is
/// unknown. Text without a tt.func is fine.
mlir::LogicalResult checkOperations(const Source &source,
                                    mlir::MLIRContext &context);

/// Whether `module` is TTIR.
bool isTtir(mlir::ModuleOp module);

/// Turns each kernel of `module` into a tile.kernel, in place.
mlir::LogicalResult importTtir(mlir::ModuleOp module);

/// The same as a pass, `ttir-to-tile`.
std::unique_ptr<mlir::Pass> createTtirToTile();

} // namespace heddle::ttir

#endif // HEDDLE_FRONTEND_TTIR_IMPORT_H
