//===- CopiesTest.cpp - Parallel copies below an index --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tokens that are dealt out and collected, by hand; and numbers that are the
// same bits as without copies, or the sum of what each copy has.
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/EinsumToFlow.h"
#include "heddle/Flow/Interpret.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <random>

using namespace heddle;
using namespace heddle::flow;
using sparse::Level;

namespace {

constexpr const char *kTypes = R"(
#cc = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : compressed) }>
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!cc = tensor<?x?xf32, #cc>
!csr = tensor<?x?xf32, #csr>
)";

sparse::Tensor makeTensor(std::vector<Level> levels,
                          std::vector<int64_t> extents,
                          std::vector<sparse::Entry> entries) {
  sparse::Format format;
  format.levels = std::move(levels);
  for (int axis = 0; axis < int(extents.size()); ++axis)
    format.axes.push_back(axis);
  sparse::Tensor tensor;
  std::string error;
  EXPECT_TRUE(sparse::Tensor::build(format, sparse::Element::F32, extents,
                                    std::move(entries), tensor, error))
      << error;
  return tensor;
}

/// Numbers whose sums depend on the order of additions.
std::vector<sparse::Entry> makeEntries(std::mt19937 &rng, int64_t rows,
                                       int64_t columns, double share) {
  std::uniform_real_distribution<float> number(-1000, 1000);
  std::bernoulli_distribution isThere(share);
  std::vector<sparse::Entry> entries;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      if (isThere(rng))
        entries.push_back({{i, j}, number(rng)});
  return entries;
}

/// A graph in text, and the tokens of its streams.
class Tokens {
public:
  Tokens(const std::string &body, sparse::Tensor tensor) {
    context.loadDialect<FlowDialect, mlir::arith::ArithDialect>();
    std::string text =
        kTypes +
        std::string(
            "!root = !flow.stream<ref []>\n"
            "!ci = !flow.stream<crd [i]>\n!ri = !flow.stream<ref [i]>\n"
            "!cj = !flow.stream<crd [i, j]>\n!rj = !flow.stream<ref [i, j]>\n"
            "!ca = !flow.stream<crd [a]>\n!cb = !flow.stream<crd [b]>\n"
            "!ra = !flow.stream<ref [a]>\n!rb = !flow.stream<ref [b]>\n"
            "!cja = !flow.stream<crd [a, u]>\n!cjb = !flow.stream<crd [b, v]>\n"
            "!rja = !flow.stream<ref [a, u]>\n!rjb = !flow.stream<ref [b, v]>\n"
            "flow.graph @p(%A: !cc) {\n%r = flow.root : !root\n"
            "%ci, %ri = flow.scan %A level 0 of %r : (!cc, !root) -> (!ci, "
            "!ri)\n") +
        body + "flow.return\n}\n";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return;
    run.keepsStreams = true;
    run.arguments.push_back(std::move(tensor));
    auto graph = *module->getOps<GraphOp>().begin();
    isFine = succeeded(interpret(graph, run));
    for (mlir::Operation &op : graph.getEntry())
      for (mlir::Value result : op.getResults())
        if (auto type = mlir::dyn_cast<StreamType>(result.getType()))
          texts.push_back(spell(run.streams[result], type.getKind()));
  }

  bool isFine = false;
  std::vector<std::string> texts; ///< in order

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  GraphRun run;
};

using Texts = std::vector<std::string>;

/// The rows of A, `chunk` in a row to one of two copies, and their columns.
std::string deal(int chunk) {
  std::string count = std::to_string(chunk);
  return "%ra, %rb = flow.fork %ri chunk " + count +
         " : (!ri) -> (!ra, !rb)\n"
         "%ca, %sa = flow.scan %A level 1 of %ra : (!cc, !ra) -> (!cja, !rja)\n"
         "%cb, %sb = flow.scan %A level 1 of %rb : (!cc, !rb) -> (!cjb, !rjb)\n"
         "%cj = flow.collect (%ca, %cb) per %ci chunk " +
         count +
         " : (!cja, !cjb, !ci) -> !cj\n"
         "%rows = flow.collect (%ra, %rb) per %ci chunk " +
         count + " : (!ra, !rb, !ci) -> !ri\n";
}

