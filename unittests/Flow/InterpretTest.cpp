//===- InterpretTest.cpp - Tokens that are worked out by hand -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each primitive on fibers that are full, empty, and not there at all.
//
//===----------------------------------------------------------------------===//

#include "heddle/Flow/Interpret.h"
#include "heddle/Conversion/EinsumToFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace heddle;
using namespace heddle::flow;
using sparse::Level;

namespace {

/// A graph over A, stored compressed, compressed, and what its streams hold.
class Graph {
public:
  Graph(const std::string &body, std::vector<sparse::Entry> entries,
        std::vector<int64_t> extents, std::vector<sparse::Entry> more = {}) {
    context.loadDialect<FlowDialect, mlir::arith::ArithDialect>();
    std::string text =
        "#cc = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed, j : "
        "compressed) }>\n"
        "!t = tensor<?x?xf64, #cc>\n!root = !flow.stream<ref []>\n"
        "!ci = !flow.stream<crd [i]>\n!ri = !flow.stream<ref [i]>\n"
        "!cj = !flow.stream<crd [i, j]>\n!rj = !flow.stream<ref [i, j]>\n"
        "flow.graph @p(%A: !t, %B: !t) {\n"
        "%r = flow.root : !root\n"
        "%ci, %ri = flow.scan %A level 0 of %r : (!t, !root) -> (!ci, !ri)\n"
        "%cj, %rj = flow.scan %A level 1 of %ri : (!t, !ri) -> (!cj, !rj)\n" +
        body + "flow.return\n}\n";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return;
    auto graph = *module->getOps<GraphOp>().begin();
    run.keepsStreams = true;
    for (auto &list : {entries, more}) {
      sparse::Format format;
      format.levels = {Level::Compressed, Level::Compressed};
      format.axes = {0, 1};
      sparse::Tensor tensor;
      std::string error;
      EXPECT_TRUE(sparse::Tensor::build(format, sparse::Element::F64, extents,
                                        list, tensor, error))
          << error;
      run.arguments.push_back(std::move(tensor));
    }
    isFine = succeeded(interpret(graph, run));
    for (mlir::Operation &op : graph.getEntry())
      for (mlir::Value result : op.getResults())
        if (auto type = mlir::dyn_cast<StreamType>(result.getType()))
          texts.push_back(spell(run.streams[result], type.getKind()));
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  GraphRun run;
  bool isFine = false;
  /// Behind the root, the scans of A: their coordinates and references.
  std::vector<std::string> texts;
};

using Texts = std::vector<std::string>;

const std::vector<sparse::Entry> kRows = {
    {{0, 1}, 1}, {{0, 3}, 2}, {{2, 5}, 3}};

TEST(Interpret, ScansOfTwoRows) {
  Graph graph("", kRows, {3, 6});
  ASSERT_TRUE(graph.isFine);
  EXPECT_EQ(graph.texts,
            (Texts{"0", "0 2 S0", "0 1 S0", "1 3 S0 5 S1", "0 1 S0 2 S1"}));
}

TEST(Interpret, NothingAtAll) {
  Graph graph("", {}, {3, 6});
  ASSERT_TRUE(graph.isFine);
  EXPECT_EQ(graph.texts, (Texts{"0", "S0", "S0", "S1", "S1"}));
}

constexpr const char *kSums = R"(
%v = flow.values %A of %rj : (!t, !rj) -> !flow.stream<f64 [i, j]>
%s = flow.reduce %v per %ci {
^bb0(%a: f64, %b: f64):
  %m = arith.addf %a, %b : f64
  flow.yield %m : f64
} : (!flow.stream<f64 [i, j]>, !ci) -> !flow.stream<f64 [i]>
%w, %cw = flow.reduce %v keys (%cj) {
^bb0(%a: f64, %b: f64):
  %m = arith.addf %a, %b : f64
  flow.yield %m : f64
} : (!flow.stream<f64 [i, j]>, !cj) -> (!flow.stream<f64 [k]>, !flow.stream<crd [k]>)
)";

TEST(Interpret, Reductions) {
  std::vector<sparse::Entry> entries = kRows;
  entries.push_back({{2, 3}, 10});
  Graph graph(kSums, entries, {3, 6});
  ASSERT_TRUE(graph.isFine);
  EXPECT_EQ(Texts(graph.texts.end() - 4, graph.texts.end()),
            (Texts{"1 2 S0 10 3 S1", "3 13 S0", "1 12 3 S0", "1 3 5 S0"}));
}

TEST(Interpret, ReductionsOfNothing) {
  Graph graph(kSums, {}, {3, 6});
  ASSERT_TRUE(graph.isFine);
  // No row, so no sum: S1 alone does not say that.
  EXPECT_EQ(Texts(graph.texts.end() - 4, graph.texts.end()),
            (Texts{"S1", "S0", "S0", "S0"}));
}

/// What is counted does not depend on values, so these need not be computed.
TEST(Interpret, CountsWithoutValues) {
  std::vector<sparse::Entry> entries = kRows;
  entries.push_back({{2, 3}, 10});
  std::string write = "%y = flow.write \"y\" (%ci) values %s shape (%A) axes "
                      "[0] : (!ci, !flow.stream<f64 [i]>, !t) -> "
                      "tensor<?xf64>\n";
  Graph graph(kSums + write, entries, {3, 6});
  ASSERT_TRUE(graph.isFine);
  GraphRun counts;
  counts.arguments = graph.run.arguments;
  counts.countsOnly = true;
  auto op = *graph.module->getOps<GraphOp>().begin();
  ASSERT_TRUE(succeeded(interpret(op, counts)));
  EXPECT_EQ(counts.tokens, graph.run.tokens);
  EXPECT_EQ(counts.operations, graph.run.operations);
  EXPECT_EQ(counts.words - counts.wordsWritten,
            graph.run.words - graph.run.wordsWritten);
  for (auto [primitive, turns] : graph.run.turns)
    EXPECT_EQ(counts.turns.lookup(primitive), turns);
  EXPECT_EQ(graph.run.written.size(), 1u);
  EXPECT_TRUE(counts.written.empty());
}

constexpr const char *kJoin = R"(
%di, %si = flow.scan %B level 0 of %r : (!t, !root) -> (!flow.stream<crd [b]>, !flow.stream<ref [b]>)
%c, %x, %y = flow.join "HOW" (%ci, %di) carrying (%ri, %si) groups [1, 1]
  : (!ci, !flow.stream<crd [b]>, !ri, !flow.stream<ref [b]>)
    -> (!flow.stream<crd [k]>, !flow.stream<ref [k]>, !flow.stream<ref [k]>)
%cb, %rb = flow.scan %B level 1 of %y
  : (!t, !flow.stream<ref [k]>) -> (!flow.stream<crd [k, l]>, !flow.stream<ref [k, l]>)
%again = flow.repeat %x over %cb
  : (!flow.stream<ref [k]>, !flow.stream<crd [k, l]>) -> !flow.stream<ref [k, l]>
)";

