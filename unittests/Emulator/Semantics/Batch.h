//===- Batch.h - One instruction on many operands ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an instruction's text and a list of operands. Out: what the emulator
// gives for each, one thread a row. The tests beside this compare it with what
// a model gives.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_BATCH_H
#define HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_BATCH_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::emulator::test {

/// Operands of one row, each in the low bits.
using Operands = std::array<uint64_t, 3>;

struct Batch {
  /// With %a, %b, %c for sources, %r for the result and %p0, %p1 for free
  /// predicates; several instructions are possible.
  std::string text;
  /// Bits of %r and of the sources: 16, 32 or 64.
  int resultBits = 32;
  std::array<int, 3> sourceBits = {32, 32, 32};
};

/// The results, row by row; empty after a failed expectation.
std::vector<uint64_t> runBatch(const Batch &batch,
                               const std::vector<Operands> &rows);

/// Every combination of `count` of the values, then `extra` random rows of
/// `bits` bits that like to share exponents, ends and signs.
std::vector<Operands> combinations(const std::vector<uint64_t> &values,
                                   int count, int bits, size_t extra);
/// The same with values of its own for each source.
std::vector<Operands>
combinations(const std::array<std::vector<uint64_t>, 3> &values);

/// "0x3f800000, 0x0": for messages.
std::string describe(const Operands &row, int count);

} // namespace heddle::emulator::test

#endif // HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_BATCH_H
