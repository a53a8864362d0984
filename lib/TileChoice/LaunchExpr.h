//===- LaunchExpr.h - Numbers that a launch computes -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: numbers and expressions over a kernel's arguments. Out: expressions in
// the form of the manifest, with constants folded. Every launch evaluates them
// on the host, so an estimate must stay short, and must stay within the few
// operators that the runtime knows.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TILECHOICE_LAUNCHEXPR_H
#define HEDDLE_LIB_TILECHOICE_LAUNCHEXPR_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Manifest/Manifest.h"

#include <optional>
#include <utility>

namespace heddle::tilechoice {

/// Expressions of a manifest, with constants folded: what is known now is not
/// computed at every launch.
class LaunchExpr {
public:
  using Expr = manifest::Expr;

  static Expr constant(double value);
  static Expr multiprocessors();
  static Expr dim(std::string argument, int64_t axis);
  static Expr add(Expr a, Expr b) {
    return make(Expr::Op::Add, std::move(a), std::move(b));
  }
  static Expr sub(Expr a, Expr b) {
    return make(Expr::Op::Sub, std::move(a), std::move(b));
  }
  static Expr mul(Expr a, Expr b) {
    return make(Expr::Op::Mul, std::move(a), std::move(b));
  }
  static Expr ceilDiv(Expr a, Expr b) {
    return make(Expr::Op::CeilDiv, std::move(a), std::move(b));
  }
  static Expr floorDiv(Expr a, Expr b) {
    return make(Expr::Op::FloorDiv, std::move(a), std::move(b));
  }
  static Expr mod(Expr a, Expr b) {
    return make(Expr::Op::Mod, std::move(a), std::move(b));
  }
  static Expr min(Expr a, Expr b) {
    return make(Expr::Op::Min, std::move(a), std::move(b));
  }
  static Expr max(Expr a, Expr b) {
    return make(Expr::Op::Max, std::move(a), std::move(b));
  }

  /// Of arithmetic on the kernel's dims and scalars. Nothing if `value` depends
  /// on anything else: on the instance, or on memory.
  static std::optional<Expr> of(tile::KernelOp kernel, mlir::Value value);

private:
  static Expr make(Expr::Op op, Expr a, Expr b);
  static Expr folded(const Expr &expr);
};

} // namespace heddle::tilechoice

#endif // HEDDLE_LIB_TILECHOICE_LAUNCHEXPR_H
