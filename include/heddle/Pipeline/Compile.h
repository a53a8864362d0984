//===- Compile.h - From text to text ----------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tools and the C++ API call: program text of any rung in, text of a
// lower rung out. The same input gives the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PIPELINE_COMPILE_H
#define HEDDLE_PIPELINE_COMPILE_H

#include "heddle/Manifest/Manifest.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Support/Diagnostic.h"
#include "heddle/Support/Source.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace heddle::pipeline {

/// One compiled kernel: KERNEL.ptx and KERNEL.json.
struct CompiledKernel {
  std::string name;
  std::string ptx;
  std::string manifest;
};

/// A context with heddle's dialects, loaded on demand; single-threaded, so that
/// it starts fast and works in the same order every time.
std::unique_ptr<mlir::MLIRContext> createContext();

/// Prints diagnostics as `file:line:column: error: ...` with the line of the
/// file named, which for a saved rung is the original program, not the file at
/// hand. Lives as long as the diagnostics should be printed. What MLIR itself
/// reports gets the id not-well-formed.
class DiagnosticPrinter {
public:
  DiagnosticPrinter(mlir::MLIRContext &context, const Source &source,
                    llvm::raw_ostream &os = llvm::errs());
  ~DiagnosticPrinter();

  /// Of the messages so far, the outcome that decides the exit code.
  diag::Outcome worst() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

/// Parses and verifies `source` and gives its shape parameters the values set.
/// A Triton program is raised for the machine of `options`. The mappings of
/// `mapping`, if there is one, take the place of the program's own.
mlir::OwningOpRef<mlir::ModuleOp> parse(const Source &source,
                                        mlir::MLIRContext &context,
                                        const LowerOptions &options = {},
                                        const Source *mapping = nullptr);

/// The same as it is written: tasks are tasks.
mlir::OwningOpRef<mlir::ModuleOp> parseWritten(const Source &source,
                                               mlir::MLIRContext &context);

/// NAME=VALUE become the program's own values, so that the tile rung saved with
/// settings is the program that was compiled.
mlir::LogicalResult setParameters(mlir::ModuleOp module,
                                  const std::vector<std::string> &settings);

/// The text of a rung above PTX, with locations, so that compiling on from it
/// gives what compiling on from `module` would.
std::string print(mlir::ModuleOp module);

/// Lowers `module` to the nvvm rung in place; the manifests of its kernels, in
/// order: `known`, where somebody has them, else they are read.
mlir::FailureOr<std::vector<manifest::Manifest>>
lowerToNvvm(mlir::ModuleOp module, const LowerOptions &options = {},
            std::vector<manifest::Manifest> known = {});

/// Translates the kernel of `manifest` in a module that lowerToNvvm() lowered.
/// The PTX has the variants at the places `only` of the manifest, or all of
/// them where `only` is empty; the manifest always lists all.
mlir::FailureOr<CompiledKernel>
translateKernel(mlir::ModuleOp module, const manifest::Manifest &manifest,
                llvm::ArrayRef<int> only = {});

/// Lowers `module` to PTX in place; one result for each kernel, in order.
/// `known` as in lowerToNvvm().
mlir::FailureOr<std::vector<CompiledKernel>>
compileToPtx(mlir::ModuleOp module, const LowerOptions &options = {},
             std::vector<manifest::Manifest> known = {});

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_COMPILE_H
