//===- Example.h - Runs a program of examples/ on arrays ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the name of an example, settings, and its arguments by name. Out: the
// arguments' memory after a run. A test adds only its reference. This helper
// checks for all examples that distribute and split leave the result as it is.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_INTERP_EXAMPLE_H
#define HEDDLE_UNITTESTS_INTERP_EXAMPLE_H

#include "heddle/Interp/Interp.h"
#include "heddle/Support/NumberFormat.h"

#include "gtest/gtest.h"
#include <random>

namespace heddle::interp {

using Half = std::vector<uint16_t>;
using F32 = std::vector<float>;
using I32 = std::vector<int32_t>;

inline double valueOf(uint16_t half) { return decode<kFloat16>(half); }
inline double valueOf(float value) { return value; }
inline double valueOf(int32_t value) { return value; }
inline void assign(uint16_t &half, double value) {
  half = uint16_t(encode<kFloat16>(value));
}
inline void assign(float &element, double value) { element = float(value); }

/// `count` values of N(0, scale), the same for the same seed.
template <typename T>
std::vector<T> normal(size_t count, unsigned seed, double scale = 1) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> distribution(0, scale);
  std::vector<T> data(count);
  for (T &element : data)
    assign(element, distribution(generator));
  return data;
}

/// The arguments of a kernel by name.
class Arguments {
public:
  /// The memory of a view, or of a pointer.
  template <typename T>
  Arguments &array(llvm::StringRef name, std::vector<T> &data,
                   llvm::ArrayRef<int64_t> shape) {
    entries.push_back(
        {name.str(),
         Buffer{data.data(), llvm::SmallVector<int64_t>(shape), {}, {}},
         {reinterpret_cast<char *>(data.data()), data.size() * sizeof(T)}});
    return *this;
  }
  Arguments &scalar(llvm::StringRef name, Argument value) {
    entries.push_back({name.str(), value, {}});
    return *this;
  }

  /// The last array holds sums in f32 whose terms sub-tiles may add in another
  /// order.
  Arguments &summedInAnyOrder() {
    entries.back().isSummedInAnyOrder = true;
    return *this;
  }

  struct Entry {
    std::string name;
    Argument value;
    llvm::MutableArrayRef<char> bytes; ///< of an array
    bool isSummedInAnyOrder = false;
  };
  std::vector<Entry> entries;
};

/// Runs an example's only kernel distributed and split, then as written on what
/// was there before; both must leave the same bits everywhere, or nearly the
/// same sums. `settings` are shape parameters, "BM=64".
::testing::AssertionResult runExample(llvm::StringRef name,
                                      llvm::ArrayRef<std::string> settings,
                                      const Arguments &arguments);

} // namespace heddle::interp

#endif // HEDDLE_UNITTESTS_INTERP_EXAMPLE_H
