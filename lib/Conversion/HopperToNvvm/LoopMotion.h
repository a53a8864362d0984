//===- LoopMotion.h - How numbers move along a loop -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop whose indices are known to fit 32 bits. Out: by how much a number
// or an address grows from one iteration to the next, and the claims under
// which it does: a minimum stays at one side as long as the other is beyond it,
// a remainder grows until it wraps. How many iterations from the first one on
// keep a claim is computed in front of the loop.
//
// Numbers wrap as registers do, so an index has 32 bits here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_LOOPMOTION_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_LOOPMOTION_H

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include <limits>

namespace heddle::tonvvm {

/// A constant, and a number that stays.
struct Bound {
  int64_t constant = 0;
  mlir::Value number; ///< may be null

  bool operator==(const Bound &) const = default;
};

inline constexpr int64_t kLeastNumber = std::numeric_limits<int64_t>::min();
inline constexpr int64_t kMostNumber = std::numeric_limits<int64_t>::max();

/// A number that grows by `step` lies from `least` to `most`, as signed
/// numbers; with a divisor, what is left of it there does.
struct Claim {
  mlir::Value number;
  mlir::Value divisor; ///< may be null
  int64_t step = 0;
  Bound least = {kLeastNumber, {}}, most = {kMostNumber, {}};

  bool operator==(const Claim &) const = default;
};

/// A number grows by the sum of `step`, elements for an address.
struct Motion {
  struct Term {
    int64_t factor = 1;
    llvm::SmallVector<mlir::Value, 2> numbers; ///< that stay, multiplied
  };
  llvm::SmallVector<Term, 2> step;
  llvm::SmallVector<unsigned, 4> claims; ///< as LoopMotion numbers them

  bool stays() const { return step.empty(); }
  void addClaims(const Motion &other);
  /// The step if it is a constant, as a number of `bits` bits.
  std::optional<int64_t> constant(int64_t bits) const;
};

class LoopMotion {
public:
  explicit LoopMotion(mlir::scf::ForOp loop);

  /// Empty where nothing is known.
  std::optional<Motion> find(mlir::Value value);
  /// `motion` is so under one more claim.
  void require(Motion &motion, const Claim &claim);
  const Claim &claim(unsigned number) const { return claims[number]; }

private:
  std::optional<Motion> compute(mlir::Value value);
  std::optional<Motion> ofOperation(mlir::Operation *op);
  std::optional<Motion> ofSum(mlir::Operation *op, int64_t sign);
  std::optional<Motion> ofProduct(mlir::Operation *op);
  std::optional<Motion> ofExtreme(mlir::Operation *op, bool isLeast);
  std::optional<Motion> ofDivision(mlir::Operation *op, bool isRest);
  std::optional<Motion> ofCast(mlir::Value number, int64_t bits, bool isSigned);
  std::optional<Motion> staying(mlir::Operation *op);

  mlir::scf::ForOp loop;
  llvm::DenseMap<mlir::Value, std::optional<Motion>> known;
  std::vector<Claim> claims;
};

/// A constant, cast or not.
std::optional<int64_t> constantOf(mlir::Value number);

/// Bits of the register of a number or an address.
int64_t registerBits(mlir::Type type);

/// Whether it is one that LoopMotion follows.
bool isDivision(mlir::Operation *op);

/// Writes in front of a loop what its numbers are in the first iteration.
class LoopEntry {
public:
  LoopEntry(mlir::OpBuilder &builder, mlir::scf::ForOp loop)
      : builder(builder), loop(loop) {}

  /// Of a number or an address that LoopMotion knows.
  mlir::Value first(mlir::Value value);
  /// The same with its sign, i64.
  mlir::Value wide(mlir::Value value);
  mlir::Value number(int64_t value);
  /// The sum of a motion's step.
  mlir::Value step(const Motion &motion);
  /// Demands that `condition` holds in front of the loop.
  void demand(mlir::Value condition);
  void demand(const Claim &claim);
  /// How many iterations from the first one on are as demanded; i32. What is
  /// demanded later does not count.
  mlir::Value count();
  /// Of a loop that has an iteration, with a claim about what is left of a
  /// division: none if there are `count`, else those up to where the quotient
  /// grows and all may be as demanded; i32.
  mlir::Value countOthers(mlir::Value count);

private:
  mlir::Value bound(const Bound &bound);
  mlir::Value isAtLeast(mlir::Value a, mlir::Value b);
  mlir::Value turns(mlir::Value distance, int64_t step);
  mlir::Value fewer(mlir::Value a, mlir::Value b);
  mlir::Value trips();
  mlir::Value atLeastOne(mlir::Value divisor, bool isSigned);

  mlir::OpBuilder &builder;
  mlir::scf::ForOp loop;
  mlir::IRMapping firsts;
  mlir::Value holds, iterations, period;
};

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_LOOPMOTION_H
