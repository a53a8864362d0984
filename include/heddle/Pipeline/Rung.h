//===- Rung.h - The rungs of the ladder -------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// einsum > tile > sched > aref > hopper > nvvm > ptx. A module's rung follows
// from what it contains, so that any saved rung can be compiled on without
// being told.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PIPELINE_RUNG_H
#define HEDDLE_PIPELINE_RUNG_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>
#include <optional>

namespace heddle::pipeline {

/// In the order of lowering.
enum class Rung { Einsum, Tile, Sched, Aref, Hopper, Nvvm, Ptx };

llvm::StringRef spelling(Rung rung);
std::optional<Rung> rungFromSpelling(llvm::StringRef text);

/// The lowest rung that something in `module` belongs to; an error if it holds
/// no kernel of any rung.
mlir::FailureOr<Rung> detectRung(mlir::ModuleOp module);

/// Where to report what is wrong with a program as a whole: its first line. A
/// module's own location says line 0.
mlir::Location startOf(mlir::ModuleOp module);

/// Whose fault it is if an op does not belong on its rung.
enum class Origin { Input, Lowering };

/// A pass that fails if an op does not belong on `rung`: a program mixes rungs,
/// or the lowering before it left something behind or made something too low.
std::unique_ptr<mlir::Pass> createVerifyRung(Rung rung, Origin origin);

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_RUNG_H
