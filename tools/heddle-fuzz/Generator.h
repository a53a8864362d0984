//===- Generator.h - Writes one random tile program -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements are tried in random order; each takes operands from what is in
// scope, computes the bound of its result, and writes nothing if there is none.
// So every program verifies and has an outcome that Bound.h makes predictable.
// What is left over is stored, each value into a view of its own.
//
// Each group of statements lies in a file of its own.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FUZZ_GENERATOR_H
#define HEDDLE_TOOLS_HEDDLE_FUZZ_GENERATOR_H

#include "Choice.h"
#include "Writer.h"

namespace heddle::fuzz {

/// What a program is mostly about.
enum class Flavour {
  Product, ///< a loop of dots, an element-wise epilogue
  Chain,   ///< dot, work on its result, dot: the shape of attention
  Rowwise, ///< loads, reductions, broadcasts, no dot
  Free,    ///< every operation of the rung
};

class Generator {
public:
  Generator(uint64_t seed, std::optional<Flavour> flavour);
  Program run();

private:
  using Statement = bool (Generator::*)();
  struct Weighted {
    Statement statement;
    int weights[4]; ///< by flavour
  };
  static const std::vector<Weighted> &statements();

  // Generator.cpp: the program as a whole.
  std::vector<Value> chooseBounds();
  void body();
  void statementsFor(int64_t count);
  /// One statement of this flavour, if its operands can be found.
  bool statement();
  void storeResults();
  /// Whether `operations` more, in every instance and iteration, are
  /// affordable.
  bool afford(int64_t operations);

  // Operands.cpp: values in scope, and new ones out of nothing.
  using Filter = std::function<bool(const Value &)>;
  std::optional<Value> pick(const Filter &filter);
  std::optional<Value> pickTile(const std::function<bool(Kind)> &kinds,
                                bool exact = false);
  /// Another value of this type, or a new one.
  Value like(const Type &type, bool exact = false);
  Value leaf(const Type &type);
  Value constant(Kind kind, double value);
  Value splat(const Type &type, double value);
  Value splatOf(const Value &scalar, const Type &type);
  Value smallConstant(const Type &type);
  Value counting(const Type &type);
  Value index(int64_t number);
  Value indexBinary(const char *op, const Value &a, const Value &b);
  Shape randomShape(size_t rank);
  Extent randomExtent();
  std::string name(const Value &value) const { return value.name; }
  /// Defines `op operands : type` if `bound` exists.
  bool elementwise(const std::string &op, std::initializer_list<Value> operands,
                   std::optional<Bound> bound);
  std::optional<Value> castFloat(const Value &value, Kind kind);

  // ElementwiseOps.cpp
  bool floatUnary();
  bool floatBinary();
  bool floatFunction();
  bool fusedMultiplyAdd();
  bool cast();
  bool integerBinary();
  bool compare();
  bool select();
  bool convert();
  bool scalarArithmetic();

  // ShapeOps.cpp
  bool transpose();
  bool repeatAlongAxis();
  bool reshape();
  bool concatenate();
  bool joinAndSplit();
  bool take();

  // CombineOps.cpp
  bool reduce();
  bool scan();
  bool argMax();
  bool histogram();
  Value reduceTile(const Value &tile, int64_t axis, const std::string &combiner,
                   std::optional<Bound> bound);

  // MemoryOps.cpp
  bool loadSomething();
  Value load(const Type &type);
  Value loadFrom(const Memory &view, const Type &type,
                 const std::vector<Value> &offsets);
  Memory inputView(Kind kind, const std::vector<int64_t> &shape,
                   bool mayBeKnown = true);
  Value offset(int64_t tileExtent, size_t axis);
  bool storeEarly();
  bool store(const Value &value);
  bool gather();
  bool scatter();
  bool atomicUpdate();
  bool viewRows();
  bool viewReduce();

  // WindowOps.cpp
  /// What is known of a made view's axes.
  struct Axes {
    std::vector<int> order;
    std::vector<int64_t> extents;
  };
  bool loadMapped();
  Memory window(const Memory &view, Kind kind, Axes &axes, int axis,
                int position);
  Memory merge(const Memory &view, Kind kind, Axes &axes, int first, int last);
  bool unfold();

  // DotOps.cpp
  bool dot();
  bool dotLoop();
  bool chainLoop();
  Kind operandKind();
  Value operandLoad(const Memory &view, bool transposed, const Type &type,
                    const Value &row, const Value &column, Kind kind);
  std::optional<Value> multiplyAccumulate(const Value &a, const Value &b,
                                          const Value &acc);

  // ControlFlow.cpp
  bool loop();
  bool branch();
  bool whileLoop();
  Value uniformCondition();
  Value carriedOn(const Value &value);

  Choice rng;
  Writer w;
  Flavour flavour;
  Kind mainKind = Kind::F16; ///< most inputs are of it
  bool approximate = false;  ///< may call functions that have an error
  bool named = false;        ///< extents are shape parameters
  /// Instances along the two axes, and the indices.
  int64_t instances[2] = {1, 1};
  Value instance[2];
  /// The tile that an instance owns of a result, BM x BN, and the depth BK.
  Extent rows, columns, depth;

  struct Loop {
    Value variable; ///< of type index
    int64_t step;
    int64_t trips; ///< at most
  };
  std::vector<Loop> loops;
  int64_t repetitions = 1; ///< of the current block in the whole program
  int64_t spent = 0;
  std::vector<Memory> inputs;
  size_t nesting = 0;
};

/// The program that `seed` stands for.
Program generate(uint64_t seed, std::optional<Flavour> flavour = std::nullopt);

} // namespace heddle::fuzz

#endif // HEDDLE_TOOLS_HEDDLE_FUZZ_GENERATOR_H
