//===- Manifests.h - Manifests carried by the nvvm rung ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Below hopper nothing knows what a launcher must know, so the manifests are
// made there and travel with the module, as text, in an attribute of it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_PIPELINE_MANIFESTS_H
#define HEDDLE_LIB_PIPELINE_MANIFESTS_H

#include "heddle/Manifest/Manifest.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>
#include <vector>

namespace heddle::pipeline {

/// A pass on the hopper rung: one manifest for each source kernel.
std::unique_ptr<mlir::Pass> createAttachManifests();

/// The manifests of a module on the nvvm rung, in order of the kernels.
mlir::FailureOr<std::vector<manifest::Manifest>>
readManifests(mlir::ModuleOp module);

/// In place of those that are there.
void writeManifests(mlir::ModuleOp module,
                    const std::vector<manifest::Manifest> &manifests);

} // namespace heddle::pipeline

#endif // HEDDLE_LIB_PIPELINE_MANIFESTS_H
