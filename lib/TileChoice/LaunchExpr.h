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

namespace heddle::tilechoice {

/// Expressions of a manifest, with constants folded: what is known now is not
/// computed at every launch.
class LaunchExpr {
public:
  using Expr = manifest::Expr;

  static Expr constant(double value);
  static Expr multiprocessors();
  static Expr dim(std::string argument, int64_t axis);
  static Expr add(const Expr &a, const Expr &b) {
    return make(Expr::Op::Add, a, b);
  }
  static Expr sub(const Expr &a, const Expr &b) {
    return make(Expr::Op::Sub, a, b);
  }
  static Expr mul(const Expr &a, const Expr &b) {
    return make(Expr::Op::Mul, a, b);
  }
  static Expr ceilDiv(const Expr &a, const Expr &b) {
    return make(Expr::Op::CeilDiv, a, b);
  }
  static Expr floorDiv(const Expr &a, const Expr &b) {
    return make(Expr::Op::FloorDiv, a, b);
  }
  static Expr mod(const Expr &a, const Expr &b) {
    return make(Expr::Op::Mod, a, b);
  }
  static Expr min(const Expr &a, const Expr &b) {
    return make(Expr::Op::Min, a, b);
  }
  static Expr max(const Expr &a, const Expr &b) {
    return make(Expr::Op::Max, a, b);
  }

  /// Of arithmetic on the kernel's dims and scalars. Nothing if `value` depends
  /// on anything else: on the instance, or on memory.
  static std::optional<Expr> of(tile::KernelOp kernel, mlir::Value value);

private:
  static Expr make(Expr::Op op, const Expr &a, const Expr &b);
  static Expr folded(const Expr &expr);
};

} // namespace heddle::tilechoice

#endif // HEDDLE_LIB_TILECHOICE_LAUNCHEXPR_H
