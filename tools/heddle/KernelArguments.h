//===- KernelArguments.h - The arguments of a program not compiled --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile kernel goes in; a manifest with its name and arguments alone comes
// out, or the names of the arguments that it reads. `heddle simulate` stops
// above the rung where manifests are made, but it takes the options of `heddle
// run` for sizes and data, and these are checked against a manifest.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_KERNELARGUMENTS_H
#define HEDDLE_TOOLS_HEDDLE_KERNELARGUMENTS_H

#include "ArgumentOptions.h"

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Interp/Interp.h"
#include "heddle/Manifest/Manifest.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace heddle::tool {

/// A manifest with the kernel's name and arguments alone, as makeArguments
/// wants them. Fails, with a diagnostic, if a caller cannot pass one of them.
mlir::FailureOr<manifest::Manifest> describeArguments(tile::KernelOp kernel);

/// The names of the arguments whose memory the kernel reads; none if the module
/// has no such kernel. What it reads and writes it updates.
llvm::StringSet<> findArgumentsRead(mlir::ModuleOp module,
                                    llvm::StringRef kernel);

/// Arguments without memory, as what computes no tiles takes them: views at
/// distances that none reaches across.
llvm::SmallVector<interp::Argument>
toSizes(tile::KernelOp kernel, llvm::MutableArrayRef<ArgumentData> arguments);

/// The sizes that the command line gives, in that form.
llvm::Expected<llvm::SmallVector<interp::Argument>>
makeSizes(const ArgumentOptions &options, const manifest::Manifest &manifest,
          tile::KernelOp kernel);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_KERNELARGUMENTS_H
