//===- BuildManifest.h - What a launcher must know, from the hopper rung -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the hopper.kernel ops that are variants of one source kernel. Out: its
// manifest: parameters, grid, shared memory, rings and requirements as plain
// data. Launcher and emulator know a kernel by manifest and PTX alone, and the
// expansion to threads leaves functions without views, rings or processes; so
// the manifest is written before it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_BUILDMANIFEST_H
#define HEDDLE_CONVERSION_BUILDMANIFEST_H

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Manifest/Manifest.h"

namespace heddle {

/// Describes the variants of one source kernel, the preferred one first. Call
/// it before the expansion to threads, which erases them. `sourceFile` is for
/// messages. Diagnoses what a host cannot evaluate.
mlir::FailureOr<manifest::Manifest>
buildManifest(llvm::ArrayRef<hopper::KernelOp> variants,
              llvm::StringRef sourceFile);

} // namespace heddle

#endif // HEDDLE_CONVERSION_BUILDMANIFEST_H
