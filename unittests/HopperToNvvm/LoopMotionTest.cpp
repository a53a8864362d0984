//===- LoopMotionTest.cpp - Are numbers what their motion says? -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops with random arithmetic, executed as registers do: in as many iterations
// as the claims of a motion allow, each number must be what its first value and
// its step make it. The inputs lie near the ends of their types as often as
// near zero, where claims that are too weak show.
//
//===----------------------------------------------------------------------===//

#include "LoopMotion.h"

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Pipeline/Compile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <gtest/gtest.h>
#include <random>

using namespace heddle;
using namespace heddle::tonvvm;
using namespace mlir;

namespace {

/// What registers hold, with their signs. Empty: undefined.
using Number = std::optional<int64_t>;

class Registers {
public:
  void set(Value value, int64_t number) { held[value] = number; }

  Number get(Value value) {
    if (auto found = held.find(value); found != held.end())
      return found->second;
    Operation *op = value.getDefiningOp();
    EXPECT_TRUE(op);
    SmallVector<Number> operands;
    for (Value operand : op->getOperands())
      operands.push_back(get(operand));
    return held[value] = compute(op, operands);
  }

private:
  static int64_t bitsOf(Value value) { return registerBits(value.getType()); }
  static uint64_t unsign(int64_t number, int64_t bits) {
    return uint64_t(number) & llvm::maskTrailingOnes<uint64_t>(unsigned(bits));
  }

  Number compute(Operation *op, ArrayRef<Number> in) {
    if (llvm::is_contained(in, std::nullopt))
      return std::nullopt;
    unsigned bits = unsigned(bitsOf(op->getResult(0)));
    unsigned from = in.empty() ? bits : unsigned(bitsOf(op->getOperand(0)));
    auto a = [&] { return *in[0]; };
    auto b = [&] { return *in[1]; };
    auto ua = [&] { return unsign(*in[0], from); };
    auto ub = [&] { return unsign(*in[1], from); };
    auto ofU = [&](uint64_t n) { return llvm::SignExtend64(n, bits); };
    return llvm::TypeSwitch<Operation *, Number>(op)
        .Case([&](arith::ConstantOp constant) {
          return cast<IntegerAttr>(constant.getValue()).getInt();
        })
        .Case([&](arith::AddIOp) { return ofU(ua() + ub()); })
        .Case([&](arith::SubIOp) { return ofU(ua() - ub()); })
        .Case([&](arith::MulIOp) { return ofU(ua() * ub()); })
        .Case([&](arith::AndIOp) { return ofU(ua() & ub()); })
        .Case<arith::ExtSIOp, arith::IndexCastOp, arith::TruncIOp>(
            [&](auto) { return ofU(uint64_t(a())); })
        .Case<arith::ExtUIOp, arith::IndexCastUIOp>(
            [&](auto) { return ofU(ua()); })
        .Case([&](arith::MinSIOp) { return std::min(a(), b()); })
        .Case([&](arith::MaxSIOp) { return std::max(a(), b()); })
        .Case([&](arith::MinUIOp) { return ofU(std::min(ua(), ub())); })
        .Case([&](arith::MaxUIOp) { return ofU(std::max(ua(), ub())); })
        .Case([&](arith::SelectOp) { return a() ? b() : *in[2]; })
        .Case([&](arith::CmpIOp compare) -> Number {
          switch (compare.getPredicate()) {
          case arith::CmpIPredicate::slt:
            return -int64_t(a() < b());
          case arith::CmpIPredicate::sge:
            return -int64_t(a() >= b());
          case arith::CmpIPredicate::eq:
            return -int64_t(a() == b());
          default:
            return std::nullopt;
          }
        })
        .Case<arith::DivSIOp, arith::RemSIOp>([&](auto) -> Number {
          if (!b() || (b() == -1 && a() == llvm::minIntN(from)))
            return std::nullopt;
          return isa<arith::DivSIOp>(op) ? a() / b() : a() % b();
        })
        .Case<arith::DivUIOp, arith::RemUIOp>([&](auto) -> Number {
          if (!ub())
            return std::nullopt;
          return ofU(isa<arith::DivUIOp>(op) ? ua() / ub() : ua() % ub());
        })
        .Default([](Operation *op) {
          ADD_FAILURE() << "no meaning of "
                        << op->getName().getStringRef().str();
          return std::nullopt;
        });
  }

