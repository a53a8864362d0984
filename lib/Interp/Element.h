//===- Element.h - The element types of run-time values -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An element type of the rung: how its values round, wrap, lie in memory and
// look as bits. Operations compute in double or int64_t and ask here for the
// rest, so that few of them know a format.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_INTERP_ELEMENT_H
#define HEDDLE_LIB_INTERP_ELEMENT_H

#include "mlir/IR/BuiltinTypes.h"
#include <vector>

namespace heddle::interp {

/// Floating-point elements are held as double, which holds all their values;
/// integers as int64_t, sign-extended (i1: 0 or 1), pointers as addresses.
class Element {
public:
  enum class Kind { E4M3, E5M2, F16, BF16, TF32, F32, F64, Integer, Pointer };

  /// Nothing for a type that no tile may hold.
  static std::optional<Element> get(mlir::Type type);

  Kind getKind() const { return kind; }
  bool isFloat() const { return kind < Kind::Integer; }
  unsigned getWidth() const { return width; } // of the value, in bits
  int64_t getSizeBytes() const { return sizeBytes; }

  double round(double value) const;
  void round(std::vector<double> &values) const;
  /// Rounds toward another direction; `mode` is an fenv.h constant.
  double round(double value, int mode) const;
  void wrap(std::vector<int64_t> &values) const;
  int64_t wrap(int64_t value) const;
  /// The value as an unsigned number of getWidth() bits.
  uint64_t asUnsigned(int64_t value) const;
  /// The value as a signed number (an i1 of 1 is -1).
  int64_t asSigned(int64_t value) const;

  double loadFloat(const void *address) const;
  void storeFloat(double value, void *address) const;
  int64_t loadInteger(const void *address) const;
  void storeInteger(int64_t value, void *address) const;

  /// The bits of a float, as arith.bitcast sees them, and back.
  uint64_t toBits(double value) const;
  double fromBits(uint64_t bits) const;

private:
  Element(Kind kind, unsigned width)
      : kind(kind), width(width), sizeBytes(width <= 8 ? 1 : width / 8) {}
  Kind kind;
  unsigned width;
  int64_t sizeBytes;
};

} // namespace heddle::interp

#endif // HEDDLE_LIB_INTERP_ELEMENT_H
