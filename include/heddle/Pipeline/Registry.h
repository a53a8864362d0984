//===- Registry.h - The dialects and passes heddle knows --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PIPELINE_REGISTRY_H
#define HEDDLE_PIPELINE_REGISTRY_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace heddle::pipeline {

/// Registers heddle's rungs and the upstream dialects that they are made of.
void registerDialects(mlir::DialectRegistry &registry);

/// Registers every heddle pass by its command-line name, and upstream's
/// canonicalize and cse. Call once a process.
void registerPasses();

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_REGISTRY_H
