//===- EvaluateTest.cpp - Expressions over launch arguments ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions over launch arguments, with numbers of both signs, and their
// errors. Divisions must round as their names say and overflow must not wrap: a
// wrong grid would give a wrong result without an error.
//
//===----------------------------------------------------------------------===//

#include "Sample.h"
#include "gtest/gtest.h"
#include <climits>
#include <cmath>

using namespace heddle::manifest;
using namespace heddle::manifest::sample;
using Op = Expr::Op;

namespace {

int64_t valueOf(const Expr &expr) {
  int64_t value = 0;
  std::string error;
  EXPECT_TRUE(
      evaluate(expr, gemm(), gemmArguments(100, 200, 300), 132, value, error))
      << error;
  return value;
}

int64_t binary(Op op, int64_t left, int64_t right) {
  return valueOf(operation(op, {constant(left), constant(right)}));
}

std::string errorOf(Op op, int64_t left, int64_t right) {
  int64_t value = 0;
  std::string error;
  EXPECT_FALSE(evaluate(operation(op, {constant(left), constant(right)}),
                        gemm(), gemmArguments(1, 1, 1), 1, value, error));
  return error;
}

TEST(Evaluate, Leaves) {
  EXPECT_EQ(valueOf(constant(-5)), -5);
  EXPECT_EQ(valueOf(smCount()), 132);
  EXPECT_EQ(valueOf(dim("c", 1)), 200);
}

TEST(Evaluate, DivisionsRoundAsNamed) {
  for (int64_t left : {-7, -6, -1, 0, 1, 6, 7})
    for (int64_t right : {-3, -1, 1, 3}) {
      double exact = static_cast<double>(left) / static_cast<double>(right);
      EXPECT_EQ(binary(Op::FloorDiv, left, right), std::floor(exact));
      EXPECT_EQ(binary(Op::CeilDiv, left, right), std::ceil(exact));
      EXPECT_EQ(binary(Op::Mod, left, right),
                left - right * static_cast<int64_t>(std::floor(exact)));
      EXPECT_EQ(binary(Op::TruncDiv, left, right), std::trunc(exact));
      EXPECT_EQ(binary(Op::Rem, left, right), left % right);
    }
}

TEST(Evaluate, NaryOperations) {
  EXPECT_EQ(
      valueOf(operation(Op::Add, {constant(1), constant(2), constant(3)})), 6);
  EXPECT_EQ(
      valueOf(operation(Op::Min, {constant(4), constant(2), constant(3)})), 2);
  EXPECT_EQ(
      valueOf(operation(Op::Max, {constant(4), constant(2), constant(5)})), 5);
  EXPECT_EQ(binary(Op::Sub, 3, 5), -2);
}

TEST(Evaluate, ScalarsAreSignExtended) {
  Manifest manifest = gemm();
  Argument n;
  n.kind = Argument::Kind::Scalar;
  n.name = "n";
  n.element = ElementType::I32;
  manifest.arguments.push_back(n);
  std::vector<ArgumentValue> arguments = gemmArguments(1, 1, 1);
  arguments.emplace_back();
  arguments.back().scalarBits = 0xfffffffeu;
  int64_t value = 0;
  std::string error;
  ASSERT_TRUE(evaluate(scalar("n"), manifest, arguments, 1, value, error));
  EXPECT_EQ(value, -2);
}

TEST(Evaluate, ErrorsNameTheNumbers) {
  EXPECT_EQ(errorOf(Op::CeilDiv, 7, 0), "7 is divided by zero (ceildiv)");
  EXPECT_EQ(errorOf(Op::Mod, 7, 0), "7 is divided by zero (mod)");
  EXPECT_EQ(errorOf(Op::Mul, INT64_MAX, 2),
            "mul of 9223372036854775807 and 2 does not fit 64 bits");
  EXPECT_EQ(errorOf(Op::FloorDiv, INT64_MIN, -1),
            "floordiv of -9223372036854775808 and -1 does not fit 64 bits");
}

} // namespace