TEST(Copies, OneByOne) {
  Tokens tokens(
      deal(1),
      makeTensor({Level::Compressed, Level::Compressed}, {9, 9},
                 {{{0, 1}, 1}, {{0, 3}, 1}, {{2, 5}, 1}, {{7, 0}, 1}}));
  ASSERT_TRUE(tokens.isFine);
  EXPECT_EQ(tokens.texts,
            (Texts{"0", "0 2 7 S0", "0 1 2 S0",       // the rows
                   "0 2 S0", "1 S0",                  // dealt out
                   "1 3 S0 0 S1", "0 1 S0 3 S1",      // below the first
                   "5 S1", "2 S1",                    // and the second
                   "1 3 S0 5 S0 0 S1", "0 1 2 S0"})); // collected
}

TEST(Copies, InRuns) {
  Tokens tokens(
      deal(2),
      makeTensor({Level::Compressed, Level::Compressed}, {9, 9},
                 {{{0, 1}, 1}, {{0, 3}, 1}, {{2, 5}, 1}, {{7, 0}, 1}}));
  ASSERT_TRUE(tokens.isFine);
  EXPECT_EQ(Texts(tokens.texts.begin() + 3, tokens.texts.end()),
            (Texts{"0 1 S0", "2 S0", "1 3 S0 5 S1", "0 1 S0 2 S1", "0 S1",
                   "3 S1", "1 3 S0 5 S0 0 S1", "0 1 2 S0"}));
}

TEST(Copies, OfNothing) {
  Tokens tokens(deal(1),
                makeTensor({Level::Compressed, Level::Compressed}, {9, 9}, {}));
  ASSERT_TRUE(tokens.isFine);
  EXPECT_EQ(Texts(tokens.texts.begin() + 3, tokens.texts.end()),
            (Texts{"S0", "S0", "S1", "S1", "S1", "S1", "S1", "S0"}));
}

/// One program of two products and a sum, run by its plan.
std::vector<char> runLayer(const std::string &copies,
                           std::vector<sparse::Tensor> operands) {
  mlir::MLIRContext context;
  context.loadDialect<einsum::EinsumDialect>();
  std::string entry = copies.empty() ? "" : copies + " ";
  std::string text =
      kTypes +
      ("einsum.program @layer(%A: !csr, %X: !csr, %V: !csr) {\n"
       "%T = einsum.statement (i, f) += %A(i, j) * %X(j, f) : !csr, !csr -> "
       "!csr\n"
       "%H = einsum.statement (i, g) += %T(i, f) * %V(f, g) : !csr, !csr -> "
       "!csr\n"
       "einsum.return %H : !csr\n}\n"
       "einsum.plan @layer {\n"
       "einsum.streams \"T\" order [\"i\", \"j\", \"f\"] " +
       entry +
       "region 0\n"
       "einsum.streams \"H\" order [\"i\", \"f\", \"g\"] " +
       entry + "region 0\n}\n");
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(module && succeeded(lowerEinsumToFlow(*module)));
  GraphRun run;
  run.arguments = std::move(operands);
  EXPECT_TRUE(succeeded(interpret(*module->getOps<GraphOp>().begin(), run)));
  return run.written["H"].values;
}

