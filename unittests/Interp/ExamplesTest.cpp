//===- ExamplesTest.cpp - The example programs, as written and split ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each example is compared with a computation in double, and with itself after
// distribute and split, which must not change one bit.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Interp/Interp.h"
#include "heddle/Support/NumberFormat.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

using namespace heddle;
using namespace heddle::interp;

namespace {

// No multiple of any tile.
constexpr int64_t kM = 150, kN = 270, kK = 70;

using Half = std::vector<uint16_t>;
using Reference = double (*)(double product, double second, double bias);

struct Inputs {
  Half a, b1, b2;
  std::vector<float> bias;

  Inputs() : a(kM * kK), b1(kK * kN), b2(kK * kN), bias(kN) {
    fill(a, 3);
    fill(b1, 5);
    fill(b2, 11);
    for (int64_t j = 0; j < kN; ++j)
      bias[j] = float(j % 9 - 4) / 4;
  }
  static void fill(Half &data, int64_t seed) {
    for (size_t i = 0; i < data.size(); ++i)
      data[i] = uint16_t(encode<kFloat16>(
          double((int64_t(i) * 7919 * seed + seed) % 17 - 8) / 16));
  }
  /// Row i of A by column j of a B whose axis 0 is contiguous.
  double product(const Half &b, int64_t i, int64_t j) const {
    double sum = 0;
    for (int64_t k = 0; k < kK; ++k)
      sum += decode<kFloat16>(a[i * kK + k]) * decode<kFloat16>(b[j * kK + k]);
    return sum;
  }
};

class Example {
public:
  explicit Example(llvm::StringRef name) {
    context.loadDialect<tile::TileDialect, sched::SchedDialect,
                        mlir::arith::ArithDialect, mlir::math::MathDialect,
                        mlir::scf::SCFDialect>();
    module = mlir::parseSourceFile<mlir::ModuleOp>(
        (HEDDLE_EXAMPLES "/" + name + ".mlir").str(), &context);
  }
  bool split() {
    mlir::PassManager passes(&context);
    passes.addPass(createInstantiate());
    passes.addPass(createDistribute());
    passes.addPass(createSplit());
    passes.addPass(createNameOps());
    return succeeded(passes.run(*module));
  }
  bool run(Inputs &inputs, Half &c) {
    auto kernel = *module->getOps<tile::KernelOp>().begin();
    std::vector<Argument> arguments;
    for (unsigned i = 0; i < kernel.getEntry().getNumArguments(); ++i)
      arguments.push_back(argumentFor(kernel.getArgName(i), inputs, c));
    return succeeded(interpret(kernel, arguments));
  }
  explicit operator bool() const { return bool(module); }

private:
  static Argument argumentFor(const std::string &name, Inputs &inputs,
                              Half &c) {
    if (name == "a")
      return Buffer{inputs.a.data(), {kM, kK}, {}, {}};
    if (name == "b" || name == "b1")
      return Buffer{inputs.b1.data(), {kK, kN}, {}, {}};
    if (name == "b2")
      return Buffer{inputs.b2.data(), {kK, kN}, {}, {}};
    if (name == "bias")
      return Buffer{inputs.bias.data(), {kN}, {}, {}};
    return Buffer{c.data(), {kM, kN}, {}, {}};
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

void check(llvm::StringRef name, Reference reference) {
  Inputs inputs;
  Half c(kM * kN, 0xffff), fromSplit = c;
  Example example(name), split(name);
  ASSERT_TRUE(example && split);
  ASSERT_TRUE(example.run(inputs, c));
  for (int64_t i = 0; i < kM; ++i)
    for (int64_t j = 0; j < kN; ++j) {
      double expected =
          reference(inputs.product(inputs.b1, i, j),
                    inputs.product(inputs.b2, i, j), inputs.bias[j]);
      ASSERT_NEAR(decode<kFloat16>(c[i * kN + j]), expected,
                  1e-3 * (1 + std::fabs(expected)))
          << i << ", " << j;
    }
  ASSERT_TRUE(split.split());
  ASSERT_TRUE(split.run(inputs, fromSplit));
  EXPECT_EQ(c, fromSplit);
}

TEST(Examples, Product) {
  check("gemm", [](double x, double, double) { return x; });
}

TEST(Examples, BiasAndActivation) {
  check("gemm_bias_gelu", [](double x, double, double bias) {
    x += bias;
    return 0.5 * x *
           (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  });
}

TEST(Examples, TwoProducts) {
  check("dual_gemm",
        [](double x, double y, double) { return x * y / (1 + std::exp(-y)); });
}

} // namespace