  llvm::DenseMap<Value, Number> held;
};

/// A loop over `type` in a process, and what it reads.
class LoopMotionTest : public testing::Test {
protected:
  void parse(const std::string &type, int64_t step, const std::string &body) {
    std::string text = R"(
      hopper.kernel @k(%a: i32, %b: i32, %w: i64, %x: i64, %p: index, %q: index,
                       %lower: TYPE, %upper: TYPE) source "k"
          threads 128 shared 1024 tma [] {
        hopper.process "main" warps 0 + 4 registers 0 {
          %step = arith.constant STEP : TYPE
          scf.for %i = %lower to %upper step %step FORTYPE {
            BODY
          }
        }})";
    auto replace = [&](const std::string &from, const std::string &to) {
      for (size_t at; (at = text.find(from)) != std::string::npos;)
        text.replace(at, from.size(), to);
    };
    replace("FORTYPE", type == "index" ? "" : ": " + type);
    replace("TYPE", type);
    replace("STEP", std::to_string(step));
    replace("BODY", body);
    if (!context)
      context = pipeline::createContext();
    module = parseSourceString<ModuleOp>(text, context.get());
    ASSERT_TRUE(module) << text;
    kernel = *module->getOps<hopper::KernelOp>().begin();
    kernel.walk([&](scf::ForOp found) { loop = found; });
  }

  Value argument(unsigned number) {
    return kernel.getEntry().getArgument(number);
  }
  static constexpr unsigned kArguments = 8;

  /// The result of the last operation in the loop.
  Value last() {
    return std::prev(loop.getBody()->getTerminator()->getIterator())
        ->getResult(0);
  }

  /// How many iterations keep what `value` needs; its first value and its step
  /// are checked for these. Empty where nothing is known of it, or where it is
  /// undefined.
  std::optional<int64_t> countIterations(Value value,
                                         ArrayRef<int64_t> arguments) {
    LoopMotion motions(loop);
    std::optional<Motion> motion = motions.find(value);
    if (!motion)
      return std::nullopt;
    OpBuilder builder(loop);
    LoopEntry entry(builder, loop);
    Value first = entry.first(value), step = entry.step(*motion);
    for (unsigned claim : motion->claims)
      entry.demand(motions.claim(claim));
    Value count = entry.count();
    auto registers = [&] {
      Registers made;
      for (unsigned i = 0; i < kArguments; ++i)
        made.set(argument(i), arguments[i]);
      return made;
    };
    Registers before = registers();
    Number iterations = before.get(count), grows = before.get(step),
           begin = before.get(first);
    EXPECT_TRUE(iterations && grows) << "undefined in front of the loop";
    if (!iterations || !grows)
      return std::nullopt;
    int64_t lower = arguments[6], upper = arguments[7],
            by = *constantOf(loop.getStep());
    unsigned bits = unsigned(registerBits(value.getType()));
    for (int64_t number : {int64_t(0), int64_t(1), int64_t(2), *iterations / 2,
                           *iterations - 2, *iterations - 1}) {
      if (number < 0 || number >= *iterations)
        continue;
      int64_t point = 0;
      EXPECT_FALSE(llvm::MulOverflow(number, by, point) ||
                   llvm::AddOverflow(point, lower, point))
          << "behind the loop";
      EXPECT_LT(point, upper) << "behind the loop";
      Registers inside = registers();
      inside.set(loop.getInductionVar(), point);
      Number found = inside.get(value);
      if (!found)
        return std::nullopt;
      int64_t expected = llvm::SignExtend64(
          uint64_t(*begin) + uint64_t(number) * uint64_t(*grows), bits);
      EXPECT_EQ(*found, expected) << "in iteration " << number;
    }
    return *iterations;
  }

  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  hopper::KernelOp kernel;
  scf::ForOp loop;
};

TEST_F(LoopMotionTest, AllOfALoop) {
  parse("index", 3, "%y = arith.muli %i, %p : index");
  EXPECT_EQ(countIterations(last(), {0, 0, 0, 0, 7, 0, 1, 8}), 3);
  parse("index", 3, "%y = arith.muli %i, %p : index");
  EXPECT_EQ(countIterations(last(), {0, 0, 0, 0, 7, 0, 1, 1}), 0);
}

TEST_F(LoopMotionTest, LeftOfAnExtent) {
  std::string clamped = R"(
    %y = arith.subi %w, %i : i64
    %c = arith.constant 32 : i64
    %m = arith.minsi %y, %c : i64
    %c0 = arith.constant 0 : i64
    %z = arith.maxsi %m, %c0 : i64)";
  for (auto [extent, whole] :
       {std::pair(100, 3), {96, 3}, {95, 2}, {31, 0}, {-5, 0}}) {
    parse("i64", 32, clamped);
    EXPECT_EQ(countIterations(last(), {0, 0, extent, 0, 0, 0, 0, 1000}), whole);
  }
}

TEST_F(LoopMotionTest, WhatIsLeftOfADivision) {
  for (auto [divisor, kept] : {std::pair(10, 3), {11, 4}, {0, 0}, {-3, 0}}) {
    parse("i32", 1, "%y = arith.remsi %i, %a : i32");
    EXPECT_EQ(countIterations(last(), {divisor, 0, 0, 0, 0, 0, 7, 100}), kept);
    parse("i32", 1, "%y = arith.divsi %i, %a : i32");
    EXPECT_EQ(countIterations(last(), {divisor, 0, 0, 0, 0, 0, 7, 100}), kept);
  }
  // Below zero what is left goes the other way.
  parse("i32", 1, "%y = arith.remsi %i, %a : i32");
  EXPECT_EQ(countIterations(last(), {10, 0, 0, 0, 0, 0, -7, 100}), 0);
}

