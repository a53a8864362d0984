//===- Bags.cpp - heddle_sparse_fault_of_bags -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What bags of rows of a table must keep to. Unlike a matrix's coordinates
// their indices have no order, and each call brings new ones: one pass over
// them, and a slower one only to name what it found.
//
//===----------------------------------------------------------------------===//

#include "Entry.h"

#include "heddle/compiler.h"

#include <algorithm>
#include <string>
#include <type_traits>

using namespace heddle::compiler;

namespace {

template <typename Index> struct Bags {
  const Index *positions, *indices;
  int64_t bags, rows, count;

  using Unsigned = std::make_unsigned_t<Index>;

  bool doFall() const {
    bool isFalling = false;
    for (int64_t bag = 0; bag < bags; ++bag)
      isFalling |= positions[bag + 1] < positions[bag];
    return isFalling;
  }
  /// A negative index is a large one without a sign.
  bool areOutside() const {
    Unsigned largest = 0;
    for (int64_t i = 0; i < count; ++i)
      largest = std::max(largest, Unsigned(indices[i]));
    return count > 0 && uint64_t(largest) >= uint64_t(rows);
  }

  std::string nameFall() const {
    int64_t bag = 0;
    while (positions[bag + 1] >= positions[bag])
      ++bag;
    return "the offsets fall: bag " + std::to_string(bag) + " begins at " +
           std::to_string(positions[bag]) + " and ends at " +
           std::to_string(positions[bag + 1]);
  }
  std::string nameOutside() const {
    int64_t at = 0;
    while (indices[at] >= 0 && indices[at] < rows)
      ++at;
    int64_t bag = std::upper_bound(positions, positions + bags + 1, Index(at)) -
                  positions - 1;
    return "position " + std::to_string(at) + ", of bag " +
           std::to_string(bag) + ", is " + std::to_string(indices[at]) +
           ", and the table has " +
           (rows ? "rows 0 to " + std::to_string(rows - 1) : "no row");
  }
  std::string findFault() const {
    if (positions[0] != 0)
      return "the first offset is " + std::to_string(positions[0]) +
             " and not 0";
    if (doFall())
      return nameFall();
    if (positions[bags] > count)
      return "a bag ends at " + std::to_string(positions[bags]) + ", and " +
             std::to_string(count) + " indices are there";
    if (positions[bags] < count)
      return "the last bag ends at " + std::to_string(positions[bags]) +
             ", in front of " + std::to_string(count - positions[bags]) +
             " indices of no bag";
    return areOutside() ? nameOutside() : "";
  }
};

} // namespace

const char *heddle_sparse_fault_of_bags(const void *positions,
                                        const void *indices, int bits,
                                        int64_t bags, int64_t rows,
                                        int64_t count) noexcept {
  return enterOr("the check failed", [&] {
    if (!positions || (!indices && count) || bags < 0 || rows < 0 ||
        count < 0 || (bits != 32 && bits != 64))
      return "a pointer is null, or a size beyond its limit";
    auto find = [&](auto *index) {
      using Index = std::remove_pointer_t<decltype(index)>;
      return Bags<Index>{static_cast<const Index *>(positions),
                         static_cast<const Index *>(indices), bags, rows, count}
          .findFault();
    };
    static thread_local std::string fault;
    fault = bits == 32 ? find((int32_t *)nullptr) : find((int64_t *)nullptr);
    return fault.empty() ? nullptr : fault.c_str();
  });
}