std::string withHow(std::string text, const char *how) {
  return text.replace(text.find("HOW"), 3, how);
}

TEST(Interpret, Joins) {
  std::vector<sparse::Entry> more = {{{1, 4}, 1}, {{2, 0}, 2}};
  Graph meet(withHow(kJoin, "intersect"), kRows, {3, 6}, more);
  ASSERT_TRUE(meet.isFine);
  EXPECT_EQ(Texts(meet.texts.end() - 6, meet.texts.end()),
            (Texts{"2 S0", "1 S0", "1 S0", "0 S1", "1 S1", "1 S1"}));
  Graph all(withHow(kJoin, "union"), kRows, {3, 6}, more);
  ASSERT_TRUE(all.isFine);
  // Row 0 is not in B: an absent reference, an empty fiber.
  EXPECT_EQ(Texts(all.texts.end() - 6, all.texts.end()),
            (Texts{"0 1 2 S0", "0 N 1 S0", "N 0 1 S0", "S0 4 S0 0 S1",
                   "S0 0 S0 1 S1", "S0 N S0 1 S1"}));
}

constexpr const char *kFilled = R"(
%di, %si = flow.scan %B level 0 of %r : (!t, !root) -> (!flow.stream<crd [b]>, !flow.stream<ref [b]>)
%v = flow.values %A of %rj : (!t, !rj) -> !flow.stream<f64 [i, j]>
%s = flow.reduce %v per %ci {
^bb0(%a: f64, %b: f64):
  %m = arith.addf %a, %b : f64
  flow.yield %m : f64
} : (!flow.stream<f64 [i, j]>, !ci) -> !flow.stream<f64 [i]>
%c, %x = flow.join "union" (%ci, %di) carrying (%s) groups [1, 0]
  : (!ci, !flow.stream<crd [b]>, !flow.stream<f64 [i]>)
    -> (!flow.stream<crd [k]>, !flow.stream<f64 [k]>)
%f = flow.compute (%x) absent 7.0 HOW {
^bb0(%a: f64):
  flow.yield %a : f64
} : (!flow.stream<f64 [k]>) -> !flow.stream<f64 [k]>
)";

TEST(Interpret, AbsentValuesThatAreFilledIn) {
  std::vector<sparse::Entry> more = {{{1, 4}, 1}, {{2, 0}, 2}};
  Graph all(withHow(kFilled, "always"), kRows, {3, 6}, more);
  ASSERT_TRUE(all.isFine);
  EXPECT_EQ(Texts(all.texts.end() - 3, all.texts.end()),
            (Texts{"0 1 2 S0", "3 N 3 S0", "3 7 3 S0"}));
  // Without the word, what is absent in all operands stays so.
  Graph some(withHow(kFilled, ""), kRows, {3, 6}, more);
  ASSERT_TRUE(some.isFine);
  EXPECT_EQ(some.texts.back(), "3 N 3 S0");
}

TEST(Interpret, GivesUpBeyondALimit) {
  Graph graph("", {}, {3, 6});
  ASSERT_TRUE(graph.isFine);
  graph.run.mostTokens = 1;
  graph.run.streams.clear();
  graph.run.tokens = 0;
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&graph.context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          message = diagnostic.str();
                                          return mlir::success();
                                        });
  EXPECT_TRUE(
      failed(interpret(*graph.module->getOps<GraphOp>().begin(), graph.run)));
  EXPECT_EQ(message, "the graph has more than 1 tokens [step-limit]");
}

/// One primitive alone may make more tokens than memory holds.
TEST(Interpret, GivesUpInsideOnePrimitive) {
  Graph graph("%ck = flow.range %A axis 1 of %r : (!t, !root) -> "
              "!flow.stream<crd [k]>\n",
              {}, {3, 5000});
  ASSERT_TRUE(graph.isFine);
  graph.run.mostTokens = 100;
  graph.run.streams.clear();
  mlir::ScopedDiagnosticHandler handler(
      &graph.context, [](mlir::Diagnostic &) { return mlir::success(); });
  EXPECT_TRUE(
      failed(interpret(*graph.module->getOps<GraphOp>().begin(), graph.run)));
  size_t longest = 0;
  for (auto &[value, stream] : graph.run.streams)
    longest = std::max(longest, stream.size());
  EXPECT_LE(longest, 102u);
}

} // namespace
