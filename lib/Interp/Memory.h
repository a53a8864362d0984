//===- Memory.h - The memory that a kernel's arguments give it ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host addresses that a kernel's arguments cover. A pointer that the
// program computed is followed inside of these ranges only, so that a wrong
// program ends in a diagnostic and not in a crash of the oracle.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_INTERP_MEMORY_H
#define HEDDLE_LIB_INTERP_MEMORY_H

#include "heddle/Interp/Access.h"

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace heddle::interp {

class Memory {
public:
  void addRange(int64_t begin, int64_t end);
  /// The addresses of a strided array.
  void addArray(int64_t base, llvm::ArrayRef<int64_t> shape,
                llvm::ArrayRef<int64_t> strides, int64_t elementBytes);
  bool contains(int64_t address, int64_t sizeBytes) const;

  /// From now on accesses are noted in `trace`, with addresses that do not
  /// depend on where the host has the arrays; null ends it.
  void setTrace(std::vector<Access> *list) { trace = list; }
  void note(int64_t address, int64_t sizeBytes) const {
    if (trace)
      append(address, sizeBytes);
  }

private:
  void append(int64_t address, int64_t sizeBytes) const;

  struct Range {
    int64_t begin, end;
  };
  std::vector<Range> ranges;
  std::vector<Access> *trace = nullptr;
};

} // namespace heddle::interp

#endif // HEDDLE_LIB_INTERP_MEMORY_H
