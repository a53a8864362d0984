//===- ControlFlowTest.cpp - Loops, instances and errors ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops, conditionals, parallel instances, prints and assertions of the oracle,
// and the errors that end a run. Messages are compared whole, with their line,
// because users read them so.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "gtest/gtest.h"

using namespace heddle::interp;

namespace {

using I64 = std::vector<int64_t>;

/// A kernel with %n, %m: index that stores its `%r: i64`.
std::string scalarKernel(llvm::StringRef body) {
  return ("tile.kernel @scalar(%y: !tile.view<?xi64>, %n: index, %m: index) {\n"
          "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%z "
          "= arith.constant 0 : i64\n" +
          body +
          "\n%t = tile.splat %r : i64 -> tensor<1xi64>\n"
          "tile.store %t, %y[%c0] : tensor<1xi64>, !tile.view<?xi64>\n}")
      .str();
}

const char *kSumLoop = R"(
  %r = scf.for %i = %n to %m step %c1 iter_args(%s = %z) -> (i64) {
    %v = arith.index_cast %i : index to i64
    %a = arith.addi %s, %v : i64
    scf.yield %a : i64
  })";

TEST(ControlFlow, For) {
  struct {
    int64_t first, end, sum;
  } cases[] = {{0, 5, 10}, {3, 3, 0}, {5, 2, 0}, {-3, 2, -5}};
  for (auto &c : cases) {
    I64 y = {99};
    Program program(scalarKernel(kSumLoop));
    ASSERT_TRUE(program.run({bufferOf(y, {1}), c.first, c.end}))
        << program.message;
    EXPECT_EQ(y[0], c.sum);
  }
}

