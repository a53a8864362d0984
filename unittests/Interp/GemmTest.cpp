//===- GemmTest.cpp - Whole programs against direct computation -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A whole product in tiles against three loops, in both storage orders, with
// extents that divide and that do not. It tests views, loops and parameters of
// the oracle together, before other tests take the oracle for the truth.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "heddle/Support/NumberFormat.h"

#include "gtest/gtest.h"

using namespace heddle;
using namespace heddle::interp;

namespace {

struct Case {
  int64_t m, n, k;
  bool aRowMajor, bRowMajor;
};

std::string programText(const Case &c) {
  auto order = [](bool rowMajor) { return rowMajor ? "<1, 0>" : "<0, 1>"; };
  return std::string("#a = #tile.order") + order(c.aRowMajor) +
         "\n#b = #tile.order" + order(c.bRowMajor) + R"(
tile.param @BM : {32, 64} = 32
tile.param @BN : {16, 32} = 16
tile.param @BK : {16, 32} = 16
tile.kernel @product(%a: !tile.view<?x?xf16, #a>, %b: !tile.view<?x?xf16, #b>, %c: !tile.view<?x?xf16>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %bk = tile.param_value @BK : index
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16, #a>
  %n = tile.dim %b, 1 : !tile.view<?x?xf16, #b>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16, #a>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16, #a> -> tensor<?x?xf16, #tile.shape<"BM", "BK">>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16, #b> -> tensor<?x?xf16, #tile.shape<"BK", "BN">>
      %d = tile.dot %x, %y, %s : tensor<?x?xf16, #tile.shape<"BM", "BK">>, tensor<?x?xf16, #tile.shape<"BK", "BN">> -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      scf.yield %d : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    %o = tile.cast %acc : tensor<?x?xf32, #tile.shape<"BM", "BN">> -> tensor<?x?xf16, #tile.shape<"BM", "BN">>
    tile.store %o, %c[%row, %col] : tensor<?x?xf16, #tile.shape<"BM", "BN">>, !tile.view<?x?xf16>
  }
}
)";
}

uint16_t pseudoRandom(int64_t i) {
  return uint16_t(encode<kFloat16>(double((i * 7919 + 13) % 31 - 15) / 8));
}

class Product : public testing::TestWithParam<Case> {};

TEST_P(Product, MatchesDirectComputation) {
  const Case c = GetParam();
  std::vector<uint16_t> a(c.m * c.k), b(c.k * c.n), y(c.m * c.n, 0xffff);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = pseudoRandom(i);
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = pseudoRandom(3 * i + 1);
  Program program(programText(c));
  ASSERT_TRUE(program.run({bufferOf(a, {c.m, c.k}), bufferOf(b, {c.k, c.n}),
                           bufferOf(y, {c.m, c.n})}))
      << program.message;
  for (int64_t i = 0; i < c.m; ++i)
    for (int64_t j = 0; j < c.n; ++j) {
      double sum = 0;
      for (int64_t p = 0; p < c.k; ++p)
        sum += decode<kFloat16>(a[c.aRowMajor ? i * c.k + p : p * c.m + i]) *
               decode<kFloat16>(b[c.bRowMajor ? p * c.n + j : j * c.k + p]);
      ASSERT_EQ(y[i * c.n + j], encode<kFloat16>(double(float(sum))))
          << i << ", " << j;
    }
}

INSTANTIATE_TEST_SUITE_P(ShapesAndOrders, Product,
                         testing::Values(Case{64, 32, 32, true, false},
                                         Case{64, 32, 32, false, true},
                                         Case{33, 17, 19, true, false},
                                         Case{1, 1, 1, true, true},
                                         Case{40, 50, 60, false, false},
                                         Case{5, 7, 0, true, true},
                                         Case{0, 7, 3, true, true}));

} // namespace
