//===- Registry.h - The dialects and passes heddle knows --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every tool that reads programs or runs single passes needs the same dialects
// and passes; a list in each of them would go out of date. One include of this
// header spares them those of all dialects and conversions, which are slow to
// compile.
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

/// Registers every heddle pass by its command-line name, the canonicalizer, and
/// upstream's cse. Call once a process.
void registerPasses();

/// Registers a pipeline for each step from rung to rung: step-to-sched and so
/// on, the passes that `lower` runs, and nothing else. Call once a process.
void registerSteps();

/// Upstream's canonicalization without the patterns that lose bits.
std::unique_ptr<mlir::Pass> createCanonicalizer();

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_REGISTRY_H