TEST_F(LoopMotionTest, SumsThatWrap) {
  std::string sum = "%y = arith.addi %i, %a : i32\n"
                    "%z = arith.extsi %y : i32 to i64";
  parse("i32", 1, sum);
  EXPECT_EQ(countIterations(last(), {2147483640, 0, 0, 0, 0, 0, 0, 100}), 8);
}

TEST_F(LoopMotionTest, Unknown) {
  for (const char *body :
       {"%y = arith.muli %i, %i : i32", "%y = arith.divsi %a, %i : i32",
        "%y = arith.shli %i, %a : i32",
        "%s = arith.muli %i, %a : i32\n%y = arith.extsi %s : i32 to i64"}) {
    parse("i32", 1, body);
    EXPECT_FALSE(countIterations(last(), {1, 1, 1, 1, 1, 1, 1, 9})) << body;
  }
}

/// Arithmetic of a few lines that reads the loop's number.
class RandomBody {
public:
  explicit RandomBody(unsigned seed, const std::string &type) : random(seed) {
    add("i32", "%a"), add("i32", "%b");
    add("i64", "%w"), add("i64", "%x");
    add("index", "%p"), add("index", "%q");
    for (int i = 0; i < 3; ++i)
      add(type, "%i");
  }

  std::string make() {
    for (int line = 0; line < 8; ++line)
      addLine();
    return text;
  }
  int64_t pick(int64_t below) { return int64_t(random() % uint64_t(below)); }

private:
  void add(const std::string &type, const std::string &name) {
    names[type].push_back(name);
  }
  std::string any(const std::string &type) {
    // What was made last is read more often.
    std::vector<std::string> &all = names[type];
    size_t from = pick(2) ? all.size() / 2 : 0;
    return all[from + size_t(pick(int64_t(all.size() - from)))];
  }
  void addLine() {
    static const char *const types[] = {"i32", "i64", "index"};
    std::string type = types[pick(3)], name = "%v" + std::to_string(made++);
    int64_t kind = pick(12);
    if (kind < 2) {
      static const int64_t constants[] = {0, 1, 2, 5, 16, 32, 64, -1, -32};
      text += name + " = arith.constant " + std::to_string(constants[pick(9)]) +
              " : " + type + "\n";
    } else if (kind < 5) {
      std::string from = types[pick(3)];
      bool hasSign = pick(3) != 0;
      std::string op;
      if (from == type)
        return;
      if (from == "index" || type == "index")
        op = hasSign ? "index_cast" : "index_castui";
      else if (type == "i32")
        op = "trunci";
      else
        op = hasSign ? "extsi" : "extui";
      text += name + " = arith." + op + " " + any(from) + " : " + from +
              " to " + type + "\n";
    } else {
      static const char *const ops[] = {"addi",  "addi",  "subi",  "subi",
                                        "muli",  "minsi", "maxsi", "minsi",
                                        "maxsi", "divsi", "remsi", "divui",
                                        "remui", "minui", "andi"};
      text += name + " = arith." + ops[pick(15)] + " " + any(type) + ", " +
              any(type) + " : " + type + "\n";
    }
    add(type, name);
  }

  std::mt19937 random;
  std::map<std::string, std::vector<std::string>> names;
  std::string text;
  int made = 0;
};

TEST_F(LoopMotionTest, RandomArithmetic) {
  int64_t several = 0, known = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    std::string type = seed % 3 == 0 ? "i32" : seed % 3 == 1 ? "i64" : "index";
    RandomBody random(seed, type);
    int64_t step = int64_t(1) << random.pick(7);
    std::string body = random.make();
    auto draw = [&](int64_t bits) {
      int64_t small = random.pick(300) - 60;
      switch (random.pick(8)) {
      case 0:
        return llvm::maxIntN(bits) - std::abs(small);
      case 1:
        return llvm::minIntN(bits) + std::abs(small);
      default:
        return small;
      }
    };
    int64_t bits = type == "i64" ? 64 : 32;
    int64_t lower = draw(bits), upper = draw(bits);
    // A loop's next point fits its type.
    upper = std::min(upper, llvm::maxIntN(bits) - step);
    std::vector<int64_t> arguments = {draw(32), draw(32), draw(64), draw(64),
                                      draw(32), draw(32), lower,    upper};
    parse(type, step, body);
    SmallVector<Value> values;
    for (Operation &op : loop.getBody()->without_terminator())
      values.push_back(op.getResult(0));
    for (Value value : values)
      if (auto count = countIterations(value, arguments)) {
        ++known;
        several += *count > 1;
      }
    ASSERT_FALSE(HasFailure())
        << "seed " << seed << ", a loop of " << type << " by " << step << "\n"
        << body;
  }
  EXPECT_GT(known, 40000);
  EXPECT_GT(several, 10000);
}

} // namespace
