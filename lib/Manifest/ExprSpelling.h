//===- ExprSpelling.h - Names of expression operations ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table for the reader and the writer of expressions.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_MANIFEST_EXPRSPELLING_H
#define HEDDLE_LIB_MANIFEST_EXPRSPELLING_H

#include "heddle/Manifest/Manifest.h"

namespace heddle::manifest {

/// Most axes a view may have: what a TMA tensor can have.
inline constexpr int kMaxRank = 5;

struct ExprOpRow {
  Expr::Op op;
  const char *spelling;
  bool isNary; ///< two operands or more, instead of exactly two
};
inline constexpr ExprOpRow kExprOps[] = {
    {Expr::Op::Add, "add", true},
    {Expr::Op::Sub, "sub", false},
    {Expr::Op::Mul, "mul", true},
    {Expr::Op::CeilDiv, "ceildiv", false},
    {Expr::Op::FloorDiv, "floordiv", false},
    {Expr::Op::Mod, "mod", false},
    {Expr::Op::Min, "min", true},
    {Expr::Op::Max, "max", true},
    {Expr::Op::TruncDiv, "truncdiv", false},
    {Expr::Op::Rem, "rem", false},
    {Expr::Op::NoLess, "no_less", false},
};

inline std::optional<Expr::Op> exprOpFromSpelling(std::string_view text) {
  for (const ExprOpRow &row : kExprOps)
    if (text == row.spelling)
      return row.op;
  return std::nullopt;
}

/// Null for the operations without operands.
inline const ExprOpRow *exprOpRow(Expr::Op op) {
  for (const ExprOpRow &row : kExprOps)
    if (op == row.op)
      return &row;
  return nullptr;
}

inline bool isNaryOp(Expr::Op op) {
  const ExprOpRow *row = exprOpRow(op);
  return row && row->isNary;
}

} // namespace heddle::manifest

#endif // HEDDLE_LIB_MANIFEST_EXPRSPELLING_H
