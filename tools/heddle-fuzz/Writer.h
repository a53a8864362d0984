//===- Writer.h - Text of a program under construction ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Knows what is in scope; knows nothing about what is worth writing.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FUZZ_WRITER_H
#define HEDDLE_TOOLS_HEDDLE_FUZZ_WRITER_H

#include "Bound.h"
#include "Program.h"

#include <functional>
#include <string>
#include <vector>

namespace heddle::fuzz {

/// An extent of a tile: a number, which a shape parameter may stand for.
struct Extent {
  int64_t size = 1;
  std::string name; ///< of the parameter; empty for a number
  bool operator==(const Extent &) const = default;
};
using Shape = std::vector<Extent>;

/// A tile, or a scalar if it has no axes.
struct Type {
  Kind kind = Kind::F32;
  Shape shape;
  bool operator==(const Type &) const = default;
  bool isTile() const { return !shape.empty(); }
  size_t rank() const { return shape.size(); }
  int64_t elements() const;
  Type with(Kind other) const { return {other, shape}; }
  std::string spell() const;
};
/// `tensor<64x!tile.ptr<f16>>`: addresses of `type`'s elements.
std::string spellPointers(const Type &type);

struct Value {
  std::string name; ///< with its %
  Type type;
  Bound bound;
};

/// A view or pointer argument in the text.
struct Memory {
  std::string name; ///< with its %
  std::string type; ///< spelled
  size_t plan;      ///< index of its ArgumentPlan
};

/// The type of a view; an extent that only the run knows is "?".
std::string spellView(Kind kind, const std::vector<std::string> &extents,
                      const std::vector<int> &order);

class Writer {
public:
  /// Writes `%vN = right` and brings it into scope.
  Value define(Type type, Bound bound, const std::string &right);
  /// Writes a line, indented.
  void line(const std::string &text);
  /// A fresh name, with its %.
  std::string fresh() { return "%v" + std::to_string(next++); }
  void bring(Value value) { pool.push_back(std::move(value)); }

  /// What is written between these is in its own block.
  size_t open() {
    ++depth;
    return pool.size();
  }
  void close(size_t scope) {
    --depth;
    pool.resize(scope);
  }

  /// What came into scope since `mark` is forgotten: no bound is known for it.
  size_t mark() const { return pool.size(); }
  void forget(size_t mark) { pool.resize(mark); }

  Memory addArgument(ArgumentPlan plan, std::vector<bool> staticExtents = {});
  Value addScalar(Kind kind, double value);
  Extent addParameter(int64_t size, const std::vector<int64_t> &legal);
  ArgumentPlan &plan(const Memory &memory) { return plans[memory.plan]; }

  const std::vector<Value> &values() const { return pool; }
  /// Whether the text names the value after its definition.
  bool isUsed(const Value &value) const;
  size_t argumentCount() const { return plans.size(); }

  /// The whole program; `head` is put before it as a comment.
  Program finish(const std::string &head) const;

private:
  std::string body;
  std::vector<std::string> parameters;
  std::vector<std::string> arguments; ///< "%a: !tile.view<...>"
  std::vector<ArgumentPlan> plans;
  std::vector<Value> pool;
  int next = 0;
  int depth = 1;
};

} // namespace heddle::fuzz

#endif // HEDDLE_TOOLS_HEDDLE_FUZZ_WRITER_H