TEST(ControlFlow, StepMustBePositive) {
  I64 y = {99};
  Program program(scalarKernel(R"(
  %r = scf.for %i = %c0 to %n step %m iter_args(%s = %z) -> (i64) {
    scf.yield %s : i64
  })"));
  EXPECT_FALSE(program.run({bufferOf(y, {1}), int64_t(5), int64_t(0)}));
  EXPECT_EQ(program.message,
            "6: the loop's step is 0; it must be at least 1 [loop-step]");
}

TEST(ControlFlow, If) {
  for (int64_t n : {1, 3}) {
    I64 y = {99};
    Program program(scalarKernel(R"(
  %less = arith.cmpi slt, %n, %m : index
  %r = scf.if %less -> (i64) {
    %a = arith.constant 10 : i64
    scf.yield %a : i64
  } else {
    %b = arith.constant 20 : i64
    scf.yield %b : i64
  }
  scf.if %less {
    tile.print "less", %n : index
  })"));
    ASSERT_TRUE(program.run({bufferOf(y, {1}), n, int64_t(2)}))
        << program.message;
    EXPECT_EQ(y[0], n < 2 ? 10 : 20);
    EXPECT_EQ(program.output, n < 2 ? "less: 1\n" : "");
  }
}

TEST(ControlFlow, While) {
  I64 y = {99};
  Program program(scalarKernel(R"(
  %limit = arith.constant 100 : i64
  %one = arith.constant 1 : i64
  %r = scf.while (%s = %one) : (i64) -> i64 {
    %d = arith.addi %s, %s : i64
    %more = arith.cmpi slt, %d, %limit : i64
    scf.condition(%more) %d : i64
  } do {
  ^bb0(%d: i64):
    scf.yield %d : i64
  })"));
  ASSERT_TRUE(program.run({bufferOf(y, {1}), int64_t(0), int64_t(0)}))
      << program.message;
  EXPECT_EQ(y[0], 128);
}

TEST(ControlFlow, InstancesInOrder) {
  Program program(R"(
tile.kernel @instances(%n: index, %m: index) {
  tile.parallel (%i, %j) to (%n, %m) {
    tile.print "at", %i, %j : index, index
  }
})");
  ASSERT_TRUE(program.run({int64_t(2), int64_t(2)})) << program.message;
  EXPECT_EQ(program.output, "at: 0, 0\nat: 0, 1\nat: 1, 0\nat: 1, 1\n");
}

TEST(ControlFlow, InstanceBounds) {
  const char *text = R"(
tile.kernel @instances(%n: index, %m: index) {
  tile.parallel (%i, %j) to (%n, %m) {
  }
})";
  Program negative(text), many(text), none(text);
  EXPECT_FALSE(negative.run({int64_t(1), int64_t(-1)}));
  EXPECT_EQ(negative.message, "3: bound 1 of the parallel instances is -1; it "
                              "must be at least 0 [loop-step]");
  EXPECT_FALSE(many.run({int64_t(1) << 40, int64_t(1) << 40}));
  EXPECT_EQ(many.message,
            "3: there are more than 2147483647 parallel instances [loop-step]");
  EXPECT_TRUE(none.run({int64_t(0), int64_t(5)}));
}

TEST(ControlFlow, OneWorker) {
  Program program(R"(
tile.kernel @workers() {
  %i = tile.worker_id : index
  %n = tile.worker_count : index
  tile.print "worker", %i, %n : index, index
})");
  ASSERT_TRUE(program.run({})) << program.message;
  EXPECT_EQ(program.output, "worker: 0, 1\n");
}

TEST(Debug, PrintsNestedTiles) {
  Program program(R"(
tile.kernel @print(%f: f32) {
  %t = arith.constant dense<[[1.0, 2.5], [-3.0, 0.1]]> : tensor<2x2xf32>
  tile.print "t", %t, %f : tensor<2x2xf32>, f32
  tile.print "done"
})");
  ASSERT_TRUE(program.run({2.0})) << program.message;
  EXPECT_EQ(program.output, "t: [[1, 2.5], [-3, 0.100000001]], 2\ndone\n");
}

TEST(Debug, Assertions) {
  Program program(R"(
tile.kernel @assert(%n: i32) {
  %i = tile.iota : tensor<4xi32>
  %s = tile.splat %n : i32 -> tensor<4xi32>
  %c = arith.cmpi slt, %i, %s : tensor<4xi32>
  tile.assert %c, "i < n" : tensor<4xi1>
})");
  EXPECT_TRUE(program.run({int64_t(4)})) << program.message;
  EXPECT_FALSE(program.run({int64_t(3)}));
  EXPECT_EQ(program.message, "6: assertion failed: i < n (at element 3 of 4) "
                             "[assertion-failed]");
}

//===----------------------------------------------------------------------===//
// What cannot run
//===----------------------------------------------------------------------===//

TEST(Errors, UnsupportedOp) {
  Program program("tile.kernel @f(%n: index) {\n  %r = scf.index_switch %n -> "
                  "index\n  default {\n"
                  "    scf.yield %n : index\n  }\n}");
  EXPECT_FALSE(program.run({int64_t(0)}));
  EXPECT_EQ(program.message, "2: the oracle cannot run 'scf.index_switch' "
                             "[oracle-unsupported]");
}

TEST(Errors, DivisionByZero) {
  Program program(
      "tile.kernel @f(%n: index) {\n  %r = arith.divsi %n, %n : index\n}");
  EXPECT_FALSE(program.run({int64_t(0)}));
  EXPECT_EQ(program.message,
            "2: 'arith.divsi' divides 0 by zero [division-by-zero]");
}

TEST(Errors, UndeclaredParameter) {
  Program program("tile.kernel @f(%n: f32) {\n  %r = tile.splat %n : f32 -> "
                  "tensor<?xf32, #tile.shape<\"BM\">>\n}");
  EXPECT_FALSE(program.run({0.0}));
  EXPECT_EQ(program.message, "2: a tile type names the parameter BM but the "
                             "program does not declare it "
                             "[unknown-param]");
}

TEST(Errors, Arguments) {
  std::vector<float> x(6);
  auto messageOf = [](const char *type, std::vector<Argument> arguments) {
    Program program(
        (llvm::Twine("tile.kernel @f(%a: ") + type + ") {\n}").str());
    EXPECT_FALSE(program.run(arguments));
    return program.message;
  };
  EXPECT_EQ(
      messageOf("index", {}),
      "1: kernel @f takes 1 arguments but 0 were given [oracle-argument]");
  EXPECT_EQ(messageOf("index", {1.0}),
            "1: argument 'a' is of type 'index' but a real number was given "
            "[oracle-argument]");
  EXPECT_EQ(messageOf("!tile.view<?xf32>", {1.0}),
            "1: argument 'a' is a view but a number was given "
            "[oracle-argument]");
  EXPECT_EQ(messageOf("!tile.view<?xf32>", {bufferOf(x, {2, 3})}),
            "1: argument 'a' is a view of 1 axes but an array of 2 was given "
            "[oracle-argument]");
  EXPECT_EQ(messageOf("!tile.view<?x4xf32>", {bufferOf(x, {2, 3})}),
            "1: argument 'a' has the extent 4 along axis 1 but an array of 3 "
            "was given [oracle-argument]");
  EXPECT_EQ(
      messageOf("!tile.view<?x?xf32>", {bufferOf(x, {2, 3}, {1, 2})}),
      "1: argument 'a' must have stride 1 along axis 1 but the array has 2 "
      "[oracle-argument]");
}

} // namespace