TEST(Copies, SameBits) {
  const std::vector<Level> csr = {Level::Dense, Level::Compressed};
  std::mt19937 rng(7);
  for (int64_t rows : {0, 1, 3, 4, 5, 17}) {
    std::vector<sparse::Tensor> operands = {
        makeTensor(csr, {rows, 12}, makeEntries(rng, rows, 12, 0.4)),
        makeTensor(csr, {12, 9}, makeEntries(rng, 12, 9, 0.4)),
        makeTensor(csr, {9, 11}, makeEntries(rng, 9, 11, 0.6))};
    std::vector<char> alone = runLayer("", operands);
    for (const char *copies :
         {"parallel [\"i\"] by [4]", "parallel [\"i\"] by [4] chunks [3]",
          "parallel [\"i\"] by [64]", "parallel [\"i\"] by [1]"})
      EXPECT_EQ(runLayer(copies, operands), alone) << rows << " " << copies;
  }
}

TEST(Copies, SumsOfShares) {
  // y = row of A times x, in three copies: places 0, 3, ..., then 1, 4, ...
  mlir::MLIRContext context;
  context.loadDialect<einsum::EinsumDialect>();
  std::string text = kTypes + std::string(R"(
einsum.program @p(%A: !csr, %x: tensor<?xf32>) {
  %y = einsum.statement (i) += %A(i, j) * %x(j) : !csr, tensor<?xf32> -> tensor<?xf32>
  einsum.return %y : tensor<?xf32>
}
einsum.plan @p {
  einsum.streams "y" order ["i", "j"] parallel ["j"] by [3] region 0
}
)");
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module && succeeded(lowerEinsumToFlow(*module)));
  std::mt19937 rng(3);
  auto entries = makeEntries(rng, 1, 40, 0.7);
  std::vector<sparse::Entry> ones;
  for (int64_t j = 0; j < 40; ++j)
    ones.push_back({{j}, 1});
  GraphRun run;
  run.arguments = {
      makeTensor({Level::Dense, Level::Compressed}, {1, 40}, entries),
      makeTensor({Level::Dense}, {40}, ones)};
  ASSERT_TRUE(succeeded(interpret(*module->getOps<GraphOp>().begin(), run)));
  float sums[3] = {};
  for (size_t place = 0; place < entries.size(); ++place)
    sums[place % 3] += float(entries[place].value);
  EXPECT_EQ(float(run.written["y"].value(0)), sums[0] + sums[1] + sums[2]);
}

/// Words that the program R = A, whose copies are `plan`, moves to store R in
/// `format`.
int64_t wordsOfCopy(const std::string &format, const std::string &plan,
                    const sparse::Tensor &operand) {
  mlir::MLIRContext context;
  context.loadDialect<einsum::EinsumDialect>();
  std::string text =
      kTypes + ("einsum.program @p(%A: !csr) {\n"
                "%R = einsum.statement (i, j) += %A(i, j) : !csr -> " +
                format + "\neinsum.return %R : " + format +
                "\n}\neinsum.plan @p {\n"
                "einsum.streams \"R\" order [\"i\", \"j\"] " +
                plan + " region 0\n}\n");
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(module && succeeded(lowerEinsumToFlow(*module)));
  GraphRun run;
  run.arguments = {operand};
  EXPECT_TRUE(succeeded(interpret(*module->getOps<GraphOp>().begin(), run)));
  EXPECT_EQ(run.written["R"].value(0), operand.value(0));
  return run.wordsWritten;
}

TEST(Copies, PartsArePutTogether) {
  sparse::Tensor operand =
      makeTensor({Level::Dense, Level::Compressed}, {5, 9},
                 {{{0, 0}, 3}, {{1, 4}, 1}, {{2, 5}, 1}, {{4, 8}, 2}});
  const std::string copies = "parallel [\"i\"] by [2]";
  // Two coordinates and a value of each of four elements, read and written.
  EXPECT_EQ(wordsOfCopy("!csr", copies, operand),
            wordsOfCopy("!csr", "", operand) + 2 * 3 * 4);
  // Elements of a dense tensor have their places.
  EXPECT_EQ(wordsOfCopy("tensor<?x?xf32>", copies, operand),
            wordsOfCopy("tensor<?x?xf32>", "", operand));
}

} // namespace
