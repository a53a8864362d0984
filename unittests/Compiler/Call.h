//===- Call.h - Calls of the C interface, for its tests ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source and options go in; an object with the outcome and the texts of one
// heddle_compile comes out, which frees the result at its end. The tests see
// the compiler through compiler.h, as a caller in C does, without its
// bookkeeping in each of them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_COMPILER_CALL_H
#define HEDDLE_UNITTESTS_COMPILER_CALL_H

#include "heddle/compiler.h"

#include <memory>
#include <string>

namespace heddle::test {

/// Doubles what lies in %x, over which one process of four warps walks.
inline constexpr char kTwice[] = R"(tile.kernel @twice(
    %x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c128 = arith.constant 128 : index
  %c0 = arith.constant 0 : index
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  %blocks = arith.ceildivui %n, %c128 : index
  tile.parallel (%i) to (%blocks) {
    %at = arith.muli %i, %c128 : index
    %v = tile.load %x[%at] : !tile.view<?xf32> -> tensor<128xf32>
    %w = arith.addf %v, %v : tensor<128xf32>
    tile.store %w, %y[%at] : tensor<128xf32>, !tile.view<?xf32>
  }
}
)";

class Call {
public:
  Call(const std::string &source, const char *options = nullptr) {
    heddle_result *made = nullptr;
    outcome = heddle_compile(source.data(), source.size(), options, &made);
    result.reset(made);
  }

  std::string text(heddle_text what, size_t kernel = 0) const {
    size_t size = 0;
    const char *text = heddle_result_text(result.get(), what, kernel, &size);
    return std::string(text, size);
  }
  std::string messages() const { return text(HEDDLE_TEXT_MESSAGES); }

  heddle_outcome outcome;

private:
  struct Destroy {
    void operator()(heddle_result *result) const {
      heddle_result_destroy(result);
    }
  };
  std::unique_ptr<heddle_result, Destroy> result;
};

} // namespace heddle::test

#endif // HEDDLE_UNITTESTS_COMPILER_CALL_H
